// What papers 1 and 2 say, as tests: their queues, paper 2's eight loop pairs, its key points in
// all directions, its board of figure 5, and the deliberately wrong data of its experiment. Each is
// asked of the reference generator and of the fast one.
#include "rules/surakarta/reference.h"
#include "rules/surakarta/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// The eight arcs as paper 2 lists them, corner by corner.
static const int arcs[8][2] = {{1, 6},  {2, 12}, {24, 31}, {18, 32},
                               {4, 11}, {3, 17}, {29, 34}, {23, 33}};

// Every crossing of the two circuits, then every crossing of a circuit with itself.
static const int key_points[16] = {8, 9, 13, 16, 19, 22, 26, 27, 7, 10, 25, 28, 14, 15, 20, 21};

static bool is_arc(int p, int q) {
    for (int i = 0; i < 8; i++)
        if ((arcs[i][0] == p && arcs[i][1] == q) || (arcs[i][0] == q && arcs[i][1] == p))
            return true;
    return false;
}

static int point_of(int orbit, int subscript) {
    int s = (subscript + SK_STATIONS) % SK_STATIONS;
    return sk_ring_point[orbit * 32 + s / 6 * 8 + s % 6];
}

// Asks both generators whether the piece on `from` may go to `to`.
static bool may_move(uint64_t black, uint64_t white, int from, int to) {
    sk_pos pos = sk_set_up(black, white, white >> from & 1 ? SK_WHITE : SK_BLACK);
    sk_reference ref = sk_reference_from(&pos);
    bool fast = sk_is_legal(&pos, move_of(from, to));
    assert_int_equal(fast, sk_reference_can_move(&ref, from, to));
    rules_move list[SK_MAX_MOVES];
    int listed = 0;
    for (int i = sk_generate(&pos, list); i--;)
        listed += list[i] == move_of(from, to);
    assert_int_equal(listed, fast);
    return fast;
}

// --- paper 1 ------------------------------------------------------------------------------------

// The queues as printed, counting points from 1.
static void test_queues(void **state) {
    (void)state;
    static const int printed[2][SK_STATIONS] = {
        {14, 20, 26, 32, 25, 26, 27, 28, 29, 30, 35, 29, 23, 17, 11, 5, 12, 11, 10, 9, 8, 7, 2, 8},
        {15, 21, 27, 33, 19, 20, 21, 22, 23, 24, 34, 28,
         22, 16, 10, 4,  18, 17, 16, 15, 14, 13, 3,  9}};
    for (int orbit = 0; orbit < 2; orbit++)
        for (int i = 0; i < SK_STATIONS; i++)
            assert_int_equal(printed[orbit][i] - 1, point_of(orbit, i + 2));
}

// Two points share an orbit exactly when both have a station on it.
static void test_same_orbit(void **state) {
    (void)state;
    for (int orbit = 0; orbit < 2; orbit++)
        for (int p = 0; p < SK_POINTS; p++)
            for (int q = 0; q < SK_POINTS; q++)
                assert_int_equal(sk_reference_same_orbit(orbit, p, q),
                                 (uint32_t)(sk_ring_bits[p] >> 32 * orbit) &&
                                     (uint32_t)(sk_ring_bits[q] >> 32 * orbit));
}

// --- paper 2: arcs ------------------------------------------------------------------------------

// On both circuits together the lines end in exactly those eight pairs.
static void test_eight_pairs(void **state) {
    (void)state;
    int found = 0;
    for (int orbit = 0; orbit < 2; orbit++)
        for (int s = 0; s < SK_STATIONS; s++) {
            bool arc = is_arc(point_of(orbit, s), point_of(orbit, s + 1));
            assert_int_equal(arc, s % 6 == 5);
            found += arc;
        }
    assert_int_equal(found, 8);
}

