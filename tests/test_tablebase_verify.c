// The verifier agrees with right tables and with no others.
#include "tablebase/surakarta/stats.h"
#include "tablebase/surakarta/verify.h"
#include "tables_made.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { PIECES = MADE_PIECES };

static tables_made made;
static tb_solution *const solutions = made.solutions;
static const char *const dir = made.dir;

static int prepare(void **state) {
    (void)state;
    tb_index_prepare(TB_MAX_PIECES);
    return made_write(&made) ? 0 : -1;
}

static int release(void **state) {
    (void)state;
    return made_remove(&made);
}

static void write_split(const tb_solution *s, int a, int b) {
    assert_true(made_write_split(&made, s->rules, a, b));
}

static void path_of(char path[TB_PATH_SIZE], tb_kind kind, tb_rules rules, int a, int b) {
    assert_true(tb_file_path(path, dir, kind, rules, a, b));
}

// --- listening ----------------------------------------------------------------------------------

typedef struct {
    int faults, splits;
    char first[256];
    bool patient;
} heard;

static void on_fault(void *context, const char *line) {
    heard *h = context;
    if (h->faults++ == 0)
        snprintf(h->first, sizeof h->first, "%s", line);
}

static void on_split(void *context, const tb_verify_split *split) {
    heard *h = context;
    h->splits++;
    assert_true(split->positions <= split->entries);
}

static bool on_progress(void *context, const char *what, uint64_t done, uint64_t all) {
    const heard *h = context;
    assert_true(done <= all && *what);
    return h->patient;
}

static tb_verify_result verify(heard *h, bool one, tb_rules rules) {
    *h = (heard){.patient = true};
    tb_verify_terms terms = {.dir = dir, .one_convention = one, .rules = rules, .threads = 2};
    tb_verify_listener listener = {on_fault, on_split, on_progress, h};
    return tb_verify(&terms, &listener);
}

// --- tests --------------------------------------------------------------------------------------

// The two indexes arrive at the same numbers.
static void test_index(void **state) {
    (void)state;
    verify_index ix;
    rng dice = {1};
    int most = getenv("KRATON_FULL") ? 12 : 7;
    assert_true(verify_index_prepare(&ix, most));
    for (int n = 2; n <= most; n++)
        for (int a = 1; a < n; a++) {
            tb_split split = tb_split_of(a, n - a);
            verify_layout layout = verify_layout_of(&ix, a, n - a);
            assert_int_equal(split.rows, layout.rows);
            assert_int_equal(split.columns, layout.columns);
            assert_int_equal(split.movers_are_rows, layout.movers_are_rows);
            for (int i = 0; i < 2000; i++) {
                uint64_t index = rng_next(&dice) % split.size;
                tb_placement p = tb_unrank(&split, index);
                p = tb_turn_placement((int)rng_below(&dice, TB_SYMMETRIES), p);
                assert_true(verify_find(&ix, &layout, p.movers, p.others) == tb_rank(&split, p));
                uint64_t rows = layout.movers_are_rows ? p.movers : p.others;
                uint64_t columns = layout.movers_are_rows ? p.others : p.movers;
                verify_view view = verify_view_of(&ix, rows);
                assert_true(view.row * layout.columns + verify_column(&ix, &view, columns) ==
                            tb_rank(&split, p));
                assert_int_equal(ix.orbit_of[layout.row_pieces][view.row],
                                 tb_weight(&split, index));
            }
        }
    verify_index_free(&ix);
}

static void test_right(void **state) {
    (void)state;
    heard h;
    tb_verify_result r = verify(&h, false, TB_COUNT);
    assert_int_equal(h.faults, 0);
    assert_int_equal(h.splits, 12);
    assert_int_equal(r.splits, 12);
    assert_int_equal(r.faults, 0);
    uint64_t entries = 0;
    for (int a = 1; a < PIECES; a++)
        for (int b = 1; a + b <= PIECES; b++)
            entries += solutions[0].split[a][b].size;
    assert_int_equal(r.positions, 2 * entries);
}

// One entry changed, with a right checksum.
static void check_change(tb_rules rules, int a, int b, uint64_t index, tb_entry changed) {
    tb_entry *entry = &solutions[rules].table[a][b][index], kept = *entry;
    heard h;
    *entry = changed;
    write_split(&solutions[rules], a, b);
    tb_verify_result r = verify(&h, true, rules);
    if (r.faults == 0)
        fail_msg("%dv%d, %llu: not found", a, b, (unsigned long long)index);
    *entry = kept;
    write_split(&solutions[rules], a, b);
}

