// Surakarta on two 36-bit boards: position, make and undo, move generation. The hot path of the
// engine and the tables: a transparent struct and inline functions.
//
// Point = row * 6 + column, row 0 on top (a6 is point 0, f1 is point 35). Black (side 0) starts on
// the two top rows and moves first; White (side 1) on the two bottom rows.
#ifndef KRATON_RULES_SURAKARTA_H
#define KRATON_RULES_SURAKARTA_H

#include "base/bits.h"
#include "base/text.h"
#include "rules/move.h"

enum { SK_BLACK, SK_WHITE, SK_POINTS = 36, SK_STATIONS = 24, SK_MAX_PIECES = 12, SK_MAX_MOVES = 160 };

typedef struct {
    uint64_t pieces[2]; // bit = point
    uint64_t key;       // Zobrist, side to move included
    uint16_t quiet;     // plies since the last capture
    uint16_t number;    // move number as in the FEN
    uint8_t stm;
} sk_pos;

#endif
