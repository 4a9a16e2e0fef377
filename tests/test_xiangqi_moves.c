// The fast generator against the reference: the moves as sets, and after each of them board, key,
// counters and checks; everything exactly undone. The positions come from games played at random
// and, half as many, from few men set up around the kings, where pins, screens and legs abound.
#include "lab/bench/known.h"
#include "rules/xiangqi/generate.h"
#include "rules/xiangqi/perft.h"
#include "rules/xiangqi/reference.h"
#include "xiangqi_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void fail_at(const xq_pos *pos, const char *what) {
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    xq_format_fen(pos, &w);
    fail_msg("%s at %s", what, fen);
}

static bool same_position(const xq_pos *a, const xq_pos *b) {
    return memcmp(a, b, offsetof(xq_pos, stm) + 1) == 0; // no holes before it
}

static bool same_reference(const xq_reference *a, const xq_reference *b) {
    for (int number = 1; number < XQR_NUMBERS; number++)
        if (a->piece_table[number] != b->piece_table[number] ||
            (a->linked && a->piece_table[number] &&
             memcmp(a->dirnext[number], b->dirnext[number], 4) != 0))
            return false;
    return memcmp(a->board, b->board, sizeof a->board) == 0 && a->stm == b->stm &&
           a->quiet == b->quiet && a->number == b->number;
}

// Whether both hold the same board and counters, and everything derived is as from scratch.
static bool agree(const xq_pos *pos, const xq_reference *reference) {
    xq_pos fresh;
    memset(&fresh, 0, sizeof fresh);
    for (int point = 0; point < XQ_POINTS; point++)
        fresh.board[point] = (uint8_t)xq_reference_piece_at(reference, point);
    fresh.stm = reference->stm;
    fresh.quiet = reference->quiet;
    fresh.number = reference->number;
    xq_refresh(&fresh);
    return same_position(pos, &fresh);
}

static int compare_moves(const void *a, const void *b) {
    return *(const rules_move *)a - *(const rules_move *)b;
}

