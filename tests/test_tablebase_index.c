// The index of the endgame tables, and the two it is compared with.
#include "base/rng.h"
#include "lab/papers/paper3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static int prepare(void **state) {
    (void)state;
    tb_index_prepare(TB_MAX_PIECES);
    return 0;
}

static tb_placement random_placement(rng *dice, int movers, int others) {
    tb_placement p = {0, 0};
    for (int left = movers + others; left;) {
        uint64_t point = sk_bit((int)rng_below(dice, SK_POINTS));
        if ((p.movers | p.others) & point)
            continue;
        *(left > others ? &p.movers : &p.others) |= point;
        left--;
    }
    return p;
}

static uint64_t all_placements(int movers, int others) {
    return (uint64_t)tb_choose[movers][SK_POINTS] * tb_choose[others][SK_POINTS - movers];
}

#ifdef __x86_64__
// What tb_squeeze is where it is compiled for processors that have the instruction.
__attribute__((target("bmi2"))) static uint64_t squeeze_by_pext(uint64_t set, uint64_t holes) {
    return __builtin_ia32_pext_di(set, ~holes);
}
#endif

static void test_sets(void **state) {
    (void)state;
    assert_int_equal(tb_choose[6][36], 1947792);
    assert_int_equal(tb_choose[12][36], 1251677700);
    rng dice = {1};
    for (int i = 0; i < 100000; i++) {
        int k = 1 + (int)rng_below(&dice, 11);
        tb_placement p = random_placement(&dice, k, (int)rng_below(&dice, (uint32_t)(13 - k)));
        assert_int_equal(tb_unrank_set(tb_rank_set(p.movers), k), p.movers);
        uint64_t squeezed = tb_squeeze(p.movers, p.others);
        assert_int_equal(tb_spread(squeezed, p.others), p.movers);
        assert_true(squeezed < sk_bit(SK_POINTS - bits_count(p.others)));
        uint64_t bits = p.movers, expected = 0;
        while (bits) {
            int point = bits_pop(&bits);
            expected |= sk_bit(point - bits_count(p.others & (sk_bit(point) - 1)));
        }
        assert_int_equal(squeezed, expected);
#ifdef __x86_64__
        if (__builtin_cpu_supports("bmi2"))
            assert_int_equal(squeeze_by_pext(p.movers, p.others), expected);
#endif
    }
}

// What row-wise work relies on: a point put in the place of another leaves the order as it is.
static void test_order(void **state) {
    (void)state;
    for (int from = 0; from < SK_POINTS; from++)
        for (int to = 0; to < SK_POINTS; to++) {
            int64_t stepped = -1, captured = -1;
            for (uint32_t i = 0; i < tb_choose[3][SK_POINTS]; i++) {
                uint64_t set = tb_unrank_set(i, 3);
                if (!(set >> from & 1) || set >> to & 1)
                    continue;
                uint64_t rest = set ^ sk_bit(from);
                assert_true((int64_t)tb_rank_set(rest | sk_bit(to)) > stepped);
                assert_true((int64_t)tb_rank_set(rest) > captured);
                stepped = tb_rank_set(rest | sk_bit(to));
                captured = tb_rank_set(rest);
            }
        }
}

// The eight symmetries are different, and captures and steps know no difference between them.
static void test_symmetries(void **state) {
    (void)state;
    rng dice = {2};
    for (int i = 0; i < 2000; i++) {
        tb_placement p = random_placement(&dice, 6, 6);
        sk_pos pos = sk_set_up(p.movers, p.others, SK_BLACK);
        for (int s = 0; s < TB_SYMMETRIES; s++) {
            tb_placement turned = tb_turn_placement(s, p);
            sk_pos other = sk_set_up(turned.movers, turned.others, SK_BLACK);
            assert_int_equal(sk_count_captures(&pos), sk_count_captures(&other));
            assert_int_equal(sk_count_quiets(&pos), sk_count_quiets(&other));
        }
    }
    uint64_t lopsided = sk_bit(0) | sk_bit(1) | sk_bit(8); // no symmetry
    for (int s = 1; s < TB_SYMMETRIES; s++)
        for (int t = 0; t < s; t++)
            assert_int_not_equal(tb_turn(s, lopsided), tb_turn(t, lopsided));
}

