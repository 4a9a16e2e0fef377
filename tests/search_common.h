// What the tests of both searches share.
#ifndef KRATON_TESTS_SEARCH_COMMON_H
#define KRATON_TESTS_SEARCH_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "games/network.h"
#include "os/clock.h"
#include "search/search.h"
#include "search/timeman.h"
#include "search/types.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

// A game in progress from a FEN (NULL: the start); the caller frees it.
static inline rules_state *state_of(const char *game_name, const char *rules, const char *fen) {
    const rules_game *game = rules_find(text_of(game_name));
    rules_set set = rules_default_set(game);
    if (rules)
        assert_true(rules_set_parse(game, text_of(rules), &set, NULL));
    rules_state *state = rules_state_new(malloc(rules_state_size(512)), game, &set, 512);
    if (fen)
        assert_true(rules_set_fen(state, text_of(fen), NULL));
    return state;
}

static inline search_result think_about(search *s, const rules_state *state, search_limits limits) {
    limits.clock_us = limits.clock_us ? limits.clock_us : -1;
    search_set_state(s, state);
    search_start(s, &limits, NULL);
    return search_wait(s);
}

// The same from a FEN and a blank memory.
static inline search_result think_of(const char *game, const char *rules, const char *fen,
                                     int depth) {
    search *s = search_new();
    rules_state *state = state_of(game, rules, fen);
    search_result r = think_about(s, state, (search_limits){.depth = depth});
    free(state);
    search_free(s);
    return r;
}

static inline rules_move move_named(const rules_state *state, const char *name) {
    rules_move move = MOVE_NONE;
    assert_true(rules_parse_move(state, text_of(name), &move, NULL));
    return move;
}

static inline void sleep_us(long us) {
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

// --- what holds in both games -------------------------------------------------------------------

static inline void check_signature(void) {
    search_signature a = search_bench(7, NULL), b = search_bench(7, NULL);
    assert_true(a.nodes > 0);
    assert_int_equal(a.nodes, b.nodes);
}

static inline void check_node_limit(const char *game) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, NULL);
    rules_move best = MOVE_NONE;
    for (int run = 0; run < 2; run++) {
        search_clear(s);
        search_result r = think_about(s, state, (search_limits){.nodes = 12345});
        assert_int_equal(r.nodes, 12345);
        assert_true(rules_is_legal(state, r.best));
        assert_true(run == 0 || r.best == best);
        best = r.best;
    }
    search_result r = think_about(s, state, (search_limits){.nodes = 1});
    assert_int_equal(r.nodes, 1);
    assert_true(rules_is_legal(state, r.best));
    free(state);
    search_free(s);
}

// Reports of the last depth, by variation.
typedef struct {
    const rules_state *state;
    int depth, count;
    rules_move first[SEARCH_MAX_VARIATIONS];
    int32_t score[SEARCH_MAX_VARIATIONS];
    bool has_bounds; // some were of a window that failed
    atomic_int done;
} listened;

static inline void listen_report(void *context, const search_report *r) {
    listened *l = context;
    assert_true(r->variation >= 1 && r->pv_count >= 1);
    assert_true(rules_is_legal(l->state, r->pv[0]));
    l->depth = r->depth;
    l->count = r->variation;
    l->first[r->variation - 1] = r->pv[0];
    l->score[r->variation - 1] = r->score;
    l->has_bounds |= r->bound != SCORE_EXACT;
}

static inline void listen_done(void *context, const search_result *r) {
    listened *l = context;
    (void)r;
    atomic_fetch_add(&l->done, 1);
}

