// The transposition table, shared by all threads without locks.
//
// A bucket is one cache line of four entries. An entry is two words: the data, and the key xored
// with the data. If two threads write at once and a reader sees half of each, the key does not
// match and the entry is a miss (Hyatt's lockless hashing). The words are relaxed atomics.
//
//   bits   0..15  move            32..47  static evaluation     56..57  bound
//         16..31  score           48..55  depth + 8             58      in a principal variation
//                                                               59..63  age
#ifndef KRATON_SEARCH_TT_H
#define KRATON_SEARCH_TT_H

#include "base/bits.h"
#include "rules/move.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { TT_NONE, TT_UPPER, TT_LOWER, TT_EXACT };
enum { TT_ENTRIES = 4, TT_AGES = 32, TT_DEPTH_OFFSET = 8 };

typedef struct {
    _Atomic uint64_t check, data;
} tt_entry;

typedef struct {
    _Alignas(64) tt_entry entry[TT_ENTRIES];
} tt_bucket;

typedef struct {
    tt_bucket *buckets;
    size_t count;
    unsigned age; // of the search that runs; written between searches
} tt_table;

typedef struct {
    rules_move move;
    int32_t score, eval; // the score as in the table: score_from_table
    int depth, bound;
    bool was_pv;
} tt_found;

// False when out of memory; then the table is unchanged. A new table is empty.
MUST_USE bool tt_resize(tt_table *t, size_t megabytes);
void tt_free(tt_table *t);
void tt_clear(tt_table *t);
// How full the table is, per mille: the first thousand entries that this search has written.
int tt_full(const tt_table *t);

ALWAYS_INLINE tt_bucket *tt_bucket_of(const tt_table *t, uint64_t key) {
    return &t->buckets[(size_t)((u128)key * t->count >> 64)];
}

ALWAYS_INLINE void tt_prefetch(const tt_table *t, uint64_t key) {
    __builtin_prefetch(tt_bucket_of(t, key));
}

ALWAYS_INLINE tt_found tt_unpack(uint64_t data) {
    return (tt_found){.move = (rules_move)data,
                      .score = (int16_t)(data >> 16),
                      .eval = (int16_t)(data >> 32),
                      .depth = (int)(data >> 48 & 255) - TT_DEPTH_OFFSET,
                      .bound = (int)(data >> 56 & 3),
                      .was_pv = data >> 58 & 1};
}

ALWAYS_INLINE bool tt_probe(const tt_table *t, uint64_t key, tt_found *found) {
    const tt_bucket *b = tt_bucket_of(t, key);
    for (int i = 0; i < TT_ENTRIES; i++) {
        uint64_t data = atomic_load_explicit(&b->entry[i].data, memory_order_relaxed);
        if ((atomic_load_explicit(&b->entry[i].check, memory_order_relaxed) ^ data) == key &&
            data) {
            *found = tt_unpack(data);
            return true;
        }
    }
    return false;
}

// Replaces the entry of the same position, or the shallowest and oldest of the bucket. An entry
// without a move keeps the old one's move; a much deeper result of this search is not overwritten.
ALWAYS_INLINE void tt_store(tt_table *t, uint64_t key, tt_found what) {
    tt_bucket *b = tt_bucket_of(t, key);
    tt_entry *worst = NULL;
    int worst_value = 1 << 20;
    for (int i = 0; i < TT_ENTRIES; i++) {
        tt_entry *e = &b->entry[i];
        uint64_t data = atomic_load_explicit(&e->data, memory_order_relaxed);
        if ((atomic_load_explicit(&e->check, memory_order_relaxed) ^ data) == key && data) {
            tt_found old = tt_unpack(data);
            if (what.move == MOVE_NONE)
                what.move = old.move;
            bool same_age = data >> 59 == t->age;
            if (what.bound != TT_EXACT && same_age && what.depth + 3 + 2 * what.was_pv < old.depth)
                return;
            worst = e;
            break;
        }
        int value = (int)(data >> 48 & 255) - 8 * (int)((t->age - (data >> 59)) & (TT_AGES - 1));
        if (data == 0)
            value = -(1 << 20);
        if (value < worst_value) {
            worst_value = value;
            worst = e;
        }
    }
    uint64_t data = (uint64_t)what.move | (uint64_t)(uint16_t)what.score << 16 |
                    (uint64_t)(uint16_t)what.eval << 32 |
                    (uint64_t)(uint8_t)(what.depth + TT_DEPTH_OFFSET) << 48 |
                    (uint64_t)what.bound << 56 | (uint64_t)what.was_pv << 58 |
                    (uint64_t)t->age << 59;
    atomic_store_explicit(&worst->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&worst->data, data, memory_order_relaxed);
}

#endif
