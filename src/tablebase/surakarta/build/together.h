// Folding and writing by several ranks. Folding: each folds the columns it keeps and sends what
// belongs into strips that others keep. What is sent is the words that are not zero, each row of a
// strip with its place.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_TOGETHER_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_TOGETHER_H

#include "tablebase/surakarta/build/pair.h"

enum { TB_TOGETHER_BYTES = 128 << 20 }; // of memory, usually

// All ranks call it for the same job, each with its share of the planes. False where memory runs
// out.
MUST_USE bool tb_fold_together(tb_ranks *ranks, const tb_kernels *kernels, tb_fold_job *job);

// Writes a table: all ranks call it, each writes the blocks that begin among the entries it keeps,
// and rank 0 completes the files. Only borders of blocks, sizes and checksums are sent.
MUST_USE bool tb_write_together(tb_ranks *ranks, const tb_pair *pair, int movers, int others,
                                const char *dir, tb_rules rules, tb_progress *progress,
                                void *context, fault *why);

#endif
