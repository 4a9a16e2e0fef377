// Counts the entries of a split by value and distance, over all placements: an entry stands for as
// many as the orbit of its row has sets.
//
// A counter belongs to one thread at a time.
#ifndef KRATON_TABLEBASE_TALLY_H
#define KRATON_TABLEBASE_TALLY_H

#include "tablebase/entry.h"
#include "tablebase/index.h"

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

#endif
