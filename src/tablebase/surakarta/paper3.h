// Paper 3's index, for comparison: boards of n pieces, all splits of one number together, numbered
// by the occupied points as a combinatorial number, times 2^n, plus one colour bit a piece. And
// Schadd's form of it, which leaves out the two colourings of one colour. The paper's formulas are
// lost in the text at hand: order of points and bits is ours, counts are the paper's.
//
// A bit is set where the side to move stands; the first bit is the lowest point's. Neither form
// knows symmetry. Pure functions.
#ifndef KRATON_TABLEBASE_SURAKARTA_PAPER3_H
#define KRATON_TABLEBASE_SURAKARTA_PAPER3_H

#include "tablebase/surakarta/index.h"

// How many boards of n pieces there are, n from 1 to TB_MAX_PIECES.
uint64_t paper3_size(int n);
uint64_t schadd_size(int n);

// The colour bits of a placement: the movers among the occupied points.
ALWAYS_INLINE uint64_t paper3_colours(tb_placement p) {
    uint64_t occupied = p.movers | p.others, colours = 0;
    for (int i = 0; occupied; i++)
        colours |= (p.movers >> bits_pop(&occupied) & 1) << i;
    return colours;
}

// The number of a board of n pieces.
ALWAYS_INLINE uint64_t paper3_rank(int n, tb_placement p) {
    return (uint64_t)tb_rank_set(p.movers | p.others) << n | paper3_colours(p);
}

// The same; both sides have pieces.
ALWAYS_INLINE uint64_t schadd_rank(int n, tb_placement p) {
    uint64_t colourings = ((uint64_t)1 << n) - 2;
    return tb_rank_set(p.movers | p.others) * colourings + paper3_colours(p) - 1;
}

// The board of n pieces with that number.
tb_placement paper3_unrank(int n, uint64_t index);
tb_placement schadd_unrank(int n, uint64_t index);

#endif
