// The perft table of the facts page from every generator, and the tables the fast one stands on.
#include "rules/surakarta/perft.h"
#include "rules/surakarta/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef uint64_t perft(const sk_pos *pos, int depth, uint64_t *captures);

static void expect_table(perft *count, int depth) {
    static const uint64_t nodes[] = {16, 256, 5382, 111122, 2572484, 58479230, 1442032302};
    static const uint64_t captures[] = {0, 0, 0, 582, 22480, 777210, 21311712};
    sk_pos pos = sk_start();
    for (int d = 1; d <= depth; d++) {
        uint64_t captured = 0;
        assert_int_equal(count(&pos, d, &captured), nodes[d - 1]);
        assert_int_equal(captured, captures[d - 1]);
    }
}

static bool full_size(void) { return getenv("KRATON_FULL") != NULL; }

static void test_fast(void **state) {
    (void)state;
    expect_table(sk_perft, full_size() ? 7 : 6);
}

static void test_every_level(void **state) {
    (void)state;
    expect_table(sk_perft_baseline, 5);
#ifdef __x86_64__
    if (isa_has_v3())
        expect_table(sk_perft_v3, 5);
#endif
}

static void test_walk(void **state) {
    (void)state;
    expect_table(sk_walk_perft, full_size() ? 6 : 5);
}

static void test_reference(void **state) {
    (void)state;
    expect_table(sk_reference_perft, full_size() ? 5 : 4);
}

static void test_wiped_out(void **state) {
    (void)state;
    perft *const all[] = {sk_perft, sk_walk_perft, sk_reference_perft};
    sk_pos pos = sk_set_up(sk_bit(14) | sk_bit(0), 0, SK_BLACK);
    for (int i = 0; i < 3; i++)
        for (int stm = 0; stm < 2; stm++) {
            uint64_t captures = 0;
            pos.stm = (uint8_t)stm;
            assert_int_equal(all[i](&pos, 1, &captures), 0);
            assert_int_equal(captures, 0);
        }
}

// --- tables -------------------------------------------------------------------------------------

static const int circuits[2][SK_STATIONS] = {
    {1, 7, 13, 19, 25, 31, 24, 25, 26, 27, 28, 29, 34, 28, 22, 16, 10, 4, 11, 10, 9, 8, 7, 6},
    {2, 8, 14, 20, 26, 32, 18, 19, 20, 21, 22, 23, 33, 27, 21, 15, 9, 3, 17, 16, 15, 14, 13, 12},
};

static void test_rings(void **state) {
    (void)state;
    uint64_t bits[SK_POINTS] = {0};
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < SK_STATIONS; s++) {
            int place = c * 32 + s / 6 * 8 + s % 6;
            assert_int_equal(sk_ring_point[place], circuits[c][s]);
            bits[circuits[c][s]] |= sk_bit(place);
        }
    for (int p = 0; p < SK_POINTS; p++)
        assert_int_equal(sk_ring_bits[p], bits[p]);
}

static void test_neighbours(void **state) {
    (void)state;
    for (int p = 0; p < SK_POINTS; p++)
        for (int q = 0; q < SK_POINTS; q++) {
            int rows = abs(p / 6 - q / 6), columns = abs(p % 6 - q % 6);
            bool near = p != q && rows < 2 && columns < 2;
            assert_int_equal(sk_neighbours[p] >> q & 1, near);
        }
}

static void test_keys_differ(void **state) {
    (void)state;
    uint64_t keys[2 * SK_POINTS + 1];
    for (int i = 0; i < 2 * SK_POINTS; i++)
        keys[i] = sk_point_key[i / SK_POINTS][i % SK_POINTS];
    keys[2 * SK_POINTS] = sk_white_key;
    for (int i = 0; i <= 2 * SK_POINTS; i++)
        for (int j = 0; j < i; j++)
            assert_true(bits_count(keys[i] ^ keys[j]) > 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings),       cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_keys_differ), cmocka_unit_test(test_fast),
        cmocka_unit_test(test_every_level), cmocka_unit_test(test_walk),
        cmocka_unit_test(test_reference),   cmocka_unit_test(test_wiped_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
