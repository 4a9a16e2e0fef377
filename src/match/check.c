#include "match/check.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uv_loop_t loop;
    uv_timer_t alarm;
    player_world world;
    player *player;
    rules_state *state;
    check_listener *listener;
    void *context;
    check_counts counts;
    bool idle, answered, gone, alarm_rang;
    dialect_event_kind answer;
    char written[64]; // its move as it wrote it
    int64_t asked, took;
    bool said_score, said_depth;
    uint32_t protocol_errors;
    char fate[96], error_text[96];
} check;

static void say(check *c, bool good, const char *what, const char *detail) {
    c->counts.made++;
    c->counts.wrong += !good;
    c->listener(c->context, good ? CHECK_OK : CHECK_WRONG, what, detail);
}

// A check that could not be made.
static void skip(check *c, const char *what, const char *why) {
    c->counts.skipped++;
    c->listener(c->context, CHECK_SKIPPED, what, why);
}

// --- events -------------------------------------------------------------------------------------

static void copy_to(char *room, size_t size, text t) {
    writer w = writer_on(room, size);
    write_text(&w, t);
}

static void on_idle(player *p) {
    check *c = p->owner;
    c->idle = true;
}

// Events that end the search of an engine.
static bool is_answer(dialect_event_kind kind) {
    return kind == EVENT_MOVE || kind == EVENT_NO_MOVE || kind == EVENT_RESIGN ||
           kind == EVENT_RESULT;
}

static void on_event(player *p, const dialect_event *event, int64_t now) {
    check *c = p->owner;
    if (event->kind == EVENT_INFO) {
        c->said_score |= event->info.has_score;
        c->said_depth |= event->info.depth > 0;
    } else if (event->kind == EVENT_MALFORMED || event->kind == EVENT_REFUSED) {
        c->protocol_errors++;
        copy_to(c->error_text, sizeof c->error_text, event->text);
    } else if (is_answer(event->kind)) {
        c->answered = true;
        c->answer = event->kind;
        c->took = now - c->asked;
        copy_to(c->written, sizeof c->written, event->text);
        player_rest(p);
    }
}

static void on_gone(player *p, player_fate fate, int detail, const char *words) {
    (void)fate, (void)detail;
    check *c = p->owner;
    c->gone = true;
    copy_to(c->fate, sizeof c->fate, text_of(words));
}

static const player_events handlers = {
    .on_idle = on_idle, .on_event = on_event, .on_gone = on_gone};

static void on_alarm(uv_timer_t *timer) {
    check *c = timer->data;
    c->alarm_rang = true;
}

// Runs the loop until the flag is set, the engine is gone, or the time is over.
static bool wait_for(check *c, const bool *flag, int64_t ms) {
    c->alarm_rang = false;
    uv_update_time(&c->loop);
    uv_timer_start(&c->alarm, on_alarm, (uint64_t)ms, 0);
    while (!*flag && !c->gone && !c->alarm_rang)
        uv_run(&c->loop, UV_RUN_ONCE);
    uv_timer_stop(&c->alarm);
    return *flag;
}

// --- trials -------------------------------------------------------------------------------------

static bool start(check *c, const match_engine *engine) {
    c->gone = c->idle = false;
    int64_t begun = clock_us();
    c->player = player_start(&c->world, engine, &handlers, c);
    bool good = c->player && wait_for(c, &c->idle, 10000);
    char detail[128] = "";
    if (good)
        snprintf(detail, sizeof detail, "%s, %lld ms", dialect_name(engine->dialect),
                 (long long)((clock_us() - begun) / 1000));
    say(c, good, "starts and greets", good ? detail : c->fate);
    if (good)
        say(c, c->player->host.name[0] != '\0', "says its name", c->player->host.name);
    return good;
}

// CECP gets the limits with the new game, the other protocols with each move.
static bool new_game(check *c, int side, const char *fen, const dialect_limits *limits) {
    c->idle = false;
    player_new_game(c->player, side, limits, fen);
    return wait_for(c, &c->idle, 10000);
}

// Asks for one move and plays it. Reports `what` only if something is wrong.
static bool ask(check *c, const char *what, const dialect_limits *limits, int64_t allowed_ms) {
    int side = rules_side_to_move(c->state);
    c->answered = false;
    c->asked = clock_us();
    player_think(c->player, side, limits);
    char detail[192];
    if (!wait_for(c, &c->answered, allowed_ms)) {
        snprintf(detail, sizeof detail, "%s",
                 c->gone ? c->fate : "no answer within the time it was given");
        say(c, false, what, detail);
        return false;
    }
    rules_move move;
    fault why;
    if (c->answer != EVENT_MOVE ||
        !dialect_parse_move(&c->player->host, c->state, text_of(c->written), &move, &why)) {
        snprintf(detail, sizeof detail, "%.40s: %.120s", c->written,
                 c->answer == EVENT_MOVE ? why.line : "not a move");
        say(c, false, what, detail);
        return false;
    }
    player_played(c->player, c->state, move, true);
    return rules_play(c->state, move, &why);
}

