// The builder gives what the slow solver gives, entry by entry.
#include "base/rng.h"
#include "tablebase/build_pair.h"
#include "tablebase/build_work.h"
#include "tablebase/solve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    int8_t *values;
    uint8_t *distances;
    uint64_t filled;
} table;

typedef struct {
    table tables[TB_MAX_PIECES][TB_MAX_PIECES];
} tables;

static void read_values(void *context, int movers, int others, uint64_t first, uint64_t count,
                        int8_t *values) {
    const tables *all = context;
    memcpy(values, all->tables[movers][others].values + first, count);
}

static bool write_entries(void *context, const int8_t *values, const uint8_t *distances,
                          uint64_t count) {
    table *t = context;
    memcpy(t->values + t->filled, values, count);
    memcpy(t->distances + t->filled, distances, count);
    t->filled += count;
    return true;
}

static void take(tables *all, const tb_pair *pair, int movers, int others) {
    uint64_t size = tb_split_of(movers, others).size;
    table *t = &all->tables[movers][others];
    *t = (table){malloc(size), malloc(size), 0};
    tb_sink sink = {t, write_entries};
    assert_true(tb_pair_emit(pair, movers, &sink, NULL, NULL));
    assert_int_equal(t->filled, size);
}

static void build(tables *all, tb_rules rules, int pieces, int threads) {
    tb_source source = {all, read_values};
    for (int n = 2; n <= pieces; n++)
        for (int b = 1; b <= n / 2; b++) {
            tb_pair *pair = tb_pair_solve(n - b, b, rules, threads, &source, NULL, NULL);
            assert_non_null(pair);
            take(all, pair, n - b, b);
            if (n - b != b)
                take(all, pair, b, n - b);
            tb_pair_free(pair);
        }
}

static void compare(const tables *all, const tb_solution *s, int movers, int others) {
    const table *t = &all->tables[movers][others];
    const tb_entry *entries = s->table[movers][others];
    for (uint64_t i = 0; i < s->split[movers][others].size; i++)
        if (t->values[i] != entries[i].value || t->distances[i] != entries[i].distance)
            fail_msg("%dv%d entry %llu: value %d, distance %d instead of %d, %d", movers, others,
                     (unsigned long long)i, t->values[i], t->distances[i], entries[i].value,
                     entries[i].distance);
}

// The slow solver takes its time, and more of it under a sanitizer.
#ifdef __SANITIZE_ADDRESS__
enum { PIECES = 4 };
#else
enum { PIECES = 5 };
#endif

static tables built[2];
static tb_solution solutions[2];
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
    build(&built[TB_TRADITIONAL], TB_TRADITIONAL, PIECES, 1);
    build(&built[TB_COUNT], TB_COUNT, PIECES, 3);
    return 0;
}

static void free_tables(tables *all) {
    for (int a = 0; a < TB_MAX_PIECES; a++)
        for (int b = 0; b < TB_MAX_PIECES; b++) {
            free(all->tables[a][b].values);
            free(all->tables[a][b].distances);
        }
}

static int release(void **state) {
    (void)state;
    for (int rules = 0; rules < 2; rules++) {
        tb_solution_free(&solutions[rules]);
        free_tables(&built[rules]);
    }
    return 0;
}

static void test_against_solver(void **state) {
    (void)state;
    for (int rules = 0; rules < 2; rules++)
        for (int n = 2; n <= PIECES; n++)
            for (int a = 1; a < n; a++)
                compare(&built[rules], &solutions[rules], a, n - a);
}

// --- known from elsewhere -----------------------------------------------------------------------

static void check_known(int rules, int movers, int others, const uint64_t known[3]) {
    const table *t = &built[rules].tables[movers][others];
    tb_split split = tb_split_of(movers, others);
    uint64_t counted[3] = {0};
    for (uint64_t i = 0; i < split.size; i++)
        counted[TB_WIN - t->values[i]] += (uint64_t)tb_weight(&split, i);
    for (int i = 0; i < 3; i++)
        assert_int_equal(counted[i], known[i]);
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
        cmocka_unit_test(test_against_solver), cmocka_unit_test(test_calibration),
        cmocka_unit_test(test_rows), cmocka_unit_test(test_ranks_of_neighbours),
        cmocka_unit_test(test_routes)};
    return cmocka_run_group_tests(tests, prepare, release);
}
