#include "features/engines.h"

#include "base/list.h"
#include "base/minmax.h"
#include "features/features.h"
#include "match/player.h"
#include "match/spec.h"
#include "os/file.h"

#include <stdlib.h>

enum { MOST_ENGINES = 64 };

typedef struct task task;
struct task {
    asker_kind kind;
    int64_t id, visitor;
    int64_t turn; // those with a smaller one go first
    const rules_game *game;
    rules_set set;
    char start[RULES_FEN_SIZE];
    int level, variations, tries;
    dialect_limits limits;
    uint32_t count;
    rules_move *moves;
    list_link link; // among those that wait
};

// One engine process, or the place for one.
typedef struct {
    engines *pool;
    player *player; // NULL: none
    match_engine engine;
    const rules_game *game;
    bool is_modest;            // runs only where nothing else wants to: not for those who play
    task *task;                // what it works on
    bool is_asked;             // it has been told the position
    rules_state *state, *line; // as asked; a line of its thinking
    dialect_info last;         // its last line about the first variation
    int64_t since;             // idle since, or asked at
} worker;

struct engines {
    server *server;
    engine_asker askers[ASKERS];
    player_world worlds[RULES_GAMES];
    worker *workers;
    int count;
    linked_list tasks[ASKERS]; // waiting, by kind, in the order of their turns
    int64_t turns[ASKERS];     // of the last that was begun
    int waiting[ASKERS];
    bool stopping;
};

static void serve(engines *e);

// --- questions ----------------------------------------------------------------------------------

static void free_task(task *t) {
    free(t->moves);
    free(t);
}

static task *copy_question(const engine_question *q) {
    uint32_t plies = rules_ply(q->state);
    task *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (task){.kind = q->kind,
                .id = q->id,
                .visitor = q->visitor,
                .game = rules_game_of(q->state),
                .set = *rules_set_of(q->state),
                .level = q->level,
                .variations = q->variations,
                .limits = q->limits,
                .count = plies};
    writer w = writer_on(t->start, sizeof t->start);
    write_string(&w, q->start);
    t->moves = malloc((plies + 1) * sizeof *t->moves);
    for (uint32_t i = 0; t->moves && i < plies; i++)
        t->moves[i] = rules_move_at(q->state, i);
    if (t->moves)
        return t;
    free_task(t);
    return NULL;
}

static int64_t turn_behind(const task *t, const task *other, int64_t turn) {
    return other && other->kind == t->kind && other->visitor == t->visitor && other->turn >= turn
               ? other->turn + 1
               : turn;
}

// Each question of a visitor is one turn behind the one before it, so that visitors take turns.
static void put_in_line(engines *e, task *t) {
    linked_list *line = &e->tasks[t->kind];
    t->turn = e->turns[t->kind];
    for (int i = 0; i < e->count; i++)
        t->turn = turn_behind(t, e->workers[i].task, t->turn);
    for (list_link *l = line->first; l; l = l->next)
        t->turn = turn_behind(t, LIST_ITEM(l, task, link), t->turn);
    list_link *before = line->last;
    while (before && LIST_ITEM(before, task, link)->turn > t->turn)
        before = before->previous;
    list_insert(line, before, &t->link);
    e->waiting[t->kind]++;
}

static task *first_task(const engines *e, asker_kind kind) {
    return LIST_ITEM(e->tasks[kind].first, task, link);
}

static void take_out_of_line(engines *e, task *t) {
    list_remove(&e->tasks[t->kind], &t->link);
    e->waiting[t->kind]--;
}

bool engines_ask(engines *e, const engine_question *q) {
    if (e->count == 0 || e->stopping || e->waiting[q->kind] >= ENGINES_WAITING ||
        rules_ply(q->state) > RULES_LONGEST_GAME)
        return false;
    task *t = copy_question(q);
    if (!t)
        return false;
    put_in_line(e, t);
    serve(e);
    return true;
}

int engines_waiting(const engines *e, asker_kind kind) { return e->waiting[kind]; }

// --- workers ------------------------------------------------------------------------------------

static void drop_player(worker *k, bool at_once) {
    if (k->player)
        player_drop(k->player, at_once);
    k->player = NULL;
    k->is_asked = false;
}

