// The tests that the search of every game passes: GAME names the one this program has.
#ifndef KRATON_TESTS_SEARCH_EVERY_GAME_H
#define KRATON_TESTS_SEARCH_EVERY_GAME_H

#include "search_common.h"

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
    check_needless_hit(GAME);
}

static void threads_stop(void **unused) {
    (void)unused;
    check_threads(GAME);
}

static void fixed_time_is_used(void **unused) {
    (void)unused;
    check_fixed_time();
}

static void threads_vote(void **unused) {
    (void)unused;
    check_vote();
}

static void many_threads_search(void **unused) {
    (void)unused;
    network *n = some_network(GAME, NETWORK_INPUTS);
    check_many_threads(GAME, NULL);
    check_many_threads(GAME, n);
    network_free(n);
}

#define SEARCH_TESTS_OF_EVERY_GAME                                                                 \
    cmocka_unit_test(signature_is_reproducible), cmocka_unit_test(nodes_are_exact),                \
        cmocka_unit_test(variations_are_sorted), cmocka_unit_test(answer_is_shown),                \
        cmocka_unit_test(answers_when_asked), cmocka_unit_test(early_stop_has_an_answer),          \
        cmocka_unit_test(lag_fades), cmocka_unit_test(scores_are_of_moves),                        \
        cmocka_unit_test(pondering_is_no_lag), cmocka_unit_test(threads_stop),                     \
        cmocka_unit_test(fixed_time_is_used), cmocka_unit_test(threads_vote),                      \
        cmocka_unit_test(many_threads_search)

#endif
