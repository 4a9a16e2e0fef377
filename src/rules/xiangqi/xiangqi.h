// Xiangqi: position, make and undo, legal move generation, exchange value. The hot path of the
// engine: a transparent struct and inline functions.
//
// Point = rank * 9 + file, rank 0 is Red's back rank, file 0 is on Red's left: a0 is point 0, i9 is
// point 89. Red is side 0 and moves first. A piece is type | side << 3; 0 is an empty point.
#ifndef KRATON_RULES_XIANGQI_H
#define KRATON_RULES_XIANGQI_H

#include "base/bits.h"
#include "base/text.h"
#include "rules/move.h"

enum { XQ_RED, XQ_BLACK, XQ_POINTS = 90, XQ_MAX_MOVES = 160 };

enum {
    XQ_EMPTY,
    XQ_CHARIOT,
    XQ_CANNON,
    XQ_HORSE,
    XQ_PAWN,
    XQ_ELEPHANT,
    XQ_ADVISOR,
    XQ_KING,
    XQ_TYPES
};

typedef struct {
    uint8_t board[96]; // piece on each point, padded
    uint64_t key;      // Zobrist, side to move included
    uint16_t quiet;    // plies since the last capture
    uint16_t number;   // move number as in the FEN
    uint8_t king[2];   // where each side's king stands
    uint8_t stm;
} xq_pos;

static inline int xq_type(int piece) {
    return piece & 7;
}

static inline int xq_side(int piece) {
    return piece >> 3;
}

#endif
