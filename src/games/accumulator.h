// The accumulator of a network: the units of both perspectives at one ply of a line.
//
// It is lazy. A move only notes what it changed and which accumulator it follows; the units are
// computed when the position is evaluated, from the nearest earlier ones that are up to date. Many
// positions are cut off before, and their units are never needed.
//
// An accumulator points to the one before it, which must stay where it is, and hold what it held,
// for as long as this one is used. A line belongs to one thread.
#ifndef KRATON_GAMES_ACCUMULATOR_H
#define KRATON_GAMES_ACCUMULATOR_H

#include "games/network.h"

enum { ACCUMULATOR_NO_PIECE = 255 };

// What a move changes, in the game's own numbers of pieces and points.
typedef struct {
    uint8_t piece, from, to;
    uint8_t taken; // or ACCUMULATOR_NO_PIECE
} accumulator_step;

typedef struct accumulator {
    const network *network;     // NULL: none
    struct accumulator *before; // NULL: none, the line begins here
    accumulator_step step;      // from there to here; its piece is ACCUMULATOR_NO_PIECE for a pass
    bool is_ready[2];           // whether the units of a side are up to date
    _Alignas(64) int16_t units[2][NETWORK_MAX_WIDTH]; // by side
} accumulator;

// Begins a line. `n` may be NULL.
ALWAYS_INLINE void accumulator_begin(accumulator *a, const network *n) {
    a->network = n;
    a->before = NULL;
    a->is_ready[0] = a->is_ready[1] = false;
}

// The position after a step from `now`.
ALWAYS_INLINE void accumulator_follow(accumulator *next, accumulator *now, accumulator_step step) {
    next->network = now->network;
    next->before = now;
    next->step = step;
    next->is_ready[0] = next->is_ready[1] = false;
}

// The position after a null move from `now`.
ALWAYS_INLINE void accumulator_pass(accumulator *next, accumulator *now) {
    accumulator_follow(next, now, (accumulator_step){.piece = ACCUMULATOR_NO_PIECE});
}

ALWAYS_INLINE bool accumulator_is_pass(const accumulator *a) {
    return a->step.piece == ACCUMULATOR_NO_PIECE;
}

#endif
