// Opening books: mirror images, making, asking, damage; opening names by position.
#include "games/book_make.h"
#include "records/mirror.h"
#include "records/opening_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PLIES = 200 };

static rules_state *new_state(const char *game, const char *moves) {
    const rules_game *g = rules_find(text_of(game));
    rules_set set = rules_default_set(g);
    rules_state *s = rules_state_new(malloc(rules_state_size(PLIES)), g, &set, PLIES);
    text rest = text_of(moves);
    for (text word; (word = text_next_word(&rest)).len;) {
        rules_move move;
        fault why = {""};
        if (!rules_parse_move(s, word, &move, &why) || !rules_play(s, move, &why))
            fail_msg("%s", why.line);
    }
    return s;
}

static rules_move move_in(const rules_state *s, const char *word) {
    rules_move move = MOVE_NONE;
    fault why = {""};
    if (!rules_parse_move(s, text_of(word), &move, &why))
        fail_msg("%s", why.line);
    return move;
}

static uint64_t key_after(const char *game, const char *moves) {
    rules_state *s = new_state(game, moves);
    uint64_t key = mirror_of(s).key;
    free(s);
    return key;
}

// --- mirror images ------------------------------------------------------------------------------

static void test_mirror_keys(void **state) {
    (void)state;
    assert_true(key_after("xiangqi", "h2e2 h9g7") == key_after("xiangqi", "b2e2 b9c7"));
    assert_true(key_after("xiangqi", "h2e2 h9g7") != key_after("xiangqi", "h2e2 b9c7"));
    assert_true(key_after("xiangqi", "h2e2 h9g7 c3c4") == key_after("xiangqi", "c3c4 h9g7 h2e2"));
    assert_true(key_after("surakarta", "b5-b4 b2-b3") == key_after("surakarta", "e5-e4 e2-e3"));
    assert_true(key_after("surakarta", "") != key_after("surakarta", "b5-b4"));
    // part of the file format: a change makes every book worthless
    assert_int_equal(key_after("xiangqi", ""), UINT64_C(0xa2b5368e40f67565));
    assert_int_equal(key_after("surakarta", ""), UINT64_C(0x8aa1d250596fb73b));
}

// Every image of a position has its key, and a move has one name in all of them.
static void check_images(const char *game, const char *const fens[], const char *const moves[],
                         int count) {
    rules_state *first = new_state(game, "");
    fault why;
    assert_true(rules_set_fen(first, text_of(fens[0]), &why));
    mirror m = mirror_of(first);
    rules_move named = mirror_move(&m, move_in(first, moves[0]));
    for (int i = 1; i < count; i++) {
        rules_state *s = new_state(game, "");
        assert_true(rules_set_fen(s, text_of(fens[i]), &why));
        mirror image = mirror_of(s);
        rules_move move = move_in(s, moves[i]), back[MIRROR_IMAGES];
        assert_true(image.key == m.key);
        assert_int_equal(mirror_move(&image, move), named);
        assert_int_equal(mirror_moves(&image, named, back), 1);
        assert_int_equal(back[0], move);
        free(s);
    }
    free(first);
}

static void test_surakarta_images(void **state) {
    (void)state;
    static const char *const fens[] = {
        "b5/6/2b3/6/6/3w2 b 0 1", "5b/6/3b2/6/6/2w3 b 0 1", "3w2/6/6/2b3/6/b5 b 0 1",
        "2w3/6/6/3b2/6/5b b 0 1", "b5/6/2b3/5w/6/6 b 0 1",  "5b/6/3b2/w5/6/6 b 0 1",
        "6/6/5w/2b3/6/b5 b 0 1",  "6/6/w5/3b2/6/5b b 0 1",
    };
    static const char *const moves[] = {"a6-a5", "f6-f5", "a1-a2", "f1-f2",
                                        "a6-b6", "f6-e6", "a1-b1", "f1-e1"};
    check_images("surakarta", fens, moves, 8);
}

static void test_xiangqi_images(void **state) {
    (void)state;
    static const char *const fens[] = {"4k4/9/9/9/4p4/9/9/9/R8/4K3N w - - 0 1",
                                       "4k4/9/9/9/4p4/9/9/9/8R/N3K4 w - - 0 1"};
    static const char *const moves[] = {"a1a7", "i1i7"};
    check_images("xiangqi", fens, moves, 2);
}

