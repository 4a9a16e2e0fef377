// Folding by several ranks: each folds the columns it keeps and sends what belongs into strips that
// others keep. What is sent is the words that are not zero, each row of a strip with its place.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_TOGETHER_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_TOGETHER_H

#include "tablebase/surakarta/build/kernel.h"
#include "tablebase/surakarta/ranks.h"

enum { TB_TOGETHER_BYTES = 128 << 20 }; // of memory, usually

// All ranks call it for the same job, each with its share of the planes. False where memory runs
// out.
MUST_USE bool tb_fold_together(tb_ranks *ranks, const tb_kernels *kernels, tb_fold_job *job);

#endif
