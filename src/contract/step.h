// One step of the path: a position that was passed on the way to the current one, in the game or in
// the search tree. Repetitions are found and judged on such a path.
#ifndef KRATON_CONTRACT_STEP_H
#define KRATON_CONTRACT_STEP_H

#include "rules/move.h"

#include <stdbool.h>

typedef struct {
    uint64_t key;
    rules_move move; // played from this position
    bool in_check;   // whether the side to move is in check
} game_step;

#endif
