// libkraton as a program uses it: positions, notations, verdicts, records, tables, and many threads
// at once. The installed library is tried by tests/cli/install.sh, its names by tests/cli/abi.sh.
#include "lib/kraton.h"
#include "os/thread.h"
#include "tables_made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static tables_made made;

static kraton_position *start(const char *game) {
    kraton_position *p = kraton_position_new(kraton_game_find(game), NULL, NULL, NULL);
    assert_non_null(p);
    return p;
}

static void assert_fen(const kraton_position *p, const char *fen) {
    char now[128];
    assert_int_equal(kraton_position_fen(p, now, sizeof now), strlen(fen));
    assert_string_equal(now, fen);
}

static void test_games(void **state) {
    (void)state;
    assert_int_equal(kraton_version_number(), KRATON_VERSION_NUMBER);
    assert_null(kraton_game_find("chess"));
    assert_null(kraton_game_nth(2));
    assert_null(kraton_game_nth(-1));
    const kraton_game *game = kraton_game_find("xiangqi");
    assert_string_equal(kraton_game_name(game), "xiangqi");
    assert_string_equal(kraton_game_side_name(game, 0), "Red");
    assert_null(kraton_game_side_name(game, 2));
    assert_int_equal(kraton_game_files(game) * kraton_game_ranks(game), 90);
    assert_int_equal(kraton_game_first_rank(game), 0);
    assert_non_null(kraton_game_rules_nth(game, 0));
    assert_int_equal(kraton_game_notation_nth(game, 0), KRATON_NOTATION_NATIVE);
    assert_int_equal(kraton_game_notation_nth(game, 99), KRATON_NOTATION_ANY);
    assert_string_equal(kraton_notation_name(KRATON_NOTATION_WXF), "wxf");
    assert_null(kraton_notation_name(KRATON_NOTATION_ANY));
}

static void test_moves(void **state) {
    (void)state;
    kraton_position *p = start("xiangqi");
    kraton_move moves[KRATON_MAX_MOVES], move;
    kraton_error error;
    char word[32];
    assert_int_equal(kraton_position_legal_moves(p, moves), 44);
    assert_true(kraton_position_parse(p, "C2=5", KRATON_NOTATION_ANY, &move, NULL));
    assert_int_equal(kraton_position_format(p, move, KRATON_NOTATION_NATIVE, word, sizeof word), 4);
    assert_string_equal(word, "h2e2");
    assert_int_equal(kraton_position_format(p, move, KRATON_NOTATION_CHINESE, NULL, 0), 12);
    assert_int_equal(kraton_position_format(p, move, KRATON_NOTATION_SAU, word, sizeof word), 0);
    assert_string_equal(word, "");
    assert_int_equal(kraton_position_format(p, 0xffff, KRATON_NOTATION_WXF, word, sizeof word), 0);
    assert_false(kraton_position_parse(p, "h2h9", KRATON_NOTATION_WXF, &move, &error));
    assert_true(strlen(error.line) > 0);
    assert_false(kraton_position_is_legal(p, 0xffff));
    assert_false(kraton_position_play(p, 0xffff, &error));
    assert_true(kraton_position_play(p, move, NULL));
    assert_int_equal(kraton_position_side_to_move(p), 1);
    assert_int_equal(kraton_position_move_at(p, 0), move);
    assert_int_equal(kraton_position_move_at(p, 1), KRATON_NO_MOVE);
    assert_true(kraton_position_undo(p));
    assert_false(kraton_position_undo(p));
    assert_fen(p, kraton_game_start_fen(kraton_position_game(p)));
    const kraton_game *game = kraton_position_game(p);
    assert_int_equal(kraton_position_piece_at(p, kraton_game_point(game, "a9")), 'r');
    assert_int_equal(kraton_move_from(move), kraton_game_point(game, "h2"));
    assert_int_equal(kraton_game_point(game, "j2"), -1);
    assert_int_equal(kraton_game_point(game, "a10"), -1);
    assert_int_equal(kraton_game_square(game, kraton_move_to(move), word, sizeof word), 2);
    assert_string_equal(word, "e2");
    assert_int_equal(kraton_game_square(game, 90, word, sizeof word), 0);
    assert_int_equal(kraton_game_point(kraton_game_find("surakarta"), "a6"), 0);
    assert_int_equal(kraton_position_piece_at(p, 90), '.');
    assert_int_equal(kraton_position_perft(p, 2, NULL), 1920);
    kraton_position_free(p);
}