static inline void check_variations(const char *game) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, NULL);
    listened l = {.state = state};
    search_listener listener = {listen_report, listen_done, &l};
    search_limits limits = {.depth = 6, .clock_us = -1, .variations = 4};
    search_set_state(s, state);
    search_start(s, &limits, &listener);
    search_result r = search_wait(s);
    assert_int_equal(l.count, 4);
    assert_int_equal(l.depth, 6);
    assert_int_equal(l.first[0], r.best);
    for (int i = 1; i < 4; i++) {
        assert_true(l.score[i] <= l.score[i - 1]);
        for (int j = 0; j < i; j++)
            assert_int_not_equal(l.first[i], l.first[j]);
    }
    // Only moves that are allowed.
    rules_move allowed[2] = {l.first[2], l.first[3]};
    search_result a =
        think_about(s, state, (search_limits){.depth = 4, .allowed = allowed, .allowed_count = 2});
    assert_true(a.best == allowed[0] || a.best == allowed[1]);
    free(state);
    search_free(s);
}

// Wherever the search is cut short, the answer is the move shown as best, and no move is shown
// twice, but for those shown in the middle of a long iteration.
static inline void check_answer_is_shown(const char *game) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, NULL);
    for (uint64_t nodes = 1000; nodes <= 12000; nodes += 1000) {
        listened l = {.state = state};
        search_listener listener = {listen_report, listen_done, &l};
        search_limits limits = {.nodes = nodes, .clock_us = -1, .variations = 3};
        search_clear(s);
        search_set_state(s, state);
        search_start(s, &limits, &listener);
        search_result r = search_wait(s);
        assert_int_equal(r.best, l.first[0]);
        if (l.has_bounds)
            continue;
        assert_int_equal(l.count, 3);
        assert_true(l.first[0] != l.first[1] && l.first[0] != l.first[2]);
        assert_int_not_equal(l.first[1], l.first[2]);
    }
    free(state);
    search_free(s);
}

// No answer before it is asked for.
static inline void check_patience(const char *game) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, NULL);
    listened l = {.state = state};
    search_listener listener = {listen_report, listen_done, &l};
    search_set_state(s, state);
    search_limits infinite = {.depth = 2, .clock_us = -1, .is_infinite = true};
    search_start(s, &infinite, &listener);
    sleep_us(30000);
    assert_int_equal(atomic_load(&l.done), 0);
    assert_true(search_is_running(s));
    search_stop(s);
    assert_true(rules_is_legal(state, search_wait(s).best));
    assert_int_equal(atomic_load(&l.done), 1);
    // Pondering waits for the hit, the limit in nodes reached or not.
    search_limits ponder = {.clock_us = 50000, .nodes = 300, .is_ponder = true};
    search_start(s, &ponder, &listener);
    sleep_us(30000);
    assert_int_equal(atomic_load(&l.done), 1);
    search_ponder_hit(s);
    search_wait(s);
    assert_int_equal(atomic_load(&l.done), 2);
    assert_false(search_is_running(s));
    // Without any time left, the moves are still looked at once.
    search_limits late = {.clock_us = 0, .start_us = 1};
    search_start(s, &late, &listener);
    assert_true(search_wait(s).depth >= 1);
    free(state);
    search_free(s);
}

// However soon it is stopped, every move was looked at, and the answer was told.
static inline void check_early_stop(const char *game) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, NULL);
    rules_move moves[RULES_MAX_MOVES];
    assert_true(rules_legal_moves(state, moves) > 5);
    for (int i = 0; i < 40; i++) {
        listened l = {.state = state};
        search_listener listener = {listen_report, listen_done, &l};
        bool is_choice = i % 5 == 4;
        search_limits limits = {.clock_us = -1,
                                .is_infinite = i % 2 != 0,
                                .variations = i % 3 == 2 ? 64 : 1,
                                .allowed = is_choice ? moves + 3 : NULL,
                                .allowed_count = is_choice ? 2 : 0};
        if (i % 10 == 0)
            assert_true(search_set_threads(s, 1 + i / 10));
        search_set_root_splitting(s, i % 4 == 3);
        search_clear(s);
        search_set_state(s, state);
        search_start(s, &limits, &listener);
        search_stop(s);
        search_result r = search_wait(s);
        assert_true(r.depth >= 1);
        assert_int_equal(r.best, l.first[0]);
        assert_true(!is_choice || r.best == moves[3] || r.best == moves[4]);
    }
    free(state);
    search_free(s);
}

