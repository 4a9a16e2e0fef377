// The same placements in another order: with the sides exchanged, and in the order of the index.
#include "tablebase/surakarta/build/bits.h"
#include "tablebase/surakarta/build/kernel.h"

#include <string.h>

// --- sides exchanged ----------------------------------------------------------------------------

// The images of one representative of the columns' side: rows of the target, and for each room to
// collect its bits in. Images of a symmetric set coincide, and then share it.
typedef struct {
    uint32_t rows[TB_SYMMETRIES];
    uint64_t *bits[TB_SYMMETRIES];
    bool first[TB_SYMMETRIES]; // no image before this one is the same
} images;

static images images_of(const tb_rows *columns, uint32_t rep, uint64_t *out, size_t out_words) {
    images im;
    for (int s = 0; s < TB_SYMMETRIES; s++) {
        int same = 0;
        im.rows[s] = columns->images[rep][s];
        while (im.rows[same] != im.rows[s])
            same++;
        im.bits[s] = out + (size_t)same * out_words;
        im.first[s] = same == s;
    }
    return im;
}

// A placement goes to where a symmetry that makes its row's set a representative takes it. Where
// that set is symmetric itself there are several such symmetries, and as many entries that mean the
// same.
static void scatter(const tb_rows *rows, const uint64_t *bits, const images *im) {
    for (size_t i = 0; i < tb_words_of(rows->sets); i++)
        for (uint64_t word = bits[i]; word;) {
            uint32_t folded = rows->folded[i * 64 + (size_t)bits_pop(&word)];
            uint32_t rep = folded & ((1u << TB_REP_BITS) - 1);
            uint64_t symmetries = folded >> TB_REP_BITS;
            do
                im->bits[bits_pop(&symmetries)][rep / 64] |= (uint64_t)1 << rep % 64;
            while (symmetries);
        }
}

// Strips without a bit are not touched: a visit there is a visit to memory.
ALWAYS_INLINE void put_row(const tb_fold_job *job, uint32_t row, const uint64_t *from,
                           const int words) {
    const tb_plane *plane = job->targets[0].plane;
    for (uint32_t strip = 0; strip < plane->all; strip++, from += words) {
        if (!tb_any(from, words))
            continue;
        if (!tb_plane_keeps(plane, strip)) {
            job->send(job->context, strip, row, from, words);
            continue;
        }
        for (int t = 0; t < job->count; t++) {
            uint64_t *to = tb_plane_at(job->targets[t].plane, strip, row);
            for (int i = 0; i < words; i++)
                to[i] = job->targets[t].remove ? to[i] & ~from[i] : to[i] | from[i];
        }
    }
}

void ISA_NAME(tb_fold)(const tb_fold_job *job, uint32_t part, uint64_t *scratch) {
    size_t length = tb_words_of(job->rows->sets);
    const tb_plane *to = job->targets[0].plane;
    size_t out_words = (size_t)to->all * to->words;
    uint64_t *out = scratch + tb_lanes_of(job->columns) * length;
    uint64_t used = tb_transpose_columns(job->source, part, scratch, length);
    while (used) {
        uint32_t lane = (uint32_t)bits_pop(&used);
        images im = images_of(job->columns, part * 64 + lane, out, out_words);
        memset(out, 0, TB_SYMMETRIES * out_words * sizeof *out);
        scatter(job->rows, scratch + lane * length, &im);
        for (int s = 0; s < TB_SYMMETRIES; s++) {
            if (!im.first[s])
                continue;
            if (to->words == 1)
                put_row(job, im.rows[s], im.bits[s], 1);
            else if (to->words == 2)
                put_row(job, im.rows[s], im.bits[s], 2);
            else
                put_row(job, im.rows[s], im.bits[s], TB_STRIP_WORDS);
        }
    }
}

// --- the order of the index ---------------------------------------------------------------------

// The columns of a table's row among all sets.
static void find_row_columns(const uint64_t *avoid, uint64_t row_set, size_t length,
                             uint64_t *there) {
    const uint64_t *first = avoid + (size_t)bits_pop(&row_set) * length;
    memcpy(there, first, length * sizeof *there);
    while (row_set) {
        const uint64_t *more = avoid + (size_t)bits_pop(&row_set) * length;
        for (size_t i = 0; i < length; i++)
            there[i] &= more[i];
    }
}

