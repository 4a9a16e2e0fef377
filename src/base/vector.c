#include "base/vector.h"

#include "base/minmax.h"

#include <stdint.h>
#include <stdlib.h>

enum { LEAST_ITEMS = 8 };

void *vector_reserve(void *items, size_t *capacity, size_t count, size_t size) {
    if (count <= *capacity && items)
        return items;
    size_t most = SIZE_MAX / 2 / size;
    if (count > most)
        return NULL;
    size_t wanted = max_size(count, min_size(most, max_size(LEAST_ITEMS, 2 * *capacity)));
    void *grown = realloc(items, wanted * size);
    if (grown)
        *capacity = wanted;
    return grown;
}