// A hit without a ponder does not give the clock back: two minutes ago it was asked for a minute.
static inline void check_needless_hit(const char *game) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, NULL);
    search_set_state(s, state);
    search_limits limits = {
        .clock_us = -1, .move_time_us = 60000000, .start_us = clock_us() - 120000000};
    search_start(s, &limits, NULL);
    search_ponder_hit(s);
    search_result r = search_wait(s);
    assert_true(r.best && r.nodes < 100000);
    free(state);
    search_free(s);
}

// A fixed time a move is used up, but for the overhead, or a twentieth where that is less.
static inline void check_fixed_time(void) {
    static const int64_t spans[][2] = {
        {1000000, 990000}, {100000, 95000}, {10000, 9500}, {1000, 950}};
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        search_limits limits = {.move_time_us = spans[i][0], .clock_us = -1, .overhead_us = 10000};
        timeman_spans t = timeman_plan(&limits, 30);
        assert_true(t.is_limited && t.is_fixed);
        assert_int_equal(t.soft_us, spans[i][1]);
        assert_int_equal(t.hard_us, spans[i][1]);
    }
}

// --- many threads -------------------------------------------------------------------------------

// With 64 threads the answer is a legal move and the nodes are those of all; with a network too.
static inline void check_many_threads(const char *game, const network *n) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, NULL);
    assert_true(search_set_threads(s, 64));
    assert_true(search_set_network(s, n));
    for (int i = 0; i < 2; i++) {
        search_result r = think_about(s, state, (search_limits){.nodes = 60000});
        assert_true(rules_is_legal(state, r.best));
        assert_true(r.nodes >= 60000 || r.depth >= 1);
        search_clear(s);
    }
    free(state);
    search_free(s);
}

// A network with some random weights.
static inline network *some_network(const char *game, int inputs) {
    network_shape shape = {
        .inputs = inputs, .width = 32, .king_buckets = 1, .output_buckets = 1, .scale = 4000};
    network *n = network_new(&shape, NULL);
    rng r = {3};
    assert_non_null(n);
    (void)game;
    for (int i = 0; i < inputs * 32; i++)
        n->rows[i] = (int16_t)((int)rng_below(&r, 61) - 30);
    for (int i = 0; i < 64; i++)
        n->output[i] = (int8_t)((int)rng_below(&r, 101) - 50);
    return n;
}

// Threads that agree outvote one with a higher score; a proven win needs no majority; a thread
// without a result has no vote.
static inline void check_vote(void) {
    const ballot agree[] = {{1, 30, 10}, {2, 25, 10}, {2, 20, 11}};
    assert_int_equal(search_vote(agree, 3), 2);
    const ballot alone[] = {{1, 30, 10}, {2, 25, 10}};
    assert_int_equal(search_vote(alone, 2), 0);
    const ballot mate[] = {
        {1, 30, 12}, {1, 35, 12}, {2, SCORE_MATE - 7, 9}, {3, SCORE_MATE - 5, 9}};
    assert_int_equal(search_vote(mate, 4), 3);
    const ballot lost[] = {{1, 30, 10}, {2, -SCORE_MATE + 6, 11}, {2, -SCORE_MATE + 8, 11}};
    assert_int_equal(search_vote(lost, 3), 0);
    const ballot saved[] = {{1, -SCORE_MATE + 6, 10}, {2, -300, 9}};
    assert_int_equal(search_vote(saved, 2), 1);
    const ballot silent[] = {{1, 10, 0}, {2, -50, 3}, {3, 500, 0}};
    assert_int_equal(search_vote(silent, 3), 1);
    const ballot none[] = {{1, 10, 0}, {2, 20, 0}};
    assert_int_equal(search_vote(none, 2), 0);
}

// --- the shortest way ---------------------------------------------------------------------------

