#include "base/table.h"

#include <stdlib.h>

static uint32_t home_of(const table *t, int64_t key) {
    return (uint32_t)((uint64_t)key * 0x9e3779b97f4a7c15u >> 32) & (t->capacity - 1);
}

void *table_find(const table *t, int64_t key) {
    if (t->capacity == 0)
        return NULL;
    for (uint32_t i = home_of(t, key); t->slots[i].key; i = (i + 1) & (t->capacity - 1))
        if (t->slots[i].key == key)
            return t->slots[i].value;
    return NULL;
}

static void put(table *t, int64_t key, void *value) {
    uint32_t i = home_of(t, key);
    while (t->slots[i].key)
        i = (i + 1) & (t->capacity - 1);
    t->slots[i].key = key;
    t->slots[i].value = value;
}

static bool grow(table *t) {
    table grown = {.capacity = t->capacity ? 2 * t->capacity : 64, .count = t->count};
    grown.slots = calloc(grown.capacity, sizeof *grown.slots);
    if (!grown.slots)
        return false;
    for (uint32_t i = 0; i < t->capacity; i++)
        if (t->slots[i].key)
            put(&grown, t->slots[i].key, t->slots[i].value);
    free(t->slots);
    *t = grown;
    return true;
}

bool table_add(table *t, int64_t key, void *value) {
    if (2 * (t->count + 1) > t->capacity && !grow(t))
        return false;
    put(t, key, value);
    t->count++;
    return true;
}

// Closes the gap: moves entries into it that could no longer be found behind it.
void table_remove(table *t, int64_t key) {
    if (t->capacity == 0)
        return;
    uint32_t mask = t->capacity - 1, gap = home_of(t, key);
    while (t->slots[gap].key && t->slots[gap].key != key)
        gap = (gap + 1) & mask;
    if (!t->slots[gap].key)
        return;
    for (uint32_t i = (gap + 1) & mask; t->slots[i].key; i = (i + 1) & mask) {
        uint32_t home = home_of(t, t->slots[i].key);
        if (((i - home) & mask) >= ((i - gap) & mask)) {
            t->slots[gap] = t->slots[i];
            gap = i;
        }
    }
    t->slots[gap].key = 0;
    t->count--;
}

void *table_next(const table *t, uint32_t *at) {
    while (*at < t->capacity) {
        uint32_t i = (*at)++;
        if (t->slots[i].key)
            return t->slots[i].value;
    }
    return NULL;
}

void table_free(table *t) {
    free(t->slots);
    *t = (table){0};
}
