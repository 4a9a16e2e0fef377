// What the levels for people may see of each game, and how wrong they may be (engine/level.h plays
// by it). The numbers are those of the ladder in docs/results.md: each level beats the one below. A
// game's are in its folder, in answers.c.
#ifndef KRATON_GAMES_LEVELS_H
#define KRATON_GAMES_LEVELS_H

#include "rules/rules.h"

enum { LEVELS = 10, LEVELS_ALL_MOVES = RULES_MAX_MOVES };

typedef struct {
    int32_t depth;
    uint64_t nodes; // 0: as many as the depth takes
    int variations; // moves to choose from
    int32_t noise;  // a move may look so many centipawns better or worse than it is
    int32_t margin; // and be worse than the best by so many at most
} level_plan;

typedef struct {
    const rules_game *game;
    level_plan plans[LEVELS + 1]; // from 1
    // The letters of the men that can be taken, either side's in small letters, and their values in
    // tenths of a pawn; other men are beyond all price.
    const char *men;
    int values[8];
} level_table;

const level_table *levels_find(const rules_game *game);

#endif
