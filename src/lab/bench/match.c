// What the manager itself costs. The same stub engines play under the manager and, for comparison,
// under a loop of bare reads and writes that sends the very same lines.
#include "lab/bench/bench.h"

#include "base/vector.h"
#include "cli/cli.h"
#include "cli/sibling.h"
#include "dialect/manager/manager.h"
#include "match/runner.h"
#include "match/spec.h"
#include "os/clock.h"
#include "os/process.h"

#include <stdlib.h>

enum { SESSION_ROUNDS = 9, SESSION_GAMES = 2000 };
enum { ROUNDS = 5, LONG_PLIES = 200, LONG_GAMES = 100, SHORT_PLIES = 8, SHORT_GAMES = 4000 };

typedef struct {
    double cpu_us, moves_per_s, games_per_s;
} cost;

static double cpu_now_us(void) { return (double)clock_cpu_us(); }

// --- under the manager --------------------------------------------------------------------------

static void keep_plies(void *context, const match_run *run, match_end end) {
    (void)end;
    *(int64_t *)context = match_run_tally(run)->plies;
}

// A match between two stub engines.
typedef struct {
    const rules_game *game;
    const char *kraton;
    const match_engine *engines;
    int plies, games, concurrency;
    bool in_sessions;
} trial;

static bool run_manager(const trial *t, cost *c, fault *why) {
    int64_t moves = 0;
    match_plan plan = {.game = t->game,
                       .set = rules_default_set(t->game),
                       .engines = t->engines,
                       .engine_count = 2,
                       .schedule = {.kind = SCHEDULE_ROUND_ROBIN,
                                    .players = 2,
                                    .rounds = t->games / 2,
                                    .games = 2,
                                    .seed = 1},
                       .concurrency = t->concurrency,
                       .in_sessions = t->in_sessions,
                       .stall_us = 10000000,
                       .hello_us = 10000000,
                       .ready_us = 10000000,
                       .kraton = t->kraton};
    plan.limits.max_plies = (uint32_t)t->plies;
    match_observer observer = {.context = &moves};
    double cpu = cpu_now_us();
    int64_t begun = clock_us();
    if (match_play(&plan, &observer, keep_plies, why) != RUN_DONE)
        return false;
    double seconds = (double)(clock_us() - begun) / 1e6;
    c->cpu_us = (cpu_now_us() - cpu) / (double)moves;
    c->moves_per_s = (double)moves / seconds;
    c->games_per_s = t->games / seconds;
    return true;
}

// --- bare pipes ---------------------------------------------------------------------------------

// Sends lines and, where an answer is due, reads up to a line that begins like this.
static bool exchange(const os_child *child, text lines, const char *answer, char *room, size_t size,
                     text *line) {
    if (!os_child_write(child, lines.at, lines.len))
        return false;
    if (!answer)
        return true;
    size_t used = 0;
    for (;;) {
        size_t got;
        if (!os_child_read(child, room + used, size - used, -1, &got) || got == 0)
            return false;
        used += got;
        text rest = {room, used};
        while (memchr(rest.at, '\n', rest.len)) {
            *line = text_next_line(&rest);
            if (text_starts(*line, answer))
                return true;
        }
        if (used == size)
            return false;
    }
}

// One exchange of a recorded game.
typedef struct {
    int side;
    size_t at, len;
    bool move; // answered by a move; else by readyok
} recorded;

typedef struct {
    buffer lines;
    recorded *list;
    size_t count, capacity;
} recording;

static bool record_exchange(recording *r, int side, text first, const writer *more, bool move) {
    recorded *grown = vector_reserve(r->list, &r->capacity, r->count + 1, sizeof *grown);
    if (!grown)
        return false;
    r->list = grown;
    size_t at = r->lines.len;
    buffer_add(&r->lines, first);
    buffer_add(&r->lines, (text){more->buffer, more->used});
    r->list[r->count++] = (recorded){side, at, r->lines.len - at, move};
    return !r->lines.failed;
}

static const char *answer_to(const recorded *e) { return e->move ? "bestmove" : "readyok"; }

static bool record_new_game(recording *r, const os_child children[2], dialect_host hosts[2],
                            const dialect_limits *limits) {
    for (int side = 0; side < 2; side++) {
        char room[4096], reply[4096];
        writer out = writer_on(room, sizeof room);
        bool answers;
        text line;
        dialect_write_new_game(&hosts[side], side, limits, &answers, &out);
        if (!dialect_begin(&hosts[side], NULL, &out) ||
            !record_exchange(r, side, (text){"", 0}, &out, false))
            return false;
        const recorded *e = &r->list[r->count - 1];
        if (!exchange(&children[side], (text){r->lines.bytes + e->at, e->len}, answer_to(e), reply,
                      sizeof reply, &line))
            return false;
    }
    return true;
}

