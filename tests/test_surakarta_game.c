// Surakarta through the rules table: the four rule sets, how games end and in what words.
#include "rules/rules.h"
#include "surakarta_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PLIES = 200 };

static const rules_game *game(void) { return rules_find(text_of("surakarta")); }

static rules_state *new_state(const char *rules, const char *fen) {
    rules_set set;
    fault why = {""};
    if (!rules_set_parse(game(), text_of(rules), &set, &why))
        fail_msg("%s", why.line);
    rules_state *s = rules_state_new(malloc(rules_state_size(PLIES)), game(), &set, PLIES);
    if (fen && !rules_set_fen(s, text_of(fen), &why))
        fail_msg("%s", why.line);
    return s;
}

static void play(rules_state *s, const char *moves) {
    text rest = text_of(moves);
    for (text word; (word = text_next_word(&rest)).len;) {
        rules_move move;
        fault why = {""};
        if (!rules_parse_move(s, word, &move, &why) || !rules_play(s, move, &why))
            fail_msg("%.*s: %s", (int)word.len, word.at, why.line);
    }
}

static void expect_result(const rules_state *s, rules_outcome outcome, rules_reason reason,
                          const char *words) {
    rules_verdict v = rules_result(s);
    assert_string_equal(v.words, words);
    assert_int_equal(v.outcome, outcome);
    assert_int_equal(v.reason, reason);
}

static void expect_cycle(const rules_state *s, rules_outcome outcome, const char *words) {
    rules_verdict v;
    assert_true(rules_cycle(s, &v));
    assert_string_equal(v.words, words);
    assert_int_equal(v.outcome, outcome);
    assert_int_equal(v.reason, REASON_REPETITION);
}

// --- rule sets ----------------------------------------------------------------------------------

static void test_sets(void **state) {
    (void)state;
    static const char *const written[][2] = {
        {"icga", "repetition=3,no-capture=50,repetition-end=count,no-capture-end=count,"
                 "no-move-end=count,flag-end=loss"},
        {"olympiad2023", "repetition=2,no-capture=50,repetition-end=count,no-capture-end=count,"
                         "no-move-end=count,flag-end=loss"},
        {"ccgc", "repetition=0,no-capture=0,repetition-end=count,no-capture-end=count,"
                 "no-move-end=count,flag-end=count"},
        {"traditional", "repetition=3,no-capture=0,repetition-end=draw,no-capture-end=draw,"
                        "no-move-end=draw,flag-end=loss"},
    };
    for (int i = 0; i < 4; i++) {
        rules_set set, again;
        fault why = {""};
        assert_string_equal(rules_set_name(game(), i), written[i][0]);
        assert_true(rules_set_parse(game(), text_of(written[i][0]), &set, &why));
        char line[256];
        writer w = writer_on(line, sizeof line);
        rules_set_format(game(), &set, &w);
        assert_string_equal(line, written[i][1]);
        assert_true(rules_set_parse(game(), text_of(line), &again, &why));
        assert_memory_equal(&set, &again, sizeof set);
    }
    assert_null(rules_set_name(game(), 4));
    assert_int_equal(rules_default_set(game()).repetition, 3);
}

static void test_fields(void **state) {
    (void)state;
    rules_set set;
    fault why = {""};
    assert_true(rules_set_parse(
        game(), text_of("traditional,no-capture=40,no-capture-end=count,flag-end=draw"), &set,
        &why));
    assert_int_equal(set.no_capture, 40);
    assert_int_equal(set.no_capture_end, END_COUNT);
    assert_int_equal(set.flag_end, END_DRAW);
    assert_int_equal(set.repetition_end, END_DRAW);
    assert_false(rules_set_parse(game(), text_of("icga,repetition-end=wxf"), &set, &why));
    assert_false(rules_set_parse(game(), text_of("wxf"), &set, &why));
    assert_false(rules_set_parse(game(), text_of("icga,"), &set, &why));
}

// --- ends ---------------------------------------------------------------------------------------

static void test_wiped_out(void **state) {
    (void)state;
    static const char *const rules[] = {"icga", "olympiad2023", "ccgc", "traditional"};
    for (int i = 0; i < 4; i++) {
        rules_state *s = new_state(rules[i], "1b4/w5/6/6/6/6 b 49 80");
        expect_result(s, RULES_ONGOING, REASON_NONE, "");
        play(s, "b6xa5");
        expect_result(s, RULES_FIRST_WINS, REASON_WIPED_OUT, "White has no pieces left");
        rules_move moves[RULES_MAX_MOVES];
        assert_int_equal(rules_legal_moves(s, moves), 0);
        free(s);
    }
    rules_state *s = new_state("icga", "6/6/6/2w3/6/6 w 0 1");
    expect_result(s, RULES_SECOND_WINS, REASON_WIPED_OUT, "Black has no pieces left");
    free(s);
}

#define SHUFFLE "a5-a4 f2-f3 a4-a5 f3-f2 "

static void test_repetition(void **state) {
    (void)state;
    rules_state *s = new_state("icga", NULL);
    rules_verdict v;
    play(s, "a5-a4 f2-f3 a4-a5");
    assert_false(rules_cycle(s, &v));
    play(s, "f3-f2");
    expect_result(s, RULES_ONGOING, REASON_NONE, "");
    expect_cycle(s, RULES_DRAW, "the position repeats: equal pieces, 12 each");
    assert_int_equal(rules_occurrences(s), 2);
    play(s, SHUFFLE);
    assert_int_equal(rules_occurrences(s), 3);
    expect_result(s, RULES_DRAW, REASON_REPETITION, "the position repeats: equal pieces, 12 each");
    free(s);

    s = new_state("olympiad2023", NULL);
    play(s, SHUFFLE);
    expect_result(s, RULES_DRAW, REASON_REPETITION, "the position repeats: equal pieces, 12 each");
    free(s);

    s = new_state("ccgc", NULL);
    play(s, SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE);
    play(s, SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE);
    expect_result(s, RULES_ONGOING, REASON_NONE, "");
    assert_false(rules_cycle(s, &v)); // no rule, no verdict
    free(s);
}

