// A move of any game in 16 bits, as in paper 5: 8 bits for the point left, 8 for the point
// reached. Point numbers are the game's own; captures are written like moves.
#ifndef KRATON_RULES_MOVE_H
#define KRATON_RULES_MOVE_H

#include <stdbool.h>
#include <stdint.h>

typedef uint16_t rules_move;

enum { MOVE_NONE = 0 }; // from == to == 0 is no move in any game

static inline rules_move move_of(int from, int to) { return (rules_move)(from << 8 | to); }

static inline int move_from(rules_move m) { return m >> 8; }

static inline int move_to(rules_move m) { return m & 0xff; }

// One step of the path: a position that was passed on the way to the current one, in the game or in
// the search tree. Repetitions are found and judged on such a path.
typedef struct {
    uint64_t key;
    rules_move move; // played from this position
    bool in_check;   // whether the side to move is in check
} game_step;

#endif