// Plays one game with the children and records what was sent to them.
static bool record_game(recording *r, const rules_game *game, const os_child children[2],
                        dialect_host hosts[2], int plies) {
    rules_set set = rules_default_set(game);
    rules_state *s =
        rules_state_new(malloc(rules_state_size((uint32_t)plies)), game, &set, (uint32_t)plies);
    dialect_limits limits = {.clock_us = {60000000, 60000000}};
    bool good = record_new_game(r, children, hosts, &limits);
    for (int i = 0; good && i < plies && rules_result(s).outcome == RULES_ONGOING; i++) {
        int side = rules_side_to_move(s);
        char room[4096], reply[4096];
        writer out = writer_on(room, sizeof room);
        text position = dialect_write_go(&hosts[side], side, &limits, &out), line;
        good = record_exchange(r, side, position, &out, true);
        const recorded *e = &r->list[r->count - 1];
        rules_move move;
        fault why;
        good = good && exchange(&children[side], (text){r->lines.bytes + e->at, e->len},
                                answer_to(e), reply, sizeof reply, &line);
        dialect_event event = good ? dialect_read(&hosts[side], line) : (dialect_event){0};
        good = good && dialect_parse_move(&hosts[side], s, event.text, &move, &why);
        for (int k = 0; good && k < 2; k++)
            good = dialect_played(&hosts[k], s, move, k == side, &out);
        good = good && rules_play(s, move, &why);
    }
    free(s);
    return good;
}

static bool replay(const recording *r, const os_child children[2], cost *c) {
    char reply[4096];
    text line;
    int64_t moves = 0, begun = clock_us();
    double cpu = cpu_now_us();
    for (size_t i = 0; i < r->count; i++) {
        const recorded *e = &r->list[i];
        moves += e->move;
        if (!exchange(&children[e->side], (text){r->lines.bytes + e->at, e->len}, answer_to(e),
                      reply, sizeof reply, &line))
            return false;
    }
    c->cpu_us = (cpu_now_us() - cpu) / (double)moves;
    c->moves_per_s = (double)moves * 1e6 / (double)(clock_us() - begun);
    return true;
}

static bool greet(const os_child *child) {
    char reply[8192];
    text line;
    return exchange(child, text_of("uci\n"), "uciok", reply, sizeof reply, &line);
}

// --- the tables ---------------------------------------------------------------------------------

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}

static bool bench_long(FILE *out, const rules_game *game, const char *kraton,
                       match_engine engines[2], const recording *r, const os_child children[2],
                       fault *why) {
    double bare[ROUNDS], managed[2][ROUNDS], ratio[2][ROUNDS], rate[2][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        cost b, m;
        if (!replay(r, children, &b))
            return fault_set(why, "the stub engine stopped answering");
        bare[round] = b.cpu_us;
        for (int k = 0; k < 2; k++) {
            if (!run_manager(
                    &(trial){game, kraton, engines, LONG_PLIES, LONG_GAMES * (k + 1), k + 1, false},
                    &m, why))
                return false;
            managed[k][round] = m.cpu_us;
            ratio[k][round] = m.cpu_us / b.cpu_us;
            rate[k][round] = m.moves_per_s;
        }
    }
    fprintf(out,
            "%-10s %10.2f us a move for bare pipes with the same lines (median of %d rounds)\n",
            rules_name(game), median(bare, ROUNDS), ROUNDS);
    for (int k = 0; k < 2; k++) {
        double middle = median(ratio[k], ROUNDS);
        fprintf(out,
                "%-10s %10.2f us a move under the manager, %d at a time, one core: %.2f times "
                "that (%.2f to %.2f), %.0f moves/s\n",
                "", median(managed[k], ROUNDS), k + 1, middle, ratio[k][0], ratio[k][ROUNDS - 1],
                median(rate[k], ROUNDS));
    }
    return true;
}

static bool bench_short(FILE *out, const rules_game *game, const char *kraton,
                        match_engine engines[2], fault *why) {
    for (int k = 0; k < 2; k++) {
        double rate[ROUNDS];
        cost m;
        for (int round = 0; round < ROUNDS; round++) {
            if (!run_manager(
                    &(trial){game, kraton, engines, SHORT_PLIES, SHORT_GAMES, k + 1, false}, &m,
                    why))
                return false;
            rate[round] = m.games_per_s;
        }
        double middle = median(rate, ROUNDS);
        fprintf(out, "%-10s %10.0f games of %d plies a second, %d at a time (%.0f to %.0f)\n", "",
                middle, SHORT_PLIES, k + 1, rate[0], rate[ROUNDS - 1]);
    }
    return true;
}

