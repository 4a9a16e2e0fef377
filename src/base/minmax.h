// The smaller and the larger of two numbers, and a number held between two bounds, by type.
#ifndef KRATON_BASE_MINMAX_H
#define KRATON_BASE_MINMAX_H

#include <stddef.h>
#include <stdint.h>

static inline int min_int(int a, int b) { return a < b ? a : b; }
static inline int max_int(int a, int b) { return a > b ? a : b; }
static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline size_t min_size(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t max_size(size_t a, size_t b) { return a > b ? a : b; }
static inline double min_double(double a, double b) { return a < b ? a : b; }
static inline double max_double(double a, double b) { return a > b ? a : b; }

// low is at most high.
static inline int clamp_int(int n, int low, int high) { return max_int(low, min_int(n, high)); }
static inline int64_t clamp_i64(int64_t n, int64_t low, int64_t high) {
    return max_i64(low, min_i64(n, high));
}
static inline double clamp_double(double n, double low, double high) {
    return max_double(low, min_double(n, high));
}

#endif
