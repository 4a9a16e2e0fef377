// The loops over the units of a network (games/network.h), written by hand for AVX2, AVX-512
// with VNNI and WebAssembly, and in plain C. All give the same integers; tests/test_network.c and
// tests/wasm.mjs compare them.
//
// Kernels are called through pointers: a call is little beside the hundreds of units it handles,
// and the search need not be compiled once more for VNNI. Constant; any thread may use them.
#ifndef KRATON_GAMES_KERNELS_H
#define KRATON_GAMES_KERNELS_H

#include <stdint.h>

enum {
    NETWORK_ONE = 255,        // a full unit
    NETWORK_SQUARE_SHIFT = 9, // a full unit squared becomes 127
    NETWORK_WIDTH_STEP = 32,  // a width is a multiple of this
};

// Units, rows and outputs begin on a cache line. Sums of units wrap at 16 bits.
typedef struct {
    const char *name;
    // The units after a move: one row comes and one goes, and another goes if something was taken
    // (else NULL). `next` and `now` are different.
    void (*update)(int16_t *next, const int16_t *now, const int16_t *comes, const int16_t *goes,
                   const int16_t *taken, int width);
    // Adds rows to the units and subtracts others.
    void (*change)(int16_t *units, const int16_t *const *comes, int comes_count,
                   const int16_t *const *goes, int goes_count, int width);
    // Clips the units to 0 ... NETWORK_ONE, squares them to 7 bits, multiplies by the weights.
    int32_t (*sum)(const int16_t *units, const int8_t *output, int width);
} network_kernels;

extern const network_kernels network_kernels_baseline;
#ifdef __x86_64__
extern const network_kernels network_kernels_v3, network_kernels_vnni;
#endif

// The n-th set that this processor runs, the fastest first; NULL after the last.
const network_kernels *network_kernels_find(int n);

#endif
