// The exchange value against exchanges played out on the reference's board.
#include "lab/bench/known.h"
#include "rules/xiangqi/reference.h"
#include "rules/xiangqi/see.h"
#include "xiangqi_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int value_of(int number) { return xq_plain_values[xq_reference_type[number]]; }

// The legal captures on a square.
static int find_takers(xq_reference *pos, int square, rules_move takers[XQR_CAPTURES]) {
    xq_reference_list list;
    xq_reference_generate(pos, &list);
    int n = 0;
    for (int i = 0; i < list.captures; i++)
        if (move_to(list.moves[i]) == square)
            takers[n++] = list.moves[i];
    return n;
}

static int cheapest_of(const xq_reference *pos, const rules_move *takers, int n) {
    int best = 0;
    for (int i = 1; i < n; i++) {
        int a = value_of(pos->board[move_from(takers[i])]);
        int b = value_of(pos->board[move_from(takers[best])]);
        if (a < b ||
            (a == b && xq_reference_to_points(takers[i]) < xq_reference_to_points(takers[best])))
            best = i;
    }
    return best;
}

// The best the side to move gets by taking on the square or not: with its cheapest man, or with
// any.
static int exchange(xq_reference *pos, int square, bool any) {
    rules_move takers[XQR_CAPTURES];
    int n = find_takers(pos, square, takers), best = 0;
    int cheapest = n ? cheapest_of(pos, takers, n) : 0;
    for (int i = 0; i < n; i++) {
        if (!any && i != cheapest)
            continue;
        uint16_t quiet = pos->quiet;
        int captured = xq_reference_make(pos, takers[i]);
        int score = value_of(captured) - exchange(pos, square, any);
        xq_reference_undo(pos, takers[i], captured, quiet);
        best = score > best ? score : best;
    }
    return best;
}

static int play_out(xq_reference *pos, rules_move move, bool any) {
    uint16_t quiet = pos->quiet;
    int captured = xq_reference_make(pos, move);
    int score = value_of(captured) - exchange(pos, move_to(move), any);
    xq_reference_undo(pos, move, captured, quiet);
    return score;
}

// Compares every move of a position; counts those where another order of taking does better.
static void check_position(const xq_pos *pos, int *moves, int *other_orders) {
    xq_reference reference;
    xq_reference_list list;
    xq_reference_set_up(&reference, pos, true);
    xq_reference_generate(&reference, &list);
    for (int i = 0; i < list.captures + list.quiets; i++) {
        rules_move move = list.moves[i < list.captures ? i : XQR_CAPTURES + i - list.captures];
        int see = xq_see(pos, xq_reference_to_points(move), xq_plain_values);
        int expected = play_out(&reference, move, false);
        if (see != expected) {
            char fen[RULES_FEN_SIZE], name[RULES_MOVE_SIZE];
            writer f = writer_on(fen, sizeof fen), m = writer_on(name, sizeof name);
            xq_format_fen(pos, &f);
            xq_format_move(pos, xq_reference_to_points(move), NOTATION_ICCS, &m);
            fail_msg("%s is worth %d, not %d, at %s", name, expected, see, fen);
        }
        *other_orders += see != play_out(&reference, move, true);
        ++*moves;
    }
}

static void test_random(void **state) {
    (void)state;
    rng r = {3};
    int moves = 0, other_orders = 0;
    for (int game = 0; game < 20; game++) {
        xq_pos pos;
        assert_true(xq_parse_fen(&pos, text_of(XIANGQI_START), NULL));
        for (int ply = 0; ply < 60 && random_move(&r, &pos); ply++)
            if (ply % 3 == 0)
                check_position(&pos, &moves, &other_orders);
    }
    for (int i = 0; i < 300; i++) {
        xq_pos pos;
        while (!random_setup(&r, &pos))
            continue;
        check_position(&pos, &moves, &other_orders);
    }
    // Taking with the cheapest man is nearly always best, screens or not.
    print_message("%d moves, %d worth something else in another order\n", moves, other_orders);
    assert_true(other_orders * 50 < moves);
}

static int see_of(const char *fen, int from, int to) {
    xq_pos pos;
    fault why;
    if (!xq_parse_fen(&pos, text_of(fen), &why))
        fail_msg("%s: %s", fen, why.line);
    assert_true(xq_is_legal(&pos, move_of(from, to)));
    return xq_see(&pos, move_of(from, to), xq_plain_values);
}

static int point(const char *name) { return (name[1] - '0') * XQ_FILES + name[0] - 'a'; }

static void test_plain_cases(void **state) {
    (void)state;
    // A chariot takes a pawn: free; guarded by a horse; guarded by a horse whose leg is blocked.
    assert_int_equal(see_of("3k5/9/9/9/4p4/9/9/9/4R4/5K3 w", point("e1"), point("e5")), 100);
    assert_int_equal(see_of("3k5/9/3n5/9/4p4/9/9/9/4R4/5K3 w", point("e1"), point("e5")), -800);
    assert_int_equal(see_of("3k5/9/3n5/3p5/4p4/9/9/9/4R4/5K3 w", point("e1"), point("e5")), 100);
}

static void test_screens(void **state) {
    (void)state;
    // The chariot was the cannon's screen: once it has gone the cannon guards nothing.
    assert_int_equal(see_of("3k5/4r4/9/9/4p4/9/9/4R4/4C4/5K3 w", point("e2"), point("e5")), -800);
    // With a pawn between them the cannon goes on guarding: a chariot for a pawn and a chariot.
    assert_int_equal(see_of("3k5/4r4/9/9/4p4/9/9/4R4/4P4/4CK3 w", point("e2"), point("e5")), 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_plain_cases),
        cmocka_unit_test(test_screens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