// The history grows as it must; a copy is another game.
static void test_long_game(void **state) {
    (void)state;
    kraton_position *p = start("xiangqi");
    for (int i = 0; i < 100; i++)
        assert_true(kraton_position_play_line(p, "a0a1 a9a8 a1a0 a8a9", KRATON_NOTATION_NATIVE,
                                              NULL, NULL, NULL));
    assert_int_equal(kraton_position_ply(p), 400);
    assert_int_equal(kraton_position_occurrences(p), 101);
    kraton_position *copy = kraton_position_copy(p);
    assert_true(kraton_position_undo(copy));
    assert_int_equal(kraton_position_ply(p), 400);
    assert_int_equal(kraton_position_ply(copy), 399);
    assert_true(kraton_position_reserve(copy, 65535));
    assert_false(kraton_position_reserve(copy, 65536));
    assert_int_equal(kraton_position_ply(copy), 399);
    kraton_position_free(copy);
    kraton_position_free(p);
}

static void test_bad_setup(void **state) {
    (void)state;
    kraton_error error = {""};
    const kraton_game *game = kraton_game_find("surakarta");
    assert_null(kraton_position_new(game, NULL, "nonsense", &error));
    assert_true(strlen(error.line) > 0);
    assert_null(kraton_position_new(game, "no-such-rules", NULL, &error));
    assert_non_null(strstr(error.line, "no-such-rules"));
    kraton_position *p = start("surakarta");
    assert_false(kraton_position_set_fen(p, "", NULL));
    assert_fen(p, kraton_game_start_fen(game));
    kraton_position_free(p);
}

static void test_verdicts(void **state) {
    (void)state;
    kraton_error error;
    kraton_verdict v;
    uint32_t after;
    kraton_position *p =
        kraton_position_new(kraton_game_find("xiangqi"), NULL,
                            "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1", &error);
    assert_true(kraton_position_play_line(p, "h8h9 f9f8 h9h8 f8f9 h8h9 f9f8", KRATON_NOTATION_ANY,
                                          &v, &after, &error));
    assert_int_equal(v.outcome, KRATON_ONGOING);
    assert_true(kraton_position_cycle(p, &v));
    assert_int_equal(v.outcome, KRATON_SECOND_WINS);
    assert_int_equal(v.reason, KRATON_REASON_PERPETUAL_CHECK);
    assert_string_equal(v.words, "Red checks without end");
    assert_string_equal(kraton_position_first_fen(p),
                        "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1");
    assert_false(kraton_position_play_line(p, "h9h8 x", KRATON_NOTATION_ANY, &v, &after, &error));
    assert_non_null(strstr(error.line, "move 8, "));
    kraton_position_free(p);
}

static void test_drawing_and_names(void **state) {
    (void)state;
    kraton_position *p = start("xiangqi");
    char board[8192], little[8];
    kraton_opening opening;
    size_t size = kraton_position_draw(p, KRATON_DRAW_UNICODE, board, sizeof board);
    assert_int_equal(size, strlen(board));
    assert_int_equal(kraton_position_draw(p, KRATON_DRAW_UNICODE, little, sizeof little), size);
    assert_int_equal(strlen(little), sizeof little - 1);
    assert_false(kraton_position_opening(p, &opening));
    assert_true(kraton_position_play_line(p, "h2e2 h9g7", KRATON_NOTATION_ANY, NULL, NULL, NULL));
    assert_true(kraton_position_opening(p, &opening));
    assert_true(strlen(opening.code) > 0 && strlen(opening.english) > 0);
    kraton_position_free(p);
}

// Black captures round a loop.
static const char won[] = "6/1b4/6/6/4w1/6 b 0 1";

