#include "match/thinker.h"

#include "match/detect.h"

#include <stdlib.h>

enum { LOOK_MS = 50, PATIENCE_US = 10000000, STOP_MS = 2000 };

struct thinker {
    uv_loop_t loop;
    uv_timer_t timer;
    player_world world;
    match_engine engine;
    thinker_listener listener;
    player *player;
    rules_state *state, *line_state; // the question's, and one to walk along lines in
    void *memory, *line_memory;
    bool is_idle, is_answered, is_gone, is_given_up;
    bool knows_game; // the engine has been told of a game: moves below are known to it
    char start[RULES_FEN_SIZE];
    rules_move *moves;
    uint32_t moves_known;
    int side; // the engine's in that game
    thinker_answer answer;
};

// --- events -------------------------------------------------------------------------------------

static void on_idle(player *p) {
    thinker *t = p->owner;
    t->is_idle = true;
}

static void on_gone(player *p, player_fate fate, int detail, const char *words) {
    (void)fate, (void)detail;
    thinker *t = p->owner;
    t->is_gone = true;
    fault_set(&t->answer.why, "%s %s", t->engine.name, words);
}

// Reads the moves of a variation up to the first illegal one.
static int read_line(thinker *t, text words, rules_move pv[THINKER_LINE_MAX]) {
    int n = 0;
    memcpy(t->line_state, t->state, rules_state_size(rules_ply(t->state)));
    for (text word = text_next_word(&words); word.len && n < THINKER_LINE_MAX;
         word = text_next_word(&words)) {
        if (!dialect_parse_move(&t->player->host, t->line_state, word, &pv[n], NULL) ||
            !rules_play(t->line_state, pv[n], NULL))
            break;
        n++;
    }
    return n;
}

static void take_info(thinker *t, const dialect_info *info) {
    if (info->is_bound || !info->has_score)
        return;
    thinker_line line = {.info = *info};
    line.pv_count = read_line(t, info->pv, line.pv);
    line.info.pv = (text){"", 0};
    if (info->variation <= 1) {
        t->answer.has_line = true;
        t->answer.line = line;
    }
    if (t->listener.on_line)
        t->listener.on_line(t->listener.context, &line);
}

static void take_move(thinker *t, const dialect_event *event) {
    fault why;
    t->answer.offers_draw |= event->draw_offer;
    t->answer.end = event->resigns ? THINKER_RESIGNS : THINKER_MOVES;
    if (dialect_parse_move(&t->player->host, t->state, event->text, &t->answer.move, &why)) {
        thinker_line *line = &t->answer.line;
        if (line->pv_count && line->pv[0] != t->answer.move) { // the engine changed its mind
            line->pv[0] = t->answer.move;
            line->pv_count = 1;
        }
        return;
    }
    t->answer.end = THINKER_GONE;
    fault_set(&t->answer.why, "%s played %s: %s", t->engine.name, fault_quote(event->text).shown,
              why.line);
}

static void on_event(player *p, const dialect_event *event, int64_t now) {
    (void)now;
    thinker *t = p->owner;
    switch (event->kind) {
    case EVENT_INFO:
        take_info(t, &event->info);
        return;
    case EVENT_WORDS:
        t->answer.is_from_book |= text_starts(event->text, DIALECT_FROM_BOOK);
        return;
    case EVENT_DRAW:
        t->answer.offers_draw = true;
        return;
    case EVENT_MOVE:
        take_move(t, event);
        break;
    case EVENT_NO_MOVE:
    case EVENT_RESULT:
        t->answer.end = THINKER_NO_MOVE;
        break;
    case EVENT_RESIGN:
        t->answer.end = THINKER_RESIGNS;
        break;
    default:
        return;
    }
    t->is_answered = true;
    player_rest(p);
}

static const player_events handlers = {
    .on_idle = on_idle, .on_event = on_event, .on_gone = on_gone};

// --- waiting ------------------------------------------------------------------------------------

