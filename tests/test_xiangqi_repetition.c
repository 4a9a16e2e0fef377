// Cycles and their verdicts: our own cases, composed from the articles of docs/rules-xiangqi.md,
// and the shared collection of rule-book cycles where it lies beside the checkout.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rules/rules.h"

typedef struct {
    const char *what, *fen, *moves, *rules, *verdict, *words;
} cycle_case;

static const cycle_case cases[] = {
    {"chariot checks on two ranks", "3k5/9/9/9/9/9/9/9/R8/4K4 w", "a1a9 d9d8 a9a8 d8d9 a8a9 d9d8",
     "wxf", "black wins", "Red checks without end"},
    {"the same, simple rules", "3k5/9/9/9/9/9/9/9/R8/4K4 w", "a1a9 d9d8 a9a8 d8d9 a8a9 d9d8",
     "simple", "black wins", "Red checks without end"},
    {"both check", "C3c4/9/5k3/4r4/1R3C3/9/7c1/9/4KR3/6r2 w", "f5e5 e6f6 e5f5 f6e6", "wxf", "draw",
     "both sides check without end"},
    {"check against chase", "5k3/9/9/2rc5/6c2/5r3/2C5C/5R3/4K4/3R5 w", "i3f3 f4c4 f3i3 c4f4", "wxf",
     "black wins", "Red checks without end"},
    {"check and idle in turn", "3k5/9/9/9/9/9/9/9/R8/4K4 w",
     "a1a9 d9d8 a9a7 d8d9 a7a9 d9d8 a9a7 d8d9", "wxf", "draw", NULL},
    {"check and chase in turn", "3k5/9/9/9/9/9/7c1/8R/9/4K4 w",
     "i2i9 d9d8 i9i3 h3h2 i3i8 d8d9 i8i2 h2h3", "wxf", "draw",
     "the position repeats and neither side offends"},
    {"chariot chases a cannon", "3k5/9/9/9/9/9/7c1/8R/9/4K4 w", "i2i3 h3h2 i3i2 h2h3", "wxf",
     "black wins", "Red chases the cannon on h3 without end"},
    {"the same by the Asian rules", "3k5/9/9/9/9/9/7c1/8R/9/4K4 w", "i2i3 h3h2 i3i2 h2h3", "asian",
     "black wins", "Red chases the cannon on h3 without end"},
    {"the same, simple rules", "3k5/9/9/9/9/9/7c1/8R/9/4K4 w", "i2i3 h3h2 i3i2 h2h3", "simple",
     "draw", "the position repeats"},
    {"and for Black", "4k4/9/8r/7C1/9/9/9/9/9/3K5 b", "i7i6 h6h7 i6i7 h7h6", "wxf", "red wins",
     "Black chases the cannon on h6 without end"},
    {"two hunters take turns at one victim", "9/3k5/9/9/9/9/9/3c5/1NR6/3K5 w",
     "c1c7 d2d1 c7c1 d1d2", "wxf", "black wins", "Red chases the cannon on d2 without end"},
    {"an elephant's moves let two cannons chase", "3k5/9/9/9/9/6B1C/9/2r5C/9/4K4 w",
     "g4e2 c2c4 e2g4 c4c2", "wxf", "black wins", "Red chases the chariot on c2 without end"},
    {"two victims in turn", "5k3/9/3R5/6c2/9/c8/9/9/9/4K4 w",
     "d7d4 a4a5 d4d6 g6g7 d6d5 a5a4 d5d7 g7g6", "wxf", "draw", NULL},
    {"another victim the second time", "3rkabc1/4a3R/4b4/9/9/9/9/B8/1R2A4/c1BAK4 w",
     "i8h8 h9i9 h8i8 i9h9 b1a1 a0b0 a1b1 b0a0", "wxf", "draw", NULL},
    {"the cannon has a root", "3k5/9/9/7r1/9/9/7c1/8R/9/4K4 w", "i2i3 h3h2 i3i2 h2h3", "wxf",
     "draw", NULL},
    {"a horse is a root", "3k5/8R/3n5/5c3/9/9/9/9/9/4K4 w", "i8i6 f6f8 i6i8 f8f6", "wxf", "draw",
     NULL},
    {"unless a chariot pins it", "3k5/8R/3n5/5c3/9/9/3R5/9/9/4K4 w", "i8i6 f6f8 i6i8 f8f6", "wxf",
     "black wins", "Red chases the cannon on f6 without end"},
    {"or the general does", "3k5/8R/3n5/5c3/9/9/9/9/9/3K5 w", "i8i6 f6f8 i6i8 f8f6", "wxf",
     "black wins", NULL},
    {"the hunter itself is no screen for a root", "5k3/9/9/9/c5c2/3R5/9/9/9/4K4 w",
     "d4d5 g5g4 d5d4 g4g5", "wxf", "black wins", "Red chases the cannon on g5 without end"},
    {"a root does not help a chariot against a horse", "3k5/9/9/9/2r1r4/9/9/3N5/9/5K3 w",
     "d2b3 c5c4 b3d2 c4c5", "wxf", "black wins", "Red chases the chariot on c5 without end"},
    {"chariots offer exchange", "3k5/9/9/9/9/9/9/r8/9/R3K4 w", "a0b0 a2b2 b0a0 b2a2", "wxf", "draw",
     NULL},
    {"a pinned hunter threatens nothing", "5k3/3r5/9/9/6c2/3R5/9/9/9/3K5 w", "d4d5 g5g4 d5d4 g4g5",
     "wxf", "draw", NULL},
    {"kings may hunt", "5k3/9/9/9/9/9/9/9/3K5/4p4 w", "d1e1 e0d0 e1d1 d0e0", "wxf", "draw", NULL},
    {"pawns may hunt", "5k3/9/2c6/3P5/9/9/9/9/9/4K4 w", "d6c6 c7d7 c6d6 d7c7", "wxf", "draw", NULL},
    {"a pawn at home is no prey", "3k5/9/9/6p2/8R/9/9/9/9/4K4 w", "i5i6 d9d8 i6i5 d8d9", "wxf",
     "draw", NULL},
    {"a pawn across the river is", "3k5/5R3/9/9/9/9/9/6p2/9/4K4 w", "f8g8 g2f2 g8f8 f2g2", "wxf",
     "black wins", "Red chases the pawn on g2 without end"},
    {"both chase", "4k4/9/9/9/9/9/9/4B4/C2r1r2C/4KA3 b", "f1f3 f0e1 f3f1 e1f0", "wxf", "draw",
     "both sides chase without end"},
    {"a threat never met is no chase", "3k5/9/9/2R6/1R2c4/9/9/4K4/9/9 w", "c6c5 d9d8 c5c6 d8d9",
     "wxf", "draw", NULL},
    // The Asian rules: a move that checks and chases at once is both.
    {"every move chases the cannon, two of them with check", "4k4/9/3R5/4c4/9/4N4/9/4C4/9/5K3 w",
     "e4g5 e6f6 d7f7 f6d6 f7d7 d6f6 g5e4 f6e6", "wxf", "draw",
     "the position repeats and neither side offends"},
    {"the same, Asian rules", "4k4/9/3R5/4c4/9/4N4/9/4C4/9/5K3 w",
     "e4g5 e6f6 d7f7 f6d6 f7d7 d6f6 g5e4 f6e6", "asian", "black wins",
     "Red chases the cannon on e6 without end"},
    {"the same where the cannon has a root, Asian rules", "4k4/9/3R5/4c4/2n6/4N4/9/4C4/9/5K3 w",
     "e4g5 e6f6 d7f7 f6d6 f7d7 d6f6 g5e4 f6e6", "asian", "draw", NULL},
    {"check and chase in turn, Asian rules", "3k5/9/9/9/9/9/7c1/8R/9/4K4 w",
     "i2i9 d9d8 i9i3 h3h2 i3i8 d8d9 i8i2 h2h3", "asian", "draw", NULL},
    {"two victims in turn, Asian rules", "5k3/9/3R5/6c2/9/c8/9/9/9/4K4 w",
     "d7d4 a4a5 d4d6 g6g7 d6d5 a5a4 d5d7 g7g6", "asian", "draw", NULL},
    {"threats of mate without end, Asian rules", "3k5/R8/9/9/1r7/9/9/9/1R7/4K4 w",
     "b1i1 b5i5 i1b1 i5b5", "asian", "draw", NULL},
    // The Chinese rules: any mix of check, chase and threats of mate is forbidden.
    {"check and chase in turn, Chinese rules", "3k5/9/9/9/9/9/7c1/8R/9/4K4 w",
     "i2i9 d9d8 i9i3 h3h2 i3i8 d8d9 i8i2 h2h3", "cxa", "black wins",
     "Red checks, chases or threatens mate with every move"},
    {"two victims in turn, Chinese rules", "5k3/9/3R5/6c2/9/c8/9/9/9/4K4 w",
     "d7d4 a4a5 d4d6 g6g7 d6d5 a5a4 d5d7 g7g6", "cxa", "black wins",
     "Red checks, chases or threatens mate with every move"},
    {"check and idle in turn, Chinese rules", "3k5/9/9/9/9/9/9/9/R8/4K4 w",
     "a1a9 d9d8 a9a7 d8d9 a7a9 d9d8 a9a7 d8d9", "cxa", "draw", NULL},
    {"one victim, Chinese rules", "3k5/9/9/9/9/9/7c1/8R/9/4K4 w", "i2i3 h3h2 i3i2 h2h3", "cxa",
     "black wins", "Red chases the cannon on h3 without end"},
    {"check against chase, Chinese rules", "5k3/9/9/2rc5/6c2/5r3/2C5C/5R3/4K4/3R5 w",
     "i3f3 f4c4 f3i3 c4f4", "cxa", "black wins", "Red checks without end"},
    {"threats of mate without end", "3k5/R8/9/9/1r7/9/9/9/1R7/4K4 w", "b1i1 b5i5 i1b1 i5b5", "wxf",
     "draw", NULL},
    {"the same, Chinese rules", "3k5/R8/9/9/1r7/9/9/9/1R7/4K4 w", "b1i1 b5i5 i1b1 i5b5", "cxa",
     "black wins", "Red checks, chases or threatens mate with every move"},
    {"nobody does anything, Chinese rules", "4k4/9/4b4/9/9/9/9/8R/9/4K4 w", "i2i3 e9e8 i3i2 e8e9",
     "cxa", "draw", "the position repeats and neither side offends"},
    {"nobody does anything", "3k5/9/9/9/9/9/9/8R/9/4K4 w", "i2i3 d9d8 i3i2 d8d9", "wxf", "draw",
     "the position repeats and neither side offends"},
};