// Rows and columns both change exactly when one of the pairs is passed: paper 1's test of an arc is
// paper 2's, for every way there is.
static void test_arc_flags_are_pairs(void **state) {
    (void)state;
    sk_reference empty = {.to_move = SK_BLACK_VALUE};
    for (int orbit = 0; orbit < 2; orbit++)
        for (int s = 0; s < SK_STATIONS; s++)
            for (int step = -1; step <= 1; step += 2)
                for (int target = 0; target < SK_POINTS; target++) {
                    int from = point_of(orbit, s + 2); // subscript s of the paper's queue
                    if (from == target || !sk_reference_same_orbit(orbit, from, target))
                        continue;
                    sk_reference_way way = sk_reference_go(&empty, orbit, s, step, target);
                    bool pair = false;
                    for (int k = 0, last = from; k < way.count; k++) {
                        int next = way.row[k] * 6 + way.column[k];
                        pair |= is_arc(last, next);
                        last = next;
                    }
                    assert_int_equal(pair, way.row_changed && way.column_changed);
                }
}

// Two lone pieces at the ends of an arc capture each other.
static void test_captures_over_each_arc(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 2; k++)
            assert_true(may_move(sk_bit(arcs[i][k]), sk_bit(arcs[i][!k]), arcs[i][k], arcs[i][!k]));
}

// --- paper 2: key points ------------------------------------------------------------------------

typedef struct {
    int orbit, station, step;
} direction;

static int directions_of(int point, direction d[4]) {
    int n = 0;
    for (int orbit = 0; orbit < 2; orbit++)
        for (int s = 0; s < SK_STATIONS; s++)
            for (int step = -1; step <= 1; step += 2)
                if (point_of(orbit, s) == point)
                    d[n++] = (direction){orbit, s, step};
    return n;
}

// The points passed in a direction before and behind its first arc, without the start.
static int way_of(const direction *d, int points[12], int *before) {
    int n = 0, start = point_of(d->orbit, d->station);
    *before = -1;
    for (int s = d->station + d->step; n < 12; s += d->step) {
        if (*before < 0 && is_arc(point_of(d->orbit, s - d->step), point_of(d->orbit, s)))
            *before = n;
        if (*before >= 0 && n == *before + 6)
            break;
        if (point_of(d->orbit, s) == start)
            break;
        points[n++] = point_of(d->orbit, s);
    }
    return n;
}

// One direction from a point, the other three walled up: a lone enemy is captured behind the arc
// and not before it, and anything on the way stops the capture. Returns how many captures were
// tried.
static int check_direction(int point, const direction d[4], int k) {
    int way[12], before, n = way_of(&d[k], way, &before), captures = 0;
    uint64_t own = sk_bit(point), passed = 0;
    for (int other = 0; other < 4; other++)
        if (other != k)
            own |= sk_bit(point_of(d[other].orbit, d[other].station + d[other].step));
    for (int target = 0; target < n; target++) {
        if (own >> way[target] & 1)
            break; // a wall of another direction stands on this way
        if (passed >> way[target] & 1)
            continue; // met before the arc already, and crossed again
        bool behind = target >= before;
        uint64_t enemy = sk_bit(way[target]);
        assert_int_equal(may_move(own, enemy, point, way[target]), behind);
        assert_int_equal(may_move(enemy, own, point, way[target]), behind);
        captures += behind;
        for (uint64_t stops = passed; stops;) {
            uint64_t stop = sk_bit(bits_pop(&stops));
            assert_false(may_move(own | stop, enemy, point, way[target]));
            assert_false(may_move(own, enemy | stop, point, way[target]));
        }
        passed |= enemy;
    }
    return captures;
}

static void test_key_points(void **state) {
    (void)state;
    int captures = 0;
    for (int i = 0; i < 16; i++) {
        direction d[4];
        assert_int_equal(directions_of(key_points[i], d), 4);
        for (int k = 0; k < 4; k++)
            captures += check_direction(key_points[i], d, k);
    }
    assert_true(captures > 100);
}

// --- paper 2: figure 5 and wrong data -----------------------------------------------------------

// The array as printed; in the paper White stands on top.
static void test_figure_5(void **state) {
    (void)state;
    static const sk_reference figure = {
        .a = {2, 2, 2, 2, 2, 2, 2, 2, 0, 2, 0, 2, 0, 2, 0, 0, 2, 0,
              0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1},
        .to_move = SK_BLACK_VALUE,
        .number = 1,
    };
    sk_pos pos = sk_reference_to(&figure);
    assert_int_equal(bits_count(pos.pieces[SK_BLACK]), 12);
    assert_int_equal(bits_count(pos.pieces[SK_WHITE]), 12);
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    sk_format_fen(&pos, &w);
    assert_string_equal(fen, "wwwwww/ww1w1w/1w2w1/4b1/bbbbb1/bbbbbb b 0 1");
    for (int from = 0; from < SK_POINTS; from++)
        for (int to = 0; to < SK_POINTS; to++)
            if (figure.a[from])
                may_move(pos.pieces[SK_BLACK], pos.pieces[SK_WHITE], from, to);
}

