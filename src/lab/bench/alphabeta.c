#include "lab/bench/alphabeta.h"

#include "base/minmax.h"

enum { MATE = 30000 };

// Paper 4's values, a pawn at home for 100: chariot, cannon, horse, pawn, elephant, advisor.
static const int values[XQ_TYPES] = {0, 900, 450, 400, 100, 200, 200, 0};

// How far a man looks along its four lines: what dirnext is meant to make cheap.
static int count_freedom(const xq_reference *pos, int number) {
    int square = pos->piece_table[number];
    int right = xq_reference_next(pos, number, XQR_RIGHT) - square;
    int left = square - xq_reference_next(pos, number, XQR_LEFT);
    int down = xq_reference_next(pos, number, XQR_DOWN) - square;
    int up = square - xq_reference_next(pos, number, XQR_UP);
    return right + left + (down + up) / 10 - 4;
}

static int evaluate_side(const xq_reference *pos, int side) {
    int first = side == XQ_RED ? 1 : XQR_BORDER + 1, score = 0;
    for (int number = first; number < first + 16; number++) {
        int square = pos->piece_table[number], type = xq_reference_type[number];
        if (square == 0)
            continue;
        score += values[type];
        if (type == XQ_CHARIOT || type == XQ_CANNON)
            score += 2 * count_freedom(pos, number);
        if (type == XQ_PAWN && (square < 60) == (side == XQ_RED))
            score += values[XQ_PAWN]; // across the river
    }
    return score;
}

static int evaluate(const xq_reference *pos) {
    return evaluate_side(pos, pos->stm) - evaluate_side(pos, !pos->stm);
}

static int search(xq_reference *pos, int alpha, int beta, int depth, int ply, uint64_t *nodes) {
    ++*nodes;
    if (depth == 0)
        return evaluate(pos);
    xq_reference_list list;
    xq_reference_generate_all(pos, &list);
    int best = ply - MATE; // no legal move loses
    for (int i = 0; i < list.captures + list.quiets; i++) {
        rules_move move = list.moves[i < list.captures ? i : XQR_CAPTURES + i - list.captures];
        uint16_t quiet = pos->quiet;
        int captured = xq_reference_make(pos, move);
        if (!xq_reference_in_check(pos, !pos->stm)) {
            int score = -search(pos, -beta, -alpha, depth - 1, ply + 1, nodes);
            best = max_int(score, best);
        }
        xq_reference_undo(pos, move, captured, quiet);
        alpha = max_int(best, alpha);
        if (alpha >= beta)
            break;
    }
    return best;
}

alphabeta_result alphabeta_search(xq_reference *pos, int depth) {
    alphabeta_result r = {0};
    r.score = search(pos, -MATE, MATE, depth, 0, &r.nodes);
    return r;
}
