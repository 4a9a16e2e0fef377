// How good a Surakarta position is, in centipawns. What changes little from move to move is kept in
// an accumulator, which the search carries along; the rest is looked at anew.
#ifndef KRATON_GAMES_SURAKARTA_EVALUATE_H
#define KRATON_GAMES_SURAKARTA_EVALUATE_H

#include "base/isa.h"
#include "rules/surakarta/surakarta.h"

typedef struct {
    int32_t balance; // Black's pieces less White's
} sk_eval;

void sk_eval_refresh_baseline(sk_eval *e, const sk_pos *pos);
void sk_eval_refresh_v3(sk_eval *e, const sk_pos *pos);
int32_t sk_evaluate_baseline(const sk_pos *pos, const sk_eval *e);
int32_t sk_evaluate_v3(const sk_pos *pos, const sk_eval *e);

// The accumulator from scratch.
static inline void sk_eval_refresh(sk_eval *e, const sk_pos *pos) {
    ISA_PICK(sk_eval_refresh)(e, pos);
}

// The accumulator after a legal move, from the one before it.
static inline void sk_eval_update(sk_eval *next, const sk_eval *now, const sk_pos *before,
                                  rules_move move) {
    int enemy = before->stm ^ 1, taken = (int)(before->pieces[enemy] >> move_to(move) & 1);
    next->balance = now->balance + (before->stm == SK_BLACK ? taken : -taken);
}

// From the mover's point of view.
static inline int32_t sk_evaluate(const sk_pos *pos, const sk_eval *e) {
    return ISA_PICK(sk_evaluate)(pos, e);
}

#endif
