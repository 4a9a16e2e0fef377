// The frozen opponent stays what it is: moves, scores and node counts are held here for good.
#include "lab/papers/paper3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct {
    const char *fen;
    const char *move;
    int depth, score;
    uint64_t nodes;
    bool with_table;
} answer;

static const answer answers[] = {
    {"bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1", "f5-e4", 6, 8, 56829, false},
    {"bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1", "f5-e4", 6, 8, 35219, true},
    {"1b1bb1/bb2bb/2b3/2w1b1/w1ww2/1www1w w 3 9", "d1xe3", 6, 3, 96125, false},
    {"1b1bb1/bb2bb/2b3/2w1b1/w1ww2/1www1w w 3 9", "d1xe3", 6, 3, 66780, true},
    {"b4b/1b2w1/2b3/3w2/1w2b1/w4w b 7 30", "b5xb2", 8, 58, 300173, false},
    {"6/1b2w1/2b3/3w2/1w4/6 b 7 30", "b5xb2", 8, 8, 4931, false},
    {"6/1b2w1/2b3/3w2/1w4/6 b 7 30", "b5xe5", 8, 1, 6197, true},
    {"6/1b4/2b3/3w2/6/6 b 46 60", "c4xd3", 8, 19999, 2432, false},
};

// A state with room for the test's moves; one at a time.
static rules_state *new_game(const char *fen, const char *set_name) {
    static _Alignas(16) char memory[1 << 16];
    const rules_game *game = rules_find(text_of("surakarta"));
    rules_set set;
    fault why;
    assert_true(rules_set_parse(game, text_of(set_name), &set, &why));
    assert_true(rules_state_size(200) <= sizeof memory);
    rules_state *state = rules_state_new(memory, game, &set, 200);
    assert_true(rules_set_fen(state, text_of(fen), &why));
    return state;
}

static void test_answers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const answer *a = &answers[i];
        rules_state *game = new_game(a->fen, "icga");
        paper3 *player = paper3_new(a->with_table);
        assert_non_null(player);
        for (int again = 0; again < 2; again++) {
            paper3_thought t = paper3_choose(player, game, a->depth, NULL);
            char name[RULES_MOVE_SIZE];
            writer out = writer_on(name, sizeof name);
            rules_format_move(game, t.move, NOTATION_NATIVE, &out);
            assert_string_equal(name, a->move);
            assert_int_equal(t.score, a->score);
            assert_int_equal(t.nodes, a->nodes);
            assert_int_equal(t.depth, a->depth);
        }
        paper3_free(player);
    }
}

// The levels of the instruction set play the same.
static void test_levels(void **state) {
    (void)state;
    rules_state *game = new_game(answers[2].fen, "icga");
    paper3 *player = paper3_new_baseline(false);
    paper3_thought t = paper3_choose_baseline(player, game, answers[2].depth, NULL);
    assert_int_equal(t.nodes, answers[2].nodes);
    paper3_free(player);
}

static void test_ends(void **state) {
    (void)state;
    paper3 *player = paper3_new(false);
    // A piece more and the count of plies about to end the game: any step wins.
    paper3_thought t = paper3_choose(player, new_game("b5/b5/6/6/6/5w b 49 60", "icga"), 4, NULL);
    assert_true(t.score > 19000);
    // The same where nothing is counted.
    t = paper3_choose(player, new_game("b5/b5/6/6/6/5w b 49 60", "ccgc"), 1, NULL);
    assert_true(t.score < 1000);
    // Nobody left to take.
    t = paper3_choose(player, new_game("b5/b5/6/6/6/6 w 0 60", "icga"), 4, NULL);
    assert_int_equal(t.move, MOVE_NONE);
    paper3_free(player);
}

static void test_stop(void **state) {
    (void)state;
    atomic_bool stop = true;
    paper3 *player = paper3_new(false);
    rules_state *game = new_game(answers[0].fen, "icga");
    paper3_thought t = paper3_choose(player, game, 20, &stop);
    assert_true(rules_is_legal(game, t.move));
    assert_true(t.depth < 20);
    paper3_free(player);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