static void test_symmetric_moves(void **state) {
    (void)state;
    rules_state *s = new_state("xiangqi", "");
    mirror m = mirror_of(s);
    rules_move moves[MIRROR_IMAGES];
    rules_move named = mirror_move(&m, move_in(s, "h2e2"));
    assert_int_equal(named, mirror_move(&m, move_in(s, "b2e2")));
    assert_int_equal(mirror_moves(&m, named, moves), 2);
    assert_int_not_equal(moves[0], moves[1]);
    assert_int_equal(mirror_moves(&m, mirror_move(&m, move_in(s, "e3e4")), moves), 1);
    free(s);
}

// --- making and asking --------------------------------------------------------------------------

static void add_game(book_maker *m, const char *game, const char *line, uint32_t plies,
                     uint32_t weight) {
    record_reader reader = record_read(text_of(line), RECORD_MOVES, rules_find(text_of(game)));
    record r;
    fault why = {""};
    record_init(&r, NULL);
    if (record_next(&reader, &r, &why) != RECORD_OK ||
        !book_maker_add_game(m, &r, plies, weight, &why))
        fail_msg("%s", why.line);
    record_free(&r);
}

static book *finish(book_maker *m, uint32_t min_games) {
    buffer out = {0};
    fault why = {""};
    assert_true(book_maker_write(m, min_games, &out));
    book *b = book_read((text){out.bytes, out.len}, NULL, &why);
    if (!b)
        fail_msg("%s", why.line);
    buffer_free(&out);
    book_maker_free(m);
    return b;
}

static book_maker *new_maker(const char *game) {
    book_maker *m = book_maker_new(rules_find(text_of(game)));
    assert_non_null(m);
    return m;
}

static void test_weights(void **state) {
    (void)state;
    book_maker *m = new_maker("xiangqi");
    add_game(m, "xiangqi", "h2e2 h9g7 h0g2 1-0", 2, 0);
    add_game(m, "xiangqi", "b2e2 b9c7 0-1", 20, 0); // its mirror image
    add_game(m, "xiangqi", "h2e2 b9c7 1/2-1/2", 20, 0);
    add_game(m, "xiangqi", "g3g4 g6g5", 20, 7); // a line
    add_game(m, "xiangqi", "c0e2 *", 20, 0);    // no result
    book *b = finish(m, 0);
    assert_int_equal(book_position_count(b), 3);
    assert_int_equal(book_entry_count(b), 6);
    rules_state *s = new_state("xiangqi", "");
    book_move moves[RULES_MAX_MOVES];
    assert_int_equal(book_moves(b, s, moves), 6);
    assert_int_equal(moves[0].weight, 7);
    assert_false(moves[0].is_image);
    assert_true(moves[1].is_image && moves[1].weight == 7);
    assert_int_equal(moves[2].weight, 3); // a win and a draw
    assert_int_equal(moves[2].wins, 1);
    assert_int_equal(moves[2].draws, 1);
    assert_int_equal(moves[2].losses, 1);
    assert_int_equal(moves[4].weight, 1);
    free(s);
    s = new_state("xiangqi", "b2e2"); // from the other wing
    assert_int_equal(book_moves(b, s, moves), 2);
    assert_int_equal(moves[0].move, move_in(s, "b9c7"));
    assert_int_equal(moves[0].weight, 2); // won once, lost once
    assert_int_equal(moves[0].losses, 1);
    assert_int_equal(moves[1].move, move_in(s, "h9g7"));
    free(s);
    book_free(b);
}

static void test_few_games(void **state) {
    (void)state;
    book_maker *m = new_maker("surakarta");
    add_game(m, "surakarta", "b5-b4 b2-b3 1-0", 20, 0);
    add_game(m, "surakarta", "e5-e4 e2-e3 1-0", 20, 0);
    add_game(m, "surakarta", "c5-c4 1-0", 20, 0);
    add_game(m, "surakarta", "a5-a4", 20, 1);
    book *b = finish(m, 2);
    assert_int_equal(book_entry_count(b), 3); // the single game is out, the line is in
    book_free(b);
}

static void test_heavy(void **state) {
    (void)state;
    book_maker *m = new_maker("xiangqi");
    add_game(m, "xiangqi", "h2e2", 20, 1000000);
    add_game(m, "xiangqi", "g3g4", 20, 500000);
    add_game(m, "xiangqi", "c0e2", 20, 1);
    book *b = finish(m, 0);
    rules_state *s = new_state("xiangqi", "");
    book_move moves[RULES_MAX_MOVES];
    assert_int_equal(book_moves(b, s, moves), 6);
    assert_int_equal(moves[0].weight, BOOK_MAX_WEIGHT);
    assert_int_equal(moves[2].weight, BOOK_MAX_WEIGHT / 2);
    assert_int_equal(moves[4].weight, 1);
    free(s);
    book_free(b);
}

