// A whole server from one store to another: `kraton store copy`.
#ifndef KRATON_STORE_COPY_H
#define KRATON_STORE_COPY_H

#include "store/store.h"

typedef struct {
    bool is_verifying;   // else it copies
    const char *table;   // that is being gone through
    int64_t done, total; // rows of all tables
} store_copy_progress;

// Called now and then; false ends the copy.
typedef bool store_copy_watch(void *context, const store_copy_progress *p);

// Copies everything from one place to another, compares every row, and commits only then: a copy
// that ends early leaves the target empty. Both are locked meanwhile. A target that has any rows is
// refused. *rows: how many there are. False with the reason.
MUST_USE bool store_copy(const char *from, const char *to, store_copy_watch *watch, void *context,
                         int64_t *rows, fault *why);

#endif