static void play_random(check *c, rng *r) {
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(c->state, moves);
    fault why;
    if (n == 0)
        return;
    rules_move move = moves[rng_below(r, (uint32_t)n)];
    player_played(c->player, c->state, move, false);
    if (!rules_play(c->state, move, &why))
        c->gone = true;
}

static void reset(check *c) {
    while (rules_undo(c->state))
        ;
    fault why;
    bool good = rules_set_fen(c->state, text_of(rules_start_fen(rules_game_of(c->state))), &why);
    c->gone |= !good;
}

// A short game against random moves, the engine playing `side`.
static bool try_game(check *c, const char *what, int side, const dialect_limits *limits,
                     int64_t allowed_ms, uint64_t seed) {
    rng r = {seed};
    reset(c);
    if (!new_game(c, side, NULL, limits)) {
        say(c, false, what, c->gone ? c->fate : "not ready for a new game");
        return false;
    }
    int64_t longest = 0;
    for (int i = 0; i < 12 && rules_result(c->state).outcome == RULES_ONGOING; i++) {
        if (rules_side_to_move(c->state) != side) {
            play_random(c, &r);
        } else {
            if (!ask(c, what, limits, allowed_ms))
                return false;
            longest = max_i64(longest, c->took);
        }
    }
    char detail[64];
    snprintf(detail, sizeof detail, "longest move %.1f ms", (double)longest / 1000.0);
    say(c, true, what, detail);
    return true;
}

// Positions only a FEN can give, with either side to move.
static bool try_set_up(check *c) {
    rng r = {7};
    dialect_limits limits = {.clock_us = {-1, -1}, .move_time_us = 100000};
    for (int k = 0; k < 6; k++) {
        reset(c);
        rules_move moves[RULES_MAX_MOVES];
        fault why;
        for (int i = 0; i < 20 + k; i++) {
            int n = rules_legal_moves(c->state, moves);
            if (n == 0 || !rules_play(c->state, moves[rng_below(&r, (uint32_t)n)], &why))
                break;
        }
        if (rules_result(c->state).outcome != RULES_ONGOING)
            continue;
        char fen[RULES_FEN_SIZE];
        writer w = writer_on(fen, sizeof fen);
        rules_format_fen(c->state, &w);
        if (!rules_set_fen(c->state, text_of(fen), &why) ||
            !new_game(c, rules_side_to_move(c->state), fen, &limits)) {
            say(c, false, "takes a set-up position", c->gone ? c->fate : fen);
            return false;
        }
        if (!ask(c, "plays from a set-up position", &limits, 5000))
            return false;
    }
    say(c, true, "plays from set-up positions", "");
    return true;
}

// Starts a search without a limit, then tells the engine to stop. The delay of the answer is
// reported; only an engine that does not answer is wrong.
static bool try_stop(check *c) {
    static const char what[] = "answers when told to stop";
    const int64_t hour_us = INT64_C(3600000000), allowed_ms = 2000;
    const dialect_limits limits = {.clock_us = {hour_us, hour_us}};
    reset(c);
    if (!new_game(c, 0, NULL, &limits)) {
        say(c, false, what, c->gone ? c->fate : "not ready for a new game");
        return false;
    }
    c->answered = false;
    player_think(c->player, 0, &limits);
    if (wait_for(c, &c->answered, 200)) {
        say(c, true, what, "it did not have to be told");
        return true;
    }
    c->asked = clock_us();
    player_hurry(c->player);
    bool good = wait_for(c, &c->answered, allowed_ms);
    char detail[64];
    snprintf(detail, sizeof detail, "%.1f ms", (double)c->took / 1000.0);
    say(c, good, what, good ? detail : c->gone ? c->fate : "not within two seconds");
    return !c->gone;
}

static bool try_leaving(check *c) {
    c->gone = false;
    int64_t begun = clock_us();
    player *p = c->player;
    int64_t written;
    process_write(&p->process, text_of("quit\n"), (text){"", 0}, &written);
    process_close_input(&p->process);
    bool never = false;
    wait_for(c, &never, 1500);
    char detail[128];
    snprintf(detail, sizeof detail, "%s after %lld ms", c->gone ? c->fate : "still there",
             (long long)((clock_us() - begun) / 1000));
    say(c, c->gone, "leaves when told to quit", detail);
    return true;
}

