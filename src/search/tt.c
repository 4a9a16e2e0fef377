#include "search/tt.h"

#include "os/map.h"

#include <string.h>

bool tt_resize(tt_table *t, size_t megabytes) {
    size_t bytes = (megabytes ? megabytes : 1) << 20;
    tt_bucket *buckets = os_memory_new(bytes);
    if (!buckets)
        return false;
    tt_free(t);
    t->buckets = buckets;
    t->count = bytes / sizeof(tt_bucket);
    tt_clear(t); // touches all of it now, not while the clock runs
    return true;
}

void tt_free(tt_table *t) {
    os_memory_free(t->buckets, t->count * sizeof(tt_bucket));
    t->buckets = NULL;
    t->count = 0;
}

void tt_clear(tt_table *t) {
    memset(t->buckets, 0, t->count * sizeof(tt_bucket));
    t->age = 0;
}

int tt_full(const tt_table *t) {
    int used = 0;
    for (size_t i = 0; i < 1000 / TT_ENTRIES && i < t->count; i++)
        for (int j = 0; j < TT_ENTRIES; j++) {
            uint64_t data =
                atomic_load_explicit(&t->buckets[i].entry[j].data, memory_order_relaxed);
            used += data && data >> 59 == t->age;
        }
    return used;
}
