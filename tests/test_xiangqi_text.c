// Xiangqi positions as text, the words for illegal moves, and the drawn board.
#include "xiangqi_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void read_good(const char *fen, xq_pos *pos) {
    fault why;
    if (!xq_parse_fen(pos, text_of(fen), &why))
        fail_msg("%s: %s", fen, why.line);
}

static void expect_fen(const char *fen, const char *written) {
    xq_pos pos;
    read_good(fen, &pos);
    char line[RULES_FEN_SIZE];
    writer w = writer_on(line, sizeof line);
    xq_format_fen(&pos, &w);
    assert_string_equal(line, written);
}

static void test_good_fens(void **state) {
    (void)state;
    expect_fen(XIANGQI_START, XIANGQI_START);
    expect_fen("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r", XIANGQI_START);
    expect_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -", XIANGQI_START);
    expect_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w 0 1", XIANGQI_START);
    expect_fen("  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR   w  -  - 0 1\r\n",
               XIANGQI_START);
    expect_fen("3k5/9/9/9/9/9/9/9/9/4K4 b 17", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 17 1");
    expect_fen("3k5/9/45/9/9/9/9/9/9/4K4 b 65535 65535",
               "3k5/9/9/9/9/9/9/9/9/4K4 b - - 65535 65535");
    // A diagram of the rule book with a pawn where no game brings one.
    expect_fen("3a2b1r/4ak3/8p/7P1/9/9/9/B2NN3B/3K5/4p4 w - - 0 1",
               "3a2b1r/4ak3/8p/7P1/9/9/9/B2NN3B/3K5/4p4 w - - 0 1");
}

static void test_bad_fens(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "FEN: empty"},
        {" \n", "FEN: empty"},
        {"4k4/9/9/9/9/9/9/9/9/4K4", "FEN: no side to move behind the board (w or b)"},
        {"3k5/9/9/9/9/9/9/9/9/4K4 x", "FEN: the side to move is w or b, not 'x'"},
        {"3k5/9/9/9/9/9/9/9/4K4 w", "FEN: the board has only 9 of its 10 ranks"},
        {"3k5/9/9/9/9/9/9/9/9/9/4K4 w", "FEN: the board has more than 10 ranks"},
        {"3k5/9/9/9/9/9/9/9/9/4K4/ w", "FEN: the board has more than 10 ranks"},
        {"3k5/9/9/9/8/9/9/9/9/4K4 w", "FEN: rank 5 has fewer than 9 points"},
        {"3k5/9/9/9//9/9/9/9/4K4 w", "FEN: rank 5 has fewer than 9 points"},
        {"3k5/9/9/9/99/9/9/9/9/4K4 w", "FEN: rank 5 has more than 9 points"},
        {"3k5/9/9/9/RRRRRRRRRR/9/9/9/9/4K4 w", "FEN: rank 5 has more than 9 points"},
        {"3k5/9/9/9/4x4/9/9/9/9/4K4 w", "FEN: 'x' is no piece, on rank 5"},
        {"3k5/9/9/9/0p8/9/9/9/9/4K4 w", "FEN: '0' is no piece, on rank 5"},
        {"3k5/9/9/9/9/9/9/9/9/3KK4 w", "FEN: Red has more than 1 general"},
        {"9/9/9/9/9/9/9/9/9/4K4 w", "FEN: Black has no general"},
        {"3k5/9/9/9/9/9/9/9/9/9 w", "FEN: Red has no general"},
        {"3k5/9/9/9/9/ppp6/ppp6/9/9/4K4 w", "FEN: Black has more than 5 pawns"},
        {"3k5/9/9/9/RRR6/9/9/9/9/4K4 w", "FEN: Red has more than 2 chariots"},
        {"3k5/9/9/9/9/9/9/9/9/6K2 w", "FEN: a red general cannot stand on g0"},
        {"3k5/9/9/9/9/9/4K4/9/9/9 w", "FEN: a red general cannot stand on e3"},
        {"3k5/3a5/9/9/9/9/9/9/9/4K4 w", "FEN: a black advisor cannot stand on d8"},
        {"3k5/9/9/9/4B4/9/9/9/9/4K4 w", "FEN: a red elephant cannot stand on e5"},
        {"3k5/9/9/9/9/4B4/9/9/9/4K4 w", "FEN: a red elephant cannot stand on e4"},
        {"4k4/9/9/9/9/9/9/9/9/4K4 w", "FEN: the generals face each other"},
        {"3k5/9/9/9/3R5/9/9/9/9/4K4 w", "FEN: Black is in check but Red is to move"},
        {"3k5/9/9/9/4r4/9/9/9/9/4K4 b", "FEN: Red is in check but Black is to move"},
        {"3k5/9/9/9/9/9/9/9/9/4K4 w -", "FEN: a single '-' behind the side to move"},
        {"3k5/9/9/9/9/9/9/9/9/4K4 w - - x", "FEN: 'x' is no count of plies"},
        {"3k5/9/9/9/9/9/9/9/9/4K4 w - - -1", "FEN: '-1' is no count of plies"},
        {"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 70000", "FEN: '70000' is no move number"},
        {"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 junk", "FEN: 'junk' behind the move number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        xq_pos pos;
        fault why = {""};
        assert_false(xq_parse_fen(&pos, text_of(cases[i][0]), &why));
        assert_string_equal(why.line, cases[i][1]);
    }
}

