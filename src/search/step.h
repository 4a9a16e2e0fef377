// A position on the way: the game before the search, then the tree.
#ifndef KRATON_SEARCH_STEP_H
#define KRATON_SEARCH_STEP_H

#include "rules/move.h"

#include <stdbool.h>

typedef struct {
    uint64_t key;
    rules_move move; // played from it
    bool in_check;   // the side to move there
} game_step;

#endif
