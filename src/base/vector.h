// Arrays that grow. The owner keeps a pointer, a count and a capacity of its own and frees the
// pointer with free:
//
//     item *grown = vector_reserve(v->items, &v->capacity, v->count + 1, sizeof *grown);
//     if (!grown)
//         return false;
//     v->items = grown;
//     v->items[v->count++] = new_item;
#ifndef KRATON_BASE_VECTOR_H
#define KRATON_BASE_VECTOR_H

#include "base/bits.h"

#include <stddef.h>

// Makes room for `count` items of `size` bytes and returns the array, which may have moved. The
// capacity at least doubles when it grows, so that adding one by one takes linear time. NULL, with
// the array and its capacity as they were, when there is no memory.
MUST_USE void *vector_reserve(void *items, size_t *capacity, size_t count, size_t size);

#endif