static rules_state *new_state(const char *rules) {
    const rules_game *game = rules_find(text_of("xiangqi"));
    rules_set set;
    fault why;
    assert_true(rules_set_parse(game, text_of(rules), &set, &why));
    return rules_state_new(malloc(rules_state_size(200)), game, &set, 200);
}

// Plays the moves and returns the verdict on the cycle; fails where there is none.
static rules_verdict judge(const char *name, text fen, text moves, const char *rules) {
    rules_state *s = new_state(rules);
    fault why = {""};
    if (!rules_set_fen(s, fen, &why))
        fail_msg("%s: %s", name, why.line);
    for (text word; (word = text_next_word(&moves)).len;) {
        rules_move move;
        if (!rules_parse_move(s, word, &move, &why) || !rules_play(s, move, &why))
            fail_msg("%s: %.*s: %s", name, (int)word.len, word.at, why.line);
    }
    rules_verdict v;
    if (!rules_cycle(s, &v))
        fail_msg("%s: no cycle", name);
    free(s);
    return v;
}

static const char *outcome_word(rules_outcome outcome) {
    static const char *const words[] = {"ongoing", "red wins", "black wins", "draw"};
    return words[outcome];
}

static void own_cases(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const cycle_case *c = &cases[i];
        rules_verdict v = judge(c->what, text_of(c->fen), text_of(c->moves), c->rules);
        if (!text_is(text_of(c->verdict), outcome_word(v.outcome)) ||
            (c->words && !text_is(text_of(c->words), v.words)))
            fail_msg("%s: %s (%s)", c->what, outcome_word(v.outcome), v.words);
    }
}

