#include "tablebase/surakarta/paper3.h"

uint64_t paper3_size(int n) { return (uint64_t)tb_choose[n][SK_POINTS] << n; }

uint64_t schadd_size(int n) { return (uint64_t)tb_choose[n][SK_POINTS] * (((uint64_t)1 << n) - 2); }

static tb_placement colour(uint64_t occupied, uint64_t colours) {
    tb_placement p = {0, 0};
    for (; occupied; colours >>= 1) {
        uint64_t point = sk_bit(bits_pop(&occupied));
        *(colours & 1 ? &p.movers : &p.others) |= point;
    }
    return p;
}

tb_placement paper3_unrank(int n, uint64_t index) {
    return colour(tb_unrank_set((uint32_t)(index >> n), n), index & (((uint64_t)1 << n) - 1));
}

tb_placement schadd_unrank(int n, uint64_t index) {
    uint64_t colourings = ((uint64_t)1 << n) - 2;
    return colour(tb_unrank_set((uint32_t)(index / colourings), n), index % colourings + 1);
}