static void on_timer(uv_timer_t *timer) {
    thinker *t = timer->data;
    if (t->listener.keeps_waiting && !t->listener.keeps_waiting(t->listener.context))
        t->is_given_up = true;
}

// Runs the loop until the flag is set. False if the engine is gone or the caller gives up.
static bool wait_for(thinker *t, const bool *flag) {
    t->is_given_up = false;
    uv_update_time(&t->loop);
    uv_timer_start(&t->timer, on_timer, LOOK_MS, LOOK_MS);
    while (!*flag && !t->is_gone && !t->is_given_up)
        uv_run(&t->loop, UV_RUN_ONCE);
    uv_timer_stop(&t->timer);
    return *flag;
}

// Tells the engine to stop and waits for its answer. False if none comes in time.
static bool stop(thinker *t) {
    uint64_t end = uv_now(&t->loop) + STOP_MS;
    player_hurry(t->player);
    uv_timer_start(&t->timer, on_timer, LOOK_MS, LOOK_MS);
    while (!t->is_answered && !t->is_gone && uv_now(&t->loop) < end)
        uv_run(&t->loop, UV_RUN_ONCE);
    uv_timer_stop(&t->timer);
    return t->is_answered;
}

// --- the game -----------------------------------------------------------------------------------

// Whether the engine knows the game up to the opponent's last move.
static bool follows(const thinker *t, const rules_state *state, const char *start) {
    uint32_t n = rules_ply(state);
    if (!t->knows_game || strcmp(t->start, start) != 0 || t->side != rules_side_to_move(state) ||
        n < t->moves_known || n > t->moves_known + 1)
        return false;
    for (uint32_t i = 0; i < t->moves_known; i++)
        if (rules_move_at(state, i) != t->moves[i])
            return false;
    return true;
}

static bool begin_game(thinker *t, const rules_state *state, const char *start,
                       const dialect_limits *limits) {
    bool is_usual = strcmp(start, rules_start_fen(t->world.game)) == 0;
    t->is_idle = false;
    t->side = rules_side_to_move(state);
    t->moves_known = 0;
    t->knows_game = true;
    writer w = writer_on(t->start, sizeof t->start);
    write_string(&w, start);
    player_new_game(t->player, t->side, limits, is_usual ? NULL : start);
    return wait_for(t, &t->is_idle);
}

// UCI and UCCI send the whole game with each question, so no new game is needed.
static bool begin_anew(thinker *t, const char *start) {
    bool is_usual = strcmp(start, rules_start_fen(t->world.game)) == 0;
    writer none = writer_on((char[1]){0}, 1);
    t->moves_known = 0;
    writer w = writer_on(t->start, sizeof t->start);
    write_string(&w, start);
    return dialect_begin(&t->player->host, is_usual ? NULL : start, &none);
}

// Tells the engine the moves up to `state`, and copies that into t->state.
static bool set_up(thinker *t, const rules_state *state, const char *start,
                   const dialect_limits *limits) {
    bool sends_all = dialect_properties_of(t->engine.dialect)->sends_whole_game;
    if (!follows(t, state, start) &&
        !(sends_all && t->knows_game ? begin_anew(t, start) : begin_game(t, state, start, limits)))
        return false;
    memcpy(t->state, state, rules_state_size(0));
    if (!rules_set_fen(t->state, text_of(start), NULL))
        return false;
    t->side = rules_side_to_move(state);
    for (uint32_t i = 0; i < rules_ply(state) && !t->is_gone; i++) {
        rules_move move = rules_move_at(state, i);
        if (i >= t->moves_known) {
            player_played(t->player, t->state, move, false);
            t->moves[i] = move;
            t->moves_known = i + 1;
        }
        if (!rules_play(t->state, move, NULL))
            return false;
    }
    return true;
}