static void shared_cases(void **state) {
    (void)state;
    FILE *file = fopen(SOURCE_DIR "/../shared/data/xiangqi-repetition.tsv", "r");
    if (!file) {
        print_message("the shared collection is not there: skipped\n");
        skip();
    }
    char line[1024];
    int number = 0, judged = 0, wrong = 0;
    while (fgets(line, sizeof line, file)) {
        number++;
        if (line[0] == '#')
            continue;
        char *moves = strchr(line, '\t'), *wanted = moves ? strchr(moves + 1, '\t') : NULL;
        assert_non_null(wanted);
        text fen = {line, (size_t)(moves - line)};
        text list = {moves + 1, (size_t)(wanted - moves - 1)};
        char name[32];
        snprintf(name, sizeof name, "line %d", number);
        static const char *const sets[] = {"wxf", "asian"}; // they share these diagrams
        for (int i = 0; i < 2; i++) {
            rules_verdict v = judge(name, fen, list, sets[i]);
            judged++;
            if (!text_is(text_trim(text_of(wanted)), outcome_word(v.outcome))) {
                wrong++;
                print_error("line %d, %s: %s (%s), not %s", number, sets[i],
                            outcome_word(v.outcome), v.words, wanted + 1);
            }
        }
    }
    fclose(file);
    print_message("%d of %d verdicts on shared cycles are right\n", judged - wrong, judged);
    assert_int_equal(wrong, 0);
    assert_true(judged > 0);
}

