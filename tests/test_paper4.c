// Paper 4's player: its openings, its material, minimax by the book.
#include "lab/papers/paper4.h"
#include "rules/game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PLIES = 64 };

static rules_state *new_state(const char *fen) {
    const rules_game *g = rules_find(text_of("xiangqi"));
    rules_set set = rules_default_set(g);
    rules_state *s = rules_state_new(malloc(rules_state_size(PLIES)), g, &set, PLIES);
    fault why = {""};
    if (fen && !rules_set_fen(s, text_of(fen), &why))
        fail_msg("%s", why.line);
    return s;
}

static void play(rules_state *s, const char *word) {
    rules_move move;
    fault why = {""};
    if (!rules_parse_move(s, text_of(word), &move, &why) || !rules_play(s, move, &why))
        fail_msg("%s", why.line);
}

static void expect_move(const rules_state *s, rules_move move, const char *word) {
    char shown[RULES_MOVE_SIZE];
    writer w = writer_on(shown, sizeof shown);
    rules_format_move(s, move, NOTATION_NATIVE, &w);
    assert_string_equal(shown, word);
}

// The codes of two moves say what is answered, on either wing.
static void test_answers(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"h2f2", "h9g7"}, {"b2d2", "b9c7"}, {"h2d2", "i9i8"},
                                           {"h2e2", "h7e7"}, {"b2e2", "b7e7"}, {"g3g4", "h7g7"},
                                           {"c3c4", "b7c7"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        rules_state *s = new_state(NULL);
        play(s, pairs[i][0]);
        expect_move(s, paper4_book_move(s, NULL), pairs[i][1]);
        paper4_options options = {.depth = 2, .has_book = true};
        paper4_thought t = paper4_choose(s, &options);
        assert_true(t.is_book);
        expect_move(s, t.move, pairs[i][1]);
        free(s);
    }
}

// Every first move of its codes is answered; others are not.
static void test_first_moves(void **state) {
    (void)state;
    static const char *const firsts[] = {"f0e1", "d0e1", "h0i2", "h2h6", "h2g2",
                                         "h2c2", "i3i4", "a3a4", "h0g2", "b0c2"};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        rules_state *s = new_state(NULL);
        play(s, firsts[i]);
        rng random = {i};
        rules_move move = paper4_book_move(s, &random);
        assert_true(move != MOVE_NONE && rules_is_legal(s, move));
        free(s);
    }
    rules_state *s = new_state(NULL);
    play(s, "e3e4");
    assert_int_equal(paper4_book_move(s, NULL), MOVE_NONE);
    paper4_options options = {.depth = 3, .has_book = true};
    paper4_thought t = paper4_choose(s, &options);
    assert_false(t.is_book);
    assert_true(rules_is_legal(s, t.move));
    free(s);
}

// Red may begin with any of them.
static void test_begins(void **state) {
    (void)state;
    rules_state *s = new_state(NULL);
    int seen[90] = {0}, kinds = 0;
    rng random = {3};
    for (int i = 0; i < 500; i++) {
        rules_move move = paper4_book_move(s, &random);
        assert_true(rules_is_legal(s, move));
        kinds += seen[move_to(move)]++ == 0;
    }
    assert_in_range(kinds, 12, 30);
    free(s);
}

static paper4_thought think(const char *fen, int depth, const char *word) {
    rules_state *s = new_state(fen);
    paper4_options options = {.depth = depth};
    paper4_thought t = paper4_choose(s, &options);
    if (word)
        expect_move(s, t.move, word);
    free(s);
    return t;
}

static void test_points(void **state) {
    (void)state;
    // taking: chariot 18, cannon 9, horse 8, advisor 4, elephant 4, soldier 2, and 4 across
    assert_int_equal(think("4k4/9/9/9/4r4/9/4R4/9/9/3K5 w", 1, "e3e5").points, 18);
    assert_int_equal(think("3k5/9/9/9/4c4/9/4R4/9/9/4K4 w", 1, "e3e5").points, 18);
    assert_int_equal(think("3k5/9/9/4n4/9/9/4R4/9/9/4K4 w", 1, "e3e6").points, 18);
    assert_int_equal(think("3k5/9/9/4n4/4p4/9/4R4/9/9/4K4 w", 1, "e3e5").points, 10);
    assert_int_equal(think("3k5/9/9/9/9/4P4/4n4/9/9/4K4 w", 1, NULL).points, -4);
    assert_int_equal(think("3k5/9/9/9/4P4/9/9/9/9/4K4 w", 1, NULL).points, 4);
    assert_int_equal(think("3k1ab2/9/9/9/9/9/4P4/9/9/4K4 b", 1, NULL).points, 6);
}

static void test_mates(void **state) {
    (void)state;
    paper4_thought t = think("3k5/R8/1R7/8p/9/9/9/9/9/4K4 w", 5, NULL);
    assert_true(t.points > PAPER4_GENERAL);
    assert_int_equal(t.line_length, 1);
    t = think("4k4/9/R8/1R6p/9/9/9/9/9/3K5 w", 5, NULL); // a move more
    assert_true(t.points > PAPER4_GENERAL);
    assert_int_equal(t.line_length, 3);
    // nothing to move: lost
    assert_int_equal(think("3k5/1R7/9/9/9/9/9/9/4R4/4K4 b", 4, NULL).move, MOVE_NONE);
}

// Minimax without any cutting, by the rules' own table.
static int plain_points(rules_state *s, int depth) {
    if (depth == 0) {
        int points = 0;
        for (int p = 0; p < XQ_POINTS; p++) {
            char c = rules_piece_at(s, p);
            const char *const letters = "RCNBAKPrcnbakp";
            static const int values[] = {18, 9, 8, 4, 4, 200, 2};
            const char *at = c == '.' ? NULL : strchr(letters, c);
            if (!at)
                continue;
            int kind = (int)(at - letters);
            int value = values[kind % 7];
            if (c == 'P' && p >= 45)
                value = 4;
            if (c == 'p' && p < 45)
                value = 4;
            points += (kind < 7) == (rules_side_to_move(s) == 0) ? value : -value;
        }
        return points;
    }
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(s, moves), best = -10000;
    for (int i = 0; i < n; i++) {
        fault why;
        assert_true(rules_play(s, moves[i], &why));
        int points = -plain_points(s, depth - 1);
        best = points > best ? points : best;
        rules_undo(s);
    }
    return n ? best : -200 - depth;
}

static void test_against_plain_minimax(void **state) {
    (void)state;
    static const char *const fens[] = {
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
        "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w",
        "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w",
        "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w"};
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++)
        for (int depth = 1; depth <= 3; depth++) {
            rules_state *s = new_state(fens[i]);
            assert_int_equal(think(fens[i], depth, NULL).points, plain_points(s, depth));
            free(s);
        }
}

static bool stop_now(void *asked) {
    ++*(int *)asked;
    return true;
}

static void test_stops(void **state) {
    (void)state;
    rules_state *s = new_state(NULL);
    int asked = 0;
    paper4_options options = {.depth = PAPER4_MAX_DEPTH, .should_stop = stop_now, .of = &asked};
    paper4_thought t = paper4_choose(s, &options);
    assert_int_equal(asked, 1);
    assert_true(rules_is_legal(s, t.move));
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers), cmocka_unit_test(test_first_moves),
        cmocka_unit_test(test_begins),  cmocka_unit_test(test_points),
        cmocka_unit_test(test_mates),   cmocka_unit_test(test_against_plain_minimax),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