static void expect_same_fen(const xq_pos *pos) {
    char line[RULES_FEN_SIZE], again[RULES_FEN_SIZE];
    writer w = writer_on(line, sizeof line);
    xq_format_fen(pos, &w);
    assert_false(w.overflow);
    xq_pos read;
    read_good(line, &read);
    assert_memory_equal(read.board, pos->board, XQ_POINTS);
    assert_int_equal(read.stm, pos->stm);
    assert_int_equal(read.quiet, pos->quiet);
    assert_int_equal(read.number, pos->number);
    assert_true(read.key == pos->key);
    w = writer_on(again, sizeof again);
    xq_format_fen(&read, &w);
    assert_string_equal(line, again);
}

static void test_fens_of_random_games(void **state) {
    (void)state;
    rng r = {1};
    for (int game = 0; game < 60; game++) {
        xq_pos pos;
        read_good(XIANGQI_START, &pos);
        for (int ply = 0; ply < 150 && random_move(&r, &pos); ply++)
            expect_same_fen(&pos);
    }
}

// The words and the generator must agree on every pair of points.
static void expect_explained(const xq_pos *pos) {
    static bool legal[XQ_POINTS][XQ_POINTS];
    memset(legal, 0, sizeof legal);
    rules_move moves[XQ_MAX_MOVES];
    int n = xq_generate(pos, moves);
    for (int i = 0; i < n; i++)
        legal[move_from(moves[i])][move_to(moves[i])] = true;
    for (int from = 0; from < XQ_POINTS; from++)
        for (int to = 0; to < XQ_POINTS; to++) {
            fault why = {""};
            bool good = xq_explain_move(pos, from, to, &why);
            if (good != legal[from][to])
                fail_msg("%s%s: %s", xq_name_point(from).name, xq_name_point(to).name, why.line);
            assert_true(good || why.line[0]);
        }
}

static void test_explanations_match_generator(void **state) {
    (void)state;
    rng r = {2};
    for (int game = 0; game < 10; game++) {
        xq_pos pos;
        read_good(XIANGQI_START, &pos);
        for (int ply = 0; ply < 150 && random_move(&r, &pos); ply++)
            if (ply % 5 == 0)
                expect_explained(&pos);
    }
    for (int tries = 0; tries < 600; tries++) {
        xq_pos pos;
        if (random_setup(&r, &pos))
            expect_explained(&pos);
    }
}

static void expect_reason(const char *fen, const char *move, const char *words) {
    xq_pos pos;
    read_good(fen, &pos);
    fault why = {""};
    rules_move m;
    assert_false(xq_parse_move(&pos, -1, text_of(move), &m, &why));
    assert_string_equal(why.line, words);
}

static void test_reasons(void **state) {
    (void)state;
    expect_reason(XIANGQI_START, "e4e5", "no piece on e4");
    expect_reason(XIANGQI_START, "h7e7", "the cannon on h7 is not Red's");
    expect_reason(XIANGQI_START, "a0a3", "Red's own pawn stands on a3");
    expect_reason(XIANGQI_START, "a0a0", "the move goes nowhere");
    expect_reason(XIANGQI_START, "a0a4", "the chariot is blocked on a3");
    expect_reason(XIANGQI_START, "a0b1", "a chariot moves along a file or a rank");
    expect_reason(XIANGQI_START, "h2h8", "the cannon is blocked on h7");
    expect_reason(XIANGQI_START, "h2h7", "a cannon captures over exactly one piece, not over none");
    expect_reason(XIANGQI_START, "e3e6", "a pawn moves one point at a time");
    expect_reason(XIANGQI_START, "e3d3", "a pawn moves sideways only across the river");
    expect_reason(XIANGQI_START, "e3e2", "a pawn does not move back");
    expect_reason(XIANGQI_START, "b0d1", "the horse is blocked on c0");
    expect_reason(XIANGQI_START, "b0b1", "that is not how a horse moves");
    expect_reason(XIANGQI_START, "c0d1", "that is not how an elephant moves");
    expect_reason(XIANGQI_START, "d0d1", "that is not how an advisor moves");
    expect_reason(XIANGQI_START, "d0c1", "the advisor does not leave the palace");
    expect_reason(XIANGQI_START, "e0e2", "that is not how a general moves");
    expect_reason("3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c4e6", "an elephant does not cross the river");
    expect_reason("3k5/9/9/9/9/2B6/3p5/9/9/4K4 w", "c4e2", "the elephant is blocked on d3");
    expect_reason("3k5/9/9/9/9/9/9/9/9/4K4 w", "e0d0",
                  "the generals would face each other on file d");
    expect_reason("3k5/9/9/9/4r4/9/9/9/9/4K4 w", "e0e1",
                  "the move leaves the general in check from the chariot on e5");
}

