// Bits by the word, for the builder's inner loops. Everything here is inline, so that it is
// compiled for the instruction set of whoever includes it.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_BITS_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_BITS_H

#include "tablebase/surakarta/build/rows.h"

// A row's words in a strip as one number: one instruction with AVX-512, two with AVX2.
typedef uint64_t tb_wide
    __attribute__((vector_size(TB_STRIP_WORDS * 8), aligned(TB_STRIP_WORDS * 8), may_alias));

_Static_assert(sizeof(tb_wide) == TB_STRIP_WORDS * sizeof(uint64_t), "a strip is one number");

ALWAYS_INLINE bool tb_any(const uint64_t *bits, const int words) {
    uint64_t any = 0;
    for (int i = 0; i < words; i++)
        any |= bits[i];
    return any != 0;
}

// The bits under the mask, moved together; and the way back.
ALWAYS_INLINE uint64_t tb_pack_bits(uint64_t bits, uint64_t mask) {
#ifdef __BMI2__
    return _pext_u64(bits, mask);
#else
    uint64_t packed = 0;
    for (int i = 0; mask; i++)
        packed |= (bits >> bits_pop(&mask) & 1) << i;
    return packed;
#endif
}

ALWAYS_INLINE uint64_t tb_unpack_bits(uint64_t bits, uint64_t mask) {
#ifdef __BMI2__
    return _pdep_u64(bits, mask);
#else
    uint64_t unpacked = 0;
    for (; mask; bits >>= 1)
        unpacked |= (bits & 1) << bits_pop(&mask);
    return unpacked;
#endif
}

// Bit k of word i becomes bit i of word k: halves of squares of words change places, then of
// squares of half the size, and so on.
ALWAYS_INLINE void tb_transpose(uint64_t m[64]) {
    uint64_t mask = 0x00000000ffffffff;
    for (int j = 32; j; j >>= 1, mask ^= mask << j)
        for (int first = 0; first < 64; first += 2 * j)
            for (int k = first; k < first + j; k++) {
                uint64_t t = (m[k] >> j ^ m[k + j]) & mask;
                m[k] ^= t << j;
                m[k + j] ^= t;
            }
}

// 64 columns of a plane, or the rest of them, as rows of `length` words; returns the columns that
// have a bit.
static inline uint64_t tb_transpose_columns(const tb_plane *plane, uint32_t word, uint64_t *turned,
                                            size_t length) {
    size_t lanes = plane->columns - word * 64 < 64 ? plane->columns - word * 64 : 64;
    uint64_t used = 0;
    for (size_t block = 0; block < length; block++) {
        uint64_t m[64], any = 0;
        uint32_t first = (uint32_t)block * 64;
        uint32_t rows = plane->rows - first < 64 ? plane->rows - first : 64;
        const uint64_t *from = tb_plane_word(plane, word, first);
        for (uint32_t i = 0; i < rows; i++)
            any |= m[i] = from[(size_t)i * plane->words];
        for (uint32_t i = rows; i < 64; i++)
            m[i] = 0;
        used |= any;
        if (any)
            tb_transpose(m);
        for (size_t i = 0; i < lanes; i++)
            turned[i * length + block] = m[i];
    }
    return used;
}

#endif