static void test_repetition_counts_pieces(void **state) {
    (void)state;
    const char *fen = "bb4/6/6/6/6/5w w 0 1", *there_and_back = "f1-e1 a6-a5 e1-f1 a5-a6 ";
    rules_state *s = new_state("icga", fen);
    play(s, there_and_back);
    expect_cycle(s, RULES_FIRST_WINS, "the position repeats: Black has more pieces, 2 to 1");
    play(s, there_and_back);
    expect_result(s, RULES_FIRST_WINS, REASON_REPETITION,
                  "the position repeats: Black has more pieces, 2 to 1");
    assert_true(rules_undo(s));
    expect_result(s, RULES_ONGOING, REASON_NONE, "");
    free(s);
    s = new_state("traditional", fen);
    play(s, there_and_back);
    expect_cycle(s, RULES_DRAW, "the position repeats");
    play(s, there_and_back);
    expect_result(s, RULES_DRAW, REASON_REPETITION, "the position repeats");
    free(s);
}

static void test_no_capture(void **state) {
    (void)state;
    const char *fen = "b5/6/6/6/6/4ww w 49 60";
    rules_state *s = new_state("icga", fen);
    expect_result(s, RULES_ONGOING, REASON_NONE, "");
    play(s, "f1-f2");
    expect_result(s, RULES_SECOND_WINS, REASON_NO_CAPTURE,
                  "50 plies without a capture: White has more pieces, 2 to 1");
    free(s);
    s = new_state("icga,no-capture=60", fen);
    play(s, "f1-f2");
    expect_result(s, RULES_ONGOING, REASON_NONE, "");
    free(s);
    s = new_state("icga,no-capture-end=draw", fen);
    play(s, "f1-f2");
    expect_result(s, RULES_DRAW, REASON_NO_CAPTURE, "50 plies without a capture");
    free(s);
    s = new_state("traditional", fen);
    play(s, "f1-f2");
    expect_result(s, RULES_ONGOING, REASON_NONE, "");
    free(s);
}

static void test_no_move(void **state) {
    (void)state;
    const char *fen = "bw4/ww4/6/6/6/6 b 0 1";
    static const struct {
        const char *rules, *words;
        rules_outcome outcome;
    } cases[] = {
        {"icga", "Black has no legal move: White has more pieces, 3 to 1", RULES_SECOND_WINS},
        {"olympiad2023", "Black has no legal move: White has more pieces, 3 to 1",
         RULES_SECOND_WINS},
        {"ccgc", "Black has no legal move: White has more pieces, 3 to 1", RULES_SECOND_WINS},
        {"traditional", "Black has no legal move", RULES_DRAW},
        {"traditional,no-move-end=loss", "Black has no legal move: Black loses", RULES_SECOND_WINS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rules_state *s = new_state(cases[i].rules, fen);
        expect_result(s, cases[i].outcome, REASON_NO_MOVE, cases[i].words);
        free(s);
    }
}

// --- the rest of the table ----------------------------------------------------------------------

static void test_state(void **state) {
    (void)state;
    rules_state *s = new_state("icga", NULL);
    rules_move move;
    fault why = {""};
    uint64_t key = rules_key(s);
    play(s, "CBDC f2-f3 c6-c5");
    assert_int_equal(rules_side_to_move(s), 1);
    assert_int_equal(rules_no_capture_plies(s), 3);
    assert_int_equal(rules_piece_at(s, 15), 'b');
    assert_int_equal(rules_piece_at(s, 14), '.');
    assert_int_equal(rules_piece_at(s, 35), 'w');
    assert_int_equal(rules_piece_count(s, 0), 12);
    assert_false(rules_in_check(s));
    assert_false(rules_parse_move(s, text_of("d4-d5"), &move, &why));
    assert_string_equal(why.line, "the piece on d4 is Black's, and White is to move");
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(s, &w);
    assert_string_equal(fen, "bb1bbb/bbbbbb/3b2/5w/wwwww1/wwwwww w 3 2");
    while (rules_undo(s))
        ;
    assert_int_equal(rules_key(s), key);
    free(s);
}

// Random games through the table end, and taking everything back restores the start.
static void test_random_games(void **state) {
    (void)state;
    rng dice = {3};
    int decided = 0;
    for (int i = 0; i < 200; i++) {
        rules_state *s = new_state("icga", NULL);
        uint64_t key = rules_key(s);
        rules_move moves[RULES_MAX_MOVES];
        fault why;
        for (int n; rules_ply(s) < PLIES && rules_result(s).outcome == RULES_ONGOING;) {
            assert_true((n = rules_legal_moves(s, moves)) > 0);
            int captures = 0;
            while (captures < n && rules_is_capture(s, moves[captures]))
                captures++;
            uint32_t choice = rng_below(&dice, (uint32_t)(captures ? captures : n));
            rules_route routes[4];
            assert_int_equal(rules_capture_routes(s, moves[choice], routes) > 0, captures > 0);
            assert_true(rules_play(s, moves[choice], &why));
        }
        decided += rules_result(s).outcome != RULES_ONGOING;
        while (rules_undo(s))
            ;
        assert_int_equal(rules_key(s), key);
        free(s);
    }
    assert_true(decided > 150);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_wiped_out),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_repetition_counts_pieces),
        cmocka_unit_test(test_no_capture),
        cmocka_unit_test(test_no_move),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_random_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
