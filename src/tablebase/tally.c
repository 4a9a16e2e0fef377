#include "tablebase/tally.h"

// All entries of a row have one weight.
void tb_counter_add(tb_counter *c, const tb_split *split, uint64_t first, const int8_t *values,
                    const uint8_t *distances, uint64_t count) {
    while (count > 0) {
        uint64_t left = split->columns - first % split->columns, n = left < count ? left : count;
        uint64_t(*entries)[256] = c->entries[bits_lowest((uint64_t)tb_weight(split, first))];
        for (uint64_t i = 0; i < n; i++)
            entries[values[i] - TB_LOSS][distances[i]]++;
        first += n;
        values += n;
        distances += n;
        count -= n;
    }
}

uint64_t tb_counter_placements(const tb_counter *c, int value, int distance) {
    uint64_t sum = 0;
    for (int log = 0; log < 4; log++)
        sum += c->entries[log][value - TB_LOSS][distance] << log;
    return sum;
}

tb_tally tb_counter_sum(const tb_counter *c, int *longest) {
    uint64_t sums[3] = {0, 0, 0};
    int longest_of[3] = {0, 0, 0};
    *longest = 0;
    for (int value = TB_LOSS; value <= TB_WIN; value++)
        for (int distance = 0; distance < 256; distance++) {
            uint64_t n = tb_counter_placements(c, value, distance);
            sums[value - TB_LOSS] += n;
            if (n == 0)
                continue;
            longest_of[value - TB_LOSS] = distance;
            *longest = distance > *longest ? distance : *longest;
        }
    return (tb_tally){sums[2], sums[1], sums[0], longest_of[2], longest_of[0]};
}