static void end_task(worker *k, rules_move move, const char *why) {
    task *t = k->task;
    server *srv = k->pool->server;
    k->task = NULL;
    k->is_asked = false;
    k->since = clock_us();
    k->pool->askers[t->kind].on_answer(srv, t->id, move, &k->last, why);
    turns_want(&srv->turns);
    free_task(t);
}

// The engine has failed: the task goes to another engine, once.
static void fail_task(worker *k, const char *why) {
    task *t = k->task;
    drop_player(k, true);
    if (!t)
        return;
    if (t->tries++ == 0 && !k->pool->stopping) {
        k->task = NULL;
        put_in_line(k->pool, t);
    } else {
        end_task(k, MOVE_NONE, why);
    }
    serve(k->pool);
}

static void set_option(worker *k, const char *name, const char *value) {
    player_set_option(k->player, text_of(name), text_of(value));
}

static void set_number(worker *k, const char *name, int value) {
    char number[16];
    writer w = writer_on(number, sizeof number);
    write_number(&w, value);
    set_option(k, name, number);
}

static void give_task(worker *k) {
    const task *t = k->task;
    char rules[256];
    writer w = writer_on(rules, sizeof rules);
    rules_set_format(t->game, &t->set, &w);
    set_number(k, "Level", t->level);
    set_number(k, "MultiPV", max_int(t->variations, 1));
    set_option(k, "OwnBook", t->kind == ASKER_BOT ? "true" : "false");
    set_option(k, "Rules", rules);
    k->player->host.wants_variations = t->variations > 1;
    k->since = clock_us();
    k->last = (dialect_info){.nodes = -1, .time_ms = -1};
    rules_state_new(k->state, t->game, &t->set, RULES_LONGEST_GAME);
    if (t->start[0] && !rules_set_fen(k->state, text_of(t->start), NULL)) {
        end_task(k, MOVE_NONE, "no such position");
        return;
    }
    int side = rules_side_to_move(k->state) ^ (int)(t->count & 1);
    player_new_game(k->player, side, &t->limits, t->start[0] ? t->start : NULL);
}

// The engine is ready for the game: sends the moves and asks for one.
static void ask(worker *k) {
    const task *t = k->task;
    for (uint32_t i = 0; i < t->count; i++) {
        player_played(k->player, k->state, t->moves[i], false);
        if (!rules_play(k->state, t->moves[i], NULL)) {
            fail_task(k, "cannot follow the game");
            return;
        }
    }
    k->is_asked = true;
    player_think(k->player, rules_side_to_move(k->state), &t->limits);
}

static void on_idle(player *p) {
    worker *k = p->owner;
    if (!k->task)
        serve(k->pool);
    else if (p->games == 0) {
        p->games = 1; // the greeting is over; the next time it is ready for the game
        give_task(k);
    } else if (!k->is_asked)
        ask(k);
}

// The moves of a line as far as they are legal, in the game's own notation.
static void write_line(worker *k, text words, writer *out) {
    memcpy(k->line, k->state, rules_state_size(rules_ply(k->state)));
    for (text word; (word = text_next_word(&words)).len;) {
        rules_move move;
        if (rules_ply(k->line) >= RULES_LONGEST_GAME ||
            !dialect_parse_move(&k->player->host, k->line, word, &move, NULL))
            return;
        if (out->used)
            write_char(out, ' ');
        rules_format_move(k->line, move, NOTATION_NATIVE, out);
        if (!rules_play(k->line, move, NULL))
            return;
    }
}

// Passes a line of analysis on to the asker.
static void tell_line(worker *k, const dialect_info *info, int number) {
    const engine_asker *asker = &k->pool->askers[k->task->kind];
    if (!asker->on_line)
        return;
    char words[1024];
    writer out = writer_on(words, sizeof words);
    dialect_info told = *info;
    write_line(k, info->pv, &out);
    told.pv = (text){words, out.used};
    asker->on_line(k->pool->server, k->task->id, &told, number);
}