// Eight bits as the lowest bits of eight bytes.
ALWAYS_INLINE uint64_t bits_to_bytes(uint64_t bits) {
    uint64_t spread = (bits & 255) * 0x0101010101010101 & 0x8040201008040201;
    return (spread + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
}

// 64 entries from bits: first, and the digits of the distance.
ALWAYS_INLINE void emit_entries(const tb_emit_job *job, uint64_t first, const uint64_t *digits,
                                int count, int8_t *values, uint8_t *distances) {
    uint8_t if_first = (uint8_t)(job->first_value ^ job->waiting_value);
    uint8_t if_other = (uint8_t)(job->other_value ^ job->waiting_value);
    uint64_t waiting = (uint8_t)job->waiting_value * (uint64_t)0x0101010101010101, other = 0;
    for (int k = 0; k < job->digit_count; k++)
        other |= digits[k];
    other &= ~first;
    for (int at = 0; at < count; at += 8) {
        uint64_t distance = 0;
        for (int k = 0; k < job->digit_count; k++)
            distance |= bits_to_bytes(digits[k] >> at) << k;
        uint64_t value =
            waiting ^ bits_to_bytes(first >> at) * if_first ^ bits_to_bytes(other >> at) * if_other;
        memcpy(distances + at, &distance, 8);
        memcpy(values + at, &value, 8);
    }
}

void ISA_NAME(tb_emit)(const tb_emit_job *job, uint32_t part, int8_t *values, uint8_t *distances,
                       uint64_t *scratch) {
    size_t length = tb_words_of(job->columns->sets), plane = tb_lanes_of(job->rows) * length;
    uint64_t *there = scratch + plane * (size_t)(1 + job->digit_count);
    tb_transpose_columns(job->first, part, scratch, length);
    for (int k = 0; k < job->digit_count; k++)
        tb_transpose_columns(job->digits[k], part, scratch + plane * (size_t)(1 + k), length);
    for (uint32_t i = 0; i < 64 && part * 64 + i < job->rows->reps; i++) {
        find_row_columns(job->avoid, job->rows->members[part * 64 + i], length, there);
        for (size_t w = 0; w < length; w++) {
            const uint64_t *bits = scratch + i * length + w;
            uint64_t digits[8];
            for (int k = 0; k < job->digit_count; k++)
                digits[k] = tb_pack_bits(bits[plane * (size_t)(1 + k)], there[w]);
            int count = bits_count(there[w]);
            emit_entries(job, tb_pack_bits(*bits, there[w]), digits, count, values, distances);
            values += count;
            distances += count;
        }
    }
}

// The lowest bits of eight bytes.
ALWAYS_INLINE uint64_t bytes_to_bits(uint64_t bytes) {
    return (bytes & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

void ISA_NAME(tb_load)(const tb_load_job *job, uint32_t part, const int8_t *values,
                       uint64_t *scratch) {
    size_t length = tb_words_of(job->columns->sets), lanes = tb_lanes_of(job->rows);
    uint64_t *planes[2] = {scratch, scratch + lanes * length};
    memset(scratch, 0, 2 * lanes * length * sizeof *scratch);
    for (uint32_t i = 0; i < 64 && part * 64 + i < job->rows->reps; i++) {
        uint64_t *there = planes[0] + i * length;
        find_row_columns(job->avoid, job->rows->members[part * 64 + i], length, there);
        for (size_t w = 0; w < length; w++) {
            uint64_t mask = there[w], lost = 0, drawn = 0;
            int count = bits_count(mask);
            for (int at = 0; at < count; at += 8) {
                uint64_t eight;
                memcpy(&eight, values + at, 8);
                lost |= bytes_to_bits(eight >> 1) << at; // -1 alone has a second bit
                drawn |= bytes_to_bits(~eight) << at;
            }
            values += count;
            planes[0][i * length + w] = tb_unpack_bits(lost, mask);
            planes[1][i * length + w] = tb_unpack_bits(drawn, mask);
        }
    }
    for (int k = 0; k < 2; k++) {
        const tb_plane *plane = k ? job->drawn : job->lost;
        for (size_t block = 0; block < length; block++) {
            uint64_t m[64] = {0};
            for (size_t i = 0; i < lanes; i++)
                m[i] = planes[k][i * length + block];
            tb_transpose(m);
            uint32_t first = (uint32_t)block * 64;
            for (uint32_t i = 0; i < 64 && first + i < plane->rows; i++)
                *tb_plane_word(plane, part, first + i) = m[i];
        }
    }
}
