// Xiangqi: position, make and undo, legal moves. A transparent struct and inline functions for the
// hot path; attacks.h and generate.h hold the rest of it, see.h the exchange value.
//
// Point = rank * 9 + file, rank 0 is Red's back rank, file 0 is on Red's left: a0 is point 0, i9 is
// point 89. Red is side 0 and moves first. A piece is type | side << 3; 0 is an empty point.
//
// A position is a plain value: assignment copies it. Nothing here allocates or keeps state, so
// different positions may be used from different threads. Tables are written before main.
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

// A set of points: bit = point.
typedef u128 xq_set;

// The board four times over: what stands on a point, where the men of a kind stand, and what a rank
// or a file looks like, since that word of 9 or 10 bits is the index of the line tables.
typedef struct {
    xq_set men[16];        // by piece; men[0] and men[8] are all of Red's and all of Black's
    uint8_t board[96];     // piece on each point, padded
    uint16_t ranks[2][10]; // a side's men on each rank, bit = file
    uint16_t files[2][10]; // a side's men on each file, bit = rank
    uint64_t key;          // Zobrist, side to move included
    uint16_t quiet;        // plies since the last capture; stays at 65535
    uint16_t number;       // move number as in the FEN
    uint8_t king[2];       // where each side's king stands
    uint8_t stm;
} xq_pos;

// Zobrist keys; all 0 for the empty piece.
extern uint64_t xq_piece_keys[16][XQ_POINTS];
extern uint64_t xq_black_to_move;

static inline int xq_type(int piece) { return piece & 7; }
static inline int xq_side(int piece) { return piece >> 3; }
static inline int xq_piece(int type, int side) { return type | side << 3; }
static inline int xq_file(int point) { return (int)((unsigned)point % XQ_FILES); }
static inline int xq_rank(int point) { return (int)((unsigned)point / XQ_FILES); }

// Derives everything else from board, stm, quiet and number; both kings must be on the board. Call
// it after writing board by hand.
void xq_refresh(xq_pos *pos);

// A move's change of the board, which is its own inverse but for the man taken.
ALWAYS_INLINE void xq_shift_man(xq_pos *pos, int piece, int from, int to) {
    int side = xq_side(piece);
    xq_set both = bits_wide(from) | bits_wide(to);
    pos->men[piece] ^= both;
    pos->men[side << 3] ^= both;
    pos->ranks[side][xq_rank(from)] ^= (uint16_t)(1 << xq_file(from));
    pos->ranks[side][xq_rank(to)] ^= (uint16_t)(1 << xq_file(to));
    pos->files[side][xq_file(from)] ^= (uint16_t)(1 << xq_rank(from));
    pos->files[side][xq_file(to)] ^= (uint16_t)(1 << xq_rank(to));
    if (xq_type(piece) == XQ_KING)
        pos->king[side] = (uint8_t)to;
}

// Takes a man off the sets and lines, or puts it back.
ALWAYS_INLINE void xq_toggle_man(xq_pos *pos, int piece, int point) {
    int side = xq_side(piece);
    pos->men[piece] ^= bits_wide(point);
    pos->men[side << 3] ^= bits_wide(point);
    pos->ranks[side][xq_rank(point)] ^= (uint16_t)(1 << xq_file(point));
    pos->files[side][xq_file(point)] ^= (uint16_t)(1 << xq_rank(point));
}

ALWAYS_INLINE uint64_t xq_key_change(int piece, int captured, int from, int to) {
    return xq_piece_keys[piece][from] ^ xq_piece_keys[piece][to] ^ xq_piece_keys[captured][to] ^
           xq_black_to_move;
}

// Plays a move that is at least pseudo-legal and returns the piece it took, 0 for none.
static inline int xq_make(xq_pos *pos, rules_move move) {
    int from = move_from(move), to = move_to(move);
    int piece = pos->board[from], captured = pos->board[to];
    if (captured)
        xq_toggle_man(pos, captured, to);
    xq_shift_man(pos, piece, from, to);
    pos->board[from] = XQ_EMPTY;
    pos->board[to] = (uint8_t)piece;
    pos->key ^= xq_key_change(piece, captured, from, to);
    pos->quiet = captured ? 0 : (uint16_t)(pos->quiet + (pos->quiet < UINT16_MAX));
    pos->number = (uint16_t)(pos->number + pos->stm);
    pos->stm ^= 1;
    return captured;
}

// Takes it back; quiet is the counter as it was before the move.
static inline void xq_undo(xq_pos *pos, rules_move move, int captured, uint16_t quiet) {
    int from = move_from(move), to = move_to(move);
    int piece = pos->board[to];
    xq_shift_man(pos, piece, to, from);
    pos->board[from] = (uint8_t)piece;
    pos->board[to] = (uint8_t)captured;
    if (captured)
        xq_toggle_man(pos, captured, to);
    pos->key ^= xq_key_change(piece, captured, from, to);
    pos->quiet = quiet;
    pos->stm ^= 1;
    pos->number = (uint16_t)(pos->number - pos->stm);
}

// Whether that side's king is attacked, the other king facing it included.
bool xq_in_check(const xq_pos *pos, int side);

// The men of side that could take on a point if an enemy stood there, pins not regarded. A king
// attacks what it may step on; two facing kings do not attack each other here.
xq_set xq_attackers(const xq_pos *pos, int point, int side);

// Whether the man on from moves like this, whoever is to move and whatever becomes of the king. The
// target may not hold a man of its own side.
bool xq_can_reach(const xq_pos *pos, int from, int to);

// Legal moves: all of them with the captures first, or one kind only. Each returns how many.
int xq_generate(const xq_pos *pos, rules_move moves[XQ_MAX_MOVES]);
int xq_generate_captures(const xq_pos *pos, rules_move moves[XQ_MAX_MOVES]);
int xq_generate_quiets(const xq_pos *pos, rules_move moves[XQ_MAX_MOVES]);
// Whether any 16 bits are a move of the side to move here, but for its king's safety; and with it.
bool xq_is_pseudo_legal(const xq_pos *pos, rules_move move);
bool xq_is_legal(const xq_pos *pos, rules_move move);
// Whether a legal move attacks the other king.
bool xq_gives_check(const xq_pos *pos, rules_move move);

#endif
