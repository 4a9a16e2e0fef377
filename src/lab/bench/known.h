// Xiangqi positions whose perft is known from two other programs, and two that stretch move lists.
// Used by the benchmark and by the tests.
#ifndef KRATON_LAB_BENCH_KNOWN_H
#define KRATON_LAB_BENCH_KNOWN_H

#include <stdint.h>

enum { KNOWN_POSITIONS = 6, KNOWN_DEPTH = 5 };

typedef struct {
    const char *fen;
    uint64_t nodes[KNOWN_DEPTH]; // depth 1, 2, ...
} known_position;

static const known_position known_positions[KNOWN_POSITIONS] = {
    {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
     {44, 1920, 79666, 3290240, 133312995}},
    {"r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
     {38, 1128, 43929, 1339047, 53112976}},
    {"1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
     {7, 281, 8620, 326201, 10369923}},
    {"5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1", {25, 424, 9850, 202884, 4739553}},
    {"CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1", {28, 516, 14808, 395483, 11842230}},
    {"r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1",
     {58, 1651, 90744, 2605437, 140822416}},
};

// 111 moves, 3 of them captures; 111 moves, none a capture; 63 moves, 44 of them captures.
#define KNOWN_MOST_MOVES "3C5/1P2P4/2P1k1P2/7C1/1cP1N1N2/5R2n/R8/2p1B1r1B/2p1A4/4K4 w - - 0 1"
#define KNOWN_MOST_QUIETS "3C5/1P2P4/2P1k1P2/7C1/2P1N1N2/5R3/R8/4B3B/4A4/4K4 w - - 0 1"
#define KNOWN_MOST_CAPTURES                                                                        \
    "2b6/3kaPcPr/b1RrPaP2/2pP3N1/4N4/n1pCC1c1p/9/4BA2B/3Kn1R2/3p1Ap2 w - - 0 1"

#endif
