#define GAME "surakarta"
#define NETWORK_INPUTS 72
#include "search_every_game.h"

// The last piece is taken at once.
static void takes_the_last_piece(void **unused) {
    (void)unused;
    search_result r = think_of(GAME, NULL, "1b4/6/6/6/w5/6 b 0 1", 4);
    assert_int_equal(r.best, move_of(1, 24));
    assert_int_equal(r.score, SCORE_MATE - 1);
}

// Two plies before the count: who has more pieces wins by waiting, unless nobody counts.
static void counts_at_the_limit(void **unused) {
    (void)unused;
    const char *fen = "b5/6/6/6/6/w4w b 48 30";
    assert_true(think_of(GAME, "icga", fen, 6).score < -25000);
    assert_int_equal(think_of(GAME, "icga,no-capture-end=draw", fen, 6).score, 0);
    assert_true(think_of(GAME, "traditional", fen, 6).score > -25000);
}

// The third occurrence is counted: the side with fewer pieces must not repeat, the other gladly
// does.
static void repetition_is_counted(void **unused) {
    (void)unused;
    rules_state *state = state_of(GAME, "icga", "b5/6/6/6/6/w4w b 0 1");
    static const char *const round[] = {"a6-b6", "f1-e1", "b6-a6", "e1-f1"};
    for (int i = 0; i < 7; i++)
        assert_true(rules_play(state, move_named(state, round[i % 4]), NULL));
    search *s = search_new(); // White to move: e1-f1 is the third occurrence and wins
    search_result r = think_about(s, state, (search_limits){.depth = 5});
    assert_int_equal(r.best, move_named(state, "e1-f1"));
    assert_true(r.score > 25000);
    search_free(s);
    free(state);
}

// Where only the clock ends a game, a line that comes back to itself is taken for its end.
static void ahead_is_enough_on_the_clock(void **unused) {
    (void)unused;
    const char *fen = "b5/6/6/3w2/6/w5 b 0 1";
    assert_true(think_of(GAME, "ccgc", fen, 10).score < -25000);
    assert_true(think_of(GAME, "ccgc,repetition-end=draw", fen, 10).score > -25000);
}

static void nothing_to_move(void **unused) {
    (void)unused;
    assert_int_equal(think_of(GAME, NULL, "b5/6/6/6/6/6 b 0 1", 3).best, MOVE_NONE);
}

// Where captures go on and on, even one ply takes thousands of nodes: with the time long over, not
// all of them, but the answer is a move that was looked at.
static void first_depth_has_an_end(void **unused) {
    (void)unused;
    const char *fen = "5b/1b1bw1/b2b2/2bww1/ww2b1/1w1w2 w 3 14";
    uint64_t whole = think_of(GAME, NULL, fen, 1).nodes;
    rules_state *state = state_of(GAME, NULL, fen);
    listened l = {.state = state};
    search_listener listener = {listen_report, listen_done, &l};
    search *s = search_new();
    search_set_state(s, state);
    search_limits limits = {.clock_us = -1, .move_time_us = 1000, .start_us = clock_us() - 1000000};
    search_start(s, &limits, &listener);
    search_result r = search_wait(s);
    assert_true(r.nodes < whole);
    assert_int_equal(r.best, l.first[0]);
    search_free(s);
    free(state);
}

// Nor does who asks wait for all of it, with all moves in order of merit least of all.
static void asking_need_not_wait(void **unused) {
    (void)unused;
    rules_state *state = state_of(GAME, NULL, "wb1bbw/w1w1w1/bb1wbw/2ww2/bbbw2/bw1bwb w 0 1");
    search *s = search_new();
    search_limits all = {.clock_us = -1, .variations = 64, .depth = 1};
    uint64_t whole = think_about(s, state, all).nodes;
    search_clear(s);
    listened l = {.state = state};
    search_listener listener = {listen_report, listen_done, &l};
    search_limits limits = {.clock_us = -1, .variations = 64, .is_infinite = true};
    search_set_state(s, state);
    search_start(s, &limits, &listener);
    search_stop(s);
    search_result r = search_wait(s);
    assert_true(r.nodes < whole / 2);
    assert_true(r.best && (!l.first[0] || l.first[0] == r.best)); // slow builds have seen nothing
    search_free(s);
    free(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SEARCH_TESTS_OF_EVERY_GAME,
        cmocka_unit_test(takes_the_last_piece),
        cmocka_unit_test(counts_at_the_limit),
        cmocka_unit_test(repetition_is_counted),
        cmocka_unit_test(ahead_is_enough_on_the_clock),
        cmocka_unit_test(nothing_to_move),
        cmocka_unit_test(first_depth_has_an_end),
        cmocka_unit_test(asking_need_not_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
