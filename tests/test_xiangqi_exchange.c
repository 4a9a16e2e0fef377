// What the search asks quickly, against the exact answers of the rules: the exchange value of a
// move, and whether a move gives check.
#include "games/xiangqi/answers.h"
#include "xiangqi_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static xq_pos read_fen(const char *fen) {
    xq_pos pos;
    fault why;
    if (!xq_parse_fen(&pos, text_of(fen), &why))
        fail_msg("%s: %s", fen, why.line);
    return pos;
}

// A chariot takes an advisor the king cannot take back, because the other king looks down the file.
static void a_king_does_not_face_the_other(void **state) {
    (void)state;
    rules_move move = move_of(3 * XQ_FILES + 5, 5);
    xq_pos pos = read_fen("5k3/9/9/9/9/9/5r3/9/9/4KA3 b");
    assert_true(xq_exchange_at_least(&pos, move, 200));
    pos = read_fen("4k4/9/4p4/9/9/9/5r3/9/9/4KA3 b");
    assert_false(xq_exchange_at_least(&pos, move, 0));
    assert_true(xq_exchange_at_least(&pos, move, -700));
}

// They differ where a man is pinned to its king, which the quick one does not regard.
static void agrees_with_the_exact_value(void **state) {
    (void)state;
    rng r = {77};
    int captures = 0, alike = 0;
    for (int game = 0; game < 300; game++) {
        xq_pos pos = read_fen(XIANGQI_START);
        for (int ply = 0; ply < 100; ply++) {
            rules_move moves[XQ_MAX_MOVES];
            int n = xq_generate_captures(&pos, moves);
            for (int i = 0; i < n; i++) {
                int exact = xq_see(&pos, moves[i], xq_plain_values);
                captures++;
                alike += xq_exchange_at_least(&pos, moves[i], exact) &&
                         !xq_exchange_at_least(&pos, moves[i], exact + 1);
            }
            if (!random_move(&r, &pos))
                break;
        }
    }
    assert_true(captures > 10000);
    assert_true(alike * 100.0 / captures > 99);
}

// The quick test leaves moves out that cannot give check.
static void agrees_about_checks(void **state) {
    (void)state;
    rng r = {78};
    int checks = 0;
    for (int n = 0; n < 20000; n++) {
        xq_pos pos;
        rules_move moves[XQ_MAX_MOVES];
        if (!random_setup(&r, &pos))
            continue;
        int count = xq_generate(&pos, moves);
        for (int i = 0; i < count; i++) {
            xq_pos next = pos;
            xq_make(&next, moves[i]);
            bool is_check = xq_in_check(&next, next.stm);
            assert_int_equal(game_gives_check(&pos, moves[i]), is_check);
            checks += is_check;
        }
    }
    assert_true(checks > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_king_does_not_face_the_other),
        cmocka_unit_test(agrees_with_the_exact_value),
        cmocka_unit_test(agrees_about_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
