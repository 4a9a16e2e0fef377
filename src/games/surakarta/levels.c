// The levels of Surakarta. A man is worth about 100 centipawns.
#include "games/levels.h"

#include "rules/game.h"

extern const level_table sk_levels;

const level_table sk_levels = {
    .game = &rules_surakarta,
    .plans =
        {
            [1] = {1, 0, LEVELS_ALL_MOVES, 400, 5000},
            [2] = {1, 0, LEVELS_ALL_MOVES, 220, 5000},
            [3] = {1, 0, LEVELS_ALL_MOVES, 150, 5000},
            [4] = {2, 0, LEVELS_ALL_MOVES, 80, 80},
            [5] = {3, 0, 16, 50, 60},
            [6] = {4, 0, 10, 30, 40},
            [7] = {6, 0, 6, 25, 30},
            [8] = {8, 0, 4, 15, 20},
            [9] = {10, 0, 1, 0, 0},
            [10] = {14, 2000000, 1, 0, 0},
        },
    .men = "bw",
    .values = {10, 10},
};
