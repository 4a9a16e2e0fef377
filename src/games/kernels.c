// Compiled once per level of the instruction set (base/isa.h).
#include "games/kernels.h"

#include "base/isa.h"

#if defined __AVX512VNNI__ || defined __AVX2__
#include <immintrin.h>
#elif defined __wasm_simd128__
#include <wasm_simd128.h>
#endif

#if defined __AVX512VNNI__

typedef __m512i vector; // of 32 units
enum { LANES = 32, TILE = 8 };
static inline vector load(const int16_t *at) { return _mm512_load_si512(at); }
static inline void store(int16_t *at, vector v) { _mm512_store_si512(at, v); }
static inline vector add(vector a, vector b) { return _mm512_add_epi16(a, b); }
static inline vector subtract(vector a, vector b) { return _mm512_sub_epi16(a, b); }

// VNNI multiplies the unsigned bytes of the units by the signed ones of the weights and adds four
// products to each sum.
static int32_t sum(const int16_t *units, const int8_t *output, int width) {
    const vector none = _mm512_setzero_si512(), one = _mm512_set1_epi16(NETWORK_ONE);
    __m256i total = _mm256_setzero_si256();
    for (int i = 0; i < width; i += LANES) {
        vector unit = _mm512_min_epi16(_mm512_max_epi16(load(units + i), none), one);
        vector square = _mm512_srli_epi16(_mm512_mullo_epi16(unit, unit), NETWORK_SQUARE_SHIFT);
        __m256i weights = _mm256_load_si256((const __m256i *)(const void *)(output + i));
        total = _mm256_dpbusd_epi32(total, _mm512_cvtepi16_epi8(square), weights);
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return _mm_cvtsi128_si32(half);
}

#elif defined __AVX2__

typedef __m256i vector; // of 16 units
enum { LANES = 16, TILE = 8 };
static inline vector load(const int16_t *at) {
    return _mm256_load_si256((const vector *)(const void *)at);
}
static inline void store(int16_t *at, vector v) { _mm256_store_si256((vector *)(void *)at, v); }
static inline vector add(vector a, vector b) { return _mm256_add_epi16(a, b); }
static inline vector subtract(vector a, vector b) { return _mm256_sub_epi16(a, b); }

static inline vector square_of(const int16_t *units) {
    const vector none = _mm256_setzero_si256(), one = _mm256_set1_epi16(NETWORK_ONE);
    vector unit = _mm256_min_epi16(_mm256_max_epi16(load(units), none), one);
    return _mm256_srli_epi16(_mm256_mullo_epi16(unit, unit), NETWORK_SQUARE_SHIFT);
}

// Two products of 7 bits each fit into the 16 bits of maddubs. Packing takes the halves of both
// vectors in turn; the permutation puts them in order again.
static int32_t sum(const int16_t *units, const int8_t *output, int width) {
    const vector ones = _mm256_set1_epi16(1);
    vector total = _mm256_setzero_si256();
    for (int i = 0; i < width; i += 2 * LANES) {
        vector squares = _mm256_packus_epi16(square_of(units + i), square_of(units + i + LANES));
        squares = _mm256_permute4x64_epi64(squares, 0xd8);
        vector weights = _mm256_load_si256((const vector *)(const void *)(output + i));
        vector products = _mm256_maddubs_epi16(squares, weights);
        total = _mm256_add_epi32(total, _mm256_madd_epi16(products, ones));
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return _mm_cvtsi128_si32(half);
}

#elif defined __wasm_simd128__

typedef v128_t vector; // of 8 units
enum { LANES = 8, TILE = 8 };
static inline vector load(const int16_t *at) { return wasm_v128_load(at); }
static inline void store(int16_t *at, vector v) { wasm_v128_store(at, v); }
static inline vector add(vector a, vector b) { return wasm_i16x8_add(a, b); }
static inline vector subtract(vector a, vector b) { return wasm_i16x8_sub(a, b); }

static inline vector square_of(const int16_t *units) {
    const vector none = wasm_i16x8_splat(0), one = wasm_i16x8_splat(NETWORK_ONE);
    vector unit = wasm_i16x8_min(wasm_i16x8_max(load(units), none), one);
    return wasm_u16x8_shr(wasm_i16x8_mul(unit, unit), NETWORK_SQUARE_SHIFT);
}

static int32_t sum(const int16_t *units, const int8_t *output, int width) {
    vector total = wasm_i32x4_splat(0);
    for (int i = 0; i < width; i += 2 * LANES) {
        vector weights = wasm_v128_load(output + i);
        vector low = wasm_i16x8_extend_low_i8x16(weights);
        vector high = wasm_i16x8_extend_high_i8x16(weights);
        total = wasm_i32x4_add(total, wasm_i32x4_dot_i16x8(square_of(units + i), low));
        total = wasm_i32x4_add(total, wasm_i32x4_dot_i16x8(square_of(units + i + LANES), high));
    }
    return wasm_i32x4_extract_lane(total, 0) + wasm_i32x4_extract_lane(total, 1) +
           wasm_i32x4_extract_lane(total, 2) + wasm_i32x4_extract_lane(total, 3);
}

#else

typedef int16_t vector;
enum { LANES = 1, TILE = 32 };
static inline vector load(const int16_t *at) { return *at; }
static inline void store(int16_t *at, vector v) { *at = v; }
static inline vector add(vector a, vector b) { return (int16_t)(a + b); }
static inline vector subtract(vector a, vector b) { return (int16_t)(a - b); }

static int32_t sum(const int16_t *units, const int8_t *output, int width) {
    int32_t total = 0;
    for (int i = 0; i < width; i++) {
        int16_t unit = units[i] < 0 ? 0 : units[i] > NETWORK_ONE ? NETWORK_ONE : units[i];
        int16_t square = (int16_t)((uint16_t)(unit * unit) >> NETWORK_SQUARE_SHIFT);
        total += square * output[i];
    }
    return total;
}

#endif

static void update(int16_t *restrict next, const int16_t *restrict now,
                   const int16_t *restrict comes, const int16_t *restrict goes,
                   const int16_t *restrict taken, int width) {
    if (taken)
        for (int i = 0; i < width; i += LANES)
            store(next + i, subtract(subtract(add(load(now + i), load(comes + i)), load(goes + i)),
                                     load(taken + i)));
    else
        for (int i = 0; i < width; i += LANES)
            store(next + i, subtract(add(load(now + i), load(comes + i)), load(goes + i)));
}

// Tile by tile, so that the units stay in registers while the rows come and go.
static void change(int16_t *units, const int16_t *const *comes, int comes_count,
                   const int16_t *const *goes, int goes_count, int width) {
    for (int first = 0; first < width; first += LANES * TILE) {
        vector tile[TILE];
        int count = (width - first) / LANES < TILE ? (width - first) / LANES : TILE;
        for (int i = 0; i < count; i++)
            tile[i] = load(units + first + i * LANES);
        for (int n = 0; n < comes_count; n++)
            for (int i = 0; i < count; i++)
                tile[i] = add(tile[i], load(comes[n] + first + i * LANES));
        for (int n = 0; n < goes_count; n++)
            for (int i = 0; i < count; i++)
                tile[i] = subtract(tile[i], load(goes[n] + first + i * LANES));
        for (int i = 0; i < count; i++)
            store(units + first + i * LANES, tile[i]);
    }
}

const network_kernels ISA_NAME(network_kernels) = {
#if defined __AVX512VNNI__
    "AVX-512 VNNI",
#elif defined __AVX2__
    "AVX2",
#elif defined __wasm_simd128__
    "WebAssembly SIMD",
#else
    "portable",
#endif
    update, change, sum};
