// The slow solver, which everything faster is compared with, gives the known values.
#include "tablebase/surakarta/solve.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static int pieces = 4; // five with KRATON_FULL
static tb_solution solutions[2];

static int solve(void **state) {
    (void)state;
    if (getenv("KRATON_FULL"))
        pieces = 5;
    tb_index_prepare(pieces);
    for (int rules = TB_TRADITIONAL; rules <= TB_COUNT; rules++)
        if (!tb_solve(&solutions[rules], (tb_rules)rules, pieces))
            return -1;
    return 0;
}

static int release(void **state) {
    (void)state;
    for (int rules = TB_TRADITIONAL; rules <= TB_COUNT; rules++)
        tb_solution_free(&solutions[rules]);
    return 0;
}

// --- calibration --------------------------------------------------------------------------------

typedef struct {
    int movers, others;
    uint64_t win, draw, loss;
    int longest_win, longest_loss; // -1 where they are not known from elsewhere
} known_split;

static void check_known(const tb_solution *s, const known_split *known) {
    tb_tally t = tb_solution_tally(s, known->movers, known->others);
    assert_int_equal(t.win, known->win);
    assert_int_equal(t.draw, known->draw);
    assert_int_equal(t.loss, known->loss);
    if (known->longest_win < 0)
        return;
    assert_int_equal(t.longest_win, known->longest_win);
    assert_int_equal(t.longest_loss, known->longest_loss);
}

static void test_traditional(void **state) {
    (void)state;
    static const known_split known[] = {{1, 1, 844, 336, 80, 3, 2},
                                        {2, 1, 20724, 576, 120, 7, 2},
                                        {1, 2, 2108, 5952, 13360, 3, 6},
                                        {2, 2, 243554, 80836, 29040, 7, 8}};
    for (int i = 0; i < 4; i++)
        check_known(&solutions[TB_TRADITIONAL], &known[i]);
}

static void test_count(void **state) {
    (void)state;
    static const known_split known[] = {{2, 1, 21300, 0, 120, -1, -1},
                                        {1, 2, 2108, 5232, 14080, -1, -1},
                                        {2, 2, 249890, 74500, 29040, -1, -1}};
    for (int i = 0; i < 3; i++)
        check_known(&solutions[TB_COUNT], &known[i]);
    // One against one the convention makes no difference.
    known_split same = {1, 1, 844, 336, 80, 3, 2};
    check_known(&solutions[TB_COUNT], &same);
}

// --- what an entry means, asked of single positions ---------------------------------------------

// The value by waiting, for the side to move.
static int waiting_value(const tb_solution *s, const sk_pos *pos) {
    int own = bits_count(pos->pieces[pos->stm]), other = bits_count(pos->pieces[pos->stm ^ 1]);
    return s->rules == TB_TRADITIONAL ? TB_DRAW : (own > other) - (own < other);
}

// The entry a position must have, given those behind its moves. Values alone might justify
// themselves in circles; distances are what makes the argument well founded.
static void check_entry(const tb_solution *s, const sk_pos *pos) {
    tb_entry e = tb_solution_look_up(s, pos);
    rules_move moves[SK_MAX_MOVES];
    int n = sk_generate(pos, moves), best = -2, shortest = 256, longest = 0;
    for (int i = 0; i < n; i++) {
        sk_pos after = *pos;
        bool captured = sk_make(&after, moves[i]);
        tb_entry next = tb_solution_look_up(s, &after);
        int value = -next.value, way = captured ? 1 : next.distance ? next.distance + 1 : 0;
        best = value > best ? value : best;
        if (value != e.value)
            continue;
        longest = way > longest ? way : longest;
        if (way > 0 && way < shortest)
            shortest = way;
    }
    int waiting = waiting_value(s, pos);
    if (n > 0)
        assert_int_equal(best, e.value);
    else
        assert_int_equal(e.value, waiting);
    if (e.value == waiting)
        assert_int_equal(e.distance, 0);
    else // better than waiting: this side forces it; worse: the other one does
        assert_int_equal(e.distance, e.value > waiting ? shortest : longest);
}

static void test_entries(void **state) {
    (void)state;
    for (int rules = TB_TRADITIONAL; rules <= TB_COUNT; rules++)
        for (int n = 2; n <= pieces; n++)
            for (int a = 1; a < n; a++) {
                const tb_split *split = &solutions[rules].split[a][n - a];
                for (uint64_t i = 0; i < split->size; i++) {
                    tb_placement p = tb_unrank(split, i);
                    sk_pos pos = sk_set_up(p.movers, p.others, SK_BLACK);
                    check_entry(&solutions[rules], &pos);
                }
            }
}

// Duplicates within a symmetric row, and the same position with colours changed, agree.
static void test_symmetry(void **state) {
    (void)state;
    rng dice = {1};
    for (int i = 0; i < 100000; i++) {
        const tb_solution *s = &solutions[i % 2];
        int a = 1 + (int)rng_below(&dice, (uint32_t)(pieces - 1)), b = pieces - a;
        const tb_split *split = &s->split[a][b];
        uint64_t index = rng_next(&dice) % split->size;
        tb_placement p = tb_unrank(split, index);
        p = tb_turn_placement((int)rng_below(&dice, TB_SYMMETRIES), p);
        sk_pos pos = sk_set_up(p.others, p.movers, SK_WHITE);
        tb_entry e = tb_solution_look_up(s, &pos), f = s->table[a][b][index];
        assert_int_equal(e.value, f.value);
        assert_int_equal(e.distance, f.distance);
    }
}

static void test_wiped_out(void **state) {
    (void)state;
    sk_pos pos = sk_set_up(0, sk_bit(3), SK_BLACK);
    assert_int_equal(tb_solution_look_up(&solutions[TB_COUNT], &pos).value, TB_LOSS);
    pos = sk_set_up(0, sk_bit(3), SK_WHITE);
    assert_int_equal(tb_solution_look_up(&solutions[TB_COUNT], &pos).value, TB_WIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_traditional), cmocka_unit_test(test_count),
        cmocka_unit_test(test_entries),     cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_wiped_out),
    };
    return cmocka_run_group_tests(tests, solve, release);
}