static bool try_move_time(check *c) {
    int64_t step = dialect_properties_of(c->player->host.id)->move_time_step_us;
    dialect_limits limits = {.clock_us = {-1, -1}, .move_time_us = max_i64(200000, step)};
    return try_game(c, "plays by time for a move", 0, &limits, step > 200000 ? 1700 : 700, 1);
}

static bool try_depth(check *c) {
    dialect_limits limits = {.clock_us = {-1, -1}, .depth = 2};
    return try_game(c, "plays to a depth", 0, &limits, 30000, 2);
}

static bool try_clock(check *c) {
    dialect_limits limits = {.clock_us = {3000000, 3000000}, .increment_us = {100000, 100000}};
    return try_game(c, "plays by the clock, second side", 1, &limits, 3100, 3);
}

static bool try_first(check *c) {
    return try_game(c, "plays the first side", 0, &(dialect_limits){.clock_us = {-1, -1}}, 30000,
                    1);
}

static bool try_second(check *c) {
    return try_game(c, "plays the second side", 1, &(dialect_limits){.clock_us = {-1, -1}}, 30000,
                    3);
}

static bool try_words(check *c) {
    say(c, c->said_depth, "says how deep it looks", "");
    say(c, c->said_score, "says how it stands", "");
    return true;
}

typedef enum { ALWAYS, WITH_LIMITS, WITHOUT_LIMITS, WITH_SET_UP } trial_condition;

static const struct {
    const char *what;
    trial_condition condition;
    bool (*run)(check *c);
} trials[] = {
    {"plays by time for a move", WITH_LIMITS, try_move_time},
    {"plays to a depth", WITH_LIMITS, try_depth},
    {"plays by the clock, second side", WITH_LIMITS, try_clock},
    {"plays the first side", WITHOUT_LIMITS, try_first},
    {"plays the second side", WITHOUT_LIMITS, try_second},
    {"plays from set-up positions", WITH_SET_UP, try_set_up},
    {"answers when told to stop", WITH_LIMITS, try_stop},
    {"says how deep it looks and how it stands", WITH_LIMITS, try_words},
    {"leaves when told to quit", ALWAYS, try_leaving},
};

// Why the trial cannot be made with this engine; NULL: it can be made.
static const char *obstacle_to(const check *c, trial_condition condition, bool *is_silent) {
    const dialect_properties *protocol = dialect_properties_of(c->player->host.id);
    *is_silent = condition == WITHOUT_LIMITS && protocol->tells_limits; // others are made instead
    if (condition == WITH_SET_UP && !dialect_can_set_up(&c->player->host))
        return "it cannot set up positions";
    if (condition == WITH_LIMITS && !protocol->tells_limits)
        return "its protocol has no such command";
    return NULL;
}

static void run_trials(check *c, const match_engine *engine) {
    bool alive = start(c, engine);
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        bool is_silent = !c->player && trials[i].condition == WITHOUT_LIMITS;
        const char *obstacle =
            c->player ? obstacle_to(c, trials[i].condition, &is_silent) : "it did not start";
        if (is_silent)
            continue;
        if (!obstacle && !alive)
            obstacle = "it failed before";
        if (obstacle)
            skip(c, trials[i].what, obstacle);
        else
            alive = trials[i].run(c);
    }
    if (!c->player)
        return;
    bool answered_unasked = c->player->unasked_games > 0;
    say(c, c->protocol_errors == 0 && !answered_unasked, "writes its protocol and nothing else",
        c->protocol_errors ? c->error_text
        : answered_unasked ? "it answered unasked"
                           : "");
}

bool match_check(const match_engine *engine, const rules_game *game, const char *kraton,
                 check_listener *listener, void *context, check_counts *counts) {
    check *c = calloc(1, sizeof *c);
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(200));
    if (!c || !memory || uv_loop_init(&c->loop) != 0) {
        free(c);
        free(memory);
        return false;
    }
    c->listener = listener;
    c->context = context;
    c->state = rules_state_new(memory, game, &set, 200);
    c->world.loop = &c->loop;
    c->world.game = game;
    c->world.kraton = kraton;
    c->world.error_fd = -1;
    c->world.hello_us = c->world.ready_us = 10000000;
    uv_timer_init(&c->loop, &c->alarm);
    c->alarm.data = c;
    run_trials(c, engine);
    if (c->player)
        player_drop(c->player, true);
    uv_close((uv_handle_t *)&c->alarm, NULL);
    uv_run(&c->loop, UV_RUN_DEFAULT);
    uv_loop_close(&c->loop);
    *counts = c->counts;
    free(memory);
    free(c);
    return true;
}
