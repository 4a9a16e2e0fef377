#include "games/xiangqi/answers.h"

#include "games/levels.h"

#include <stddef.h>
#include <stdlib.h>

xq_set xq_check_zone[XQ_POINTS]; // written once before main

AT_START static void fill_check_zone(void) {
    for (int king = 0; king < XQ_POINTS; king++)
        for (int point = 0; point < XQ_POINTS; point++) {
            int across = abs(xq_file(king) - xq_file(point));
            int along = abs(xq_rank(king) - xq_rank(point));
            if (across == 0 || along == 0 || across + along == 3 || (across == 1 && along == 1))
                xq_check_zone[king] |= bits_wide(point);
        }
}

// The start, openings, middle games with every kind of man, endings, checks to be answered.
const char *const xq_bench_fens[] = {
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3",
    "r1bakabr1/9/2n1c1nc1/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 b - - 3 6",
    "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "2bak4/4a4/2n1b1n2/p3p1R1p/2p6/4r4/P1P3P1P/2N1C1N2/9/2BAKAB2 b - - 0 18",
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
    "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1",
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
    "4k4/4a4/4ba3/9/2n3P2/4P4/9/4B4/4A4/2BAK1N2 b - - 5 50",
    NULL,
};

// The levels of Xiangqi. The values are paper 4's, halved.
extern const level_table xq_levels;

const level_table xq_levels = {
    .game = &rules_xiangqi,
    .plans =
        {
            [1] = {1, 0, LEVELS_ALL_MOVES, 3300, 9000},
            [2] = {1, 0, LEVELS_ALL_MOVES, 550, 9000},
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