// The game ends at the occurrence the rule set names, and not before.
static void ends_at_the_count(void **state) {
    (void)state;
    static const char *const sets[] = {"wxf", "asian", "wxf,repetition=2"};
    static const int plies[] = {8, 12, 4};
    static const char *const moves[] = {"a0a1", "a9a8", "a1a0", "a8a9"};
    for (int i = 0; i < 3; i++) {
        rules_state *s = new_state(sets[i]);
        int n = 0;
        while (rules_result(s).outcome == RULES_ONGOING) {
            rules_move move;
            fault why;
            assert_true(rules_parse_move(s, text_of(moves[n % 4]), &move, &why));
            assert_true(rules_play(s, move, &why));
            n++;
        }
        assert_int_equal(n, plies[i]);
        assert_int_equal(rules_result(s).outcome, RULES_DRAW);
        assert_int_equal(rules_result(s).reason, REASON_REPETITION);
        while (rules_undo(s))
            ;
        assert_int_equal(rules_result(s).outcome, RULES_ONGOING);
        free(s);
    }
}

// Two rounds of a chase, then one in which nobody does anything. The WXF rules judge after the
// second round, the Asian ones all three together (article 14).
static void judged_together(void **state) {
    (void)state;
    static const char *const moves[] = {"i2i3", "h3h2", "i3i2", "h2h3", "i2i3", "h3h2",
                                        "i3i2", "h2h3", "e0e1", "d9d8", "e1e0", "d8d9"};
    static const struct {
        const char *rules;
        int plies;
        rules_outcome outcome;
    } wanted[] = {{"wxf", 8, RULES_SECOND_WINS}, {"asian", 12, RULES_DRAW}};
    for (int i = 0; i < 2; i++) {
        rules_state *s = new_state(wanted[i].rules);
        fault why;
        assert_true(rules_set_fen(s, text_of("3k5/9/9/9/9/9/7c1/8R/9/4K4 w"), &why));
        int n = 0;
        while (rules_result(s).outcome == RULES_ONGOING) {
            rules_move move;
            assert_true(n < 12);
            assert_true(rules_parse_move(s, text_of(moves[n++]), &move, &why));
            assert_true(rules_play(s, move, &why));
        }
        assert_int_equal(n, wanted[i].plies);
        assert_int_equal(rules_result(s).outcome, wanted[i].outcome);
        free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_cases),
        cmocka_unit_test(shared_cases),
        cmocka_unit_test(ends_at_the_count),
        cmocka_unit_test(judged_together),
    };
    return cmocka_run_group_tests_name("xiangqi repetition", tests, NULL, NULL);
}
