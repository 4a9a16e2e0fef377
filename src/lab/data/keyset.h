// A set of 64-bit keys, to find duplicates among millions of positions. Zeroed it is empty; the
// owner frees it. For one thread.
#ifndef KRATON_LAB_DATA_KEYSET_H
#define KRATON_LAB_DATA_KEYSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    uint64_t *slots; // 0: free
    size_t capacity; // a power of two, or 0
    size_t count;
} keyset;

static inline size_t keyset_place(const uint64_t *slots, size_t capacity, uint64_t key) {
    size_t at = (key * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
    while (slots[at] && slots[at] != key)
        at = (at + 1) & (capacity - 1);
    return at;
}

static inline bool keyset_grow(keyset *s) {
    size_t capacity = s->capacity ? s->capacity * 2 : 1024;
    uint64_t *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < s->capacity; i++)
        if (s->slots[i])
            slots[keyset_place(slots, capacity, s->slots[i])] = s->slots[i];
    free(s->slots);
    s->slots = slots;
    s->capacity = capacity;
    return true;
}

// Adds a key; *is_new says whether it was not there. False without memory.
static inline bool keyset_add(keyset *s, uint64_t key, bool *is_new) {
    key += key == 0;
    if (s->count * 4 >= s->capacity * 3 && !keyset_grow(s))
        return false;
    uint64_t *slot = &s->slots[keyset_place(s->slots, s->capacity, key)];
    *is_new = *slot != key;
    s->count += *is_new;
    *slot = key;
    return true;
}

static inline void keyset_free(keyset *s) {
    free(s->slots);
    *s = (keyset){0};
}

#endif
