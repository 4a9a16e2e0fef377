#include "tablebase/surakarta/build/together.h"

#include "base/minmax.h"
#include "base/vector.h"
#include "os/map.h"
#include "tablebase/surakarta/build/writer.h"

#include <stdlib.h>
#include <string.h>

// --- folding ------------------------------------------------------------------------------------

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

// --- writing: a table by those who keep its entries ---------------------------------------------

// A rank's entries go from `first` to `end`. Those before `own`, where the next batch begins,
// belong to a batch that begins with another rank: that one gets them.
typedef struct {
    tb_ranks *ranks;
    tb_writer *writer;
    uint64_t first, own, end, at;
    uint64_t *head; // a word with their number, their values, their distances
    fault *why;
} owner;

static uint64_t head_count(const owner *o) { return min_u64(o->own, o->end) - o->first; }

static size_t head_words(uint64_t count) { return count ? 1 + (size_t)(2 * count + 7) / 8 : 0; }

static bool take_entries(void *context, const int8_t *values, const uint8_t *distances,
                         uint64_t count) {
    owner *o = context;
    uint64_t all = head_count(o), done = o->at - o->first;
    uint64_t n = done < all ? min_u64(count, all - done) : 0;
    uint8_t *bytes = (uint8_t *)(o->head + 1);
    if (n) {
        memcpy(bytes + done, values, n);
        memcpy(bytes + all + done, distances, n);
    }
    o->at += count;
    return count == n || tb_writer_add(o->writer, values + n, distances + n, count - n, o->why);
}

// Sends words to one rank; those of all others for this one come in `in`.
static bool send_to(const owner *o, int to, uint64_t *words, size_t count, uint64_t *in[],
                    size_t in_words[]) {
    uint64_t *out[TB_MAX_RANKS] = {NULL};
    size_t sizes[TB_MAX_RANKS] = {0};
    out[to] = words;
    sizes[to] = count;
    return o->ranks->exchange(o->ranks->context, out, sizes, in, in_words) ||
           fault_set(o->why, "not enough memory");
}

// The heads of the ranks that follow complete this one's last batch.
static bool pass_heads(owner *o, const tb_pair *pair, int movers) {
    uint64_t *in[TB_MAX_RANKS];
    size_t words[TB_MAX_RANKS];
    uint64_t count = head_count(o);
    int to = 0;
    if (count) {
        o->head[0] = count;
        to = tb_pair_keeper(pair, movers, o->first / TB_WRITER_BATCH * TB_WRITER_BATCH);
    }
    if (!send_to(o, to, o->head, head_words(count), in, words))
        return false;
    bool fine = true;
    for (int i = 0; fine && i < o->ranks->count; i++) {
        if (words[i] == 0)
            continue;
        const uint8_t *bytes = (const uint8_t *)(in[i] + 1);
        fine = tb_writer_add(o->writer, (const int8_t *)bytes, bytes + in[i][0], in[i][0], o->why);
    }
    return fine;
}

// Tells all ranks a number; returns the sum of those of the ranks before this one, and of all.
static bool add_before(const owner *o, uint64_t mine, uint64_t *before, uint64_t *all) {
    uint64_t *out[TB_MAX_RANKS], *in[TB_MAX_RANKS];
    size_t sizes[TB_MAX_RANKS], words[TB_MAX_RANKS];
    for (int i = 0; i < o->ranks->count; i++) {
        out[i] = &mine;
        sizes[i] = i != o->ranks->rank;
    }
    if (!o->ranks->exchange(o->ranks->context, out, sizes, in, words))
        return fault_set(o->why, "not enough memory");
    *before = *all = 0;
    for (int i = 0; i < o->ranks->count; i++) {
        uint64_t number = i == o->ranks->rank ? mine : in[i][0];
        *all += number;
        *before += i < o->ranks->rank ? number : 0;
    }
    return true;
}

static bool pass_reports(owner *o) {
    uint64_t *in[TB_MAX_RANKS], *report = NULL;
    size_t words[TB_MAX_RANKS], count = 0;
    bool first = o->ranks->rank == 0;
    if (!first && !(report = tb_writer_report(o->writer, &count)))
        return fault_set(o->why, "not enough memory");
    bool fine = send_to(o, 0, report, count, in, words);
    for (int i = 1; fine && first && i < o->ranks->count; i++)
        fine = tb_writer_take_report(o->writer, in[i], words[i]) ||
               fault_set(o->why, "rank %d has reported something else", i);
    free(report);
    return fine;
}

// From the entries in the writer to the complete files. The writer is closed in any case.
static bool complete(owner *o, const tb_pair *pair, int movers) {
    uint64_t bytes, before, all;
    bool fine = pass_heads(o, pair, movers) && tb_writer_end_share(o->writer, &bytes, o->why) &&
                add_before(o, bytes, &before, &all) && tb_writer_place(o->writer, before, o->why) &&
                pass_reports(o);
    if (!fine)
        tb_writer_abandon(o->writer);
    else if (o->ranks->rank == 0)
        fine = tb_writer_finish_all(o->writer, all, o->why);
    else
        tb_writer_leave(o->writer);
    return fine;
}

bool tb_write_together(tb_ranks *ranks, const tb_pair *pair, int movers, int others,
                       const char *dir, tb_rules rules, tb_progress *progress, void *context,
                       fault *why) {
    tb_split split = tb_split_of(movers, others);
    owner o = {.ranks = ranks, .why = why};
    tb_pair_share(pair, movers, &o.first, &o.end);
    o.at = o.first;
    o.own =
        min_u64((o.first + TB_WRITER_BATCH - 1) / TB_WRITER_BATCH * TB_WRITER_BATCH, split.size);
    (void)fault_set(why, "not enough memory");
    // Rank 0 makes the files, then the others open them.
    if (ranks->rank == 0)
        o.writer = tb_writer_open_share(dir, rules, &split, o.own, true, why);
    if (ranks->sum(ranks->context, ranks->rank == 0 && !o.writer) > 0)
        return ranks->rank == 0 ? false : fault_set(why, "rank 0 has failed");
    if (ranks->rank != 0)
        o.writer = tb_writer_open_share(dir, rules, &split, o.own, false, why);
    uint64_t count = head_count(&o);
    o.head = count ? calloc(head_words(count), sizeof *o.head) : NULL;
    tb_sink sink = {&o, take_entries, progress, context};
    bool fine = o.writer && (o.head || !count) && tb_pair_emit(pair, movers, &sink);
    if (fine)
        fine = complete(&o, pair, movers);
    else
        tb_writer_abandon(o.writer);
    free(o.head);
    return fine;
}
