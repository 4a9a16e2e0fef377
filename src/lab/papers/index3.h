// Paper 3's index, for comparison: boards of n pieces, all splits of one number together, numbered
// by the occupied points as a combinatorial number, times 2^n, plus one colour bit a piece. And
// Schadd's form of it, which leaves out the two colourings of one colour. The paper's formulas are
// lost in the text at hand: order of points and bits is ours, counts are the paper's.
//
// A bit is set where the side to move stands; the first bit is the lowest point's. Neither form
// knows symmetry. Pure functions.
#ifndef KRATON_LAB_PAPERS_INDEX3_H
#define KRATON_LAB_PAPERS_INDEX3_H

#include "tablebase/surakarta/index.h"

// How many boards of n pieces there are, n from 1 to TB_MAX_PIECES.
static inline uint64_t paper3_size(int n) { return (uint64_t)tb_choose[n][SK_POINTS] << n; }

static inline uint64_t schadd_size(int n) {
    return (uint64_t)tb_choose[n][SK_POINTS] * (((uint64_t)1 << n) - 2);
}

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

// The board whose occupied points carry these colour bits.
static inline tb_placement paper3_colour(uint64_t occupied, uint64_t colours) {
    tb_placement p = {0, 0};
    for (; occupied; colours >>= 1) {
        uint64_t point = sk_bit(bits_pop(&occupied));
        *(colours & 1 ? &p.movers : &p.others) |= point;
    }
    return p;
}

// The board of n pieces with that number.
static inline tb_placement paper3_unrank(int n, uint64_t index) {
    return paper3_colour(tb_unrank_set((uint32_t)(index >> n), n),
                         index & (((uint64_t)1 << n) - 1));
}

static inline tb_placement schadd_unrank(int n, uint64_t index) {
    uint64_t colourings = ((uint64_t)1 << n) - 2;
    return paper3_colour(tb_unrank_set((uint32_t)(index / colourings), n), index % colourings + 1);
}

#endif
