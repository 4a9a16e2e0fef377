// Files of endgame tables: what is written is read back, and nothing that is damaged is believed.
#include "tablebase/surakarta/reader.h"
#include "tables_made.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { PIECES = MADE_PIECES };

static tables_made made;
static const tb_solution *const solutions = made.solutions;
static const char *const dir = made.dir;

// --- helpers ------------------------------------------------------------------------------------

static int prepare(void **state) {
    (void)state;
    return made_write(&made) ? 0 : -1;
}

static int release(void **state) {
    (void)state;
    return made_remove(&made);
}

static void check_same(const tb_solution *s, int a, int b) {
    tb_reader values, distances;
    fault why;
    assert_int_equal(tb_reader_open(&values, dir, TB_VALUES, s->rules, a, b, &why), TB_FILE_FINE);
    assert_int_equal(tb_reader_open(&distances, dir, TB_DISTANCES, s->rules, a, b, &why),
                     TB_FILE_FINE);
    assert_true(tb_reader_check(&values, &why));
    assert_true(tb_reader_check(&distances, &why));
    tb_tally t = tb_solution_tally(s, a, b), u = values.header.tally;
    assert_true(t.win == u.win && t.draw == u.draw && t.loss == u.loss);
    assert_true(t.longest_win == u.longest_win && t.longest_loss == u.longest_loss);
    uint8_t block[TB_BLOCK_BYTES];
    for (uint64_t i = 0; i < values.header.entries; i++) {
        if (i % TB_BLOCK_BYTES == 0)
            assert_true(tb_reader_distances(&distances, i / TB_BLOCK_BYTES, block, &why));
        assert_int_equal(tb_reader_value(&values, i), s->table[a][b][i].value);
        assert_int_equal(block[i % TB_BLOCK_BYTES], s->table[a][b][i].distance);
    }
    int8_t some[1000];
    for (uint64_t first = 0; first < 20; first++) {
        uint64_t n = values.header.entries - first;
        n = n < 1000 ? n : 1000;
        tb_reader_values(&values, first, n, some);
        for (uint64_t i = 0; i < n; i++)
            assert_int_equal(some[i], s->table[a][b][first + i].value);
    }
    tb_reader_close(&values);
    tb_reader_close(&distances);
}

// --- tests --------------------------------------------------------------------------------------

static void test_read_back(void **state) {
    (void)state;
    for (int rules = 0; rules < TB_CONVENTIONS; rules++)
        for (int a = 1; a < PIECES; a++)
            for (int b = 1; a + b <= PIECES; b++)
                check_same(&solutions[rules], a, b);
}

// The same in parts of any size.
static void test_parts(void **state) {
    (void)state;
    const tb_solution *s = &solutions[TB_COUNT];
    const tb_split *split = &s->split[2][2];
    int8_t *values = malloc(split->size);
    uint8_t *distances = malloc(split->size);
    rng dice = {4};
    fault why;
    assert_non_null(values);
    assert_non_null(distances);
    for (uint64_t i = 0; i < split->size; i++) {
        values[i] = s->table[2][2][i].value;
        distances[i] = s->table[2][2][i].distance;
    }
    tb_writer *w = tb_writer_open(dir, TB_COUNT, split, &why);
    assert_non_null(w);
    for (uint64_t done = 0, n; done < split->size; done += n) {
        n = rng_below(&dice, 5000);
        n = n < split->size - done ? n : split->size - done;
        assert_true(tb_writer_add(w, values + done, distances + done, n, &why));
    }
    assert_true(tb_writer_finish(w, NULL, &why));
    check_same(s, 2, 2);
    free(values);
    free(distances);
}

static void test_names(void **state) {
    (void)state;
    char name[TB_NAME_SIZE];
    tb_kind kind;
    tb_rules rules;
    int a, b;
    tb_file_name(name, TB_DISTANCES, TB_COUNT, 7, 5);
    assert_string_equal(name, "count-7v5.distances");
    assert_true(tb_file_parse_name(text_of(name), &kind, &rules, &a, &b));
    assert_true(kind == TB_DISTANCES && rules == TB_COUNT && a == 7 && b == 5);
    static const char *const wrong[] = {"",
                                        "count",
                                        "count-7v6.values",
                                        "count-0v1.values",
                                        "count-1v1.value",
                                        "chess-1v1.values",
                                        "count-1v1",
                                        "count-1v1.values.part",
                                        "count-1.values"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(tb_file_parse_name(text_of(wrong[i]), &kind, &rules, &a, &b));
}

static size_t slurp(const char *path, uint8_t *bytes, size_t size) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, size, f);
    fclose(f);
    return n;
}

