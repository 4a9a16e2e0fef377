#include "tablebase/surakarta/build/together.h"

#include "base/vector.h"
#include "os/map.h"

#include <stdlib.h>
#include <string.h>

// Words collected before they are exchanged: enough that a message is worth its latency.
enum { FULL = (16 << 20) / 8 };

// Above the row in the first word of a record: strip and which of its words follow.
enum { STRIP_SHIFT = 32, MASK_SHIFT = 56 };

typedef struct {
    uint64_t *words;
    size_t count, room;
} box;

typedef struct {
    const tb_plane *plane; // the target
    int count;
    box to[TB_MAX_RANKS];
    size_t words; // in all of them
    bool fine;    // memory has done
} boxes;

static bool make_room(box *b, size_t more) {
    uint64_t *words = vector_reserve(b->words, &b->room, b->count + more, sizeof *words);
    if (!words)
        return false;
    b->words = words;
    return true;
}

static void put(void *context, uint32_t strip, uint32_t row, const uint64_t *bits, int words) {
    boxes *all = context;
    box *b = &all->to[tb_plane_keeper(all->plane, strip, all->count)];
    if (!make_room(b, 1 + (size_t)words)) {
        all->fine = false;
        return;
    }
    size_t head = b->count++;
    uint64_t mask = 0;
    for (int i = 0; i < words; i++)
        if (bits[i]) {
            mask |= (uint64_t)1 << i;
            b->words[b->count++] = bits[i];
        }
    b->words[head] = row | (uint64_t)strip << STRIP_SHIFT | mask << MASK_SHIFT;
    all->words += b->count - head;
}

// What another rank has sent.
static void take(const tb_fold_job *job, const uint64_t *words, size_t count) {
    const uint64_t *end = words + count;
    while (words < end) {
        uint64_t head = *words++, mask = head >> MASK_SHIFT;
        uint32_t row = (uint32_t)head, strip = (uint32_t)(head >> STRIP_SHIFT) & 0xffffff;
        while (mask) {
            int i = bits_pop(&mask);
            uint64_t bits = *words++;
            for (int t = 0; t < job->count; t++) {
                uint64_t *to = tb_plane_at(job->targets[t].plane, strip, row) + i;
                *to = job->targets[t].remove ? *to & ~bits : *to | bits;
            }
        }
    }
}

static bool exchange(const tb_ranks *ranks, const tb_fold_job *job, boxes *all) {
    uint64_t *out[TB_MAX_RANKS], *in[TB_MAX_RANKS];
    size_t words[TB_MAX_RANKS], in_words[TB_MAX_RANKS];
    for (int i = 0; i < ranks->count; i++) {
        out[i] = all->to[i].words;
        words[i] = all->to[i].count;
    }
    if (!ranks->exchange(ranks->context, out, words, in, in_words))
        return false;
    for (int i = 0; i < ranks->count; i++) {
        take(job, in[i], in_words[i]);
        all->to[i].count = 0;
    }
    all->words = 0;
    return true;
}

bool tb_fold_together(tb_ranks *ranks, const tb_kernels *kernels, tb_fold_job *job) {
    boxes *all = calloc(1, sizeof *all);
    uint64_t *scratch = os_aligned_new(64, tb_fold_scratch(job));
    tb_range parts = tb_words_kept(job->source);
    uint32_t part = parts.first;
    bool fine = all && scratch, more = fine;
    if (fine) {
        *all = (boxes){.plane = job->targets[0].plane, .count = ranks->count, .fine = true};
        job->send = put;
        job->context = all;
    }
    while (more) {
        while (part < parts.end && all->words < FULL)
            kernels->fold(job, part++, scratch);
        more = ranks->sum(ranks->context, part < parts.end) > 0;
        fine = all->fine && exchange(ranks, job, all);
        more = more && fine;
    }
    for (int i = 0; all && i < ranks->count; i++)
        free(all->to[i].words);
    free(all);
    os_aligned_free(scratch);
    return fine;
}
