#define GAME "xiangqi"
#define NETWORK_INPUTS 1260
#include "search_every_game.h"

// Two chariots: one holds the rank, the other mates on the last.
static void finds_mate(void **unused) {
    (void)unused;
    search_result r = think_of(GAME, NULL, "3k5/9/9/9/9/9/9/7R1/8R/4K4 w - - 0 1", 6);
    assert_true(r.score >= SCORE_MATE - 3);
}

// Whatever Black does, a quiet check mates. Quiet checks that were pruned hid it until depth 11.
static void sees_that_a_quiet_check_mates(void **unused) {
    (void)unused;
    search *s = search_new();
    rules_state *state =
        state_of(GAME, NULL, "4Rab2/3k5/2Ncb1n2/p7p/3r5/2p6/P3P3P/3CB4/3c5/3AKA3 b - - 2 31");
    search_result r = think_about(s, state, (search_limits){.nodes = 3000});
    assert_int_equal(r.score, -SCORE_MATE + 2);
    free(state);
    search_free(s);
}

// Wins with a mate that is far away are converted by the way announced or a shorter one.
static void mates_by_the_shortest_way(void **unused) {
    (void)unused;
    check_shortest_mate(GAME, "3k5/9/9/9/9/9/9/7R1/8R/4K4 w - - 0 1", 3000);
    check_shortest_mate(GAME, "2bak4/4a4/9/9/9/9/9/R8/4K4/1R7 w - - 0 1", 20000);
}

static void stalemate_loses(void **unused) {
    (void)unused;
    // The king in its corner: the chariot takes the last point away, and Black cannot move.
    search_result r = think_of(GAME, NULL, "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1", 6);
    assert_true(r.score >= SCORE_MATE - 5);
}

// Red can do no better than to check for ever: a draw where repetition is one, lost where it is
// not.
static void perpetual_check_is_no_way_out(void **unused) {
    (void)unused;
    const char *fen = "4k4/9/9/9/8R/9/9/2r6/1r7/5K3 w - - 0 1";
    assert_int_equal(think_of(GAME, "simple,repetition-end=draw", fen, 12).score, 0);
    assert_true(think_of(GAME, "simple", fen, 12).score < -25000);
    assert_true(think_of(GAME, "wxf", fen, 12).score < -25000);
}

static void nothing_to_move(void **unused) {
    (void)unused;
    search_result r = think_of(GAME, NULL, "3R1k3/9/9/9/9/9/9/9/9/4K4 b - - 0 1", 3);
    assert_true(r.best != MOVE_NONE);
    r = think_of(GAME, NULL, "R4k3/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1", 3);
    assert_int_equal(r.best, MOVE_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SEARCH_TESTS_OF_EVERY_GAME,
        cmocka_unit_test(finds_mate),
        cmocka_unit_test(mates_by_the_shortest_way),
        cmocka_unit_test(stalemate_loses),
        cmocka_unit_test(perpetual_check_is_no_way_out),
        cmocka_unit_test(nothing_to_move),
        cmocka_unit_test(sees_that_a_quiet_check_mates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
