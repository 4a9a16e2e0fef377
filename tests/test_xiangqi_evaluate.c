// The evaluation of Xiangqi: the same seen in a mirror and by the other side, the same from the
// accumulator as from scratch, the same by the trace's sum; and endings that cannot be won.
#include "games/xiangqi/evaluate.h"
#include "games/xiangqi/weights.h"
#include "xiangqi_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int32_t evaluate(const xq_pos *pos) {
    xq_eval e;
    xq_eval_refresh(&e, pos, NULL);
    return xq_evaluate(pos, &e, NULL);
}

static xq_pos read_fen(const char *fen) {
    xq_pos pos;
    fault why;
    if (!xq_parse_fen(&pos, text_of(fen), &why))
        fail_msg("%s: %s", fen, why.line);
    return pos;
}

static xq_pos mirrored(const xq_pos *pos) {
    xq_pos other = *pos;
    for (int p = 0; p < XQ_POINTS; p++)
        other.board[xq_rank(p) * XQ_FILES + XQ_FILES - 1 - xq_file(p)] = pos->board[p];
    xq_refresh(&other);
    return other;
}

// The sides change places, men and move.
static xq_pos swapped(const xq_pos *pos) {
    xq_pos other = *pos;
    for (int p = 0; p < XQ_POINTS; p++)
        other.board[XQ_POINTS - 1 - p] = (uint8_t)(pos->board[p] ? pos->board[p] ^ 8 : 0);
    other.stm = !pos->stm;
    xq_refresh(&other);
    return other;
}

// The sum the tuner fits, as the trace tells it; in centipawns, Red's point of view.
static double traced(const xq_pos *pos) {
    static eval_trace trace;
    memset(&trace, 0, sizeof trace);
    xq_eval e;
    xq_eval_refresh(&e, pos, NULL);
    xq_eval_red(pos, &e, &trace);
    double sum = 0;
    for (int i = 0; i < XQ_F_COUNT; i++)
        sum += trace.coefficient[i] * (xq_weights[i].opening * trace.phase +
                                       xq_weights[i].ending * (PHASE_MAX - trace.phase));
    return sum * trace.scale / XQ_ENDING_FULL / PHASE_MAX;
}

static void check_position(const xq_pos *pos, xq_eval *kept) {
    xq_eval fresh;
    xq_eval_refresh(&fresh, pos, NULL);
    assert_int_equal(fresh.counts, kept->counts);
    assert_int_equal(fresh.score, kept->score);
    assert_int_equal(fresh.phase, kept->phase);
    int32_t score = xq_evaluate(pos, kept, NULL);
    xq_pos other = mirrored(pos);
    assert_int_equal(evaluate(&other), score);
    other = swapped(pos);
    assert_int_equal(evaluate(&other), score); // the mover sees the same
    double difference = traced(pos) - (pos->stm == XQ_RED ? score : -score);
    assert_true(difference > -1 && difference < 1);
    assert_true(score > -15000 && score < 15000);
}

static void random_games(void **state) {
    (void)state;
    rng r = {20261};
    for (int game = 0; game < 200; game++) {
        xq_pos pos = read_fen(XIANGQI_START);
        if (game % 2)
            while (!random_setup(&r, &pos))
                ;
        xq_eval now, next;
        xq_eval_refresh(&now, &pos, NULL);
        for (int ply = 0; ply < 120; ply++) {
            rules_move moves[XQ_MAX_MOVES];
            int n = xq_generate(&pos, moves);
            if (n == 0)
                break;
            rules_move move = moves[rng_below(&r, (uint32_t)n)];
            xq_eval_update(&next, &now, &pos, move);
            xq_make(&pos, move);
            now = next;
            check_position(&pos, &now);
        }
    }
}

// The attacked points told without loops are those the rules know.
static void views(void **state) {
    (void)state;
    rng r = {7};
    for (int i = 0; i < 2000; i++) {
        xq_pos pos;
        if (!random_setup(&r, &pos))
            continue;
        xq_eval_scene s;
        xq_eval_set_scene(&s, &pos, 0, NULL);
        for (int side = XQ_RED; side <= XQ_BLACK; side++)
            xq_eval_look(&s, side);
        for (int side = XQ_RED; side <= XQ_BLACK; side++) {
            xq_eval_lesser_majors(&s, side);
            xq_eval_chariots(&s, side);
            for (int point = 0; point < XQ_POINTS; point++)
                if (pos.board[point]) // on empty points a cannon attacks what is not there yet
                    assert_int_equal(s.view[side].all >> point & 1,
                                     xq_attackers(&pos, point, side) != 0);
        }
    }
}

