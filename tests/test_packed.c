// Packed games: what is written is read again, a damaged end is cut off, positions are shuffled,
// filtered and free of duplicates.
#include "lab/data/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];
static const char settings[] = "game xiangqi\nnodes 5\n";
static const char *paths[] = {path};

static int make_path(void **state) {
    (void)state;
    snprintf(path, sizeof path, "packed-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0)
        return -1;
    close(fd);
    return unlink(path);
}

static int remove_file(void **state) {
    (void)state;
    unlink(path);
    return 0;
}

static const rules_game *xiangqi(void) { return rules_find(text_of("xiangqi")); }

// A game of the moves given, the first of them its opening; scores 10, -20, 30, ...
static packed_game *game_of(uint32_t number, const char *moves) {
    packed_game *g = calloc(1, sizeof *g);
    rules_set set = rules_default_set(xiangqi());
    void *memory = malloc(rules_state_size(100));
    rules_state *s = rules_state_new(memory, xiangqi(), &set, 100);
    text rest = text_of(moves);
    fault why;
    for (text word; (word = text_next_word(&rest)).len;) {
        packed_ply *p = &g->plies[g->ply_count++];
        int n = g->ply_count - 1;
        assert_true(rules_parse_move(s, word, &p->move, &why));
        p->score = (int16_t)(n == 0 ? PACKED_NO_SCORE : n % 2 ? 10 * n : -10 * n);
        p->in_check = rules_in_check(s);
        p->is_capture = rules_is_capture(s, p->move);
        assert_true(rules_play(s, p->move, &why));
    }
    g->number = number;
    g->opening_plies = 1;
    g->half_points = 2;
    g->end = PACKED_ADJUDICATED_WIN;
    free(memory);
    return g;
}

static void write_games(packed_writer *w, uint32_t first, const char *const *games) {
    buffer bytes = {0};
    for (; *games; games++) {
        packed_game *g = game_of(first++, *games);
        packed_encode(g, &bytes);
        free(g);
    }
    assert_true(packed_write(w, buffer_text(&bytes)));
    buffer_free(&bytes);
}

static void write_file(const char *const *games) {
    packed_writer w;
    fault why;
    assert_true(packed_create(&w, path, settings, &why));
    write_games(&w, 0, games);
    assert_true(packed_finish(&w));
}

static const char *const two[] = {"h2e2 h9g7 h0g2 i9h9 e2e6 a6a5", "b2e2 b9c7 b0c2 a9b9", NULL};

static void test_round_trip(void **state) {
    (void)state;
    packed_file f;
    fault why;
    write_file(two);
    assert_true(packed_is(path));
    assert_true(packed_open(&f, path, &why));
    assert_string_equal(f.settings, settings);
    size_t place = f.first;
    packed_game *g = malloc(sizeof *g);
    for (uint32_t n = 0; two[n]; n++) {
        packed_game *wanted = game_of(n, two[n]);
        assert_int_equal(packed_next(&f, &place, g), PACKED_GAME);
        assert_int_equal(g->number, n);
        assert_int_equal(g->ply_count, wanted->ply_count);
        assert_int_equal(g->opening_plies, 1);
        assert_int_equal(g->half_points, 2);
        assert_int_equal(g->end, PACKED_ADJUDICATED_WIN);
        assert_string_equal(g->fen, "");
        for (int i = 0; i < g->ply_count; i++) {
            assert_int_equal(g->plies[i].move, wanted->plies[i].move);
            assert_int_equal(g->plies[i].score, wanted->plies[i].score);
            assert_int_equal(g->plies[i].in_check, wanted->plies[i].in_check);
            assert_int_equal(g->plies[i].is_capture, wanted->plies[i].is_capture);
        }
        free(wanted);
    }
    assert_int_equal(packed_next(&f, &place, g), PACKED_AT_END);
    free(g);
    packed_close(&f);
}

static bool count_game(void *context, const packed_game *g) {
    int *count = context;
    assert_int_equal(g->number, *count);
    ++*count;
    return true;
}

// Wherever the file is cut off, the whole games stay and more can be added.
static void test_cut_off(void **state) {
    (void)state;
    char *bytes;
    size_t size;
    fault why;
    static const char *const one[] = {"c3c4 c6c5", NULL};
    write_file(two);
    assert_true(os_path_read_all(path, 1 << 20, &bytes, &size));
    size_t second = size - (12 + 4 * 4 + 4);
    for (size_t cut = second; cut <= size; cut++) {
        packed_writer w;
        int games = 0;
        assert_true(os_path_write_all(path, bytes, cut));
        assert_true(packed_resume(&w, path, settings, count_game, &games, &why));
        assert_int_equal(games, cut < size ? 1 : 2);
        write_games(&w, (uint32_t)games, one);
        assert_true(packed_finish(&w));
        games = 0;
        assert_true(packed_resume(&w, path, settings, count_game, &games, &why));
        assert_int_equal(games, cut < size ? 2 : 3);
        assert_true(packed_finish(&w));
    }
    free(bytes);
}

static void refuses(const char *with, const char *reason) {
    packed_writer w;
    int games = 0;
    fault why;
    assert_false(packed_resume(&w, path, with, count_game, &games, &why));
    if (!strstr(why.line, reason))
        fail_msg("%s", why.line);
}

static void test_refusals(void **state) {
    (void)state;
    packed_writer w, other;
    fault why;
    write_file(two);
    assert_false(packed_create(&w, path, settings, &why));
    assert_non_null(strstr(why.line, "--resume"));
    refuses("game xiangqi\nnodes 6\n", "'nodes 5', now 'nodes 6'");
    refuses("game xiangqi\nnodes 5\nseed 1\n", "now 'seed 1'");
    int games = 0;
    assert_true(packed_resume(&w, path, settings, count_game, &games, &why));
    assert_false(packed_resume(&other, path, settings, count_game, &games, &why));
    assert_non_null(strstr(why.line, "another process"));
    assert_true(packed_finish(&w));
    os_file file;
    assert_true(os_file_open(&file, path, OS_FILE_WRITE));
    assert_true(os_file_write_at(&file, 14, "X", 1));
    assert_true(os_file_close(&file));
    refuses(settings, "damaged");
    assert_true(os_path_write_all(path, "something else", 14));
    refuses(settings, "no file of packed games");
    assert_false(packed_is(path));
}

static position_counts read_all(const position_filter *filter, position *list, int room) {
    position_reader *r;
    fault why;
    bool more = true;
    int n = 0;
    assert_true(positions_open(&r, xiangqi(), paths, 1, filter, &why));
    for (position next; more;) {
        assert_true(positions_next(r, &next, &more, &why));
        if (more && n < room)
            list[n++] = next;
    }
    position_counts counts = positions_count(r);
    positions_close(r);
    return counts;
}

// A cannon takes a pawn and gives check: neither that move nor the answer to it is quiet.
static void test_filter(void **state) {
    (void)state;
    static const char *const games[] = {"h2e2 d9e8 e2e6 e9d9 a3a4 a6a5", NULL};
    position_filter filter = position_filter_default();
    position list[8];
    filter.window = 0;
    write_file(games);
    position_counts c = read_all(&filter, list, 8);
    assert_int_equal(c.games, 1);
    assert_int_equal(c.plies, 6);
    assert_int_equal(c.openings, 1);
    assert_int_equal(c.captures, 1);
    assert_int_equal(c.checks, 1);
    assert_int_equal(c.kept, 3);
    assert_int_equal(list[0].ply, 1);
    assert_int_equal(list[0].score, -10); // for Red; Black, to move, has +10
    assert_int_equal(list[0].half_points, 2);
    assert_int_equal(list[1].score, -40);
    filter.max_score = 40;
    assert_int_equal(read_all(&filter, list, 8).scores, 1);
    filter.max_score = 1000;
    filter.checks = filter.captures = true;
    assert_int_equal(read_all(&filter, list, 8).kept, 5);
}

// The same opening, in the mirror, and with two moves exchanged.
static void test_duplicates(void **state) {
    (void)state;
    static const char *const games[] = {"h2e2 h9g7 a3a4 a9a8", "b2e2 b9c7 i3i4",
                                        "a3a4 h9g7 h2e2 a9a8", NULL};
    position_filter filter = position_filter_default();
    position list[8];
    write_file(games);
    position_counts c = read_all(&filter, list, 8);
    assert_int_equal(c.duplicates, 3);
    assert_int_equal(c.kept, 5);
    filter.duplicates = true;
    assert_int_equal(read_all(&filter, list, 8).kept, 8);
}

static int compare(const void *a, const void *b) {
    return strcmp(((const position *)a)->fen, ((const position *)b)->fen);
}

// A seed makes an order, another seed another one, of the same positions.
static void test_shuffling(void **state) {
    (void)state;
    enum { COUNT = 14 };
    static const char *const games[] = {"a3a4 h9g7 h0g2 i9h9 g3g4 c6c5 b0c2 b9c7",
                                        "c3c4 b9c7 h0i2 i9i8 g3g4 g6g5 b0c2 h9i7", NULL};
    position_filter filter = position_filter_default();
    position first[COUNT], again[COUNT], other[COUNT];
    write_file(games);
    filter.window = 5;
    assert_int_equal(read_all(&filter, first, COUNT).kept, COUNT);
    read_all(&filter, again, COUNT);
    filter.seed = 2;
    read_all(&filter, other, COUNT);
    int same = 0;
    for (int i = 0; i < COUNT; i++) {
        assert_string_equal(first[i].fen, again[i].fen);
        same += strcmp(first[i].fen, other[i].fen) == 0;
    }
    assert_true(same < COUNT / 2);
    qsort(first, COUNT, sizeof *first, compare);
    qsort(other, COUNT, sizeof *other, compare);
    for (int i = 0; i < COUNT; i++)
        assert_string_equal(first[i].fen, other[i].fen);
}

static void test_other_game(void **state) {
    (void)state;
    position_filter filter = position_filter_default();
    position_reader *r;
    fault why;
    write_file(two);
    assert_false(positions_open(&r, rules_find(text_of("surakarta")), paths, 1, &filter, &why));
    assert_non_null(strstr(why.line, "has games of 'xiangqi'"));
}

static void test_keyset(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    keyset set = {0};
    bool is_new;
    for (int round = 0; round < 2; round++)
        for (uint64_t key = 0; key < COUNT; key++) {
            assert_true(keyset_add(&set, key << 32 | (key & 1), &is_new));
            assert_int_equal(is_new, round == 0);
        }
    assert_int_equal(set.count, COUNT);
    keyset_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_cut_off, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_refusals, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_filter, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_duplicates, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_shuffling, make_path, remove_file),
        cmocka_unit_test_setup_teardown(test_other_game, make_path, remove_file),
        cmocka_unit_test(test_keyset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