static void test_routes(void **state) {
    (void)state;
    kraton_position *p = start("surakarta");
    kraton_route routes[4];
    kraton_move moves[KRATON_MAX_MOVES];
    assert_true(kraton_position_set_fen(p, won, NULL));
    int n = kraton_position_legal_moves(p, moves), captures = 0;
    for (int i = 0; i < n; i++)
        if (kraton_position_is_capture(p, moves[i])) {
            captures++;
            assert_true(kraton_position_routes(p, moves[i], routes) >= 1);
            assert_int_equal(routes[0].point[0], kraton_move_from(moves[i]));
            assert_int_equal(routes[0].point[routes[0].count - 1], kraton_move_to(moves[i]));
            assert_true(routes[0].loops >= 1);
        }
    assert_true(captures > 0);
    kraton_position_free(p);
}

static void test_records(void **state) {
    (void)state;
    kraton_position *p = start("xiangqi");
    kraton_error error;
    assert_true(
        kraton_position_play_line(p, "h2e2 h9g7 h0g2", KRATON_NOTATION_ANY, NULL, NULL, NULL));
    kraton_record *r = kraton_record_of_position(p),
                  *again = kraton_record_new(kraton_position_game(p));
    assert_true(kraton_record_set(r, "First", "Ann", &error));
    assert_true(kraton_record_set(r, "Round", "7", &error));
    assert_false(kraton_record_set(r, "a b", "7", &error));
    assert_false(kraton_record_set(r, "FEN", "nonsense", &error));
    kraton_record_set_result(r, KRATON_FIRST_WINS);
    size_t size;
    char *pgn = kraton_record_write(r, KRATON_FORMAT_PGN, KRATON_NOTATION_WXF, &size, &error);
    assert_non_null(pgn);
    assert_int_equal(strlen(pgn), size);
    assert_non_null(strstr(pgn, "C2=5"));
    kraton_reader *reader = kraton_reader_new(pgn, size, KRATON_FORMAT_DETECT, NULL);
    assert_int_equal(kraton_reader_format(reader), KRATON_FORMAT_PGN);
    assert_int_equal(kraton_reader_next(reader, again, &error), KRATON_READ_OK);
    assert_string_equal(kraton_record_get(again, "First"), "Ann");
    assert_string_equal(kraton_record_get(again, "Round"), "7");
    assert_string_equal(kraton_record_get(again, "FEN"), "");
    assert_null(kraton_record_get(again, "None"));
    assert_non_null(kraton_record_tag_nth(again, 0));
    assert_null(kraton_record_tag_nth(again, 99));
    assert_int_equal(kraton_record_result(again), KRATON_FIRST_WINS);
    assert_int_equal(kraton_record_move_count(again), 3);
    assert_int_equal(kraton_record_move_at(again, 2), kraton_position_move_at(p, 2));
    assert_int_equal(kraton_reader_next(reader, again, &error), KRATON_READ_END);
    kraton_reader_free(reader);
    kraton_free(pgn);
    int formats = 0;
    while (kraton_format_name((kraton_format)formats))
        formats++;
    assert_int_equal(formats, KRATON_FORMAT_DPXQ + 1); // the last of the enum
    pgn = kraton_record_write(r, KRATON_FORMAT_XQF, KRATON_NOTATION_ANY, &size, &error);
    assert_non_null(pgn);
    reader = kraton_reader_new(pgn, size, KRATON_FORMAT_DETECT, NULL);
    assert_int_equal(kraton_reader_format(reader), KRATON_FORMAT_XQF);
    assert_int_equal(kraton_reader_next(reader, again, &error), KRATON_READ_OK);
    assert_int_equal(kraton_record_move_count(again), 3);
    kraton_reader_free(reader);
    kraton_free(pgn);
    assert_null(kraton_record_write(r, KRATON_FORMAT_CBL, KRATON_NOTATION_ANY, NULL, &error));
    assert_true(strlen(error.line) > 0);
    assert_null(kraton_record_write(r, KRATON_FORMAT_PGN, KRATON_NOTATION_SAU, NULL, &error));
    // A move that is not legal is found where the record is written.
    assert_true(kraton_record_add_move(r, kraton_move_of(0, 89)));
    assert_null(kraton_record_write(r, KRATON_FORMAT_JSON, KRATON_NOTATION_ANY, NULL, &error));
    kraton_record_free(again);
    kraton_record_free(r);
    kraton_position_free(p);
}

