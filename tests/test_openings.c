// Openings: lists, records, and balanced ones made up from a seed.
#include "records/openings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const openings_choice in_order = {.plies = -1};

static openings *load(const char *game, const char *bytes, const openings_choice *choice) {
    fault why = {""};
    openings *o = openings_load(rules_find(text_of(game)), text_of(bytes), choice, &why);
    if (!o)
        fail_msg("%s", why.line);
    return o;
}

static void expect_fen(openings *o, uint32_t k, const char *fen) {
    char buffer[RULES_FEN_SIZE];
    assert_string_equal(openings_fen(o, k, buffer), fen);
    assert_string_equal(buffer, fen);
}

static void expect_refused(const char *game, const char *bytes, const char *words) {
    fault why = {""};
    assert_null(openings_load(rules_find(text_of(game)), text_of(bytes), &in_order, &why));
    if (!strstr(why.line, words))
        fail_msg("%s instead of %s", why.line, words);
}

#define XQ_START "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
#define SK_START "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww"

// --- files --------------------------------------------------------------------------------------

static void test_lists(void **state) {
    (void)state;
    openings *o = load("xiangqi",
                       "\xef\xbb\xbf# openings\r\n"
                       "\r\n" XQ_START " w - - 0 1 # a comment\r\n" XQ_START
                       " b - - bm h9g7; id \"second # one\";\r\n" XQ_START " w - - 3\r\n" XQ_START
                       " b hmvc 5;", // no line end
                       &in_order);
    assert_int_equal(openings_count(o), 4);
    expect_fen(o, 0, XQ_START " w - - 0 1");
    expect_fen(o, 1, XQ_START " b - - 0 1");
    expect_fen(o, 2, XQ_START " w - - 3 1");
    expect_fen(o, 3, XQ_START " b - - 0 1");
    expect_fen(o, 4, XQ_START " w - - 0 1"); // from the top again
    expect_fen(o, 4001, XQ_START " b - - 0 1");
    openings_free(o);
    o = load("surakarta", SK_START " b\n" SK_START " w 7 12 op;\n", &in_order);
    assert_int_equal(openings_count(o), 2);
    expect_fen(o, 0, SK_START " b 0 1");
    expect_fen(o, 1, SK_START " w 7 12");
    openings_free(o);
}

static void test_bad_lists(void **state) {
    (void)state;
    expect_refused("xiangqi", XQ_START " w\n\n# x\n" XQ_START " z\n", "line 4: FEN: ");
    expect_refused("surakarta", SK_START " b\nbbbbb/6/6/6/6/6 b\n",
                   "line 2: FEN: rank 6 has fewer");
    expect_refused("surakarta", "\n6/6/6/6/6/1w4 b\n", "line 2: the game is over");
    expect_refused("surakarta", "", "no surakarta opening");
    expect_refused("xiangqi", "# nothing\n\n", "no xiangqi opening");
    expect_refused("xiangqi", "hello world\n", "line 1: ");
    char huge[1000];
    memset(huge, '9', sizeof huge);
    huge[1] = '/';
    huge[sizeof huge - 1] = '\0';
    expect_refused("xiangqi", huge, "too long");
}

// Refuses three of four positions, always the same ones.
static bool is_one_of_four(void *context, const char *fen) {
    ++*(int *)context;
    unsigned sum = 0;
    while (*fen)
        sum = sum * 31 + (unsigned char)*fen++;
    return sum % 4 == 0;
}

static bool is_never(void *context, const char *fen) {
    (void)fen;
    ++*(int *)context;
    return false;
}

// Made-up openings are those that the judge calls even, the same every time; one that likes none
// does not keep the caller waiting for ever.
static void test_judge(void **state) {
    (void)state;
    const rules_game *game = rules_find(text_of("surakarta"));
    int asked = 0;
    openings_choice choice = {
        .seed = 5, .plies = -1, .judge = is_one_of_four, .judge_context = &asked};
    openings *a = openings_new(game, &choice), *b = openings_new(game, &choice);
    for (uint32_t k = 0; k < 50; k++) {
        char one[RULES_FEN_SIZE], two[RULES_FEN_SIZE];
        openings_fen(a, k, one);
        assert_true(is_one_of_four(&asked, one));
        assert_string_equal(one, openings_fen(b, k, two));
    }
    assert_true(asked > 200);
    openings_free(a);
    openings_free(b);
    choice.judge = is_never;
    asked = 0;
    a = openings_new(game, &choice);
    char fen[RULES_FEN_SIZE];
    assert_non_null(openings_fen(a, 0, fen));
    assert_true(asked > 50 && asked < 1000);
    openings_free(a);
}

