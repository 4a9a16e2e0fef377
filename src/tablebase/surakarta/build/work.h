// Work shared by threads: a job is a number of parts that do not depend on each other.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_WORK_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_WORK_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>

enum { TB_MAX_THREADS = 64 };

// Does one part; scratch is as large as was asked for, begins at a multiple of 64 and belongs to
// the thread.
typedef void tb_part(void *job, uint32_t part, void *scratch);

// Does all parts in up to so many threads and returns when they are done. False, with nothing done,
// where there is no memory for the scratch.
MUST_USE bool tb_work(int threads, uint32_t parts, tb_part *part, void *job, size_t scratch);

#endif
