// The prober says what the solver found, from any thread, and never stumbles over files or boards.
#include "tablebase/surakarta/moves.h"
#include "tables_made.h"

#include "base/rng.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { PIECES = MADE_PIECES };

static tables_made made;
static const tb_solution *const solutions = made.solutions;
static const char *const dir = made.dir;

static int prepare(void **state) {
    (void)state;
    return made_write(&made) ? 0 : -1;
}

static int release(void **state) {
    (void)state;
    return made_remove(&made);
}

static void refuse_none(void *context, const char *line) {
    (void)context;
    fail_msg("refused: %s", line);
}

// --- what it says -------------------------------------------------------------------------------

static void check_split(kraton_tb *tables, const tb_solution *s, int a, int b, rng *dice) {
    const tb_split *split = &s->split[a][b];
    for (uint64_t i = 0; i < split->size; i++) {
        tb_placement p = tb_unrank(split, i);
        p = tb_turn_placement((int)rng_below(dice, TB_SYMMETRIES), p);
        assert_int_equal(kraton_tb_value(tables, p.movers, p.others), s->table[a][b][i].value);
        assert_int_equal(kraton_tb_distance(tables, p.movers, p.others),
                         s->table[a][b][i].distance);
        kraton_tb_spot spot = kraton_tb_find(tables, p.movers, p.others);
        assert_int_equal(kraton_tb_value_at(spot), s->table[a][b][i].value);
    }
}

static void test_same(void **state) {
    (void)state;
    static const unsigned ways[] = {0, KRATON_TB_LOAD, KRATON_TB_TRUST};
    rng dice = {5};
    for (int i = 0; i < 6; i++) {
        const tb_solution *s = &solutions[i % 2];
        kraton_tb *tables = kraton_tb_open(dir, (int)s->rules, ways[i / 2], refuse_none, NULL);
        assert_non_null(tables);
        assert_int_equal(kraton_tb_pieces(tables), PIECES);
        for (int a = 1; a < PIECES; a++)
            for (int b = 1; a + b <= PIECES; b++)
                check_split(tables, s, a, b, &dice);
        kraton_tb_close(tables);
    }
}

static void test_list(void **state) {
    (void)state;
    kraton_tb *tables = kraton_tb_open(dir, KRATON_TB_TRADITIONAL, 0, refuse_none, NULL);
    kraton_tb_split split;
    assert_non_null(tables);
    assert_int_equal(kraton_tb_longest(tables), 8);
    for (int n = 0; n < 6; n++)
        assert_int_equal(kraton_tb_nth(tables, n, &split), 1);
    assert_int_equal(kraton_tb_nth(tables, 6, &split), 0);
    assert_int_equal(kraton_tb_nth(tables, 2, &split), 1);
    assert_true(split.movers == 2 && split.others == 1 && split.has_distances);
    assert_true(split.win == 20724 && split.draw == 576 && split.loss == 120);
    assert_true(split.longest_win == 7 && split.longest_loss == 2);
    kraton_tb_close(tables);
}

// Boards that are none, or not in the tables.
static void test_unknown(void **state) {
    (void)state;
    const uint64_t boards[][2] = {{0, 0},          {1, 1},          {sk_bit(36), 1},
                                  {1, sk_bit(63)}, {sk_bit(40), 0}, {3, 4 + 8 + 16}};
    kraton_tb *tables = kraton_tb_open(dir, KRATON_TB_COUNT, 0, refuse_none, NULL);
    assert_non_null(tables);
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        assert_int_equal(kraton_tb_value(tables, boards[i][0], boards[i][1]), KRATON_TB_UNKNOWN);
        assert_int_equal(kraton_tb_distance(tables, boards[i][0], boards[i][1]),
                         KRATON_TB_NO_DISTANCE);
    }
    assert_int_equal(kraton_tb_value(tables, 7, 0), KRATON_TB_WIN);
    assert_int_equal(kraton_tb_value(tables, 0, SK_BOARD), KRATON_TB_LOSS);
    assert_int_equal(kraton_tb_distance(tables, 0, 1), 0);
    kraton_tb_close(tables);
}

