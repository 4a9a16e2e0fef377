#include "games/surakarta/answers.h"

#include "games/levels.h"

#include <stddef.h>

// The start, openings, open middle games, endings with few pieces on either side.
const char *const sk_bench_fens[] = {
    "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 1",
    "bbbbb1/bbbbbb/4b1/1w4/w1wwww/wwwwww b 2 3",
    "b1bbbb/bbb1bb/1b1b2/2w1w1/ww1w1w/wwwwww w 6 7",
    "b1bb1b/1bb1b1/bb3b/2w3/w1w1ww/1www1w w 1 12",
    "1bb1b1/b2b2/1b2b1/w1w2w/1w2w1/ww1w1w b 0 15",
    "b1b2b/2b1b1/1b4/4w1/1w1w2/w1w1w1 w 3 22",
    "2b3/b2b1b/6/1w2w1/3w2/w4w b 4 28",
    "b4b/2b3/4b1/1w4/2w2w/w5 w 0 31",
    "b5/3b2/6/2w3/4w1/5w b 7 35",
    "1b4/6/3bb1/6/w4w/6 w 2 40",
    NULL,
};

// The levels of Surakarta. A man is worth about 100 centipawns.
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
