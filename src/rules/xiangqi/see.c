#include "rules/xiangqi/see.h"

#include "base/minmax.h"
#include "rules/xiangqi/generate.h"

const int xq_plain_values[XQ_TYPES] = {0, 900, 450, 400, 100, 200, 200, 20000};

// The cheapest man of the side to move that legally takes on a point, lowest point first; or -1.
static int cheapest_taker(const xq_pos *pos, int point, const int values[XQ_TYPES]) {
    int side = pos->stm, best = -1;
    for (xq_set takers = xq_attackers(pos, point, side); takers;) {
        int from = bits_wide_pop(&takers), type = xq_type(pos->board[from]);
        if (best >= 0 && values[type] >= values[xq_type(pos->board[best])])
            continue;
        int king = type == XQ_KING ? point : pos->king[side];
        if (!xq_exposes(pos, side, king, from, point))
            best = from;
    }
    return best;
}

int xq_see(const xq_pos *pos, rules_move move, const int values[XQ_TYPES]) {
    xq_pos next = *pos;
    int point = move_to(move), last = 0;
    int balance[33]; // for the side that has just taken, if all stops there; 32 men at most
    balance[0] = values[xq_type(xq_make(&next, move))];
    for (int from; (from = cheapest_taker(&next, point, values)) >= 0; last++) {
        balance[last + 1] = values[xq_type(next.board[point])] - balance[last];
        xq_make(&next, move_of(from, point));
    }
    for (; last > 0; last--) // the one before may rather not take
        balance[last - 1] = -max_int(balance[last], -balance[last - 1]);
    return balance[0];
}