// Plays a won position out, both sides with so many nodes: once the search has announced a mate,
// the mate never gets farther away, and comes as announced or sooner.
static inline void check_shortest_mate(const char *game, const char *fen, uint64_t nodes) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, fen);
    int winner = rules_side_to_move(state), left = INT32_MAX;
    for (int ply = 0; ply < 100 && rules_result(state).outcome == RULES_ONGOING; ply++) {
        search_result r = think_about(s, state, (search_limits){.nodes = nodes});
        int32_t score = rules_side_to_move(state) == winner ? r.score : -r.score;
        int distance = SCORE_MATE - score;
        assert_true(left == INT32_MAX || distance < left);
        if (score > SCORE_MATE_BOUND)
            left = distance;
        assert_true(rules_play(state, r.best, NULL));
    }
    assert_int_equal(left, 1);
    assert_int_equal(rules_result(state).outcome,
                     winner == 0 ? RULES_FIRST_WINS : RULES_SECOND_WINS);
    free(state);
    search_free(s);
}

// --- the clock from move to move ----------------------------------------------------------------

// A move of a game with 0.4 s a move, asked for at such a time with so much on the clock, and what
// it took; in milliseconds.
static inline void play_timed_move(timeman_game *l, int64_t at_ms, int64_t clock_ms,
                                   int64_t used_ms) {
    search_limits limits = {.clock_us = clock_ms * 1000, .increment_us = 400000};
    timeman_begin_move(l, &limits, at_ms * 1000);
    timeman_answer entry = {.start_us = at_ms * 1000, .end_us = (at_ms + used_ms) * 1000};
    timeman_end_move(l, &limits, &entry);
}

// What the clock lost beyond what was used is lag, and is forgotten when it does not come again.
static inline void check_lag_fades(void) {
    timeman_game l = timeman_game_new();
    play_timed_move(&l, 1000, 10000, 200);
    assert_int_equal(l.lag_us, 0);
    play_timed_move(&l, 2000, 10120, 200); // 80 are missing
    assert_int_equal(l.lag_us, 80000);
    play_timed_move(&l, 3000, 10320, 200);
    assert_int_equal(l.lag_us, 60000);
    play_timed_move(&l, 4000, 10510, 200); // 10 are missing
    assert_int_equal(l.lag_us, 45000);
    for (int i = 5; i < 50; i++)
        play_timed_move(&l, i * 1000, 10510 + (i - 4) * 200, 200);
    assert_int_equal(l.lag_us, 0);
    // Nor does a clock in whole seconds show a lag of less than one.
    search_limits coarse = {.clock_us = 9000000, .clock_grain_us = 1000000};
    timeman_begin_move(&l, &coarse, 51000000);
    timeman_end_move(&l, &coarse, &(timeman_answer){51000000, 51256000, false, 0});
    coarse.clock_us = 8000000;
    timeman_begin_move(&l, &coarse, 52000000);
    assert_int_equal(l.lag_us, 0);
    // A clock that is wholly another one tells nothing.
    play_timed_move(&l, 60000, 5000, 200);
    assert_int_equal(l.lag_us, 0);
}

// The opponent's time while we pondered in vain is no lag, nor what an interrupted search took
// before the same question was asked again.
static inline void check_no_lag_in_between(void) {
    timeman_game l = timeman_game_new();
    search_limits limits = {.clock_us = 3000000, .increment_us = 400000, .is_ponder = true};
    timeman_begin_move(&l, &limits, 1000000);
    timeman_end_move(&l, &limits, &(timeman_answer){1000000, 1100000, true, 0});
    play_timed_move(&l, 1200, 3000, 0);
    assert_int_equal(l.lag_us, 0);
    play_timed_move(&l, 1100, 3000, 130); // read before the answer at 1200
    assert_int_equal(l.lag_us, 0);
    play_timed_move(&l, 1300, 3270, 100); // and its time counts
    assert_int_equal(l.lag_us, 0);
    limits = (search_limits){.clock_us = 3000000, .increment_us = 400000, .is_infinite = true};
    timeman_begin_move(&l, &limits, 1400000);
    assert_int_equal(l.lag_us, 0);
}

