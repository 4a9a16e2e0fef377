#include "tablebase/surakarta/stats.h"

#include "base/minmax.h"

// --- counting -----------------------------------------------------------------------------------

// All entries of a row have one weight.
void tb_counter_add(tb_counter *c, const tb_split *split, uint64_t first, const int8_t *values,
                    const uint8_t *distances, uint64_t count) {
    while (count > 0) {
        uint64_t left = split->columns - first % split->columns, n = min_u64(left, count);
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
            *longest = max_int(*longest, distance);
        }
    return (tb_tally){sums[2], sums[1], sums[0], longest_of[2], longest_of[0]};
}

// --- a table ------------------------------------------------------------------------------------

static bool same(const tb_tally *a, const tb_tally *b) {
    return a->win == b->win && a->draw == b->draw && a->loss == b->loss &&
           a->longest_win == b->longest_win && a->longest_loss == b->longest_loss;
}

// Counts a block and keeps the first of the longest wins.
static void count_block(tb_stats *s, uint64_t first, const int8_t *values, const uint8_t *distances,
                        uint64_t n) {
    tb_counter_add(&s->counted, &s->split, first, values, distances, n);
    for (uint64_t i = 0; i < n; i++)
        if (values[i] == TB_WIN && distances[i] > s->tally.longest_win) {
            s->tally.longest_win = distances[i];
            s->longest_win = tb_unrank(&s->split, first + i);
        }
}

static bool count_all(tb_stats *s, const tb_reader *values, const tb_reader *distances,
                      fault *why) {
    uint8_t block[TB_BLOCK_BYTES];
    int8_t digits[TB_BLOCK_BYTES];
    if (!tb_reader_check(values, why))
        return false;
    for (uint64_t i = 0; i < distances->header.blocks; i++) {
        uint64_t first = i * TB_BLOCK_BYTES, n = tb_reader_block_size(distances, i);
        if (!tb_reader_distances(distances, i, block, why))
            return false;
        if (!tb_reader_read_values(values, first, n, digits, why))
            return false;
        count_block(s, first, digits, block, n);
    }
    s->tally = tb_counter_sum(&s->counted, &s->longest);
    if (!same(&s->tally, &values->header.tally) || !same(&s->tally, &distances->header.tally))
        return fault_set(why, "%s: the counts in its header are wrong", values->name);
    return true;
}

// Of values alone: how many there are of each; the header says how long the longest are.
static bool count_values(tb_stats *s, const tb_reader *values, fault *why) {
    static const uint8_t unknown[TB_BLOCK_BYTES];
    int8_t digits[TB_BLOCK_BYTES];
    tb_counter sum = {0};
    const tb_tally *said = &values->header.tally;
    if (!tb_reader_check(values, why))
        return false;
    for (uint64_t first = 0; first < s->split.size; first += TB_BLOCK_BYTES) {
        uint64_t n = min_u64(s->split.size - first, TB_BLOCK_BYTES);
        if (!tb_reader_read_values(values, first, n, digits, why))
            return false;
        tb_counter_add(&sum, &s->split, first, digits, unknown, n);
    }
    s->tally = tb_counter_sum(&sum, &s->longest);
    s->tally.longest_win = said->longest_win;
    s->tally.longest_loss = said->longest_loss;
    return same(&s->tally, said) ||
           fault_set(why, "%s: the counts in its header are wrong", values->name);
}

tb_file_state tb_stats_read(tb_stats *s, const char *dir, tb_rules rules, int movers, int others,
                            fault *why) {
    tb_reader values, distances = {.bytes = NULL};
    tb_file_state state = tb_reader_open_values(&values, dir, rules, movers, others, why);
    tb_file_state with = state == TB_FILE_FINE ? tb_reader_open(&distances, dir, TB_DISTANCES,
                                                                rules, movers, others, why)
                                               : TB_FILE_ABSENT;
    *s = (tb_stats){.split = tb_split_of(movers, others), .has_distances = with == TB_FILE_FINE};
    if (with == TB_FILE_BAD)
        state = TB_FILE_BAD;
    if (state == TB_FILE_FINE) {
        s->value_bytes = values.header.bytes;
        s->distance_bytes = s->has_distances ? distances.header.bytes : 0;
        bool fine = s->has_distances ? count_all(s, &values, &distances, why)
                                     : count_values(s, &values, why);
        state = fine ? TB_FILE_FINE : TB_FILE_BAD;
    }
    tb_reader_close(&values);
    tb_reader_close(&distances);
    return state;
}