static void test_shuffled(void **state) {
    (void)state;
    char list[64 * 32];
    writer w = writer_on(list, sizeof list);
    for (int i = 0; i < 30; i++)
        write_format(&w, SK_START " b %d 1\n", i);
    openings_choice choice = {.shuffled = true, .seed = 3, .plies = -1};
    openings *a = load("surakarta", list, &choice), *b = load("surakarta", list, &choice);
    choice.seed = 4;
    openings *other = load("surakarta", list, &choice);
    unsigned seen = 0;
    int moved = 0, differ = 0;
    for (uint32_t k = 0; k < 30; k++) {
        char one[RULES_FEN_SIZE], two[RULES_FEN_SIZE];
        openings_fen(a, k, one);
        assert_string_equal(one, openings_fen(b, k, two));
        differ += strcmp(one, openings_fen(other, k, two)) != 0;
        text rest = text_skip(text_of(one), sizeof SK_START " b" - 1);
        int64_t number;
        assert_true(text_to_int(text_next_word(&rest), 0, 29, &number));
        moved += (uint32_t)number != k;
        seen |= 1u << number;
    }
    assert_int_equal(seen, (1u << 30) - 1);
    assert_true(moved > 20 && differ > 20);
    openings_free(a);
    openings_free(b);
    openings_free(other);
}

