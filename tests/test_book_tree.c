// Growing a book: what is asked about, and how opinions come back from the leaves.
#include "games/book_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const book_tree_terms terms = {.plies = 8, .margin = 40, .temperature = 20};

static rules_state *new_state(const char *game, uint32_t plies) {
    const rules_game *g = rules_find(text_of(game));
    rules_set set = rules_default_set(g);
    return rules_state_new(malloc(rules_state_size(plies)), g, &set, plies);
}

static book_tree *new_tree(const char *game) {
    book_tree *t = book_tree_new(rules_find(text_of(game)), &terms);
    assert_non_null(t);
    return t;
}

static rules_move move_in(const rules_state *s, const char *word) {
    rules_move move = MOVE_NONE;
    fault why = {""};
    if (!rules_parse_move(s, text_of(word), &move, &why))
        fail_msg("%s", why.line);
    return move;
}

static void play(rules_state *s, const char *word) {
    fault why;
    assert_true(rules_play(s, move_in(s, word), &why));
}

static void add_line(book_tree *t, const char *game, const char *moves) {
    record_reader reader = record_read(text_of(moves), RECORD_MOVES, rules_find(text_of(game)));
    record r;
    fault why = {""};
    record_init(&r, NULL);
    if (record_next(&reader, &r, &why) != RECORD_OK || !book_tree_add_line(t, &r, &why))
        fail_msg("%s", why.line);
    record_free(&r);
}

static void answer(book_tree *t, rules_state *s, const char *first, int32_t score,
                   const char *second, int32_t other) {
    book_opinion o[2] = {{move_in(s, first), score}};
    if (second)
        o[1] = (book_opinion){move_in(s, second), other};
    assert_true(book_tree_answer(t, s, o, second ? 2 : 1));
}

static book *finish(book_tree *t) {
    book_maker *m = book_maker_new(rules_find(text_of("xiangqi")));
    buffer out = {0};
    fault why = {""};
    book_tree_settle(t);
    assert_true(book_tree_give(t, m) && book_maker_write(m, 0, &out));
    book *b = book_read((text){out.bytes, out.len}, NULL, &why);
    if (!b)
        fail_msg("%s", why.line);
    buffer_free(&out);
    book_maker_free(m);
    return b;
}

// The start first, then the likelier of two moves, then the other one, then what is behind them.
static void test_order(void **state) {
    (void)state;
    book_tree *t = new_tree("xiangqi");
    rules_state *s = new_state("xiangqi", BOOK_TREE_PLIES);
    assert_true(book_tree_next(t, s));
    assert_int_equal(rules_ply(s), 0);
    book_opinion o[] = {{move_in(s, "h2e2"), 30},
                        {move_in(s, "g3g4"), 28},
                        {move_in(s, "b2e2"), 29}, // the first once more
                        {move_in(s, "h2h6"), -50}};
    assert_true(book_tree_answer(t, s, o, 4));
    assert_true(book_tree_next(t, s));
    assert_int_equal(rules_ply(s), 1);
    assert_true(rules_piece_at(s, 22) == 'C'); // e2
    answer(t, s, "h9g7", -20, NULL, 0);
    assert_true(book_tree_next(t, s)); // h2e2 h9g7 is likelier than g3g4
    assert_int_equal(rules_ply(s), 2);
    assert_true(book_tree_answer(t, s, NULL, 0)); // as if the game were over
    assert_true(book_tree_next(t, s));
    assert_int_equal(rules_ply(s), 1);
    assert_true(rules_piece_at(s, 38) == 'P'); // c4: of two wings the first
    assert_int_equal(book_tree_asked(t), 3);
    free(s);
    book_tree_free(t);
}

static void test_back_to_the_start(void **state) {
    (void)state;
    book_tree *t = new_tree("xiangqi");
    rules_state *s = new_state("xiangqi", BOOK_TREE_PLIES);
    assert_true(book_tree_next(t, s));
    answer(t, s, "h2e2", 30, "g3g4", 20);
    assert_true(book_tree_next(t, s)); // h2e2: better for Black than it looked
    answer(t, s, "h9g7", 15, "h7e7", 0);
    rules_state *start = new_state("xiangqi", 4);
    int32_t loss;
    book_tree_settle(t);
    assert_true(book_tree_loss(t, start, move_in(start, "g3g4"), &loss));
    assert_int_equal(loss, 0);
    assert_true(book_tree_loss(t, start, move_in(start, "b2e2"), &loss));
    assert_int_equal(loss, 35);
    assert_false(book_tree_loss(t, start, move_in(start, "h2h6"), &loss));
    book *b = finish(t);
    book_move moves[RULES_MAX_MOVES];
    assert_int_equal(book_moves(b, start, moves), 4);
    assert_int_equal(moves[0].weight, 1000);
    assert_int_equal(moves[2].weight, 173); // 1000 / e^(35/20)
    play(start, "h2e2");
    assert_int_equal(book_moves(b, start, moves), 2);
    assert_int_equal(moves[0].move, move_in(start, "b9c7")); // it was asked in a mirror
    book_free(b);
    free(start);
    free(s);
    book_tree_free(t);
}