static void test_bad_records(void **state) {
    (void)state;
    static const char lines[] = "h2e2 h9g7\nh2e2 nonsense\nb2e2\n";
    const kraton_game *game = kraton_game_find("xiangqi");
    kraton_reader *reader = kraton_reader_new(lines, sizeof lines - 1, KRATON_FORMAT_MOVES, game);
    kraton_record *r = kraton_record_new(game);
    kraton_error error;
    assert_int_equal(kraton_reader_next(reader, r, &error), KRATON_READ_OK);
    assert_int_equal(kraton_reader_next(reader, r, &error), KRATON_READ_BAD);
    assert_non_null(strstr(error.line, "line 2"));
    assert_int_equal(kraton_reader_next(reader, r, NULL), KRATON_READ_OK);
    assert_int_equal(kraton_reader_next(reader, r, NULL), KRATON_READ_END);
    kraton_record_free(r);
    kraton_reader_free(reader);
}

// --- tables -------------------------------------------------------------------------------------

static void test_tables(void **state) {
    (void)state;
    kraton_error error;
    assert_null(kraton_tables_open("/no/such/folder", "count", 0, NULL, NULL, &error));
    assert_non_null(strstr(error.line, "/no/such/folder"));
    assert_null(kraton_tables_open(made.dir, "nonsense", 0, NULL, NULL, &error));
    kraton_tables *t = kraton_tables_open(made.dir, "icga", 0, NULL, NULL, &error);
    assert_non_null(t);
    assert_int_equal(kraton_tables_pieces(t), MADE_PIECES);
    kraton_position *p = kraton_position_new(kraton_game_find("surakarta"), NULL, won, &error);
    if (!p)
        fail_msg("%s", error.line);
    int distance;
    kraton_table_move moves[KRATON_MAX_MOVES];
    int value = kraton_tables_probe(t, p, &distance);
    assert_int_equal(value, kraton_tables_value(t, 1ULL << 7, 1ULL << 28));
    assert_int_equal(value, kraton_tables_value_at(kraton_tables_find(t, 1ULL << 7, 1ULL << 28)));
    assert_int_equal(distance, kraton_tables_distance(t, 1ULL << 7, 1ULL << 28));
    int n = kraton_tables_moves(t, p, moves);
    kraton_move legal[KRATON_MAX_MOVES];
    assert_int_equal(n, kraton_position_legal_moves(p, legal));
    assert_int_equal(moves[0].value, value);
    kraton_split split;
    assert_true(kraton_tables_nth(t, 0, &split));
    assert_int_equal(split.movers + split.others, 2);
    assert_false(kraton_tables_nth(t, 99, &split));
    kraton_position *other = start("xiangqi");
    assert_int_equal(kraton_tables_probe(t, other, &distance), KRATON_UNKNOWN);
    assert_int_equal(kraton_tables_moves(t, other, moves), -1);
    kraton_position_free(other);
    kraton_position_free(p);
    kraton_tables_close(t);
}

// --- refusals -----------------------------------------------------------------------------------

// A call with NULL fails and says so.
#define ASSERT_REFUSED(call, words)                                                                \
    do {                                                                                           \
        kraton_error error = {""};                                                                 \
        assert_false(call);                                                                        \
        assert_string_equal(error.line, words);                                                    \
    } while (0)