static void on_event(player *p, const dialect_event *event, int64_t now) {
    (void)now;
    worker *k = p->owner;
    engines *e = k->pool;
    if (!k->task || !k->is_asked)
        return;
    if (event->kind == EVENT_INFO) {
        int number = event->info.variation > 0 ? event->info.variation : 1;
        if (number == 1 && event->info.has_score) {
            k->last = event->info;
            k->last.pv = (text){NULL, 0}; // lives no longer than the line
        }
        tell_line(k, &event->info, number);
        return;
    }
    rules_move move = MOVE_NONE;
    fault why = {""};
    if (event->kind != EVENT_MOVE && event->kind != EVENT_NO_MOVE && event->kind != EVENT_RESIGN)
        return;
    player_rest(p);
    if (event->kind == EVENT_MOVE &&
        !dialect_parse_move(&p->host, k->state, event->text, &move, &why)) {
        fail_task(k, "an illegal move");
        return;
    }
    end_task(k, move, move == MOVE_NONE ? "gives up" : NULL);
    serve(e);
}

static void on_gone(player *p, player_fate fate, int detail, const char *words) {
    (void)fate;
    (void)detail;
    worker *k = p->owner;
    log_write(LEVEL_WARNING, "an engine of %s %s", rules_name(k->game), words);
    fail_task(k, words);
}

static const player_events handlers = {
    .on_idle = on_idle, .on_event = on_event, .on_gone = on_gone};

static bool stop_listing(void *context, const char *name) {
    (void)context;
    (void)name;
    return false;
}

// Engines play by the endgame tables in the data folder, where there are any of their game.
static bool give_tables(worker *k, const rules_game *rules, fault *why) {
    char path[4096];
    writer w = writer_on(path, sizeof path);
    write_format(&w, "%s/tables", k->pool->server->options->data);
    if (!rules_properties_of(rules)->has_tables || w.overflow ||
        !os_folder_list(path, stop_listing, NULL))
        return true;
    return match_engine_set(&k->engine, text_of("option.TablePath"), text_of(path), why);
}

static bool is_modest(asker_kind kind) { return kind != ASKER_BOT; }

static bool start_worker(worker *k, const rules_game *rules) {
    engines *e = k->pool;
    k->since = clock_us(); // patience begins with the start, not with the question
    match_engine_free(&k->engine);
    k->engine = (match_engine){0};
    k->is_modest = is_modest(k->task->kind);
    char command[4096 + 128];
    writer w = writer_on(command, sizeof command);
#if defined(__SANITIZE_ADDRESS__)
    int memory = 0; // its shadow is larger than any limit
#else
    int memory = ENGINES_MEMORY_MB;
#endif
    write_format(&w, "\"%s\" limit %d %d %s %s", e->server->options->program, memory, ENGINES_CPU_S,
                 k->is_modest ? "idle" : "nice", rules_properties_of(rules)->engine);
    fault why;
    if (!match_engine_set(&k->engine, text_of("cmd"), text_of(command), &why) ||
        !match_engine_set(&k->engine, text_of("dialect"), text_of(dialect_name(DIALECT_OWN)),
                          &why) ||
        !give_tables(k, rules, &why))
        return false;
    match_engine_complete(&k->engine);
    k->game = rules;
    k->player = player_start(&e->worlds[rules_index(rules)], &k->engine, &handlers, k);
    return k->player != NULL;
}

// A worker for this kind of game: an idle engine of it, a free place, or an idle engine of another.
static worker *find_worker(engines *e, const rules_game *rules, asker_kind kind) {
    worker *found = NULL;
    for (int i = 0; i < e->count; i++) {
        worker *k = &e->workers[i];
        if (k->task)
            continue;
        if (k->player && k->game == rules && k->is_modest == is_modest(kind) &&
            k->player->state == PLAYER_IDLE)
            return k;
        if (!found || (found->player && !k->player))
            found = k;
    }
    return found;
}

static void give(engines *e, asker_kind kind, worker *k) {
    task *t = first_task(e, kind);
    take_out_of_line(e, t);
    e->turns[kind] = t->turn;
    bool ready = k->player && k->game == t->game && k->is_modest == is_modest(t->kind) &&
                 k->player->state == PLAYER_IDLE;
    k->task = t;
    if (ready) {
        give_task(k);
        return;
    }
    drop_player(k, false);
    if (!start_worker(k, t->game))
        end_task(k, MOVE_NONE, "no engine");
}

static int free_places(const engines *e) {
    int busy = 0;
    for (int i = 0; i < e->count; i++)
        busy += e->workers[i].task != NULL;
    return e->count - busy;
}

