// The GNU builtins and attributes that the project uses.
#ifndef KRATON_BASE_BITS_H
#define KRATON_BASE_BITS_H

#include <stdint.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define MUST_USE __attribute__((warn_unused_result))
// Runs before main, for tables written once. The program links it where it links the tables.
#define AT_START __attribute__((constructor))

__extension__ typedef unsigned __int128 u128;

ALWAYS_INLINE int bits_count(uint64_t b) { return __builtin_popcountll(b); }

// Index of the lowest set bit; b is not 0.
ALWAYS_INLINE int bits_lowest(uint64_t b) { return __builtin_ctzll(b); }

// Index of the highest set bit; b is not 0.
ALWAYS_INLINE int bits_highest(uint64_t b) { return 63 - __builtin_clzll(b); }

// Removes the lowest set bit and returns its index; *b is not 0.
ALWAYS_INLINE int bits_pop(uint64_t *b) {
    int i = bits_lowest(*b);
    *b &= *b - 1;
    return i;
}

// Rotates 32 bits towards the low end; n is 0..31.
ALWAYS_INLINE uint32_t bits_rotate_right(uint32_t b, int n) { return b >> n | b << (-n & 31); }

// The same for sets of up to 128.

ALWAYS_INLINE u128 bits_wide(int i) { return (u128)1 << i; }

ALWAYS_INLINE int bits_wide_count(u128 b) {
    return __builtin_popcountll((uint64_t)b) + __builtin_popcountll((uint64_t)(b >> 64));
}

ALWAYS_INLINE int bits_wide_lowest(u128 b) {
    uint64_t low = (uint64_t)b;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(b >> 64));
}

ALWAYS_INLINE int bits_wide_pop(u128 *b) {
    int i = bits_wide_lowest(*b);
    *b &= *b - 1;
    return i;
}

#endif