typedef struct {
    const char *fen; // Red is ahead
    int scale;
} ending;

static void endings(void **state) {
    (void)state;
    static const ending known[] = {
        // nothing to attack with
        {"4k4/9/9/9/9/9/9/4B4/4A4/2BAK4 w", 0},
        // a cannon: no screen; its advisor beats advisors, not an elephant
        {"4k4/9/9/9/9/9/4C4/9/9/4K4 w", 0},
        {"3k5/4a4/3a5/9/9/9/4C4/9/4A4/4K4 w", 64},
        {"4k4/4a4/4b4/9/9/9/4C4/9/4A4/4K4 w", 4},
        // a horse: bare king, an advisor, an elephant, two advisors
        {"4k4/9/9/9/9/9/4N4/9/9/4K4 w", 64},
        {"3k5/4a4/9/9/9/9/4N4/9/9/4K4 w", 40},
        {"4k4/9/4b4/9/9/9/4N4/9/9/4K4 w", 20},
        {"3k5/4a4/3a5/9/9/9/4N4/9/9/4K4 w", 4},
        // a pawn: alive, sunk, held by an advisor
        {"3k5/9/5P3/9/9/9/9/9/9/4K4 w", 64},
        {"3k4P/9/9/9/9/9/9/9/9/4K4 w", 0},
        {"3k5/4a4/5P3/9/9/9/9/9/9/4K4 w", 4},
        // two pawns against all guards but one
        {"2b1k4/4a4/4ba3/3P1P3/9/9/9/9/9/4K4 w", 20},
        // a chariot: the whole palace, one guard less, a horse with two advisors, another chariot
        {"2bak1b2/4a4/9/9/9/9/4R4/9/9/4K4 w", 4},
        {"2bak4/4a4/9/9/9/9/4R4/9/9/4K4 w", 64},
        {"3ak4/4a4/4n4/9/9/9/4R4/9/9/3K5 w", 4},
        {"3ak4/4n4/9/9/9/9/4R4/9/9/3K5 w", 40},
        {"3ak4/4a4/4r4/9/9/9/4R4/4P4/9/3AKAB2 w", 40},
        {"3ak4/4a4/4r4/9/9/9/4R4/9/9/2BAKAB2 w", 4},
        // a chariot and a horse against a chariot and all guards
        {"2bak1b2/4a4/4r4/9/9/9/4R4/4N4/9/4K4 w", 40},
        // horse and pawn, cannon and pawn against all guards
        {"2bak1b2/4a4/9/5P3/9/9/4N4/9/9/4K4 w", 20},
        {"2bak1b2/4a4/9/5P3/9/9/3C5/9/9/4K4 w", 20},
        // horse and cannon win
        {"2bak1b2/4a4/9/9/9/5N3/3C5/9/9/4KA3 w", 64},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        xq_pos pos = read_fen(known[i].fen);
        xq_eval e;
        xq_eval_refresh(&e, &pos, NULL);
        int scale = xq_ending_scale(&pos, e.counts, XQ_RED);
        if (scale != known[i].scale)
            fail_msg("%s: %d, not %d", known[i].fen, scale, known[i].scale);
        if (scale == 0)
            assert_int_equal(xq_evaluate(&pos, &e, NULL), 0);
    }
}

static void names(void **state) {
    (void)state;
    char name[64];
    writer out = writer_on(name, sizeof name);
    xq_name_parameter(XQ_F_PLACE + 50 * (XQ_HORSE - 1) + 5 * 2 + 2, &out);
    assert_string_equal(name, "place-horse-c2");
    out = writer_on(name, sizeof name);
    xq_name_parameter(XQ_F_COUNT - 1, &out);
    assert_string_equal(name, "tempo");
    out = writer_on(name, sizeof name);
    xq_name_parameter(XQ_F_KING_STEPS + 3, &out);
    assert_string_equal(name, "king-steps-3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games),
        cmocka_unit_test(views),
        cmocka_unit_test(endings),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