static void test_probe(void **state) {
    (void)state;
    book_maker *m = new_maker("xiangqi");
    add_game(m, "xiangqi", "h2e2", 20, 30);
    add_game(m, "xiangqi", "g3g4", 20, 10);
    add_game(m, "xiangqi", "i3i4 0-1", 20, 0); // known and never played
    book *b = finish(m, 0);
    rules_state *s = new_state("xiangqi", "");
    assert_int_equal(book_probe(b, s, NULL), move_in(s, "b2e2")); // of two images the first
    int seen[4] = {0};
    rng random = {1};
    for (int i = 0; i < 4000; i++) {
        rules_move move = book_probe(b, s, &random);
        int which = move == move_in(s, "h2e2")   ? 0
                    : move == move_in(s, "b2e2") ? 1
                    : move == move_in(s, "g3g4") ? 2
                    : move == move_in(s, "c3c4") ? 3
                                                 : -1;
        assert_true(which >= 0);
        seen[which]++;
    }
    for (int i = 0; i < 4; i++)
        assert_in_range(seen[i], i < 2 ? 1400 : 400, i < 2 ? 1600 : 600);
    free(s);
    s = new_state("xiangqi", "h0g2 h9g7 g2h0 g7h9"); // the start once more
    assert_int_equal(book_probe(b, s, &random), MOVE_NONE);
    free(s);
    s = new_state("surakarta", "");
    assert_int_equal(book_probe(b, s, &random), MOVE_NONE);
    free(s);
    book_free(b);
}

static void test_merge(void **state) {
    (void)state;
    book_maker *m = new_maker("xiangqi");
    add_game(m, "xiangqi", "h2e2 1-0", 20, 0);
    add_game(m, "xiangqi", "h2e2", 20, 5);
    book *one = finish(m, 0);
    m = new_maker("xiangqi");
    assert_true(book_maker_add_book(m, one) && book_maker_add_book(m, one));
    book *both = finish(m, 9);
    rules_state *s = new_state("xiangqi", "");
    book_move moves[RULES_MAX_MOVES];
    assert_int_equal(book_moves(both, s, moves), 2);
    assert_int_equal(moves[0].weight, 14);
    assert_int_equal(moves[0].wins, 2);
    free(s);
    book_free(one);
    book_free(both);
}

static void test_many_games(void **state) {
    (void)state;
    book_maker *m = new_maker("surakarta");
    rules_state *s = new_state("surakarta", "");
    rng random = {7};
    uint32_t added = 0;
    for (int game = 0; game < 400; game++) {
        while (rules_undo(s))
            ;
        for (int ply = 0; ply < 30; ply++) {
            rules_move moves[RULES_MAX_MOVES];
            fault why;
            int n = rules_legal_moves(s, moves);
            if (n == 0)
                break;
            rules_move move = moves[rng_below(&random, (uint32_t)n)];
            assert_true(book_maker_add_line_move(m, s, move, 1));
            assert_true(rules_play(s, move, &why));
            added++;
        }
    }
    free(s);
    book *b = finish(m, 0);
    assert_in_range(book_entry_count(b), added / 2, added);
    book_free(b);
}

// --- files --------------------------------------------------------------------------------------

static void expect_refused(text bytes, const char *game, const char *words) {
    fault why = {""};
    assert_null(book_read(bytes, game ? rules_find(text_of(game)) : NULL, &why));
    if (!strstr(why.line, words))
        fail_msg("%s instead of %s", why.line, words);
}

static void test_damage(void **state) {
    (void)state;
    book_maker *m = new_maker("xiangqi");
    add_game(m, "xiangqi", "h2e2 h9g7 h0g2", 20, 1);
    buffer out = {0};
    assert_true(book_maker_write(m, 0, &out));
    text good = {out.bytes, out.len};
    expect_refused(good, "surakarta", "a book of xiangqi, not of surakarta");
    expect_refused((text){out.bytes, 0}, NULL, "not an opening book");
    expect_refused((text){out.bytes, 31}, NULL, "not an opening book");
    expect_refused((text){out.bytes, out.len - 1}, NULL, "damaged");
    for (size_t i = 0; i < out.len; i++) {
        out.bytes[i] ^= 0x40;
        expect_refused(good, NULL, i < 8 ? "not an opening book" : i < 12 ? "version" : "damaged");
        out.bytes[i] ^= 0x40;
    }
    fault why;
    book *b = book_read(good, rules_find(text_of("xiangqi")), &why);
    assert_non_null(b);
    book_free(b);
    assert_null(book_open("/nowhere/at all", NULL, &why));
    assert_non_null(strstr(why.line, "/nowhere/at all: "));
    assert_null(book_open("/", NULL, &why));
    buffer_free(&out);
    book_maker_free(m);
}