// A move's score is held against that of the move before it, not of what else was thought about.
static inline void check_scores_compared(void) {
    timeman_game l = timeman_game_new();
    search_limits limits = {.clock_us = 3000000};
    timeman_answer entry = {.start_us = 1000000, .end_us = 1100000, .score = 25};
    timeman_begin_move(&l, &limits, 1000000);
    assert_int_equal(l.last_score, SCORE_NONE);
    timeman_end_move(&l, &limits, &entry);
    // Another position, a guess that was wrong, the same question before it was interrupted.
    search_limits others[] = {{.clock_us = -1},
                              {.clock_us = 3000000, .is_infinite = true},
                              {.clock_us = 2900000, .is_ponder = true}};
    for (int i = 0; i < 3; i++) {
        timeman_begin_move(&l, &others[i], 1200000);
        timeman_end_move(&l, &others[i], &(timeman_answer){1200000, 1300000, i == 2, -400});
    }
    limits.clock_us = 2900000;
    timeman_begin_move(&l, &limits, 2000000);
    assert_int_equal(l.last_score, 25);
    timeman_end_move(&l, &limits, &(timeman_answer){2000000, 2100000, false, 70});
    timeman_begin_move(&l, &limits, 2000000);
    assert_int_equal(l.last_score, 25);
    timeman_end_move(&l, &limits, &(timeman_answer){2000000, 2200000, false, 30});
    // The best of some moves only.
    limits.allowed_count = 2;
    timeman_begin_move(&l, &limits, 3000000);
    assert_int_equal(l.last_score, 30);
    timeman_end_move(&l, &limits, &(timeman_answer){3000000, 3100000, false, -400});
    timeman_begin_move(&l, &limits, 4000000);
    assert_int_equal(l.last_score, SCORE_NONE);
}

// After a ponder that was missed, and after an interruption, as long is thought as ever. Load can
// make it longer, not shorter.
static inline void check_thinks_after_pondering(const char *game) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, NULL);
    search_limits limits = {.clock_us = 3000000, .increment_us = 400000, .is_ponder = true};
    search_set_state(s, state);
    for (int i = 0; i < 2; i++) {
        search_start(s, &limits, NULL);
        sleep_us(30000);
        search_stop(s);
        search_wait(s);
        if (limits.is_ponder)
            limits.start_us = clock_us();
        limits.is_ponder = false;
    }
    search_start(s, &limits, NULL); // the second question again
    search_wait(s);
    assert_true(clock_us() - limits.start_us > 50000);
    free(state);
    search_free(s);
}

// Several threads, stopped at random moments.
static inline void check_threads(const char *game) {
    search *s = search_new();
    assert_true(search_set_threads(s, 4));
    rules_state *state = state_of(game, NULL, NULL);
    rng r = {1};
    for (int i = 0; i < 12; i++) {
        search_set_root_splitting(s, i % 3 == 2);
        search_set_state(s, state);
        search_limits limits = {.clock_us = -1};
        search_start(s, &limits, NULL);
        sleep_us((long)rng_below(&r, 20000));
        search_stop(s);
        search_result result = search_wait(s);
        assert_true(rules_is_legal(state, result.best));
        assert_true(rules_play(state, result.best, NULL));
    }
    // Whoever waits for the others at a shared root keeps an eye on the clock.
    for (int i = 0; i < 6; i++) {
        search_set_root_splitting(s, true);
        search_result result = think_about(s, state, (search_limits){.move_time_us = 5000});
        assert_true(rules_is_legal(state, result.best));
    }
    assert_true(search_set_threads(s, 2));
    assert_true(search_set_hash(s, 1));
    search_result result = think_about(s, state, (search_limits){.nodes = 3000});
    assert_true(rules_is_legal(state, result.best));
    free(state);
    search_free(s);
}

#endif