// What one index must fulfil; returns its weight.
static uint64_t check_index(const tb_split *split, uint64_t index) {
    tb_placement p = tb_unrank(split, index);
    assert_int_equal(bits_count(p.movers), split->movers);
    assert_int_equal(bits_count(p.others), split->others);
    assert_int_equal(p.movers & p.others, 0);
    assert_int_equal((p.movers | p.others) & ~SK_BOARD, 0);
    assert_int_equal(tb_rank(split, p), index);

    int weight = tb_weight(split, index);
    uint64_t canonical = tb_canonical(split, index);
    assert_true(canonical <= index);
    assert_true(canonical == index || weight < TB_SYMMETRIES);
    uint64_t rows = split->movers_are_rows ? p.movers : p.others, seen[TB_SYMMETRIES];
    int sets = 0;
    for (int s = 0; s < TB_SYMMETRIES; s++) {
        uint64_t other = tb_rank(split, tb_turn_placement(s, p)), set = tb_turn(s, rows);
        if (weight == TB_SYMMETRIES)
            assert_int_equal(other, index);
        else
            assert_int_equal(tb_canonical(split, other), canonical);
        int k = 0;
        while (k < sets && seen[k] != set)
            k++;
        if (k == sets)
            seen[sets++] = set;
    }
    assert_int_equal(weight, sets);
    return (uint64_t)weight;
}

static void test_every_index(void **state) {
    (void)state;
    for (int n = 2; n <= 5; n++)
        for (int movers = 1; movers < n; movers++) {
            tb_split split = tb_split_of(movers, n - movers);
            uint64_t weights = 0;
            for (uint64_t i = 0; i < split.size; i++)
                weights += check_index(&split, i);
            assert_int_equal(weights, all_placements(movers, n - movers));
        }
}

// Counted the other way round: so many placements come to an index as its weight says.
static void test_every_placement(void **state) {
    (void)state;
    static uint8_t hits[60000];
    for (int movers = 1; movers <= 3; movers++) {
        tb_split split = tb_split_of(movers, 4 - movers);
        assert_true(split.size <= sizeof hits);
        memset(hits, 0, sizeof hits);
        for (uint32_t i = 0; i < tb_choose[movers][36]; i++)
            for (uint32_t k = 0; k < tb_choose[4 - movers][36 - movers]; k++) {
                uint64_t set = tb_unrank_set(i, movers);
                uint64_t other = tb_spread(tb_unrank_set(k, 4 - movers), set);
                hits[tb_rank(&split, (tb_placement){set, other})]++;
            }
        for (uint64_t i = 0; i < split.size; i++)
            assert_int_equal(hits[i], tb_weight(&split, i));
    }
}

static void test_samples(void **state) {
    (void)state;
    rng dice = {3};
    for (int n = 6; n <= TB_MAX_PIECES; n++)
        for (int movers = 1; movers < n; movers++) {
            tb_split split = tb_split_of(movers, n - movers);
            check_index(&split, 0);
            check_index(&split, split.size - 1);
            for (int i = 0; i < 2000; i++) {
                check_index(&split, rng_next(&dice) % split.size);
                tb_placement p = random_placement(&dice, movers, n - movers);
                uint64_t index = tb_rank(&split, p);
                tb_placement back = tb_unrank(&split, index);
                int same = 0;
                for (int s = 0; s < TB_SYMMETRIES; s++) {
                    tb_placement t = tb_turn_placement(s, p);
                    same += t.movers == back.movers && t.others == back.others;
                }
                assert_true(same > 0);
            }
        }
}