static bool same_moves(rules_move *a, int n, rules_move *b, int m) {
    qsort(a, (size_t)n, sizeof *a, compare_moves);
    qsort(b, (size_t)m, sizeof *b, compare_moves);
    return n == m && memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

// The reference's legal moves in points, and the squares they stand for at the same index.
typedef struct {
    int captures, all;
    rules_move moves[XQ_MAX_MOVES], squares[XQ_MAX_MOVES];
} expected_moves;

static expected_moves expect_from(xq_reference *reference) {
    xq_reference_list list;
    xq_reference_generate(reference, &list);
    expected_moves e = {.captures = list.captures, .all = list.captures + list.quiets};
    for (int i = 0; i < e.all; i++) {
        e.squares[i] =
            i < list.captures ? list.moves[i] : list.moves[XQR_CAPTURES + i - list.captures];
        e.moves[i] = xq_reference_to_points(e.squares[i]);
    }
    return e;
}

static void check_lists(const xq_pos *pos, expected_moves e) {
    rules_move moves[XQ_MAX_MOVES];
    int n = xq_generate(pos, moves);
    if (n != e.all || !same_moves(moves, e.captures, e.moves, e.captures) ||
        !same_moves(moves + e.captures, n - e.captures, e.moves + e.captures, e.all - e.captures))
        fail_at(pos, "other moves");
    n = xq_generate_captures(pos, moves);
    if (!same_moves(moves, n, e.moves, e.captures))
        fail_at(pos, "other captures");
    n = xq_generate_quiets(pos, moves);
    if (!same_moves(moves, n, e.moves + e.captures, e.all - e.captures))
        fail_at(pos, "other quiet moves");
    uint64_t captures = 0;
    if (xq_perft(pos, 1, &captures) != (uint64_t)e.all || captures != (uint64_t)e.captures)
        fail_at(pos, "another count");
}

static void check_each(const xq_pos *pos, xq_reference *reference, const expected_moves *e) {
    xq_pos next = *pos;
    xq_reference before = *reference;
    for (int i = 0; i < e->all; i++) {
        bool check = xq_gives_check(&next, e->moves[i]);
        if (!xq_is_legal(&next, e->moves[i]))
            fail_at(pos, "a legal move refused");
        int captured = xq_make(&next, e->moves[i]);
        int number = xq_reference_make(reference, e->squares[i]);
        if (!agree(&next, reference))
            fail_at(pos, "another position after a move");
        bool expected = xq_reference_in_check(reference, reference->stm);
        if (check != expected || xq_in_check(&next, next.stm) != expected)
            fail_at(pos, "another check after a move");
        xq_undo(&next, e->moves[i], captured, pos->quiet);
        xq_reference_undo(reference, e->squares[i], number, before.quiet);
        if (!same_position(&next, pos))
            fail_at(pos, "a move not undone");
        if (!same_reference(reference, &before))
            fail_at(pos, "a move not undone by the reference");
    }
}

// Who attacks a point, by the reference's captures on it with an enemy standing there.
static void check_attackers(const xq_pos *pos, xq_reference *plain, int at) {
    int square = (10 - xq_rank(at)) * 10 + xq_file(at) + 1;
    if (pos->board[at] && xq_side(pos->board[at]) == pos->stm)
        return;
    uint8_t stood = plain->board[square];
    plain->board[square] = pos->stm == XQ_RED ? XQR_BLACK_KING : XQR_RED_KING;
    xq_reference_list list;
    xq_reference_generate_all(plain, &list);
    plain->board[square] = stood;
    xq_set expected = 0;
    for (int i = 0; i < list.captures; i++)
        if (move_to(list.moves[i]) == square)
            expected |= bits_wide(move_from(xq_reference_to_points(list.moves[i])));
    if (xq_attackers(pos, at, pos->stm) != expected)
        fail_at(pos, "other attackers");
    for (int from = 0; from < XQ_POINTS && pos->board[at]; from++)
        if (pos->board[from] && xq_side(pos->board[from]) == pos->stm &&
            xq_can_reach(pos, from, at) != (expected >> from & 1))
            fail_at(pos, "another reach");
}

static bool is_among(const expected_moves *e, rules_move move) {
    for (int i = 0; i < e->all; i++)
        if (e->moves[i] == move)
            return true;
    return false;
}

static void check_position(rng *r, const xq_pos *pos) {
    xq_reference linked, plain;
    xq_reference_set_up(&linked, pos, true);
    xq_reference_set_up(&plain, pos, false);
    expected_moves e = expect_from(&linked), p = expect_from(&plain);
    if (e.captures != p.captures || e.all != p.all ||
        memcmp(e.moves, p.moves, (size_t)e.all * sizeof e.moves[0]) != 0)
        fail_at(pos, "dirnext makes a difference");
    check_lists(pos, e);
    check_each(pos, rng_below(r, 4) ? &linked : &plain, &e);
    for (int i = 0; i < 4; i++)
        check_attackers(pos, &plain, (int)rng_below(r, XQ_POINTS));
    for (int i = 0; i < 32; i++) {
        rules_move any = i % 2
                             ? (rules_move)rng_next(r)
                             : move_of((int)rng_below(r, XQ_POINTS), (int)rng_below(r, XQ_POINTS));
        if (xq_is_legal(pos, any) != is_among(&e, any))
            fail_at(pos, "another answer to whether a move is legal");
    }
}

// Few men, most of them on or beside the lines of a king. False where the side that has moved could
// lose its king.
static bool random_duel(rng *r, xq_pos *pos) {
    static const int most[XQ_TYPES] = {0, 2, 2, 2, 5, 2, 2, 0};
    memset(pos, 0, sizeof *pos);
    pos->stm = (uint8_t)rng_below(r, 2);
    pos->number = 1;
    for (int side = XQ_RED; side <= XQ_BLACK; side++)
        place(r, pos, xq_piece(XQ_KING, side), 3, 3);
    xq_refresh(pos);
    for (int side = XQ_RED; side <= XQ_BLACK; side++)
        for (int type = XQ_CHARIOT; type < XQ_KING; type++)
            for (int n = (int)rng_below(r, (uint32_t)most[type] + 1); n > 0; n--) {
                int king = pos->king[rng_below(r, 2)], point = (int)rng_below(r, XQ_POINTS);
                if (rng_below(r, 3) == 0)
                    point = (int)rng_below(r, XQ_RANKS) * XQ_FILES + xq_file(king);
                else if (rng_below(r, 3) == 0)
                    point = xq_rank(king) * XQ_FILES + (int)rng_below(r, XQ_FILES);
                int piece = xq_piece(type, side);
                if (pos->board[point] == XQ_EMPTY && xq_can_stand(piece, point))
                    pos->board[point] = (uint8_t)piece;
            }
    xq_refresh(pos);
    xq_reference reference;
    xq_reference_set_up(&reference, pos, false);
    return !xq_reference_in_check(&reference, !pos->stm);
}

static uint32_t positions_wanted(void) {
    int64_t n = getenv("KRATON_FULL") ? 1000000 : 25000;
    const char *asked = getenv("KRATON_POSITIONS");
    if (asked && !text_to_int(text_of(asked), 1, 1000000000, &n))
        fail_msg("KRATON_POSITIONS is no number");
    return (uint32_t)n;
}

static void test_games(void **state) {
    (void)state;
    rng r = {1};
    xq_pos pos = {0};
    for (uint32_t i = 0, left = 0; i < positions_wanted(); i++) {
        if (left == 0 || !random_move(&r, &pos)) {
            const char *fen = known_positions[rng_below(&r, KNOWN_POSITIONS)].fen;
            assert_true(xq_parse_fen(&pos, text_of(rng_below(&r, 2) ? XIANGQI_START : fen), NULL));
            left = 20 + rng_below(&r, 200);
        }
        left--;
        check_position(&r, &pos);
    }
}

static void test_setups(void **state) {
    (void)state;
    rng r = {2};
    for (uint32_t i = 0; i < positions_wanted() / 2; i++) {
        xq_pos pos;
        while (rng_below(&r, 8) ? !random_duel(&r, &pos) : !random_setup(&r, &pos))
            continue;
        check_position(&r, &pos);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_setups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