// Columns on a terminal: Chinese characters take two.
static int columns_of(text line) {
    int columns = 0;
    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)line.at[i];
        if (c == 0x1b)
            while (line.at[i] != 'm')
                i++;
        else if (c < 0x80 || c == 0xe2) // ASCII; box drawing starts with E2
            columns++;
        else if (c >= 0xe3 && c <= 0xef)
            columns += 2;
    }
    return columns;
}

static void test_drawing(void **state) {
    (void)state;
    rng r = {3};
    for (int game = 0; game < 20; game++) {
        xq_pos pos;
        read_good(XIANGQI_START, &pos);
        for (int ply = 0; ply < 40 && random_move(&r, &pos); ply++) {
            rules_drawing how = {.unicode = ply & 1, .colour = ply & 2, .flipped = ply & 4};
            how.last = move_of((int)rng_below(&r, 90), (int)rng_below(&r, 90));
            char board[RULES_BOARD_SIZE];
            writer w = writer_on(board, sizeof board);
            xq_draw(&pos, &how, &w);
            assert_false(w.overflow);
            int lines = 0;
            for (text rest = {board, w.used}; rest.len; lines++) {
                text line = text_next_line(&rest);
                assert_in_range(columns_of(line), 30, 40);
                for (size_t i = 0; i < line.len && !how.unicode; i++)
                    assert_true((unsigned char)line.at[i] < 0x80);
                for (size_t i = 0; i < line.len && !how.colour; i++)
                    assert_true(line.at[i] != 0x1b);
            }
            assert_int_equal(lines, 21);
        }
    }
}

static void test_drawing_of_a_small_position(void **state) {
    (void)state;
    static const char expected[] = "   a/1 b/2 c/3 d/4 e/5 f/6 g/7 h/8 i/9\n"
                                   "9  +---+---+---k---+---+---+---+---+\n"
                                   "   |   |   |   | \\ | / |   |   |   |\n"
                                   "8  +---+---+---+---+---+---+---+---+\n"
                                   "   |   |   |   | / | \\ |   |   |   |\n"
                                   "7  +---+---+---+---+---+---+---+---+\n"
                                   "   |   |   |   |   |   |   |   |   |\n"
                                   "6  +---+---+---+---+---+---+---+---+\n"
                                   "   |   |   |   |   |   |   |   |   |\n"
                                   "5 [+]--+---+---+---+---+---+--[R]--+\n"
                                   "   | ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ |\n"
                                   "4  +---+---+---+---+---+---+---+---+\n"
                                   "   |   |   |   |   |   |   |   |   |\n"
                                   "3  +---+---+---+---+---+---+---+---+\n"
                                   "   |   |   |   |   |   |   |   |   |\n"
                                   "2  +---+---+---+---+---+---+---+---+\n"
                                   "   |   |   |   | \\ | / |   |   |   |\n"
                                   "1  +---+---+---+---+---+---+---+---+\n"
                                   "   |   |   |   | / | \\ |   |   |   |\n"
                                   "0  +---+---+---+---K---+---+---+---+\n"
                                   "   a/9 b/8 c/7 d/6 e/5 f/4 g/3 h/2 i/1\n";
    xq_pos pos;
    read_good("3k5/9/9/9/7R1/9/9/9/9/4K4 b", &pos);
    char board[RULES_BOARD_SIZE];
    writer w = writer_on(board, sizeof board);
    xq_draw(&pos, &(rules_drawing){.last = move_of(45, 52)}, &w);
    assert_string_equal(board, expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_fens),
        cmocka_unit_test(test_bad_fens),
        cmocka_unit_test(test_fens_of_random_games),
        cmocka_unit_test(test_explanations_match_generator),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_drawing_of_a_small_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
