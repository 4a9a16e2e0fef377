// Surakarta positions and moves as text, the words for wrong ones, routes and the drawn board.
#include "surakarta_random.h"

#include "rules/surakarta/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static sk_pos read_good(const char *fen) {
    sk_pos pos;
    fault why;
    if (!sk_parse_fen(&pos, text_of(fen), &why))
        fail_msg("%s: %s", fen, why.line);
    return pos;
}

// --- FEN ----------------------------------------------------------------------------------------

static void expect_fen(const char *fen, const char *written) {
    sk_pos pos = read_good(fen);
    char line[RULES_FEN_SIZE];
    writer w = writer_on(line, sizeof line);
    sk_format_fen(&pos, &w);
    assert_string_equal(line, written);
    assert_int_equal(pos.key, sk_compute_key(&pos));
}

static void test_good_fens(void **state) {
    (void)state;
    expect_fen(SK_START_FEN, SK_START_FEN);
    expect_fen("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b", SK_START_FEN);
    expect_fen("  bbbbbb/bbbbbb/33/222/wwwwww/wwwwww \t b  0 1\r\n", SK_START_FEN);
    expect_fen("6/6/2b3/6/6/6 w 12", "6/6/2b3/6/6/6 w 12 1");
    expect_fen("b1b1b1/6/6/6/6/1w1w1w w 65535 65535", "b1b1b1/6/6/6/6/1w1w1w w 65535 65535");
    sk_pos pos = read_good(SK_START_FEN), start = sk_start();
    assert_int_equal(pos.key, start.key);
    assert_int_equal(pos.ring[SK_WHITE], start.ring[SK_WHITE]);
}

static void test_bad_fens(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "FEN: empty"},
        {" \n", "FEN: empty"},
        {"6/6/6/6/6/6 b 0 1", "FEN: the board is empty"},
        {"bbbbbb/bbbbbb/b5/6/6/6 b 0 1", "FEN: Black has 13 pieces, more than 12"},
        {"b5/6/6/w5/wwwwww/wwwwww b 0 1", "FEN: White has 13 pieces, more than 12"},
        {"bbbbbb/bbbbbb/6/6/wwwwww b 0 1", "FEN: the board has 5 ranks, not 6"},
        {"b b 0 1", "FEN: the board has 1 rank, not 6"},
        {"b5/6/6/6/6/6/6 b 0 1", "FEN: the board has more than 6 ranks"},
        {"b5/6/6/6/6/6/ b 0 1", "FEN: the board has more than 6 ranks"},
        {"b5/6/5/6/6/6 b 0 1", "FEN: rank 4 has fewer than 6 points"},
        {"b5/6//6/6/6 b 0 1", "FEN: rank 4 has fewer than 6 points"},
        {"b6/6/6/6/6/6 b 0 1", "FEN: rank 6 has more than 6 points"},
        {"6/bbbbbbb/6/6/6/6 b 0 1", "FEN: rank 5 has more than 6 points"},
        {"6/r5/6/6/6/6 b 0 1", "FEN: 'r' is no piece, on rank 5"},
        {"6/B5/6/6/6/6 b 0 1", "FEN: 'B' is no piece, on rank 5"},
        {"6/7/6/6/6/6 b 0 1", "FEN: '7' is no piece, on rank 5"},
        {"b5/6/6/6/6/6", "FEN: no side to move behind the board (b or w)"},
        {"b5/6/6/6/6/6 r", "FEN: the side to move is b or w, not 'r'"},
        {"b5/6/6/6/6/6 b x", "FEN: 'x' is no count of plies"},
        {"b5/6/6/6/6/6 b -1", "FEN: '-1' is no count of plies"},
        {"b5/6/6/6/6/6 b 65536 1", "FEN: '65536' is no count of plies"},
        {"b5/6/6/6/6/6 b 0 1e3", "FEN: '1e3' is no move number"},
        {"b5/6/6/6/6/6 b 0 99999999999999999999", "FEN: '99999999999999999999' is no move number"},
        {"b5/6/6/6/6/6 b 0 1 and more", "FEN: 'and' behind the move number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sk_pos pos;
        fault why = {""};
        assert_false(sk_parse_fen(&pos, text_of(cases[i][0]), &why));
        assert_string_equal(why.line, cases[i][1]);
        assert_false(sk_parse_fen(&pos, text_of(cases[i][0]), NULL));
    }
}

