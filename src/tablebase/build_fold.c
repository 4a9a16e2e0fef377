#include "tablebase/build_bits.h"
#include "tablebase/build_kernel.h"

#include <string.h>

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
    uint32_t strips = job->targets[0].plane->strips;
    for (uint32_t strip = 0; strip < strips; strip++, from += words) {
        if (!tb_any(from, words))
            continue;
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
    size_t out_words = (size_t)to->strips * to->words;
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