// A line's positions come first; a bad move of it stays in the book with weight 0.
static void test_lines(void **state) {
    (void)state;
    book_tree *t = new_tree("xiangqi");
    add_line(t, "xiangqi", "h2h6 h9g7");
    add_line(t, "xiangqi", "b2b6");
    assert_int_equal(book_tree_waiting(t), 3);
    rules_state *s = new_state("xiangqi", BOOK_TREE_PLIES);
    for (int i = 0; i < 3; i++) {
        assert_true(book_tree_next(t, s));
        switch (rules_ply(s)) {
        case 0:
            answer(t, s, "h2e2", 30, "g3g4", 29);
            break;
        case 1:
            answer(t, s, "g6g5", 90, "c6c5", 88);
            break;
        default:
            answer(t, s, "c3c4", -85, "g3g4", -86);
        }
    }
    assert_int_equal(book_tree_waiting(t), 0);
    assert_true(book_tree_next(t, s));
    assert_int_equal(rules_ply(s), 1); // h2e2
    book *b = finish(t);
    rules_state *start = new_state("xiangqi", 4);
    book_move moves[RULES_MAX_MOVES];
    assert_int_equal(book_moves(b, start, moves), 6);
    assert_int_equal(moves[0].weight, 1000);
    assert_int_equal(moves[4].weight, 0);
    assert_int_equal(moves[4].move, move_in(start, "b2b6"));
    play(start, "h2h6");
    assert_int_equal(book_moves(b, start, moves), 3);
    assert_int_equal(moves[0].move, move_in(start, "g6g5"));
    assert_int_equal(moves[2].move, move_in(start, "h9g7"));
    assert_int_equal(moves[2].weight, (int)(1000 / 1.2840)); // e^(5/20)
    book_free(b);
    free(start);
    free(s);
    book_tree_free(t);
}

// An only move at the end of a line is looked behind.
static void test_only_moves(void **state) {
    (void)state;
    book_tree *t = new_tree("xiangqi");
    add_line(t, "xiangqi", "h2e2");
    rules_state *s = new_state("xiangqi", BOOK_TREE_PLIES);
    assert_true(book_tree_next(t, s));
    answer(t, s, "h2e2", 30, "g3g4", 29);
    assert_true(book_tree_next(t, s));
    answer(t, s, "h9g7", 130, "b9c7", 0);
    assert_int_equal(book_tree_waiting(t), 1);
    assert_true(book_tree_next(t, s));
    assert_int_equal(rules_ply(s), 2);
    answer(t, s, "h0g2", 10, "b0c2", 9);
    assert_int_equal(book_tree_waiting(t), 0);
    free(s);
    book_tree_free(t);
}

// An engine of random opinions: the tree ends, and everything in the book can be played.
static void test_random(void **state) {
    (void)state;
    book_tree *t = new_tree("surakarta");
    rules_state *s = new_state("surakarta", BOOK_TREE_PLIES);
    rng random = {11};
    for (int asked = 0; asked < 400 && book_tree_next(t, s); asked++) {
        rules_move moves[RULES_MAX_MOVES];
        book_opinion opinions[3];
        int n = rules_legal_moves(s, moves), count = 0;
        for (; count < 3 && count < n; count++)
            opinions[count] = (book_opinion){moves[rng_below(&random, (uint32_t)n)],
                                             (int32_t)rng_below(&random, 100) - 50};
        assert_true(book_tree_answer(t, s, opinions, count));
    }
    assert_in_range(book_tree_asked(t), 50, 400);
    book_tree_settle(t);
    book_maker *m = book_maker_new(rules_find(text_of("surakarta")));
    buffer out = {0};
    assert_true(book_tree_give(t, m) && book_maker_write(m, 0, &out));
    fault why;
    book *b = book_read((text){out.bytes, out.len}, NULL, &why);
    assert_non_null(b);
    while (rules_undo(s))
        ;
    int plies = 0;
    for (rules_move move; (move = book_probe(b, s, &random)) != MOVE_NONE; plies++)
        assert_true(rules_play(s, move, &why));
    assert_in_range(plies, 2, 30);
    book_free(b);
    buffer_free(&out);
    book_maker_free(m);
    free(s);
    book_tree_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),  cmocka_unit_test(test_back_to_the_start),
        cmocka_unit_test(test_lines),  cmocka_unit_test(test_only_moves),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