// --- moves --------------------------------------------------------------------------------------

static void expect_move(const char *fen, int notation, const char *word, int from, int to) {
    sk_pos pos = read_good(fen);
    rules_move move = MOVE_NONE;
    fault why = {""};
    if (!sk_parse_move(&pos, notation, text_of(word), &move, &why))
        fail_msg("%s: %s", word, why.line);
    assert_int_equal(move, move_of(from, to));
}

static void expect_no_move(const char *fen, int notation, const char *word, const char *words) {
    sk_pos pos = read_good(fen);
    rules_move move = 0x1234;
    fault why = {""};
    assert_false(sk_parse_move(&pos, notation, text_of(word), &move, &why));
    assert_string_equal(why.line, words);
    assert_int_equal(move, 0x1234);
}

static void test_reads_every_notation(void **state) {
    (void)state;
    static const char *const steps[] = {"c5-d4",   "c5d4", "c5 d4",  "C5-D4",    "C5D4",
                                        "c5 - d4", "CBDC", "B2C-3D", " c5-d4\n", "c5\td4"};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        expect_move(SK_START_FEN, -1, steps[i], 8, 15);
    static const char *const captures[] = {"c5xc2", "c5Xc2",   "c5×c2",  "c5c2",   "c5-c2",
                                           "CBCE",  "c5 x c2", "B2C×5C", "B2CX5C", "B2Cx5c"};
    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++)
        expect_move("2b3/2b3/6/6/2w3/6 b 0 1", -1, captures[i], 8, 26);
    expect_move(SK_START_FEN, NOTATION_NATIVE, "c5d4", 8, 15);
    expect_move(SK_START_FEN, NOTATION_SAU, "CBDC", 8, 15);
}

static void test_refuses_noise(void **state) {
    (void)state;
    static const char *const noise[] = {"",      "c",      "c5",     "c5-",    "c5-d",   "c5-d7",
                                        "g5-d4", "c0-c1",  "c5--d4", "cbdc",   "CBD",    "CBDCA",
                                        "CBDG",  "B2C3D",  "2C-3D",  "B7C-3D", "c5-d4x", "W2C-3D",
                                        "c5/d4", "b2c-3d", "\xc3",   "c5\xc3"};
    char words[80];
    for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++) {
        writer w = writer_on(words, sizeof words);
        write_format(&w, "%s is not a move (c2-c3, c2xf4)", fault_quote(text_of(noise[i])).shown);
        expect_no_move(SK_START_FEN, -1, noise[i], words);
    }
    expect_no_move(SK_START_FEN, NOTATION_SAU, "c5-d4", "'c5-d4' is not a move (EBFC)");
    expect_no_move(SK_START_FEN, NOTATION_NATIVE, "CBDC", "'CBDC' is not a move (c2-c3, c2xf4)");
    expect_no_move(SK_START_FEN, NOTATION_ICCS, "c5-d4", "'c5-d4' is not a move (c2-c3, c2xf4)");
}

static void test_contest_moves(void **state) {
    (void)state;
    const char *fen = "2b3/2b3/6/6/2w3/6 b 0 1";
    expect_no_move(fen, -1, "R2C-3C", "Black is to move (B), not White");
    expect_no_move(fen, -1, "B2C-5C", "the move captures on c2 and is written as a step");
    expect_no_move(fen, -1, "B2C×3C", "there is nothing to capture on c4");
    expect_no_move(fen, -1, "B3C-4C", "no piece on c4");
    sk_pos pos = read_good(fen);
    rules_move move;
    fault why = {""};
    assert_false(sk_parse_contest_move(&pos, text_of("c5xc2"), &move, &why));
    assert_string_equal(why.line, "'c5xc2' is not a move (B2E-3E, R6C×4A)");
    assert_true(sk_parse_contest_move(&pos, text_of("B2C×5C"), &move, &why));
    char line[RULES_MOVE_SIZE];
    writer w = writer_on(line, sizeof line);
    sk_format_contest_move(&pos, move, &w);
    assert_string_equal(line, "B2C×5C");
    sk_make(&pos, move);
    pos.pieces[SK_WHITE] |= sk_bit(35);
    w = writer_on(line, sizeof line);
    sk_format_contest_move(&pos, move_of(35, 28), &w);
    assert_string_equal(line, "R6F-5E");
}