static void test_built_in(void **state) {
    (void)state;
    for (int i = 0; rules_nth(i); i++) {
        book *b = book_built_in(rules_nth(i));
        assert_non_null(b);
        assert_ptr_equal(book_game(b), rules_nth(i));
        book_free(b);
    }
}

// --- names --------------------------------------------------------------------------------------

static void expect_name(const char *moves, const char *code) {
    rules_state *s = new_state("xiangqi", moves);
    const opening_name *name = opening_name_of(s);
    if (!name || strcmp(name->code, code) != 0)
        fail_msg("%s: %s instead of %s", moves, name ? name->code : "no name", code);
    free(s);
}

static void test_paper4_codes(void **state) {
    (void)state;
    expect_name("f0e1", "A01");
    expect_name("d0e1", "A01");
    expect_name("h0i2", "A02");
    expect_name("b0a2", "A02");
    expect_name("h2h6", "A05");
    expect_name("h2g2", "A06");
    expect_name("h2c2", "A07");
    expect_name("b2g2", "A07");
    expect_name("i3i4", "A08");
    expect_name("h0g2 h9g7", "A40");
    expect_name("h2f2 h9g7", "A51");
    expect_name("h2d2 i9i8", "A62");
    expect_name("h2e2 h7e7", "D00");
    expect_name("b2e2 b7e7", "D00");
    expect_name("g3g4 h7g7", "E10");
    expect_name("c3c4 b7c7", "E10");
}

static void test_no_name(void **state) {
    (void)state;
    rules_state *s = new_state("xiangqi", "");
    assert_null(opening_name_of(s));
    free(s);
    s = new_state("surakarta", "b5-b4");
    assert_null(opening_name_of(s));
    assert_null(opening_name_nth(rules_game_of(s), 0));
    free(s);
}

// Whether one of the positions a line passes through is of the opening with that code.
static bool passes_through(const char *moves, const char *code) {
    rules_state *s = new_state("xiangqi", moves);
    bool found = false;
    do {
        const opening_name *name = opening_name_at(s);
        found |= name && strcmp(name->code, code) == 0;
    } while (rules_undo(s));
    free(s);
    return found;
}

// Every line of the file can be played, its position has its name, codes rise, and a continuation
// is one of its opening.
static void test_opening_file(void **state) {
    (void)state;
    const rules_game *xiangqi = rules_find(text_of("xiangqi"));
    text rest = opening_lines_built_in(xiangqi);
    assert_true(opening_lines_detect(rest));
    opening_line line = {0};
    fault why;
    int names = 0;
    while (opening_lines_next(&rest, &line, &why)) {
        if (*why.line)
            fail_msg("%s", why.line);
        char moves[512], code[8];
        writer w = writer_on(moves, sizeof moves);
        write_text(&w, line.moves);
        w = writer_on(code, sizeof code);
        write_text(&w, line.code);
        assert_int_equal(line.code.len, 3);
        if (line.chinese.len) {
            expect_name(moves, code);
            const opening_name *name = opening_name_nth(xiangqi, names++);
            assert_string_equal(name->code, code);
            assert_string_equal(name->moves, moves);
        }
        if (!passes_through(moves, code))
            fail_msg("%s is no continuation of %s", moves, code);
    }
    assert_null(opening_name_nth(xiangqi, names));
    for (int i = 1; i < names; i++)
        assert_true(strcmp(opening_name_nth(xiangqi, i - 1)->code,
                           opening_name_nth(xiangqi, i)->code) <= 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mirror_keys),    cmocka_unit_test(test_surakarta_images),
        cmocka_unit_test(test_xiangqi_images), cmocka_unit_test(test_symmetric_moves),
        cmocka_unit_test(test_weights),        cmocka_unit_test(test_few_games),
        cmocka_unit_test(test_heavy),          cmocka_unit_test(test_probe),
        cmocka_unit_test(test_merge),          cmocka_unit_test(test_many_games),
        cmocka_unit_test(test_damage),         cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_paper4_codes),   cmocka_unit_test(test_no_name),
        cmocka_unit_test(test_opening_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
