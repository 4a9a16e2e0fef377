// The exchange value of a move: what it wins or loses when both sides go on taking on its target.
#ifndef KRATON_RULES_XIANGQI_SEE_H
#define KRATON_RULES_XIANGQI_SEE_H

#include "rules/xiangqi/xiangqi.h"

// Plain values by type, for callers without their own; a pawn is 100, the king is beyond all price.
extern const int xq_plain_values[XQ_TYPES];

// Plays a legal move, then lets each side in turn take on the same point with its cheapest man that
// legally can, or stop. Everything is asked anew after each capture, so that screens come and go,
// legs open and pins count. Returns the balance for the side to move by these values; a king's must
// exceed the sum of all others.
int xq_see(const xq_pos *pos, rules_move move, const int values[XQ_TYPES]);

#endif
