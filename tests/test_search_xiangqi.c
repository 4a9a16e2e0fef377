#include "search_common.h"

#define GAME "xiangqi"

static void signature_is_reproducible(void **unused) {
    (void)unused;
    check_signature();
}

static void nodes_are_exact(void **unused) {
    (void)unused;
    check_node_limit(GAME);
}

static void variations_are_sorted(void **unused) {
    (void)unused;
    check_variations(GAME);
}

static void answer_is_shown(void **unused) {
    (void)unused;
    check_answer_is_shown(GAME);
}

static void answers_when_asked(void **unused) {
    (void)unused;
    check_patience(GAME);
}

static void early_stop_has_an_answer(void **unused) {
    (void)unused;
    check_early_stop(GAME);
}

static void lag_fades(void **unused) {
    (void)unused;
    check_lag_fades();
}

static void scores_are_of_moves(void **unused) {
    (void)unused;
    check_scores_compared();
}

static void pondering_is_no_lag(void **unused) {
    (void)unused;
    check_no_lag_in_between();
    check_thinks_after_pondering(GAME);
}

static void threads_stop(void **unused) {
    (void)unused;
    check_threads(GAME);
}

// Two chariots: one holds the rank, the other mates on the last.
static void finds_mate(void **unused) {
    (void)unused;
    search_result r = think_of(GAME, NULL, "3k5/9/9/9/9/9/9/7R1/8R/4K4 w - - 0 1", 6);
    assert_true(r.score >= SCORE_MATE - 3);
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
        cmocka_unit_test(signature_is_reproducible),
        cmocka_unit_test(nodes_are_exact),
        cmocka_unit_test(variations_are_sorted),
        cmocka_unit_test(answer_is_shown),
        cmocka_unit_test(answers_when_asked),
        cmocka_unit_test(early_stop_has_an_answer),
        cmocka_unit_test(lag_fades),
        cmocka_unit_test(scores_are_of_moves),
        cmocka_unit_test(pondering_is_no_lag),
        cmocka_unit_test(threads_stop),
        cmocka_unit_test(finds_mate),
        cmocka_unit_test(stalemate_loses),
        cmocka_unit_test(perpetual_check_is_no_way_out),
        cmocka_unit_test(nothing_to_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