// A row's weight is the same all along it: few enough rows to add up all placements to 12 pieces.
static void test_weights(void **state) {
    (void)state;
    for (int n = 2; n <= TB_MAX_PIECES; n++)
        for (int movers = 1; movers < n; movers++) {
            tb_split split = tb_split_of(movers, n - movers);
            uint64_t weights = 0;
            for (uint64_t row = 0; row < split.rows; row++)
                weights += (uint64_t)tb_weight(&split, row * split.columns) * split.columns;
            assert_int_equal(weights, all_placements(movers, n - movers));
        }
}

// The side is chosen as the header says, and a placement's index is the same whoever moves unless
// the sides are equal.
static void test_sides(void **state) {
    (void)state;
    rng dice = {4};
    uint64_t rows[TB_MAX_ROW_PIECES + 1];
    for (int k = 1; k <= TB_MAX_ROW_PIECES; k++)
        rows[k] = tb_split_of(k, k < 6 ? k : 1).rows;
    printf("pieces      positions          index    saved\n");
    for (int n = 2; n <= TB_MAX_PIECES; n++) {
        uint64_t positions = 0, size = 0;
        for (int a = 1; a < n; a++) {
            int b = n - a;
            tb_split split = tb_split_of(a, b), turned = tb_split_of(b, a);
            uint64_t by_a = a <= TB_MAX_ROW_PIECES ? rows[a] * tb_choose[b][36 - a] : UINT64_MAX;
            uint64_t by_b = b <= TB_MAX_ROW_PIECES ? rows[b] * tb_choose[a][36 - b] : UINT64_MAX;
            assert_int_equal(split.size, by_a < by_b ? by_a : by_b);
            int larger = a > b ? a : b;
            assert_int_equal(split.row_pieces, larger <= TB_MAX_ROW_PIECES ? larger : n - larger);
            tb_placement p = random_placement(&dice, a, b);
            if (a == b)
                assert_true(split.movers_are_rows);
            else
                assert_int_equal(tb_rank(&split, p),
                                 tb_rank(&turned, (tb_placement){p.others, p.movers}));
            positions += all_placements(a, b);
            size += split.size;
        }
        printf("%6d %14llu %14llu %8.3f\n", n, (unsigned long long)positions,
               (unsigned long long)size, (double)positions / (double)size);
    }
}

static void test_paper3(void **state) {
    (void)state;
    static const uint64_t counts[] = {72, 2520, 57120, 942480, 12063744, 124658688};
    static const uint64_t schadd[] = {0, 1260, 42840, 824670, 11309760, 120763104};
    for (int n = 1; n <= 6; n++) {
        assert_int_equal(paper3_size(n), counts[n - 1]);
        assert_int_equal(schadd_size(n), schadd[n - 1]);
    }
    for (int n = 1; n <= 4; n++) {
        for (uint64_t i = 0; i < paper3_size(n); i++)
            assert_int_equal(paper3_rank(n, paper3_unrank(n, i)), i);
        for (uint64_t i = 0; i < schadd_size(n); i++) {
            tb_placement p = schadd_unrank(n, i);
            assert_true(p.movers && p.others);
            assert_int_equal(schadd_rank(n, p), i);
        }
    }
    rng dice = {5};
    for (int i = 0; i < 100000; i++) {
        int n = 2 + (int)rng_below(&dice, 11);
        int movers = 1 + (int)rng_below(&dice, (uint32_t)(n - 1));
        tb_placement p = random_placement(&dice, movers, n - movers);
        uint64_t a = paper3_rank(n, p), b = schadd_rank(n, p);
        assert_true(a < paper3_size(n) && b < schadd_size(n));
        tb_placement pa = paper3_unrank(n, a), pb = schadd_unrank(n, b);
        assert_true(pa.movers == p.movers && pa.others == p.others);
        assert_true(pb.movers == p.movers && pb.others == p.others);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_every_index),
        cmocka_unit_test(test_every_placement),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_paper3),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