// The best move keeps the value and the distance; the order is as promised.
static void test_moves(void **state) {
    (void)state;
    rng dice = {6};
    for (int i = 0; i < 20000; i++) {
        const tb_solution *s = &solutions[i % 2];
        static kraton_tb *tables[TB_CONVENTIONS];
        if (!tables[i % 2])
            tables[i % 2] = kraton_tb_open(dir, (int)s->rules, 0, refuse_none, NULL);
        int a = 1 + (int)rng_below(&dice, PIECES - 1), b = PIECES - a;
        tb_placement p = tb_unrank(&s->split[a][b], rng_next(&dice) % s->split[a][b].size);
        sk_pos pos = sk_set_up(p.movers, p.others, SK_BLACK);
        tb_entry e = tb_solution_look_up(s, &pos);
        tb_move moves[SK_MAX_MOVES];
        int n = tb_rank_moves(tables[i % 2], s->rules, &pos, moves);
        int waiting = tb_waiting_value(s->rules, a, b);
        assert_true(n >= 0);
        if (n == 0)
            continue;
        assert_int_equal(moves[0].value, e.value);
        if (e.value != waiting)
            assert_int_equal(moves[0].distance, e.distance);
        for (int k = 1; k < n; k++)
            assert_true(moves[k].value <= moves[k - 1].value);
        if (i >= 20000 - 2)
            kraton_tb_close(tables[i % 2]);
    }
}

// --- threads ------------------------------------------------------------------------------------

static void *ask(void *context) {
    kraton_tb *tables = context;
    rng dice = {(uint64_t)(uintptr_t)&dice};
    const tb_solution *s = &solutions[TB_COUNT];
    for (int i = 0; i < 20000; i++) {
        int a = 1 + (int)rng_below(&dice, PIECES - 1), b = PIECES - a;
        uint64_t index = rng_next(&dice) % s->split[a][b].size;
        tb_placement p = tb_unrank(&s->split[a][b], index);
        if (kraton_tb_value(tables, p.movers, p.others) != s->table[a][b][index].value ||
            kraton_tb_distance(tables, p.movers, p.others) != s->table[a][b][index].distance)
            return tables;
    }
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    kraton_tb *tables = kraton_tb_open(dir, KRATON_TB_COUNT, 0, refuse_none, NULL);
    pthread_t threads[4];
    assert_non_null(tables);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, tables), 0);
    for (int i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    kraton_tb_close(tables);
}

// --- files that are not as they should be -------------------------------------------------------

typedef struct {
    int lines;
    char last[256];
} heard;

static void hear(void *context, const char *line) {
    heard *h = context;
    h->lines++;
    snprintf(h->last, sizeof h->last, "%s", line);
}

static void flip(const char *path, long at) {
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    int c = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(c ^ 16, f);
    fclose(f);
}

static void test_damage(void **state) {
    (void)state;
    char values[TB_PATH_SIZE], distances[TB_PATH_SIZE];
    uint64_t two = sk_bit(0) | sk_bit(9), others = sk_bit(20) | sk_bit(33);
    heard h = {0};
    assert_true(tb_file_path(values, dir, TB_VALUES, TB_COUNT, 2, 2));
    assert_true(tb_file_path(distances, dir, TB_DISTANCES, TB_COUNT, 2, 2));
    flip(values, 5000);
    kraton_tb *tables = kraton_tb_open(dir, KRATON_TB_COUNT, 0, hear, &h);
    assert_non_null(tables);
    assert_int_equal(h.lines, 1);
    assert_non_null(strstr(h.last, "count-2v2.values"));
    assert_int_equal(kraton_tb_value(tables, two, others), KRATON_TB_UNKNOWN);
    assert_int_not_equal(kraton_tb_value(tables, two, sk_bit(20)), KRATON_TB_UNKNOWN);
    kraton_tb_close(tables);
    flip(values, 5000);
    // A packed block is looked at when it is asked for.
    flip(distances, 1000);
    tables = kraton_tb_open(dir, KRATON_TB_COUNT, 0, hear, &h);
    assert_non_null(tables);
    assert_int_equal(h.lines, 1);
    assert_int_equal(kraton_tb_distance(tables, two, others), KRATON_TB_NO_DISTANCE);
    assert_int_equal(h.lines, 2);
    assert_non_null(strstr(h.last, "count-2v2.distances"));
    kraton_tb_close(tables);
    flip(distances, 1000);
}

static void test_nothing(void **state) {
    (void)state;
    heard h = {0};
    assert_null(kraton_tb_open("/nowhere", KRATON_TB_COUNT, 0, hear, &h));
    assert_int_equal(h.lines, 1);
    assert_non_null(strstr(h.last, "/nowhere"));
    assert_null(kraton_tb_open("/", KRATON_TB_COUNT, 0, hear, &h));
    assert_int_equal(h.lines, 1);
    assert_null(kraton_tb_open(dir, 7, 0, NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),    cmocka_unit_test(test_list),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_moves),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, prepare, release);
}
