// The Surakarta evaluation: blind to the eight symmetries of the board and to colours, the same
// whether carried along or counted anew, and explained by its trace to the last point.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/surakarta/evaluate.h"
#include "surakarta_random.h"

static int32_t evaluate(const sk_pos *pos) {
    sk_eval e;
    sk_eval_refresh(&e, pos, NULL);
    return sk_evaluate(pos, &e);
}

static uint64_t turn_board(uint64_t board, int n) {
    uint64_t turned = 0;
    while (board)
        turned |= sk_bit(sk_turn_point(bits_pop(&board), n));
    return turned;
}

static void check_symmetries(const sk_pos *pos) {
    int32_t score = evaluate(pos);
    for (int n = 0; n < 8; n++) {
        uint64_t black = turn_board(pos->pieces[SK_BLACK], n);
        uint64_t white = turn_board(pos->pieces[SK_WHITE], n);
        sk_pos turned = sk_set_up(black, white, pos->stm);
        sk_pos swapped = sk_set_up(white, black, pos->stm ^ 1);
        assert_int_equal(evaluate(&turned), score);
        assert_int_equal(evaluate(&swapped), score);
    }
}

static void check_trace(const sk_pos *pos) {
    eval_trace trace = {.phase = -1};
    sk_eval e;
    sk_eval_refresh(&e, pos, NULL);
    int32_t score = sk_evaluate_traced(pos, &e, &trace);
    int opening = 0, ending = 0;
    for (int i = 0; i < SK_PARAMETERS; i++) {
        opening += trace.coefficient[i] * sk_weights[i].opening;
        ending += trace.coefficient[i] * sk_weights[i].ending;
    }
    assert_in_range(trace.phase, 0, PHASE_MAX);
    assert_int_equal(score,
                     (opening * trace.phase + ending * (PHASE_MAX - trace.phase)) / PHASE_MAX);
    int32_t correction = sk_network_evaluate(&e.network, pos->stm);
    assert_int_equal(sk_evaluate(pos, &e), (pos->stm == SK_BLACK ? score : -score) + correction);
}

static void test_positions(void **state) {
    (void)state;
    random_game game = {.dice = {1}};
    for (int i = 0; i < 20000; i++) {
        random_step(&game);
        check_symmetries(&game.pos);
        check_trace(&game.pos);
        sk_pos few = random_endgame(&game.dice);
        check_symmetries(&few);
        check_trace(&few);
    }
}

static void test_update(void **state) {
    (void)state;
    random_game game = {.dice = {2}};
    for (int i = 0; i < 5000; i++) {
        random_step(&game);
        rules_move moves[SK_MAX_MOVES];
        sk_eval now, next, fresh;
        sk_eval_refresh(&now, &game.pos, NULL);
        for (int n = sk_generate(&game.pos, moves); n--;) {
            sk_pos after = game.pos;
            sk_eval_update(&next, &now, &game.pos, moves[n]);
            sk_make(&after, moves[n]);
            sk_eval_refresh(&fresh, &after, NULL);
            assert_int_equal(next.points, fresh.points);
            assert_memory_equal(&next.network, &fresh.network, sizeof fresh.network);
        }
    }
}

static void test_sense(void **state) {
    (void)state;
    // A piece more is worth about a hundred; the corner is no place to fight from.
    sk_pos start = sk_start(), more = start;
    more = sk_set_up(start.pieces[SK_BLACK], start.pieces[SK_WHITE] & ~sk_bit(35), SK_BLACK);
    assert_in_range(evaluate(&more) - evaluate(&start), 50, 250);
    // Nothing to tell the sides apart but the move.
    sk_pos other = sk_set_up(start.pieces[SK_BLACK], start.pieces[SK_WHITE], SK_WHITE);
    assert_int_equal(evaluate(&start), evaluate(&other));
}

static void test_names(void **state) {
    (void)state;
    char names[SK_PARAMETERS][64];
    for (int i = 0; i < SK_PARAMETERS; i++) {
        writer out = writer_on(names[i], sizeof names[i]);
        sk_name_parameter(i, &out);
        assert_false(out.overflow);
        assert_true(out.used > 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(names[i], names[j]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_update),
        cmocka_unit_test(test_sense),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
