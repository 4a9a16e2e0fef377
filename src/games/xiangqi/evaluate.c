#include "games/xiangqi/evaluate.h"

void ISA_NAME(xq_eval_refresh)(xq_eval *e, const xq_pos *pos) {
    e->balance = 0;
    for (int point = 0; point < XQ_POINTS; point++) {
        int worth = xq_plain_values[xq_type(pos->board[point])];
        e->balance += xq_side(pos->board[point]) == XQ_RED ? worth : -worth;
    }
}

int32_t ISA_NAME(xq_evaluate)(const xq_pos *pos, const xq_eval *e) {
    return pos->stm == XQ_RED ? e->balance : -e->balance;
}