static void spill(const char *path, const uint8_t *bytes, size_t count) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, count, f), count);
    assert_int_equal(fclose(f), 0);
}

// Opens and checks; the line names the file.
static bool is_refused(tb_kind kind, int a, int b) {
    tb_reader r;
    fault why = {""};
    char name[TB_NAME_SIZE];
    tb_file_name(name, kind, TB_COUNT, a, b);
    if (tb_reader_open(&r, dir, kind, TB_COUNT, a, b, &why) != TB_FILE_FINE)
        return strstr(why.line, name) != NULL;
    bool refused = !tb_reader_check(&r, &why) && strstr(why.line, name);
    tb_reader_close(&r);
    return refused;
}

// Every byte of the small files, and a sample of the larger, turned into another one.
static void check_damage(tb_kind kind, int a, int b) {
    static uint8_t bytes[1 << 20];
    char path[TB_PATH_SIZE];
    rng dice = {3};
    assert_true(tb_file_path(path, dir, kind, TB_COUNT, a, b));
    size_t n = slurp(path, bytes, sizeof bytes), step = 1 + n / 500;
    assert_false(is_refused(kind, a, b));
    for (size_t i = 0; i < n; i += 1 + rng_below(&dice, (uint32_t)(2 * step - 1))) {
        uint8_t change = (uint8_t)(1 + rng_below(&dice, 255));
        bytes[i] ^= change;
        spill(path, bytes, n);
        assert_true(is_refused(kind, a, b));
        bytes[i] ^= change;
    }
    for (size_t cut = 0; cut < n; cut += 1 + n / 20) {
        spill(path, bytes, cut);
        assert_true(is_refused(kind, a, b));
    }
    spill(path, bytes, n + 1);
    assert_true(is_refused(kind, a, b));
    spill(path, bytes, n);
    assert_false(is_refused(kind, a, b));
}

static void test_damage(void **state) {
    (void)state;
    for (int kind = TB_VALUES; kind <= TB_DISTANCES; kind++) {
        check_damage((tb_kind)kind, 1, 1);
        check_damage((tb_kind)kind, 2, 2);
    }
}

// A table under the name of another one, other files, and what is no file.
static void test_foreign(void **state) {
    (void)state;
    static uint8_t bytes[1 << 20], kept[1 << 20];
    char from[TB_PATH_SIZE], to[TB_PATH_SIZE];
    tb_reader r;
    fault why;
    assert_true(tb_file_path(from, dir, TB_VALUES, TB_COUNT, 2, 1));
    assert_true(tb_file_path(to, dir, TB_VALUES, TB_COUNT, 1, 2));
    size_t n = slurp(from, bytes, sizeof bytes), m = slurp(to, kept, sizeof kept);
    spill(to, bytes, n);
    assert_true(is_refused(TB_VALUES, 1, 2));
    spill(to, (const uint8_t *)"", 0);
    assert_true(is_refused(TB_VALUES, 1, 2));
    memset(bytes, 'x', n);
    spill(to, bytes, n);
    assert_true(is_refused(TB_VALUES, 1, 2));
    unlink(to);
    assert_int_equal(tb_reader_open(&r, dir, TB_VALUES, TB_COUNT, 1, 2, &why), TB_FILE_ABSENT);
    assert_int_equal(mkdir(to, 0700), 0);
    assert_true(is_refused(TB_VALUES, 1, 2));
    rmdir(to);
    spill(to, kept, m);
    assert_false(is_refused(TB_VALUES, 1, 2));
}

static void test_no_folder(void **state) {
    (void)state;
    fault why = {""};
    tb_split split = tb_split_of(1, 1);
    assert_null(tb_writer_open("/nowhere/at/all", TB_COUNT, &split, &why));
    assert_non_null(strstr(why.line, "/nowhere/at/all/count-1v1.values"));
}

// A writer that is given up leaves what was there before.
static void test_abandon(void **state) {
    (void)state;
    tb_split split = tb_split_of(1, 1);
    fault why;
    tb_writer *w = tb_writer_open(dir, TB_COUNT, &split, &why);
    assert_non_null(w);
    assert_true(tb_writer_add(w, (const int8_t[]){0, 0}, (const uint8_t[]){0, 0}, 2, &why));
    tb_writer_abandon(w);
    check_same(&solutions[TB_COUNT], 1, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_back), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_names),     cmocka_unit_test(test_damage),
        cmocka_unit_test(test_foreign),   cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_abandon),
    };
    return cmocka_run_group_tests(tests, prepare, release);
}
