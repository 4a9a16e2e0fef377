// The part of a build that an OpenCL device does: one pair of splits, and what is kept of it.
//
// RULES-AvB.state is the checkpoint of a pair that is not finished (device/solver.h).
//
// Where only values are kept, the counts by distance are kept beside them, in RULES-AvB.counts: a
// build that was killed continues with its statistics complete. Such a file is read by the same
// program on the same kind of machine only; any other is not used.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_DEVICE_BUILD_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_DEVICE_BUILD_H

#include "tablebase/surakarta/build/build.h"
#include "tablebase/surakarta/stats.h"

// Builds a pair and keeps what the plan says. The values of smaller pairs are open (build->values)
// or in memory (build->kept).
MUST_USE bool tb_device_build(tb_build *build, tb_build_pair *pair, tb_progress *progress,
                              void *context, fault *why);

// Reads a pair's counts from the folder; false where there are none that can be used.
MUST_USE bool tb_counts_read(const tb_build *build, tb_build_pair *pair);

// Whether the folder has a checkpoint of the pair that can be used, and how far it has come. A line
// in *why where there is one that cannot; else *why is empty.
MUST_USE bool tb_device_resumes(const tb_build *build, const tb_build_pair *pair,
                                solver_stage *stage, fault *why);

// Removes what nobody needs once the files of a pair are complete, whoever left it: checkpoints,
// unfinished files, and counts where there are distances.
void tb_tidy(const tb_build *build, const tb_build_pair *pair);

// The counts of one turn as those of a table.
tb_counter tb_counts_sum(const solver_count *count);

// Bytes of memory for what is kept of a table for the plan's lines, its values included.
uint64_t tb_device_line_bytes(uint64_t entries);

// Frees the values in memory that no pair of more than so many pieces rests on.
void tb_device_forget(tb_build *build, int pieces);

#endif
