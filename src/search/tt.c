#define _GNU_SOURCE
#include "search/tt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

bool tt_resize(tt_table *t, size_t megabytes) {
    size_t bytes = (megabytes ? megabytes : 1) << 20;
    tt_bucket *buckets = aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    if (!buckets)
        return false;
    // Each probe touches another page; with huge ones the processor knows them all.
    (void)madvise(buckets, bytes, MADV_HUGEPAGE);
    tt_free(t);
    t->buckets = buckets;
    t->count = bytes / sizeof(tt_bucket);
    tt_clear(t);
    return true;
}

void tt_free(tt_table *t) {
    free(t->buckets);
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