thinker_answer thinker_ask(thinker *t, const rules_state *state, const char *start,
                           const dialect_limits *limits) {
    t->answer = (thinker_answer){.end = THINKER_GONE, .why = t->answer.why};
    if (t->is_gone || !set_up(t, state, start, limits)) {
        if (t->is_given_up && !t->is_gone)
            t->answer.end = THINKER_LEFT_OFF;
        else if (!t->is_gone)
            fault_set(&t->answer.why, "%s cannot be told of this position", t->engine.name);
        return t->answer;
    }
    t->is_answered = false;
    player_think(t->player, t->side, limits);
    if (!wait_for(t, &t->is_answered) && t->is_given_up && !t->is_gone) {
        bool has_stopped = stop(t);
        if (t->answer.end == THINKER_MOVES || !has_stopped)
            t->answer.end = THINKER_LEFT_OFF;
        t->is_gone |= !has_stopped;
        t->knows_game = false; // some engines take the move they answered as played
        return t->answer;
    }
    if (t->answer.end == THINKER_MOVES) {
        player_played(t->player, t->state, t->answer.move, true);
        t->moves[t->moves_known++] = t->answer.move;
    }
    return t->answer;
}

// --- coming and going ---------------------------------------------------------------------------

const char *thinker_name(const thinker *t) {
    return t->player && t->player->host.name[0] ? t->player->host.name : t->engine.name;
}

void thinker_want_variations(thinker *t) { t->player->host.wants_variations = true; }

void thinker_forget(thinker *t) { t->knows_game = false; }

void thinker_set_option(thinker *t, const char *name, const char *value) {
    if (!t->is_gone)
        player_set_option(t->player, text_of(name), text_of(value));
}

static bool make_room(thinker *t, const rules_game *game) {
    rules_set set = rules_default_set(game);
    t->memory = malloc(rules_state_size(RULES_MAX_PLIES));
    t->line_memory = malloc(rules_state_size(RULES_MAX_PLIES));
    t->moves = malloc((RULES_MAX_PLIES + 1) * sizeof *t->moves);
    if (!t->memory || !t->line_memory || !t->moves)
        return false;
    t->state = rules_state_new(t->memory, game, &set, RULES_MAX_PLIES);
    t->line_state = rules_state_new(t->line_memory, game, &set, RULES_MAX_PLIES);
    return true;
}

static void give_back(thinker *t) {
    free(t->memory);
    free(t->line_memory);
    free(t->moves);
    free(t);
}

void thinker_close(thinker *t) {
    if (t->player)
        player_drop(t->player, t->is_gone);
    uv_close((uv_handle_t *)&t->timer, NULL);
    uv_run(&t->loop, UV_RUN_DEFAULT);
    uv_loop_close(&t->loop);
    give_back(t);
}

thinker *thinker_open(const match_engine *engine, const rules_game *game, const char *kraton,
                      const thinker_listener *listener, fault *why) {
    thinker *t = calloc(1, sizeof *t);
    if (!t || !make_room(t, game) || uv_loop_init(&t->loop) != 0) {
        if (t)
            give_back(t);
        fault_set(why, "out of memory");
        return NULL;
    }
    t->engine = *engine;
    t->listener = *listener;
    t->world.loop = &t->loop;
    t->world.game = game;
    t->world.kraton = kraton;
    t->world.error_fd = -1;
    t->world.hello_us = t->world.ready_us = PATIENCE_US;
    uv_timer_init(&t->loop, &t->timer);
    t->timer.data = t;
    bool is_there = match_detect(&t->engine, game, kraton, "dialect=", why);
    if (is_there) {
        t->player = player_start(&t->world, &t->engine, &handlers, t);
        is_there = t->player && wait_for(t, &t->is_idle);
        if (t->is_given_up && !is_there)
            fault_set(why, "interrupted before %s was ready", t->engine.name);
        else if (!is_there)
            *why = t->answer.why;
    }
    if (is_there)
        return t;
    thinker_close(t);
    return NULL;
}
