// Why a Xiangqi move is illegal, in words. Plain walks over the board, written for clarity and
// independent of the fast generator; tests hold the two against each other.
#ifndef KRATON_RULES_XIANGQI_EXPLAIN_H
#define KRATON_RULES_XIANGQI_EXPLAIN_H

#include "base/bits.h"
#include "base/text.h"
#include "rules/xiangqi/xiangqi.h"

// "Red" or "Black".
const char *xq_side_name(int side);
// "chariot", "pawn", ...
const char *xq_type_name(int type);

// A point's name, "e4".
typedef struct {
    char name[3];
} xq_point_name;
xq_point_name xq_name_point(int point);

// Whether a piece of this kind can ever stand there: palace, river, elephant's points.
bool xq_can_stand(int piece, int point);

// Whether the piece on `from` can go to `to` by its way of moving, checks apart; what stands on
// `to` may belong to either side or to nobody, but not to the mover. `why` may be NULL.
bool xq_explain_reach(const uint8_t board[XQ_POINTS], int from, int to, fault *why);

// Whether the generals look at each other along an open file.
bool xq_generals_face(const uint8_t board[XQ_POINTS]);

// A point from which `side` attacks `target`, or -1.
int xq_find_attacker(const uint8_t board[XQ_POINTS], int side, int target);

// Whether the side to move may play from `from` to `to`, both points of the board.
MUST_USE bool xq_explain_move(const xq_pos *pos, int from, int to, fault *why);

#endif