// Every legal move of random games, written in each notation, is read back as itself.
static void test_round_trips(void **state) {
    (void)state;
    random_game g = {.dice = {7}};
    for (int i = 0; i < 2000; i++) {
        random_step(&g);
        rules_move moves[SK_MAX_MOVES];
        int n = sk_generate(&g.pos, moves);
        for (int k = 0; k < n; k++)
            for (int notation = -1; notation <= NOTATION_SAU; notation++) {
                char line[RULES_MOVE_SIZE];
                writer w = writer_on(line, sizeof line);
                rules_move back = MOVE_NONE;
                fault why = {""};
                if (notation < 0)
                    sk_format_contest_move(&g.pos, moves[k], &w);
                else
                    sk_format_move(&g.pos, moves[k], (rules_notation)notation, &w);
                if (!sk_parse_move(&g.pos, notation, text_of(line), &back, &why))
                    fail_msg("%s: %s", line, why.line);
                assert_int_equal(back, moves[k]);
                assert_true(sk_parse_move(&g.pos, -1, text_of(line), &back, &why));
                assert_int_equal(back, moves[k]);
            }
    }
}

// --- routes -------------------------------------------------------------------------------------

static void test_routes(void **state) {
    (void)state;
    rules_route routes[4];
    // One step over the inner loop at a6, or all the way round.
    sk_pos pos = read_good("1b4/w5/6/6/6/6 b 0 1");
    assert_int_equal(sk_capture_routes(&pos, move_of(1, 6), routes), 2);
    assert_int_equal(routes[0].circuit, 0);
    assert_int_equal(routes[0].count, 2);
    assert_int_equal(routes[0].loops, 1);
    assert_int_equal(routes[0].station[0], 0);
    assert_int_equal(routes[0].station[1], 23);
    assert_int_equal(routes[1].count, 24);
    assert_int_equal(routes[1].loops, 3);
    // From a crossing of the circuit with itself there are four.
    pos = read_good("6/1b4/6/6/6/4w1 b 0 1");
    assert_int_equal(sk_capture_routes(&pos, move_of(7, 34), routes), 4);
    for (int i = 1; i < 4; i++)
        assert_true(routes[i - 1].count <= routes[i].count);
    // Steps and illegal moves have none.
    assert_int_equal(sk_capture_routes(&pos, move_of(7, 8), routes), 0);
    assert_int_equal(sk_capture_routes(&pos, move_of(34, 7), routes), 0);
}

// --- the board ----------------------------------------------------------------------------------

static const char *draw(const sk_pos *pos, rules_drawing how) {
    static char board[RULES_BOARD_SIZE];
    writer w = writer_on(board, sizeof board);
    sk_draw(pos, &how, &w);
    assert_false(w.overflow);
    return board;
}