// Only a bot takes the last place, so that bots answer at once.
static void serve(engines *e) {
    for (asker_kind kind = 0; kind < ASKERS; kind++) {
        int left = kind == ASKER_BOT ? 0 : 1;
        for (worker *k; first_task(e, kind) && free_places(e) > left &&
                        (k = find_worker(e, first_task(e, kind)->game, kind));)
            give(e, kind, k);
    }
}

void engines_forget(engines *e, asker_kind kind, int64_t id) {
    for (list_link *l = e->tasks[kind].first; l; l = l->next) {
        task *t = LIST_ITEM(l, task, link);
        if (t->id != id)
            continue;
        take_out_of_line(e, t);
        free_task(t);
        return;
    }
    for (int i = 0; i < e->count; i++) {
        worker *k = &e->workers[i];
        if (!k->task || k->task->kind != kind || k->task->id != id)
            continue;
        free_task(k->task);
        k->task = NULL;
        drop_player(k, true); // quicker than waiting until it stops
        serve(e);
        return;
    }
}

// Somebody waits for an engine that works on another's analysis.
static bool is_waited_for(const engines *e, const worker *k) {
    const task *first = first_task(e, ASKER_ANALYSIS);
    return k->task && k->task->kind == ASKER_ANALYSIS && first &&
           first->visitor != k->task->visitor;
}

// Ends engines that have been idle for long, and those that do not answer; cuts analysis short.
static void tick(server *srv) {
    engines *e = engines_of(srv);
    int64_t now = clock_us();
    for (int i = 0; i < e->count; i++) {
        worker *k = &e->workers[i];
        if (k->task && now - k->since > ENGINES_PATIENCE_S * 1000000LL)
            fail_task(k, "does not answer");
        else if (k->is_asked && is_waited_for(e, k) && now - k->since > ENGINES_SHORT_S * 1000000LL)
            player_hurry(k->player);
        else if (!k->task && k->player && now - k->since > ENGINES_IDLE_S * 1000000LL)
            drop_player(k, false);
    }
}

// --- the pool -----------------------------------------------------------------------------------

static void free_pool(void *state) {
    engines *e = state;
    for (int i = 0; i < e->count; i++) {
        if (e->workers[i].task)
            free_task(e->workers[i].task);
        match_engine_free(&e->workers[i].engine);
        free(e->workers[i].state);
        free(e->workers[i].line);
    }
    for (int kind = 0; kind < ASKERS; kind++)
        for (task *t; (t = first_task(e, (asker_kind)kind));) {
            take_out_of_line(e, t);
            free_task(t);
        }
    free(e->workers);
    free(e);
}

static void *start(server *srv, fault *why) {
    (void)why;
    engines *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->server = srv;
    int count = min_int(srv->options->house_bots, MOST_ENGINES);
    e->workers = calloc((size_t)count + 1, sizeof *e->workers);
    for (int i = 0; i < RULES_GAMES; i++) {
        e->worlds[i].loop = srv->loop;
        e->worlds[i].game = rules_nth(i);
        e->worlds[i].kraton = srv->options->program;
        e->worlds[i].error_fd = -1;
        e->worlds[i].hello_us = e->worlds[i].ready_us = 10000000;
    }
    for (; e->workers && e->count < count; e->count++) {
        worker *k = &e->workers[e->count];
        k->pool = e;
        k->state = malloc(rules_state_size(RULES_LONGEST_GAME));
        k->line = malloc(rules_state_size(RULES_LONGEST_GAME));
        if (!k->state || !k->line)
            break;
    }
    if (e->workers && e->count == count)
        return e;
    free_pool(e);
    return NULL;
}

static void stop(server *srv) {
    engines *e = engines_of(srv);
    if (e->stopping)
        return;
    e->stopping = true;
    for (int i = 0; i < e->count; i++)
        drop_player(&e->workers[i], true);
}

engines *engines_of(const server *srv) { return feature_state(srv, &engines_feature); }

void engines_set_asker(engines *e, asker_kind kind, engine_asker asker) { e->askers[kind] = asker; }

const feature engines_feature = {.name = "engines",
                                 .start = start,
                                 .tick = tick,
                                 .ticks_when_full = true,
                                 .stop = stop,
                                 .free = free_pool};
