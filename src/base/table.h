// Things in memory by their number: a hash table of pointers that grows. Keys are above 0.
#ifndef KRATON_BASE_TABLE_H
#define KRATON_BASE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    struct table_slot {
        int64_t key; // 0: free
        void *value;
    } * slots;
    uint32_t capacity, count; // capacity: a power of two, or 0
} table;

void *table_find(const table *t, int64_t key); // NULL: not there
// False when memory runs out; the key must not be there yet.
bool table_add(table *t, int64_t key, void *value) __attribute__((warn_unused_result));
void table_remove(table *t, int64_t key);
// Walks it in no particular order: start with *at = 0; NULL at the end. Do not add or remove on
// the way.
void *table_next(const table *t, uint32_t *at);
void table_free(table *t);

#endif
