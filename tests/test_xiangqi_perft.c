// Xiangqi's move trees counted: the known numbers by every generator, and the longest move lists.
#include "lab/bench/known.h"
#include "rules/xiangqi/perft.h"
#include "rules/xiangqi/reference.h"
#include "rules/xiangqi/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static xq_pos read_position(const char *fen) {
    xq_pos pos;
    fault why;
    if (!xq_parse_fen(&pos, text_of(fen), &why))
        fail_msg("%s: %s", fen, why.line);
    return pos;
}

typedef uint64_t perft_function(const xq_pos *pos, int depth, uint64_t *captures);

static uint64_t perft_picked(const xq_pos *pos, int depth, uint64_t *captures) {
    return xq_perft(pos, depth, captures);
}

static uint64_t perft_unlinked(const xq_pos *pos, int depth, uint64_t *captures) {
    xq_reference reference;
    xq_reference_set_up(&reference, pos, false);
    return xq_reference_count(&reference, depth, captures);
}

static void expect_known(perft_function *perft, int deepest) {
    for (int i = 0; i < KNOWN_POSITIONS; i++) {
        xq_pos pos = read_position(known_positions[i].fen);
        for (int depth = 1; depth <= deepest; depth++) {
            uint64_t captures = 0;
            assert_int_equal(perft(&pos, depth, &captures), known_positions[i].nodes[depth - 1]);
        }
    }
}

static void test_fast(void **state) {
    (void)state;
    expect_known(xq_perft_baseline, 4);
    expect_known(perft_picked, getenv("KRATON_FULL") ? 5 : 4);
}

static void test_reference(void **state) {
    (void)state;
    expect_known(xq_reference_perft, getenv("KRATON_FULL") ? 4 : 3);
    expect_known(perft_unlinked, 3);
}

// The known numbers leave captures out: here the two generators answer for each other.
static void test_captures(void **state) {
    (void)state;
    for (int i = 0; i < KNOWN_POSITIONS; i++) {
        xq_pos pos = read_position(known_positions[i].fen);
        for (int depth = 1; depth <= 3; depth++) {
            uint64_t fast = 0, reference = 0;
            xq_perft(&pos, depth, &fast);
            xq_reference_perft(&pos, depth, &reference);
            assert_int_equal(fast, reference);
        }
    }
}

static void expect_moves(const char *fen, int all, int captures) {
    xq_pos pos = read_position(fen);
    rules_move moves[XQ_MAX_MOVES];
    assert_int_equal(xq_generate(&pos, moves), all);
    assert_int_equal(xq_generate_captures(&pos, moves), captures);
    assert_int_equal(xq_generate_quiets(&pos, moves), all - captures);
    xq_reference reference;
    xq_reference_list list;
    xq_reference_set_up(&reference, &pos, true);
    xq_reference_generate(&reference, &list);
    assert_int_equal(list.captures, captures);
    assert_int_equal(list.quiets, all - captures);
}

static void test_longest_lists(void **state) {
    (void)state;
    expect_moves(KNOWN_MOST_MOVES, 111, 3);
    expect_moves(KNOWN_MOST_QUIETS, 111, 0);
    expect_moves(KNOWN_MOST_CAPTURES, 63, 44);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fast),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_captures),
        cmocka_unit_test(test_longest_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
