// Who offends in a cycle: perpetual check and perpetual chase, after the articles written down in
// docs/rules-xiangqi.md. Pure functions of a position and the moves that led back to it; for the
// referee, and for the search, which meets cycles in its tree.
#ifndef KRATON_RULES_XIANGQI_REPETITION_H
#define KRATON_RULES_XIANGQI_REPETITION_H

#include "rules/rules.h"
#include "rules/xiangqi/xiangqi.h"

// What a side does with every one of its moves in a cycle, the worst last.
typedef enum { XQ_IDLE, XQ_CHASE, XQ_CHECK } xq_offence;

typedef struct {
    xq_offence offence[2];
    uint8_t chased[2]; // by each side that chases: where its victim stands at the end of the cycle
    bool is_mixed[2];  // END_CXA: every move checks, chases or threatens mate, but no piece is
                       // chased by all; the offence is that of a chase
} xq_cycle;

// Judges the cycle of n moves (n even, at least 2, no captures) that led from `end` back to `end`.
// The moves lie `stride` bytes apart, so that a history or a search stack serves as it is.
xq_cycle xq_judge_offences(const xq_pos *end, const rules_move *moves, size_t stride, int n,
                           rules_end how);

// The outcome of a cycle with these offences under END_WXF, END_ASIAN, END_CXA, END_SIMPLE or
// END_DRAW.
rules_outcome xq_cycle_outcome(const xq_cycle *cycle, rules_end how);

// Writes a line a move: what it attacks, what protects that, and the article that counts.
void xq_explain_cycle(const xq_pos *end, const rules_move *moves, size_t stride, int n,
                      rules_end how, writer *out);

// Both, with the reason in words.
rules_verdict xq_judge_cycle(const xq_pos *end, const rules_move *moves, size_t stride, int n,
                             rules_end how);

#endif
