// The levels of Xiangqi. The values are paper 4's, halved.
#include "games/levels.h"

#include "rules/game.h"

extern const level_table xq_levels;

const level_table xq_levels = {
    .game = &rules_xiangqi,
    .plans =
        {
            [1] = {1, 0, LEVELS_ALL_MOVES, 900, 9000},
            [2] = {1, 0, LEVELS_ALL_MOVES, 400, 9000},
            [3] = {2, 0, LEVELS_ALL_MOVES, 250, 9000},
            [4] = {2, 0, LEVELS_ALL_MOVES, 120, 120},
            [5] = {3, 0, LEVELS_ALL_MOVES, 80, 90},
            [6] = {4, 0, 16, 50, 60},
            [7] = {5, 0, 8, 35, 45},
            [8] = {6, 0, 6, 20, 30},
            [9] = {7, 0, 4, 10, 15},
            [10] = {12, 2000000, 1, 0, 0},
        },
    .men = "pabncr",
    .values = {10, 20, 20, 40, 45, 90},
};
