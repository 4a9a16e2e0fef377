// The builder gives what the slow solver gives, entry by entry.
#include "base/rng.h"
#include "tablebase/surakarta/build/build.h"
#include "tablebase/surakarta/build/work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

// The slow solver takes its time, and more of it under a sanitizer.
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { PIECES = 4 };
#else
enum { PIECES = 5 };
#endif

static tb_solution built[2], solutions[2];
static bool solved[2];

static void solve(void *context, uint32_t rules, void *scratch) {
    (void)context;
    (void)scratch;
    solved[rules] = tb_solve(&solutions[rules], (tb_rules)rules, PIECES);
}

static int prepare(void **state) {
    (void)state;
    tb_index_prepare(8);
    if (!tb_work(2, 2, solve, NULL, 0) || !solved[0] || !solved[1])
        return -1;
    return tb_build_solution(&built[TB_TRADITIONAL], TB_TRADITIONAL, PIECES, 1, NULL) &&
                   tb_build_solution(&built[TB_COUNT], TB_COUNT, PIECES, 3, NULL)
               ? 0
               : -1;
}

static int release(void **state) {
    (void)state;
    for (int rules = 0; rules < 2; rules++) {
        tb_solution_free(&solutions[rules]);
        tb_solution_free(&built[rules]);
    }
    return 0;
}

static void compare(const tb_solution *a, const tb_solution *b, int movers, int others) {
    for (uint64_t i = 0; i < a->split[movers][others].size; i++) {
        tb_entry e = a->table[movers][others][i], f = b->table[movers][others][i];
        if (e.value != f.value || e.distance != f.distance)
            fail_msg("%dv%d entry %llu: value %d, distance %d instead of %d, %d", movers, others,
                     (unsigned long long)i, e.value, e.distance, f.value, f.distance);
    }
}

static void compare_all(const tb_solution *a, const tb_solution *b, int pieces) {
    for (int n = 2; n <= pieces; n++)
        for (int movers = 1; movers < n; movers++)
            compare(a, b, movers, n - movers);
}

static void test_against_solver(void **state) {
    (void)state;
    compare_all(&built[TB_TRADITIONAL], &solutions[TB_TRADITIONAL], PIECES);
    compare_all(&built[TB_COUNT], &solutions[TB_COUNT], PIECES);
}

// Every level of the instruction set gives the same.
static void test_levels(void **state) {
    (void)state;
    const tb_kernels *levels[3] = {tb_kernels_baseline()};
    int count = 1;
#ifdef __x86_64__
    if (isa_has_v3())
        levels[count++] = tb_kernels_v3();
    if (isa_has_v4())
        levels[count++] = tb_kernels_v4();
#endif
    for (int i = 0; i < count; i++)
        for (int rules = 0; rules < 2; rules++) {
            tb_solution level;
            assert_true(tb_build_solution(&level, (tb_rules)rules, 4, 2, levels[i]));
            compare_all(&level, &solutions[rules], 4);
            tb_solution_free(&level);
        }
}

// --- known from elsewhere -----------------------------------------------------------------------

static void check_known(int rules, int movers, int others, const uint64_t known[3]) {
    tb_tally t = tb_solution_tally(&built[rules], movers, others);
    assert_int_equal(t.win, known[0]);
    assert_int_equal(t.draw, known[1]);
    assert_int_equal(t.loss, known[2]);
}

static void test_calibration(void **state) {
    (void)state;
    check_known(TB_TRADITIONAL, 1, 1, (const uint64_t[]){844, 336, 80});
    check_known(TB_TRADITIONAL, 2, 1, (const uint64_t[]){20724, 576, 120});
    check_known(TB_TRADITIONAL, 1, 2, (const uint64_t[]){2108, 5952, 13360});
    check_known(TB_TRADITIONAL, 2, 2, (const uint64_t[]){243554, 80836, 29040});
    check_known(TB_COUNT, 2, 1, (const uint64_t[]){21300, 0, 120});
    check_known(TB_COUNT, 1, 2, (const uint64_t[]){2108, 5232, 14080});
    check_known(TB_COUNT, 2, 2, (const uint64_t[]){249890, 74500, 29040});
}

// --- the parts ----------------------------------------------------------------------------------

static void test_rows(void **state) {
    (void)state;
    for (int k = 0; k <= 5; k++) {
        tb_rows rows;
        assert_true(tb_rows_make(&rows, k));
        assert_int_equal(rows.reps, tb_count_reps(k));
        uint64_t set = sk_bit(k) - 1;
        for (uint32_t rank = 0; rank < rows.sets; rank++, set = tb_next_set(set)) {
            assert_int_equal(tb_rank_set(set), rank);
            uint32_t folded = rows.folded[rank];
            uint64_t symmetries = folded >> TB_REP_BITS;
            assert_true(symmetries != 0);
            while (symmetries)
                assert_int_equal(tb_turn(bits_pop(&symmetries), set),
                                 rows.members[folded & ((1u << TB_REP_BITS) - 1)]);
        }
        tb_rows_free(&rows);
    }
    assert_int_equal(tb_count_reps(7), tb_split_of(7, 1).rows);
}

static void test_ranks_of_neighbours(void **state) {
    (void)state;
    for (int k = 1; k <= 4; k++)
        for (uint32_t rank = 0; rank < tb_choose[k][SK_POINTS]; rank += 7) {
            uint64_t set = tb_unrank_set(rank, k);
            tb_member m;
            tb_member_set(&m, set, k);
            for (int p = 0; p < k; p++) {
                uint64_t rest = set ^ sk_bit(m.points[p]);
                assert_int_equal(tb_member_without(&m, k, p), tb_rank_set(rest));
                for (int to = 0; to < SK_POINTS; to++)
                    if (!(set >> to & 1))
                        assert_int_equal(tb_member_moved(&m, k, p, to),
                                         tb_rank_set(rest | sk_bit(to)));
            }
        }
}

// Walking the ways of a piece finds what the generator finds.
static void test_routes(void **state) {
    (void)state;
    rng dice = {1};
    for (int i = 0; i < 100000; i++) {
        uint64_t black = rng_next(&dice) & rng_next(&dice) & rng_next(&dice) & SK_BOARD;
        uint64_t white = rng_next(&dice) & rng_next(&dice) & SK_BOARD & ~black;
        if (!black)
            continue;
        sk_pos pos = sk_set_up(black, white, SK_BLACK);
        int from = bits_lowest(black);
        uint64_t found = 0;
        for (int way = 0; way < tb_routes_of[from].ways; way++)
            for (int k = 0; k < tb_routes_of[from].count[way]; k++) {
                tb_route r = tb_routes_of[from].routes[way][k];
                if (!(r.crossed & (black | white)))
                    found |= sk_bit(r.to) & white;
            }
        assert_int_equal(found, sk_capture_targets(&pos, from));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_solver),      cmocka_unit_test(test_levels),
        cmocka_unit_test(test_calibration),         cmocka_unit_test(test_rows),
        cmocka_unit_test(test_ranks_of_neighbours), cmocka_unit_test(test_routes)};
    return cmocka_run_group_tests(tests, prepare, release);
}