static void test_changes(void **state) {
    (void)state;
    rng dice = {2};
    for (int i = 0; i < 16; i++) {
        tb_rules rules = (tb_rules)(i % 2);
        int n = 3 + i % 3 / 2, a = 1 + (int)rng_below(&dice, (uint32_t)(n - 1));
        uint64_t index = rng_next(&dice) % solutions[rules].split[a][n - a].size;
        tb_entry e = solutions[rules].table[a][n - a][index];
        if (i % 4 < 2)
            e.value = (int8_t)(e.value == TB_WIN ? TB_LOSS : e.value + 1);
        else
            e.distance = (uint8_t)(e.distance + 1 + rng_below(&dice, 3));
        check_change(rules, a, n - a, index, e);
    }
}

// Values that agree with one another, but in a circle: a whole table of draws by waiting.
static void test_circle(void **state) {
    (void)state;
    tb_solution *s = &solutions[TB_TRADITIONAL];
    uint64_t size = s->split[1][1].size;
    tb_entry *kept = malloc(size * sizeof *kept);
    heard h;
    assert_non_null(kept);
    memcpy(kept, s->table[1][1], size * sizeof *kept);
    // Wins and losses that only step to one another would be right by values alone.
    for (uint64_t i = 0; i < size; i++)
        if (s->table[1][1][i].value == TB_DRAW)
            s->table[1][1][i] = (tb_entry){TB_WIN, 9};
    write_split(s, 1, 1);
    assert_true(verify(&h, true, TB_TRADITIONAL).faults > 0);
    assert_non_null(strstr(h.first, "traditional-1v1"));
    memcpy(s->table[1][1], kept, size * sizeof *kept);
    write_split(s, 1, 1);
    free(kept);
}

static void flip(tb_kind kind, long at) {
    char path[TB_PATH_SIZE];
    path_of(path, kind, TB_COUNT, 2, 2);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, at, at < 0 ? SEEK_END : SEEK_SET);
    int c = fgetc(f);
    fseek(f, at, at < 0 ? SEEK_END : SEEK_SET);
    fputc(c ^ 1, f);
    fclose(f);
}

static void test_flipped(void **state) {
    (void)state;
    static const long at[] = {0, 9, 20, 100, 127, 128, 3000, -1, -9};
    for (int i = 0; i < 18; i++) {
        heard h;
        flip(i % 2 ? TB_VALUES : TB_DISTANCES, at[i / 2]);
        assert_true(verify(&h, true, TB_COUNT).faults > 0);
        assert_non_null(strstr(h.first, i % 2 ? "count-2v2.values" : "count-2v2.distances"));
        flip(i % 2 ? TB_VALUES : TB_DISTANCES, at[i / 2]);
    }
}

static void test_missing(void **state) {
    (void)state;
    heard h;
    made_remove_split(&made, TB_COUNT, 1, 2);
    verify(&h, true, TB_COUNT);
    assert_true(h.faults > 0);
    write_split(&solutions[TB_COUNT], 1, 2);
    char path[TB_PATH_SIZE];
    path_of(path, TB_DISTANCES, TB_COUNT, 2, 2);
    unlink(path);
    verify(&h, true, TB_COUNT);
    assert_true(h.faults > 0);
    assert_non_null(strstr(h.first, "count-2v2.distances"));
    write_split(&solutions[TB_COUNT], 2, 2);
}

static void test_stop(void **state) {
    (void)state;
    heard h = {.patient = false};
    tb_verify_terms terms = {.dir = dir, .threads = 1};
    tb_verify_listener listener = {on_fault, on_split, on_progress, &h};
    assert_true(tb_verify(&terms, &listener).stopped);
}

// --- counting -----------------------------------------------------------------------------------

static void test_stats(void **state) {
    (void)state;
    static tb_stats stats;
    for (int rules = 0; rules < TB_CONVENTIONS; rules++)
        for (int a = 1; a < PIECES; a++)
            for (int b = 1; a + b <= PIECES; b++) {
                const tb_solution *s = &solutions[rules];
                fault why;
                assert_int_equal(tb_stats_read(&stats, dir, s->rules, a, b, &why), TB_FILE_FINE);
                tb_tally t = tb_solution_tally(s, a, b);
                assert_true(stats.tally.win == t.win && stats.tally.draw == t.draw &&
                            stats.tally.loss == t.loss);
                assert_int_equal(stats.tally.longest_win, t.longest_win);
                assert_int_equal(stats.tally.longest_loss, t.longest_loss);
                if (t.longest_win == 0)
                    continue;
                sk_pos pos = sk_set_up(stats.longest_win.movers, stats.longest_win.others, 0);
                tb_entry e = tb_solution_look_up(s, &pos);
                assert_true(e.value == TB_WIN && e.distance == t.longest_win);
            }
    fault why;
    assert_int_equal(tb_stats_read(&stats, dir, TB_COUNT, 4, 1, &why), TB_FILE_ABSENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index),   cmocka_unit_test(test_right),
        cmocka_unit_test(test_changes), cmocka_unit_test(test_circle),
        cmocka_unit_test(test_flipped), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_stop),    cmocka_unit_test(test_stats),
    };
    return cmocka_run_group_tests(tests, prepare, release);
}
