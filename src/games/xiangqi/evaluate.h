// How good a Xiangqi position is, in centipawns. What changes little from move to move is kept in
// an accumulator, which the search carries along; the rest is looked at anew.
#ifndef KRATON_GAMES_XIANGQI_EVALUATE_H
#define KRATON_GAMES_XIANGQI_EVALUATE_H

#include "base/isa.h"
#include "rules/xiangqi/see.h"
#include "rules/xiangqi/xiangqi.h"

typedef struct {
    int32_t balance; // the worth of Red's men less that of Black's
} xq_eval;

void xq_eval_refresh_baseline(xq_eval *e, const xq_pos *pos);
void xq_eval_refresh_v3(xq_eval *e, const xq_pos *pos);
int32_t xq_evaluate_baseline(const xq_pos *pos, const xq_eval *e);
int32_t xq_evaluate_v3(const xq_pos *pos, const xq_eval *e);

// The accumulator from scratch.
static inline void xq_eval_refresh(xq_eval *e, const xq_pos *pos) {
    ISA_PICK(xq_eval_refresh)(e, pos);
}

// The accumulator after a legal move, from the one before it.
static inline void xq_eval_update(xq_eval *next, const xq_eval *now, const xq_pos *before,
                                  rules_move move) {
    int worth = xq_plain_values[xq_type(before->board[move_to(move)])];
    next->balance = now->balance + (before->stm == XQ_RED ? worth : -worth);
}

// From the mover's point of view.
static inline int32_t xq_evaluate(const xq_pos *pos, const xq_eval *e) {
    return ISA_PICK(xq_evaluate)(pos, e);
}

#endif
