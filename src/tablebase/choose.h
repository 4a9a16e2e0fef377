// Sets of points as numbers. The sets of k points in the order of their 36-bit values are the
// combinatorial number system: the set p1 < p2 < ... < pk has C(p1,1) + C(p2,2) + ... + C(pk,k)
// before it. That order does not change when points that are in none of the sets are left out, so
// what is ranked among the free points of a board stays in the order it has on the whole board. Nor
// does it change when the same point is added to all of the sets or taken from all: which of two
// comes first is decided by the highest point that is in only one of them.
//
// Pure functions on a table written before main.
#ifndef KRATON_TABLEBASE_CHOOSE_H
#define KRATON_TABLEBASE_CHOOSE_H

#include "base/bits.h"
#include "rules/surakarta/surakarta.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

enum { TB_MAX_PIECES = 12 }; // of both sides together

extern uint32_t tb_choose[TB_MAX_PIECES + 1][SK_POINTS + 1]; // [k][n]: sets of k among n

// How many sets of as many points come before this one.
ALWAYS_INLINE uint32_t tb_rank_set(uint64_t set) {
    uint32_t rank = 0;
    for (int k = 1; set; k++)
        rank += tb_choose[k][bits_pop(&set)];
    return rank;
}

// The set of k points with that rank.
uint64_t tb_unrank_set(uint32_t rank, int k);

// The set renumbered as if the points of `holes`, none of them in it, were not there. Without the
// instruction for it, from the highest hole down each step closes one: what lies below it is
// doubled before all is halved.
ALWAYS_INLINE uint64_t tb_squeeze(uint64_t set, uint64_t holes) {
#ifdef __BMI2__
    return _pext_u64(set, ~holes);
#else
    while (holes) {
        uint64_t hole = (uint64_t)1 << bits_highest(holes);
        set = (set + (set & (hole - 1))) >> 1;
        holes ^= hole;
    }
    return set;
#endif
}

// The inverse: renumbers the set so that no point of `holes` is in it.
ALWAYS_INLINE uint64_t tb_spread(uint64_t set, uint64_t holes) {
    while (holes) {
        uint64_t hole = holes & -holes;
        set += set & -hole;
        holes ^= hole;
    }
    return set;
}

#endif