static void test_null_refused(void **state) {
    (void)state;
    kraton_position *p = start("xiangqi");
    const kraton_game *game = kraton_position_game(p);
    kraton_record *r = kraton_record_new(game);
    kraton_reader *reader = kraton_reader_new("h2e2", 4, KRATON_FORMAT_MOVES, game);
    kraton_move move;
    ASSERT_REFUSED(kraton_position_new(kraton_game_find("xianqi"), NULL, NULL, &error),
                   "NULL game");
    ASSERT_REFUSED(kraton_position_set_fen(NULL, won, &error), "NULL position");
    ASSERT_REFUSED(kraton_position_set_fen(p, NULL, &error), "NULL FEN");
    ASSERT_REFUSED(kraton_position_play(NULL, 4, &error), "NULL position");
    ASSERT_REFUSED(kraton_position_parse(NULL, "h2e2", -1, &move, &error), "NULL position");
    ASSERT_REFUSED(kraton_position_parse(p, NULL, -1, &move, &error), "NULL word");
    ASSERT_REFUSED(kraton_position_parse(p, "h2e2", -1, NULL, &error), "NULL move");
    ASSERT_REFUSED(kraton_position_play_line(NULL, "h2e2", -1, NULL, NULL, &error),
                   "NULL position");
    ASSERT_REFUSED(kraton_position_play_line(p, NULL, -1, NULL, NULL, &error), "NULL line");
    ASSERT_REFUSED(kraton_record_set(NULL, "First", "Ann", &error), "NULL record");
    ASSERT_REFUSED(kraton_record_set(r, NULL, "Ann", &error), "NULL name");
    ASSERT_REFUSED(kraton_record_set(r, "First", NULL, &error), "NULL value");
    ASSERT_REFUSED(kraton_record_write(NULL, KRATON_FORMAT_PGN, -1, NULL, &error), "NULL record");
    ASSERT_REFUSED(kraton_reader_next(NULL, r, &error), "NULL reader");
    ASSERT_REFUSED(kraton_reader_next(reader, NULL, &error), "NULL record");
    ASSERT_REFUSED(kraton_tables_open(NULL, NULL, 0, NULL, NULL, &error), "NULL folder");
    kraton_reader_free(reader);
    kraton_record_free(r);
    kraton_position_free(p);
}

// Without a line for errors NULL gives what nothing is worth.
static void test_null_games_and_positions(void **state) {
    (void)state;
    kraton_position *p = start("surakarta");
    const kraton_game *game = kraton_position_game(p);
    kraton_move moves[KRATON_MAX_MOVES];
    kraton_route routes[4];
    kraton_verdict verdict;
    kraton_opening opening;
    char out[8] = "x";
    assert_null(kraton_game_find(NULL));
    assert_null(kraton_game_name(NULL));
    assert_null(kraton_game_title(NULL));
    assert_null(kraton_game_side_name(NULL, 0));
    assert_null(kraton_game_start_fen(NULL));
    assert_null(kraton_game_rules_nth(NULL, 0));
    assert_int_equal(kraton_game_notation_nth(NULL, 0), KRATON_NOTATION_ANY);
    assert_int_equal(kraton_game_files(NULL) + kraton_game_ranks(NULL), 0);
    assert_int_equal(kraton_game_first_rank(NULL), 0);
    assert_int_equal(kraton_game_point(NULL, "a1"), -1);
    assert_int_equal(kraton_game_point(game, NULL), -1);
    assert_int_equal(kraton_game_square(NULL, 0, out, sizeof out), 0);
    assert_null(kraton_position_copy(NULL));
    assert_false(kraton_position_reserve(NULL, 9));
    assert_null(kraton_position_game(NULL));
    assert_int_equal(kraton_position_rules(NULL, out, sizeof out), 0);
    assert_int_equal(kraton_position_fen(NULL, out, sizeof out), 0);
    assert_int_equal(kraton_position_draw(NULL, 0, out, sizeof out), 0);
    assert_int_equal(kraton_position_format(NULL, 1, KRATON_NOTATION_NATIVE, out, sizeof out), 0);
    assert_string_equal(out, "");
    assert_true(kraton_position_fen(p, NULL, sizeof out) > 0);
    assert_null(kraton_position_first_fen(NULL));
    assert_int_equal(kraton_position_side_to_move(NULL), 0);
    assert_int_equal(kraton_position_ply(NULL), 0);
    assert_int_equal(kraton_position_move_at(NULL, 0), KRATON_NO_MOVE);
    assert_int_equal(kraton_position_key(NULL), 0);
    assert_int_equal(kraton_position_piece_at(NULL, 0), '.');
    assert_int_equal(kraton_position_piece_count(NULL, 0), 0);
    assert_false(kraton_position_in_check(NULL));
    assert_int_equal(kraton_position_occurrences(NULL), 0);
    assert_int_equal(kraton_position_no_capture_plies(NULL), 0);
    assert_int_equal(kraton_position_legal_moves(NULL, moves), 0);
    assert_int_equal(kraton_position_legal_moves(p, NULL), 0);
    assert_false(kraton_position_is_legal(NULL, 1) || kraton_position_is_capture(NULL, 1));
    assert_int_equal(kraton_position_routes(NULL, 1, routes), 0);
    assert_int_equal(kraton_position_perft(NULL, 1, NULL), 0);
    assert_false(kraton_position_undo(NULL));
    assert_int_equal(kraton_position_result(NULL).outcome, KRATON_ONGOING);
    assert_false(kraton_position_cycle(NULL, &verdict) || kraton_position_cycle(p, NULL));
    assert_false(kraton_position_opening(NULL, &opening) || kraton_position_opening(p, NULL));
    kraton_position_free(p);
}