static void test_records(void **state) {
    (void)state;
    static const char pgn[] = "[Game \"Chinese Chess\"]\n[Result \"*\"]\n\n1. H2-E2 H9-G7 *\n\n"
                              "[Game \"Chinese Chess\"]\n[Result \"*\"]\n\n1. C3-C4 *\n";
    openings *o = load("xiangqi", pgn, &in_order);
    assert_int_equal(openings_count(o), 2);
    expect_fen(o, 0, "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
    expect_fen(o, 1, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR b - - 1 1");
    openings_free(o);
    openings_choice one_ply = {.plies = 1};
    o = load("xiangqi", pgn, &one_ply);
    expect_fen(o, 0, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
    openings_free(o);
    // Lists of moves are records too; a game that is over is no opening.
    o = load("surakarta", "b5-b4 c2-c3\nfen 6/6/1bbb2/3w2/6/6 b 0 1 moves c4xd3\nb5-b4\n",
             &in_order);
    assert_int_equal(openings_count(o), 2);
    expect_fen(o, 1, "bbbbbb/b1bbbb/1b4/6/wwwwww/wwwwww w 1 1");
    openings_free(o);
    expect_refused("xiangqi", "[Game \"Chinese Chess\"]\n\n1. H2-E9 *\n", "line ");
    expect_refused("surakarta", pgn, "line ");
}

// --- made up ------------------------------------------------------------------------------------

static openings *make_up(const rules_game *game, uint64_t seed, int plies) {
    openings_choice choice = {.seed = seed, .plies = plies};
    openings *o = openings_new(game, &choice);
    assert_non_null(o);
    assert_int_equal(openings_count(o), 0);
    return o;
}

static rules_pos position(const rules_game *game, const char *fen) {
    rules_pos pos;
    memset(&pos, 0, sizeof pos);
    assert_true(game->parse_fen(&pos, text_of(fen), NULL));
    return pos;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// All that is asked of an opening, by the rules' own means where they have them.
static void check_balance(const rules_game *game, const char *fen, int plies) {
    rules_pos pos = position(game, fen);
    rules_set set = rules_default_set(game);
    assert_int_equal(game->board_result(&pos, &set).outcome, RULES_ONGOING);
    assert_false(game->in_check(&pos));
    assert_int_equal(game->side_to_move(&pos), plies % 2);
    assert_int_equal(game->no_capture_plies(&pos), 0);
    assert_int_equal(game->piece_count(&pos, 0), game->piece_count(&pos, 1));
    assert_true(openings_is_balanced(game, &pos));
}

static void test_made_up(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    for (int n = 0; n < 2; n++) {
        const rules_game *game = rules_nth(n);
        openings *o = make_up(game, 1, -1);
        uint64_t keys[COUNT];
        for (uint32_t k = 0; k < COUNT; k++) {
            char fen[RULES_FEN_SIZE];
            assert_non_null(openings_fen(o, k, fen));
            check_balance(game, fen, openings_default_plies(game));
            rules_pos pos = position(game, fen);
            keys[k] = openings_key(game, &pos);
        }
        qsort(keys, COUNT, sizeof keys[0], compare_keys);
        for (int k = 1; k < COUNT; k++)
            assert_true(keys[k] != keys[k - 1]);
        openings_free(o);
    }
}

// Number k is the same whatever was asked for before, and beyond the distinct ones as well.
static void test_made_up_again(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        const rules_game *game = rules_nth(n);
        openings *a = make_up(game, 5, 8), *b = make_up(game, 5, 8), *other = make_up(game, 6, 8);
        char one[RULES_FEN_SIZE], two[RULES_FEN_SIZE];
        openings_fen(a, 100, one);
        assert_string_equal(one, openings_fen(a, 100, two));
        openings_fen(a, 40, one);
        for (uint32_t k = 0; k < 40; k++)
            openings_fen(b, k, two);
        assert_string_equal(one, openings_fen(b, 40, two));
        assert_string_not_equal(one, openings_fen(other, 40, two));
        openings_fen(a, OPENINGS_DISTINCT + 7, one);
        assert_string_equal(one, openings_fen(b, OPENINGS_DISTINCT + 7, two));
        check_balance(game, one, 8);
        openings_free(a);
        openings_free(b);
        openings_free(other);
    }
}

// Whoever names a seed and a number means these positions: they change only with a good reason.
static void test_first_openings(void **state) {
    (void)state;
    openings *o = make_up(rules_find(text_of("xiangqi")), 1, -1);
    expect_fen(o, 0, "rn1akab1r/9/b4c2n/pcp1p1p1p/9/P8/2P1P1P1P/2N1C2C1/9/R1BAKABNR w - - 0 1");
    expect_fen(o, 1, "rnba1abnr/4k4/1c5c1/p1p1p1p2/8p/2B6/P1P1P1P1P/NC5C1/4A4/R1BAK2NR w - - 0 1");
    openings_free(o);
    o = make_up(rules_find(text_of("surakarta")), 1, -1);
    expect_fen(o, 0, "bbbbbb/bb3b/1bb1b1/3w2/ww1www/wwwwww b 0 1");
    expect_fen(o, 1, "bbbbbb/bbbbb1/3b2/2w1ww/wwww2/ww1www b 0 1");
    openings_free(o);
}

// So few plies that positions have to come again; it must end all the same.
static void test_few_plies(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++)
        for (int plies = 0; plies <= 1; plies++) {
            openings *o = make_up(rules_nth(n), 1, plies);
            char fen[RULES_FEN_SIZE];
            for (uint32_t k = 0; k < 60; k++)
                check_balance(rules_nth(n), openings_fen(o, k, fen), plies);
            openings_free(o);
        }
}

static void test_balance(void **state) {
    (void)state;
    static const struct {
        const char *game, *fen;
        bool balanced;
    } cases[] = {
        {"xiangqi", XQ_START " w - - 0 1", true},
        {"xiangqi", XQ_START " b - - 0 1", true},
        // a chariot to be taken, by the side to move and by the other
        {"xiangqi", "r2k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", false},
        {"xiangqi", "3k1a3/9/9/9/4r4/9/9/4R4/9/4KA3 w - - 0 1", false},
        {"xiangqi", "3k1a3/9/9/9/4r4/9/9/4R4/9/4KA3 b - - 0 1", false},
        {"xiangqi", "3k1a3/9/9/9/r8/9/9/3R5/9/4KA3 b - - 0 1", false}, // Black in check
        {"xiangqi", "4k4/9/9/9/r8/9/9/8R/9/3K5 w - - 0 1", true},
        {"xiangqi", "4k4/9/9/9/r8/9/9/8C/9/3K5 w - - 0 1", false},
        {"surakarta", SK_START " b 0 1", true},
        {"surakarta", "6/6/1bbb2/3w2/6/6 b 0 1", false},
        {"surakarta", "b5/6/6/6/6/5w b 0 1", true},
        {"surakarta", "2b3/6/6/6/6/2w3 b 0 1", false},
        {"surakarta", "2b3/6/6/6/6/2w3 w 0 1", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rules_game *game = rules_find(text_of(cases[i].game));
        rules_pos pos = position(game, cases[i].fen);
        if (openings_is_balanced(game, &pos) != cases[i].balanced)
            fail_msg("%s", cases[i].fen);
    }
}

static void test_mirror_keys(void **state) {
    (void)state;
    static const char *const xiangqi[] = {
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b - - 0 1"};
    const rules_game *game = rules_find(text_of("xiangqi"));
    rules_pos a = position(game, xiangqi[0]), b = position(game, xiangqi[1]);
    rules_pos start = position(game, XQ_START " b - - 0 1");
    assert_true(openings_key(game, &a) == openings_key(game, &b));
    assert_true(openings_key(game, &a) != openings_key(game, &start));
    static const char *const surakarta[] = {"b5/6/6/6/1w4/6 b 0 1", "5b/6/6/6/4w1/6 b 0 1",
                                            "6/1w4/6/6/6/b5 b 0 1", "6/4w1/6/6/6/5b b 0 1",
                                            "b5/1w4/6/6/6/6 w 0 1", "b5/4w1/6/6/6/6 b 0 1"};
    game = rules_find(text_of("surakarta"));
    uint64_t keys[6];
    for (int i = 0; i < 6; i++) {
        rules_pos pos = position(game, surakarta[i]);
        keys[i] = openings_key(game, &pos);
    }
    for (int i = 1; i < 6; i++) // all but the fifth are one position turned and turned over
        assert_int_equal(keys[i] == keys[0], i != 4);
}

// --- moves that lead there ----------------------------------------------------------------------

// Plays the line of number k from the start position: it leads to the board and side of its FEN.
static void check_line(const rules_game *game, openings *o, uint32_t k, int plies) {
    rules_move moves[OPENINGS_LINE_MAX];
    char fen[RULES_FEN_SIZE];
    assert_int_equal(openings_line(o, k, moves), plies);
    rules_pos there = position(game, openings_fen(o, k, fen)),
              pos = position(game, rules_start_fen(game));
    for (int i = 0; i < plies; i++) {
        rules_move legal[RULES_MAX_MOVES];
        int n = game->legal_moves(&pos, legal), at = 0;
        while (at < n && legal[at] != moves[i])
            at++;
        assert_true(at < n);
        rules_past past;
        game->make(&pos, moves[i], &past);
    }
    assert_true(game->key(&pos) == game->key(&there));
}

static void test_lines_of_made_up(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        const rules_game *game = rules_nth(n);
        openings *o = make_up(game, 3, -1);
        assert_true(openings_have_lines(o));
        check_line(game, o, 50, openings_default_plies(game)); // before the FEN was asked for
        for (uint32_t k = 0; k < 50; k++)
            check_line(game, o, k, openings_default_plies(game));
        check_line(game, o, OPENINGS_DISTINCT + 3, openings_default_plies(game));
        assert_true(openings_have_lines(o));
        openings_free(o);
    }
}

static void test_lines_of_files(void **state) {
    (void)state;
    const rules_game *game = rules_find(text_of("surakarta"));
    rules_move moves[OPENINGS_LINE_MAX];
    openings *o = load("surakarta", "b5-b4 c2-c3\nb5-b4\n", &in_order);
    assert_true(openings_have_lines(o));
    check_line(game, o, 0, 2);
    check_line(game, o, 1, 1);
    check_line(game, o, 2, 2); // they start again
    openings_free(o);
    // A game from elsewhere has no line.
    o = load("surakarta", "fen bbbbbb/b1bbbb/1b4/6/wwwwww/wwwwww w 1 1 moves c2-c3\nb5-b4\n",
             &in_order);
    assert_false(openings_have_lines(o));
    assert_int_equal(openings_line(o, 0, moves), -1);
    check_line(game, o, 1, 1);
    openings_free(o);
    // Of a list of positions, only the start position has one.
    o = load("surakarta",
             "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1\nbbbbbb/b1bbbb/1b4/6/wwwwww/wwwwww w 1 1\n",
             &in_order);
    assert_false(openings_have_lines(o));
    check_line(game, o, 0, 0);
    assert_int_equal(openings_line(o, 1, moves), -1);
    openings_free(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),          cmocka_unit_test(test_bad_lists),
        cmocka_unit_test(test_judge),          cmocka_unit_test(test_shuffled),
        cmocka_unit_test(test_records),        cmocka_unit_test(test_made_up),
        cmocka_unit_test(test_made_up_again),  cmocka_unit_test(test_first_openings),
        cmocka_unit_test(test_few_plies),      cmocka_unit_test(test_balance),
        cmocka_unit_test(test_mirror_keys),    cmocka_unit_test(test_lines_of_made_up),
        cmocka_unit_test(test_lines_of_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
