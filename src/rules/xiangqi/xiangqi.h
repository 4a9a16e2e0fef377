// Xiangqi: position, make and undo, legal move generation, exchange value. The hot path of the
// engine: a transparent struct and inline functions.
//
// Point = rank * 9 + file, rank 0 is Red's back rank, file 0 is on Red's left: a0 is point 0, i9 is
// point 89. Red is side 0 and moves first. A piece is type | side << 3; 0 is an empty point.
//
// A position is a plain value: assignment copies it. Nothing here allocates or keeps state, so
// different positions may be used from different threads.
#ifndef KRATON_RULES_XIANGQI_H
#define KRATON_RULES_XIANGQI_H

#include "base/bits.h"
#include "base/text.h"
#include "rules/move.h"

enum { XQ_RED, XQ_BLACK, XQ_FILES = 9, XQ_RANKS = 10, XQ_POINTS = 90, XQ_MAX_MOVES = 160 };

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

static inline int xq_type(int piece) { return piece & 7; }

static inline int xq_side(int piece) { return piece >> 3; }

static inline int xq_piece(int type, int side) { return type | side << 3; }

static inline int xq_file(int point) { return point % XQ_FILES; }

static inline int xq_rank(int point) { return point / XQ_FILES; }

// Derives everything else from board, stm, quiet and number; both kings must be on the board. Call
// it after writing board by hand.
void xq_refresh(xq_pos *pos);

// Plays a move that is at least pseudo-legal and returns the piece it took, 0 for none.
int xq_make(xq_pos *pos, rules_move move);
// Takes it back; quiet is the counter as it was before the move.
void xq_undo(xq_pos *pos, rules_move move, int captured, uint16_t quiet);

// Whether that side's king is attacked, the other king facing it included.
bool xq_in_check(const xq_pos *pos, int side);

// The points from which side's pieces could take on a point if an enemy stood there, kings and
// pins not regarded; returns how many. Two facing kings do not attack each other here.
int xq_attackers(const xq_pos *pos, int point, int side, uint8_t from[16]);

// Whether the piece on from moves like this, whoever is to move and whatever becomes of the king.
// The target may not hold a piece of its own side.
bool xq_can_reach(const xq_pos *pos, int from, int to);

// All legal moves, captures first.
int xq_generate(const xq_pos *pos, rules_move moves[XQ_MAX_MOVES]);
// Whether any 16 bits are a legal move here.
bool xq_is_legal(const xq_pos *pos, rules_move move);

#endif
