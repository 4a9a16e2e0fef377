// What a table holds, counted anew from its files.
//
// The caller's buffers only; tb_index_prepare must have been called for the split.
#ifndef KRATON_TABLEBASE_STATS_H
#define KRATON_TABLEBASE_STATS_H

#include "tablebase/reader.h"
#include "tablebase/tally.h"

typedef struct {
    tb_split split;
    tb_counter counted;
    tb_tally tally;
    int longest;                          // of all
    tb_placement longest_win;             // the first of them; movers 0 where no win is forced
    uint64_t value_bytes, distance_bytes; // of the files
} tb_stats;

// Absent where one of the two files is; bad where one is refused or its header counts otherwise.
MUST_USE tb_file_state tb_stats_read(tb_stats *stats, const char *dir, tb_rules rules, int movers,
                                     int others, fault *why);

#endif
