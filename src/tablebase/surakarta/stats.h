// Counts the entries of a table by value and distance, over all placements: an entry stands for as
// many as the orbit of its row has sets.
//
// Counters and statistics are the caller's and belong to one thread at a time. tb_index_prepare
// must have been called for the split.
#ifndef KRATON_TABLEBASE_SURAKARTA_STATS_H
#define KRATON_TABLEBASE_SURAKARTA_STATS_H

#include "tablebase/surakarta/reader.h"

// --- counting -----------------------------------------------------------------------------------

typedef struct {
    uint64_t entries[4][3][256]; // by log2 of their weight, value + 1, distance
} tb_counter;

// `count` entries from index `first` on.
void tb_counter_add(tb_counter *c, const tb_split *split, uint64_t first, const int8_t *values,
                    const uint8_t *distances, uint64_t count);

// Placements of a value with a distance.
uint64_t tb_counter_placements(const tb_counter *c, int value, int distance);

// All of them; the longest distance of any value goes to *longest.
tb_tally tb_counter_sum(const tb_counter *c, int *longest);

// --- a table ------------------------------------------------------------------------------------

// What a table holds, counted anew from its files.
typedef struct {
    tb_split split;
    tb_counter counted;
    tb_tally tally;
    int longest;                          // of all
    tb_placement longest_win;             // the first of them; movers 0 where no win is forced
    uint64_t value_bytes, distance_bytes; // of the files
    bool has_distances;                   // without them nothing is in `counted`
} tb_stats;

// Absent where the values are; bad where one is refused or its header counts otherwise.
MUST_USE tb_file_state tb_stats_read(tb_stats *stats, const char *dir, tb_rules rules, int movers,
                                     int others, fault *why);

#endif