// Both generators refuse each of these, and the program says why.
static void test_wrong_data(void **state) {
    (void)state;
    static const struct {
        const char *fen, *move, *words;
    } wrong[] = {
        {SK_START_FEN, "c4-c3", "no piece on c4"},
        {SK_START_FEN, "c2-c3", "the piece on c2 is White's, and Black is to move"},
        {SK_START_FEN, "c6-c5", "Black's own piece stands on c5"},
        {SK_START_FEN, "c5-c5", "the move goes nowhere"},
        {SK_START_FEN, "c5-c3", "c3 is empty and more than one step from c5"},
        {SK_START_FEN, "a5-f4", "f4 is empty and more than one step from a5"},
        {SK_START_FEN, "c5xc4", "there is nothing to capture on c4"},
        {SK_START_FEN, "c5xc2", "the way from c5 to c2 passes no loop, as a capture must"},
        {SK_START_FEN, "b5xe1", "every way from b5 to e1 along a circuit is blocked"},
        {SK_START_FEN, "a6xa1", "no circuit passes a6: a piece there cannot capture"},
        {SK_START_FEN, "c6xf1", "no circuit passes f1: a piece there cannot be captured"},
        {"6/6/2b3/2w3/6/6 b 0 1", "c4xc3", NULL},
        {"6/2b3/2w3/2w3/6/6 b 0 1", "c5xc3", "every way from c5 to c3 along a circuit is blocked"},
        {"1b4/6/6/6/6/2w3 b 0 1", "b6xc1", "no circuit passes both b6 and c1"},
        {"b5/1w4/6/6/6/6 b 0 1", "a6xb5", "no circuit passes a6: a piece there cannot capture"},
        {"6/6/2b3/6/6/6 b 0 1", "c4-c5", "the game is over: White has no pieces left"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sk_pos pos;
        fault why = {""};
        rules_move move;
        assert_true(sk_parse_fen(&pos, text_of(wrong[i].fen), &why));
        bool good = sk_parse_move(&pos, -1, text_of(wrong[i].move), &move, &why);
        if (!wrong[i].words) { // the right one among them: round and back to the neighbour
            assert_true(good);
            continue;
        }
        assert_false(good);
        assert_string_equal(why.line, wrong[i].words);
    }
}

// Of all pairs of points in a board full of traps, only the generators' own moves pass.
static void test_everything_else_is_wrong(void **state) {
    (void)state;
    sk_pos pos;
    fault why;
    assert_true(sk_parse_fen(&pos, text_of("1b2w1/bw1b2/2wb2/1b2w1/w1b1wb/1w4 w 0 1"), &why));
    sk_reference ref = sk_reference_from(&pos);
    rules_move list[SK_MAX_MOVES];
    int legal = 0, n = sk_generate(&pos, list);
    for (int from = 0; from < SK_POINTS; from++)
        for (int to = 0; to < SK_POINTS; to++) {
            bool allowed = ref.a[from] == SK_WHITE_VALUE && sk_reference_can_move(&ref, from, to);
            assert_int_equal(sk_is_legal(&pos, move_of(from, to)), allowed);
            legal += allowed;
            if (!allowed)
                assert_false(sk_explain_move(&pos, from, to, &why));
        }
    assert_int_equal(legal, n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queues),
        cmocka_unit_test(test_same_orbit),
        cmocka_unit_test(test_eight_pairs),
        cmocka_unit_test(test_arc_flags_are_pairs),
        cmocka_unit_test(test_captures_over_each_arc),
        cmocka_unit_test(test_key_points),
        cmocka_unit_test(test_figure_5),
        cmocka_unit_test(test_wrong_data),
        cmocka_unit_test(test_everything_else_is_wrong),
    };
    return cmocka_run_group_tests_name("papers 1 and 2", tests, NULL, NULL);
}
