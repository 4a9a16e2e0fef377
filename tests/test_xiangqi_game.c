// Xiangqi through the rules table: the three rule sets, how games end and in what words.
#include "rules/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PLIES = 300 };

static const rules_game *game(void) { return rules_find(text_of("xiangqi")); }

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

static void test_sets(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int repetition, no_capture;
        rules_end repetition_end;
    } expected[] = {{"wxf", 3, 120, END_WXF},
                    {"asian", 4, 100, END_ASIAN},
                    {"simple", 3, 120, END_SIMPLE},
                    {"cxa", 3, 120, END_CXA}};
    for (int i = 0; i < 4; i++) {
        rules_set set;
        assert_string_equal(rules_set_name(game(), i), expected[i].name);
        assert_true(rules_set_parse(game(), text_of(expected[i].name), &set, NULL));
        assert_int_equal(set.repetition, expected[i].repetition);
        assert_int_equal(set.no_capture, expected[i].no_capture);
        assert_int_equal(set.repetition_end, expected[i].repetition_end);
        assert_int_equal(set.no_move_end, END_LOSS);
    }
    assert_null(rules_set_name(game(), 4));
}

static void test_mate(void **state) {
    (void)state;
    rules_state *s = new_state("wxf", "3k5/1R7/9/R8/9/9/9/9/9/4K4 w - - 0 1");
    expect_result(s, RULES_ONGOING, REASON_NONE, "");
    play(s, "a6a9");
    assert_true(rules_in_check(s));
    expect_result(s, RULES_FIRST_WINS, REASON_MATE, "Black is mated");
    assert_true(rules_undo(s));
    assert_false(rules_in_check(s));
    expect_result(s, RULES_ONGOING, REASON_NONE, "");
    free(s);
}

static void test_stalemate(void **state) {
    (void)state;
    rules_state *s = new_state("wxf", "3k5/9/9/9/3r2r2/9/9/4p4/9/4K4 b - - 0 1");
    play(s, "g5f5");
    assert_false(rules_in_check(s));
    expect_result(s, RULES_SECOND_WINS, REASON_STALEMATE, "Red has no legal move");
    free(s);
}

// The generals may not face each other: the man between them is held.
static void test_facing(void **state) {
    (void)state;
    rules_state *s = new_state("wxf", "4k4/9/9/9/9/4C4/9/9/9/4K4 w - - 0 1");
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(s, moves), along = 0;
    for (int i = 0; i < n; i++)
        if (move_from(moves[i]) == 4 * 9 + 4) {
            assert_int_equal(move_to(moves[i]) % 9, 4);
            along++;
        }
    assert_int_equal(along, 7); // the points between the generals but its own
    free(s);
}

static void test_no_capture(void **state) {
    (void)state;
    static const struct {
        const char *rules;
        int plies;
        rules_outcome outcome;
        const char *words;
    } cases[] = {{"wxf", 118, RULES_ONGOING, ""},
                 {"wxf", 119, RULES_DRAW, "120 plies without a capture"},
                 {"asian", 98, RULES_ONGOING, ""},
                 {"asian", 99, RULES_DRAW, "100 plies without a capture"},
                 {"wxf,no-capture=none", 500, RULES_ONGOING, ""}};
    for (int i = 0; i < 5; i++) {
        char line[RULES_FEN_SIZE];
        writer w = writer_on(line, sizeof line);
        write_format(&w, "3k5/9/9/9/9/9/9/9/4p4/R4K3 w - - %d 70", cases[i].plies);
        rules_state *s = new_state(cases[i].rules, line);
        play(s, "a0a1");
        assert_int_equal(rules_no_capture_plies(s), cases[i].plies + 1);
        expect_result(s, cases[i].outcome, cases[i].outcome ? REASON_NO_CAPTURE : REASON_NONE,
                      cases[i].words);
        free(s);
    }
}

static void test_repetition(void **state) {
    (void)state;
    rules_state *s = new_state("wxf", NULL);
    rules_verdict v;
    play(s, "h0g2 h9g7 g2h0");
    assert_false(rules_cycle(s, &v));
    play(s, "g7h9");
    assert_int_equal(rules_occurrences(s), 2);
    assert_true(rules_cycle(s, &v));
    assert_int_equal(v.outcome, RULES_DRAW);
    assert_int_equal(rules_result(s).outcome, RULES_ONGOING);
    play(s, "h0g2 h9g7 g2h0 g7h9");
    assert_int_equal(rules_occurrences(s), 3);
    assert_int_equal(rules_result(s).outcome, RULES_DRAW);
    assert_int_equal(rules_result(s).reason, REASON_REPETITION);
    free(s);
}

// Counters run as in the FEN, and undo restores them.
static void test_counters(void **state) {
    (void)state;
    rules_state *s = new_state("wxf", NULL);
    char fen[RULES_FEN_SIZE];
    play(s, "h2e2 h7e7 e2e6");
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(s, &w);
    assert_string_equal(fen, "rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2");
    assert_int_equal(rules_piece_count(s, 1), 15);
    uint64_t key = rules_key(s);
    assert_true(rules_undo(s));
    assert_int_equal(rules_no_capture_plies(s), 2);
    play(s, "e2e6");
    assert_true(rules_key(s) == key);
    while (rules_undo(s))
        continue;
    w = writer_on(fen, sizeof fen);
    rules_format_fen(s, &w);
    assert_string_equal(fen, rules_start_fen(game()));
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),       cmocka_unit_test(test_mate),
        cmocka_unit_test(test_stalemate),  cmocka_unit_test(test_facing),
        cmocka_unit_test(test_no_capture), cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
