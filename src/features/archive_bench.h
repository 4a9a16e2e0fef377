// `kraton bench archive`: how long searches in a large archive take. Games are played by chance,
// with openings that are often the same, and kept as a server keeps them.
#ifndef KRATON_FEATURES_ARCHIVE_BENCH_H
#define KRATON_FEATURES_ARCHIVE_BENCH_H

#include "base/bits.h"
#include "base/text.h"

#include <stdio.h>

typedef struct {
    const char *data; // the folder; made where it is missing, and kept
    int games;        // it is to have: those that are missing are added
} archive_bench_plan;

// Fills the folder, searches it and prints what each search took. Ctrl-C ends it: what there is
// stays, and the next call goes on. False with the reason.
MUST_USE bool archive_bench(FILE *out, const archive_bench_plan *plan, bool (*goes_on)(void),
                            fault *why);

#endif