static void test_drawing(void **state) {
    (void)state;
    sk_pos pos = read_good("bbbbbb/bb1bbb/2b3/3w2/www1ww/wwwww1 b 1 2");
    assert_string_equal(draw(&pos, (rules_drawing){0}),
                        "    .---------------.   .---------------.\n"
                        "    |   .-------.   |   |   .-------.   |\n"
                        "6   |   |   B---B---B---B---B---B   |   |\n"
                        "    |   |   |   |   |   |   |   |   |   |\n"
                        "5   |   '---B---B---+---B---B---B---'   |\n"
                        "    |       |   |   |   |   |   |       |\n"
                        "4   '-------+---+---B---+---+---+-------'\n"
                        "            |   |   |   |   |   |\n"
                        "3   .-------+---+---+---W---+---+-------.\n"
                        "    |       |   |   |   |   |   |       |\n"
                        "2   |   .---W---W---W---+---W---W---.   |\n"
                        "    |   |   |   |   |   |   |   |   |   |\n"
                        "1   |   |   W---W---W---W---W---+   |   |\n"
                        "    |   '-------'   |   |   '-------'   |\n"
                        "    '---------------'   '---------------'\n"
                        "            a   b   c   d   e   f\n");
    assert_string_equal(draw(&pos, (rules_drawing){.unicode = true, .last = move_of(27, 21)}),
                        "    ╭───────────────╮   ╭───────────────╮\n"
                        "    │   ╭───────╮   │   │   ╭───────╮   │\n"
                        "6   │   │   ●───●───●───●───●───●   │   │\n"
                        "    │   │   │   │   │   │   │   │   │   │\n"
                        "5   │   ╰───●───●───┼───●───●───●───╯   │\n"
                        "    │       │   │   │   │   │   │       │\n"
                        "4   ╰───────┼───┼───●───┼───┼───┼───────╯\n"
                        "            │   │   │   │   │   │\n"
                        "3   ╭───────┼───┼───┼──[○]──┼───┼───────╮\n"
                        "    │       │   │   │   │   │   │       │\n"
                        "2   │   ╭───○───○───○──[┼]──○───○───╮   │\n"
                        "    │   │   │   │   │   │   │   │   │   │\n"
                        "1   │   │   ○───○───○───○───○───┘   │   │\n"
                        "    │   ╰───────╯   │   │   ╰───────╯   │\n"
                        "    ╰───────────────╯   ╰───────────────╯\n"
                        "            a   b   c   d   e   f     ● Black  ○ White\n");
    assert_string_equal(draw(&pos, (rules_drawing){.flipped = true}),
                        "    .---------------.   .---------------.\n"
                        "    |   .-------.   |   |   .-------.   |\n"
                        "1   |   |   +---W---W---W---W---W   |   |\n"
                        "    |   |   |   |   |   |   |   |   |   |\n"
                        "2   |   '---W---W---+---W---W---W---'   |\n"
                        "    |       |   |   |   |   |   |       |\n"
                        "3   '-------+---+---W---+---+---+-------'\n"
                        "            |   |   |   |   |   |\n"
                        "4   .-------+---+---+---B---+---+-------.\n"
                        "    |       |   |   |   |   |   |       |\n"
                        "5   |   .---B---B---B---+---B---B---.   |\n"
                        "    |   |   |   |   |   |   |   |   |   |\n"
                        "6   |   |   B---B---B---B---B---B   |   |\n"
                        "    |   '-------'   |   |   '-------'   |\n"
                        "    '---------------'   '---------------'\n"
                        "            f   e   d   c   b   a\n");
}

// Colours change nothing but colours and the shape of White's pieces, and the largest drawing fits
// its buffer.
static void test_colours(void **state) {
    (void)state;
    sk_pos pos = read_good("bw1bw1/b1wb1w/bw1bw1/b1wb1w/bw1bw1/b1wb1w w 0 1");
    const char *at = draw(&pos, (rules_drawing){.unicode = true, .colour = true, .last = 0x0102});
    int lines = 0, discs[2] = {0}; // the sides differ by shape, too
    for (; *at; at++) {
        lines += *at == '\n';
        discs[SK_BLACK] += memcmp(at, "●", 3) == 0;
        discs[SK_WHITE] += memcmp(at, "◉", 3) == 0;
        if (*at == '\033')
            at = strchr(at, 'm');
    }
    assert_int_equal(lines, 16);
    for (int side = 0; side < 2; side++)
        assert_int_equal(discs[side], bits_count(pos.pieces[side]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_fens),
        cmocka_unit_test(test_bad_fens),
        cmocka_unit_test(test_reads_every_notation),
        cmocka_unit_test(test_refuses_noise),
        cmocka_unit_test(test_contest_moves),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_routes),
        cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