static bool describe_stub(match_engine *e, const rules_game *game, const char *stub, int i,
                          fault *why) {
    char spec[4096];
    snprintf(spec, sizeof spec, "'%s' --game %s --seed %d", stub, rules_name(game), i + 1);
    return match_engine_set(e, text_of("cmd"), text_of(spec), why) &&
           match_engine_set(e, text_of("name"), text_of(i ? "two" : "one"), why) &&
           match_engine_set(e, text_of("tc"), text_of("60"), why) &&
           match_engine_set(e, text_of("dialect"), text_of(dialect_name(DIALECT_OWN)), why);
}

static bool bench_game(FILE *out, const rules_game *game, const char *kraton, const char *stub,
                       fault *why) {
    match_engine engines[2] = {0};
    os_child children[2];
    int started = 0;
    dialect_host hosts[2];
    recording r = {0};
    bool good = true;
    // If the engines ran on another core, the cost of waking it would hide everything else.
    os_processors everywhere = os_processors_use_one();
    for (int i = 0; i < 2 && good; i++) {
        good = describe_stub(&engines[i], game, stub, i, why) &&
               os_child_start(&children[i], engines[i].command[0], engines[i].command);
        started += good;
        good = good && greet(&children[i]);
        dialect_host_init(&hosts[i], DIALECT_OWN, game);
    }
    for (int i = 0; good && i < LONG_GAMES; i++)
        good = record_game(&r, game, children, hosts, LONG_PLIES) ||
               fault_set(why, "the stub engine does not play");
    good = good && bench_long(out, game, kraton, engines, &r, children, why);
    os_processors_use(&everywhere);
    good = good && bench_short(out, game, kraton, engines, why);
    for (int i = 0; i < started; i++) {
        os_child_end(&children[i]);
        dialect_host_free(&hosts[i]);
    }
    for (int i = 0; i < 2; i++)
        match_engine_free(&engines[i]);
    buffer_free(&r.lines);
    free(r.list);
    return good;
}

static bool find_programs(char kraton[SIBLING_PATH_SIZE], char stub[SIBLING_PATH_SIZE]) {
    fault why;
    if (sibling_find("kraton", kraton, &why) && sibling_find("kraton-stub", stub, &why))
        return true;
    complain("kraton bench: %s", why.line);
    return false;
}

int bench_match(FILE *out) {
    char kraton[SIBLING_PATH_SIZE], stub[SIBLING_PATH_SIZE];
    if (!find_programs(kraton, stub))
        return 1;
    for (int i = 0; rules_nth(i); i++) {
        fault why = {"the stub engine cannot be started"};
        if (!bench_game(out, rules_nth(i), kraton, stub, &why))
            return complain("kraton bench: %s", why.line);
        fflush(out);
    }
    return 0;
}

int bench_sessions(FILE *out) {
    char kraton[SIBLING_PATH_SIZE], stub[SIBLING_PATH_SIZE];
    match_engine engines[2] = {0};
    const rules_game *game = rules_default_game();
    double took[2][SESSION_ROUNDS];
    fault why;
    if (!find_programs(kraton, stub))
        return 1;
    bool good = describe_stub(&engines[0], game, stub, 0, &why) &&
                describe_stub(&engines[1], game, stub, 1, &why);
    for (int i = 0; good && i < 2 * SESSION_ROUNDS;
         i++) { // in turn, so that both meet the same load
        trial t = {game, kraton, engines, SHORT_PLIES, SESSION_GAMES, 1, i % 2 == 1};
        cost c;
        good = run_manager(&t, &c, &why);
        took[i % 2][i / 2] = SESSION_GAMES / c.games_per_s;
    }
    for (int k = 0; good && k < 2; k++) {
        double middle = median(took[k], SESSION_ROUNDS);
        fprintf(out, "%-14s %6.2f s for %d games of %d plies (%.2f to %.2f, %d rounds in turn)\n",
                k ? "sessions" : "process groups", middle, SESSION_GAMES, SHORT_PLIES, took[k][0],
                took[k][SESSION_ROUNDS - 1], SESSION_ROUNDS);
    }
    for (int i = 0; i < 2; i++)
        match_engine_free(&engines[i]);
    return good ? 0 : complain("kraton bench: %s", why.line);
}