static void test_null_records_and_tables(void **state) {
    (void)state;
    kraton_position *p = start("surakarta");
    kraton_record *r = kraton_record_new(kraton_position_game(p));
    kraton_tables *t = kraton_tables_open(made.dir, NULL, 0, NULL, NULL, NULL);
    kraton_table_move moves[KRATON_MAX_MOVES];
    kraton_split split;
    char out[8];
    int distance;
    assert_null(kraton_record_new(NULL));
    assert_null(kraton_record_of_position(NULL));
    assert_null(kraton_record_game(NULL));
    assert_null(kraton_record_get(NULL, "First"));
    assert_null(kraton_record_get(r, NULL));
    assert_null(kraton_record_tag_nth(NULL, 0));
    assert_int_equal(kraton_record_result(NULL), KRATON_ONGOING);
    kraton_record_set_result(NULL, KRATON_DRAW);
    assert_int_equal(kraton_record_move_count(NULL), 0);
    assert_int_equal(kraton_record_move_at(NULL, 0), KRATON_NO_MOVE);
    assert_false(kraton_record_add_move(NULL, 1));
    assert_int_equal(kraton_record_file_name(NULL, KRATON_FORMAT_PGN, 1, out, sizeof out), 0);
    assert_null(kraton_reader_new(NULL, 10, KRATON_FORMAT_DETECT, NULL));
    assert_int_equal(kraton_reader_format(NULL), KRATON_FORMAT_DETECT);
    assert_int_equal(kraton_tables_pieces(NULL) + kraton_tables_longest(NULL), 0);
    assert_int_equal(kraton_tables_probe(NULL, p, &distance), KRATON_UNKNOWN);
    assert_int_equal(distance, KRATON_NO_DISTANCE);
    assert_int_equal(kraton_tables_probe(t, NULL, NULL), KRATON_UNKNOWN);
    assert_int_equal(kraton_tables_moves(NULL, p, moves), -1);
    assert_int_equal(kraton_tables_moves(t, NULL, moves), -1);
    assert_int_equal(kraton_tables_moves(t, p, NULL), -1);
    assert_int_equal(kraton_tables_value(NULL, 1, 2), KRATON_UNKNOWN);
    assert_int_equal(kraton_tables_distance(NULL, 1, 2), KRATON_NO_DISTANCE);
    assert_int_equal(kraton_tables_value_at(kraton_tables_find(NULL, 1, 2)), KRATON_UNKNOWN);
    assert_false(kraton_tables_nth(NULL, 0, &split) || kraton_tables_nth(t, 0, NULL));
    kraton_tables_close(t);
    kraton_record_free(r);
    kraton_position_free(p);
}

