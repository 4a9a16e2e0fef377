// The generators and the search that only the benchmark uses count the same as the others.
#include "lab/bench/alphabeta.h"
#include "lab/bench/known.h"
#include "lab/bench/plane.h"
#include "rules/xiangqi/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static xq_pos read_known(int i) {
    xq_pos pos;
    assert_true(xq_parse_fen(&pos, text_of(known_positions[i].fen), NULL));
    return pos;
}

static void test_plane(void **state) {
    (void)state;
    for (int i = 0; i < KNOWN_POSITIONS; i++) {
        xq_pos pos = read_known(i);
        plane_pos plane;
        plane_set_up(&plane, &pos);
        for (int depth = 1; depth <= 3; depth++) {
            uint64_t captures = 0, expected = 0;
            assert_int_equal(plane_count(&plane, depth, &captures),
                             known_positions[i].nodes[depth - 1]);
            xq_reference_perft(&pos, depth, &expected);
            assert_int_equal(captures, expected);
        }
    }
}

static void test_alphabeta(void **state) {
    (void)state;
    for (int i = 0; i < KNOWN_POSITIONS; i++) {
        xq_pos pos = read_known(i);
        xq_reference linked, plain;
        xq_reference_set_up(&linked, &pos, true);
        xq_reference_set_up(&plain, &pos, false);
        alphabeta_result a = alphabeta_search(&linked, 3), b = alphabeta_search(&plain, 3);
        assert_int_equal(a.score, b.score);
        assert_int_equal(a.nodes, b.nodes);
        assert_true(a.nodes < known_positions[i].nodes[2]);
    }
}

static int score_of(const char *fen, int depth) {
    xq_pos pos;
    assert_true(xq_parse_fen(&pos, text_of(fen), NULL));
    xq_reference reference;
    xq_reference_set_up(&reference, &pos, true);
    return alphabeta_search(&reference, depth).score;
}

static void test_ends(void **state) {
    (void)state;
    // The chariot mates on the back rank; a king that cannot move is lost without a check.
    assert_int_equal(score_of("3k5/8R/4R4/9/9/9/9/9/9/4K4 w - - 0 1", 2), 30000 - 1);
    assert_int_equal(score_of("3k5/9/9/9/3r1r3/9/9/4p4/9/4K4 w - - 0 1", 1), -30000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_alphabeta),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
