// SplitMix64: small, seedable, good enough for keys, openings and tests; never for secrets.
#ifndef KRATON_BASE_RNG_H
#define KRATON_BASE_RNG_H

#include <stdint.h>

typedef struct {
    uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r) {
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// A number below limit (limit at least 1).
static inline uint32_t rng_below(rng *r, uint32_t limit) {
    return (uint32_t)(((rng_next(r) >> 32) * limit) >> 32);
}

#endif