// A record holds only what can be written.
static void test_bad_values(void **state) {
    (void)state;
    kraton_record *r = kraton_record_new(kraton_game_find("xiangqi"));
    kraton_record_set_result(r, KRATON_DRAW);
    kraton_record_set_result(r, (kraton_outcome)99);
    assert_int_equal(kraton_record_result(r), KRATON_DRAW);
    char *pgn = kraton_record_write(r, KRATON_FORMAT_PGN, KRATON_NOTATION_ANY, NULL, NULL);
    assert_non_null(pgn);
    kraton_free(pgn);
    ASSERT_REFUSED(kraton_record_set(r, "First", "\xff\xfe", &error), "the value is not UTF-8");
    ASSERT_REFUSED(kraton_record_set(r, "Round", "\xff\xfe", &error), "the value is not UTF-8");
    assert_string_equal(kraton_record_get(r, "First"), "");
    kraton_record_free(r);
}

// A line that is too long ends with a whole character, wherever the end falls.
static void test_errors_are_utf8(void **state) {
    (void)state;
    for (int shift = 0; shift < 3; shift++) {
        char folder[400] = "";
        kraton_error error;
        memset(folder, 'x', (size_t)shift);
        for (int i = 0; i < 100; i++)
            strcat(folder, "表");
        assert_null(kraton_tables_open(folder, "count", 0, NULL, NULL, &error));
        assert_int_equal((strlen(error.line) - (size_t)shift) % 3, 0);
        assert_int_equal(strncmp(error.line, folder, strlen(error.line)), 0);
        assert_true(strlen(error.line) > 250);
    }
}

// --- threads ------------------------------------------------------------------------------------

enum { THREADS = 4 };

typedef struct {
    kraton_tables *tables;         // asked by all
    const kraton_position *common; // read by all
    uint64_t sum;
} worker_part;

// Everything the header allows at once: objects of one's own, and common ones that are only read.
static void work(void *argument) {
    worker_part *part = argument;
    kraton_position *own = kraton_position_copy(part->common);
    kraton_opening opening;
    for (int i = 0; own && i < 50; i++) {
        kraton_move moves[KRATON_MAX_MOVES];
        int n = kraton_position_legal_moves(part->common, moves);
        part->sum += (uint64_t)n + kraton_position_key(part->common);
        if (kraton_position_play(own, moves[i % n], NULL)) {
            part->sum += kraton_position_key(own) + kraton_position_opening(own, &opening);
            kraton_position_undo(own);
        }
        uint64_t a = 1ULL << (i % 35), b = 1ULL << 35;
        part->sum += (uint64_t)(kraton_tables_value(part->tables, a, b) + 2) +
                     (uint64_t)(kraton_tables_distance(part->tables, a, b) + 2);
    }
    kraton_position_free(own);
}

static void test_threads(void **state) {
    (void)state;
    kraton_position *p = start("xiangqi");
    kraton_tables *t = kraton_tables_open(made.dir, NULL, 0, NULL, NULL, NULL);
    os_thread threads[THREADS];
    worker_part parts[THREADS];
    for (int i = 0; i < THREADS; i++) {
        parts[i] = (worker_part){.tables = t, .common = p};
        assert_true(os_thread_start(&threads[i], work, &parts[i]));
    }
    for (int i = 0; i < THREADS; i++)
        os_thread_join(&threads[i]);
    for (int i = 1; i < THREADS; i++)
        assert_true(parts[i].sum == parts[0].sum);
    kraton_tables_close(t);
    kraton_position_free(p);
}

static int make_tables(void **state) {
    (void)state;
    return made_write(&made) ? 0 : -1;
}

static int remove_tables(void **state) {
    (void)state;
    made_remove(&made);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_long_game),
        cmocka_unit_test(test_bad_setup),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_drawing_and_names),
        cmocka_unit_test(test_routes),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_bad_records),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_null_refused),
        cmocka_unit_test(test_null_games_and_positions),
        cmocka_unit_test(test_null_records_and_tables),
        cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_errors_are_utf8),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, make_tables, remove_tables);
}
