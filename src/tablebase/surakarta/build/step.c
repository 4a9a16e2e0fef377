#include "tablebase/surakarta/build/bits.h"
#include "tablebase/surakarta/build/kernel.h"

#include <string.h>

// Whether to look for wins and for losses differs from round to round, seldom within one: mostly
// wins come in odd rounds and losses in even ones.

// The rows that the steps of a row lead to.
static int find_steps(const tb_rows *movers, uint64_t set, uint32_t *rows) {
    tb_member m;
    int count = 0;
    tb_member_set(&m, set, movers->pieces);
    for (int p = 0; p < movers->pieces; p++)
        for (uint64_t to = sk_neighbours[m.points[p]] & ~set; to;)
            rows[count++] = tb_member_moved(&m, movers->pieces, p, bits_pop(&to));
    return count;
}

// Wins: a step leads to a position the other side lost. Losses: no step leads to one that the other
// side is not known to win. Both stop where there is nothing left to be found.
ALWAYS_INLINE void look_wide(const uint64_t *lost_rows, const uint64_t *unwon_rows,
                             const uint32_t *rows, int count, uint64_t *won, uint64_t *lost) {
    if (lost_rows) {
        tb_wide found = *(const tb_wide *)won;
        for (int i = 0; i < count; i++)
            found |= *(const tb_wide *)(lost_rows + (size_t)rows[i] * TB_STRIP_WORDS);
        *(tb_wide *)won = found;
    }
    if (!unwon_rows || !tb_any(lost, TB_STRIP_WORDS))
        return;
    tb_wide left = *(const tb_wide *)lost;
    for (int i = 0; i < count; i++) {
        left &= ~*(const tb_wide *)(unwon_rows + (size_t)rows[i] * TB_STRIP_WORDS);
        if (i % 4 == 3 && !tb_any((const uint64_t *)&left, TB_STRIP_WORDS))
            break;
    }
    *(tb_wide *)lost = left;
}

// All planes of a job have the same rows and columns, so `at`, the offset of a row's words, is the
// same in each of them.

ALWAYS_INLINE void add_to_marks(const tb_marks *marks, size_t at, const uint64_t *found,
                                const int words) {
    for (int k = 0; k < marks->count; k++) {
        uint64_t *mark = marks->planes[k]->bits + at;
        for (int i = 0; i < words; i++)
            mark[i] |= found[i];
    }
}

// What was found in a row leaves what is open and goes to where the round's finds are kept.
ALWAYS_INLINE void keep(tb_step_job *job, size_t at, uint64_t *won, uint64_t *lost,
                        const int words) {
    uint64_t *open = job->open->bits + at, *losable = job->losable->bits + at;
    for (int i = 0; i < words; i++)
        won[i] &= open[i];
    bool any_won = tb_any(won, words), any_lost = tb_any(lost, words);
    if (any_won || any_lost)
        for (int i = 0; i < words; i++) {
            open[i] &= ~(won[i] | lost[i]);
            losable[i] &= ~(won[i] | lost[i]);
        }
    memcpy(job->won->bits + at, won, (size_t)words * sizeof *won);
    memcpy(job->lost->bits + at, lost, (size_t)words * sizeof *lost);
    if (any_won) {
        add_to_marks(&job->win_marks, at, won, words);
        atomic_store_explicit(&job->any_won, true, memory_order_relaxed);
    }
    if (any_lost) {
        add_to_marks(&job->loss_marks, at, lost, words);
        atomic_store_explicit(&job->any_lost, true, memory_order_relaxed);
    }
}

// Sets out what there is to be found in a row; false where that is nothing.
ALWAYS_INLINE bool begin(const tb_step_job *job, size_t at, uint64_t *won, uint64_t *lost,
                         const int words) {
    const uint64_t *seed = job->seed ? job->seed->bits + at : NULL;
    const uint64_t *losable = job->losable->bits + at;
    for (int i = 0; i < words; i++) {
        won[i] = seed ? seed[i] : 0;
        lost[i] = job->unwon ? losable[i] : 0;
    }
    return (job->known_lost && tb_any(job->open->bits + at, words)) || tb_any(lost, words);
}

// Many strips: the rows that steps lead to are found once for all of them.
static void step_strips(tb_step_job *job, tb_range range, tb_range strips, uint32_t *scratch) {
    uint32_t *counts = scratch, *rows = scratch + TB_STEP_ROWS, *next = rows;
    uint64_t set = tb_unrank_set(range.first, job->movers->pieces);
    for (uint32_t row = range.first; row < range.end; row++, set = tb_next_set(set)) {
        counts[row - range.first] = (uint32_t)find_steps(job->movers, set, next);
        next += counts[row - range.first];
    }
    for (uint32_t strip = strips.first; strip < strips.end; strip++) {
        const uint64_t *lost_rows = job->known_lost ? tb_plane_at(job->known_lost, strip, 0) : NULL;
        const uint64_t *unwon_rows = job->unwon ? tb_plane_at(job->unwon, strip, 0) : NULL;
        next = rows;
        for (uint32_t row = range.first; row < range.end; row++) {
            _Alignas(64) uint64_t won[TB_STRIP_WORDS], lost[TB_STRIP_WORDS];
            uint32_t count = counts[row - range.first];
            size_t at = tb_plane_offset(job->open, strip, row);
            if (begin(job, at, won, lost, TB_STRIP_WORDS))
                look_wide(lost_rows, unwon_rows, next, (int)count, won, lost);
            keep(job, at, won, lost, TB_STRIP_WORDS);
            next += count;
        }
    }
}

// A narrow row: the steps of one piece after the other, as long as there is something to be found.
ALWAYS_INLINE void look_narrow(const tb_step_job *job, uint64_t set, const uint64_t *open,
                               uint64_t *won, uint64_t *lost, const int words) {
    const uint64_t *lost_rows = job->known_lost ? job->known_lost->bits : NULL;
    const uint64_t *unwon_rows = job->unwon ? job->unwon->bits : NULL;
    int pieces = job->movers->pieces;
    bool to_win = lost_rows != NULL, to_lose = unwon_rows != NULL;
    tb_member m;
    tb_member_set(&m, set, pieces);
    for (int p = 0; p < pieces && (to_win || to_lose); p++) {
        uint64_t still_open = 0;
        for (uint64_t to = sk_neighbours[m.points[p]] & ~set; to;) {
            size_t other = (size_t)tb_member_moved(&m, pieces, p, bits_pop(&to)) * (size_t)words;
            for (int i = 0; to_win && i < words; i++)
                won[i] |= lost_rows[other + (size_t)i];
            for (int i = 0; to_lose && i < words; i++)
                lost[i] &= ~unwon_rows[other + (size_t)i];
        }
        for (int i = 0; i < words; i++)
            still_open |= open[i] & ~won[i];
        to_win = to_win && still_open;
        to_lose = to_lose && tb_any(lost, words);
    }
}

ALWAYS_INLINE void step_narrow(tb_step_job *job, tb_range range, const int words) {
    uint64_t set = tb_unrank_set(range.first, job->movers->pieces);
    for (uint32_t row = range.first; row < range.end; row++, set = tb_next_set(set)) {
        uint64_t won[TB_STRIP_WORDS], lost[TB_STRIP_WORDS];
        size_t at = (size_t)row * (size_t)words; // a plane of narrow rows is one strip
        if (begin(job, at, won, lost, words))
            look_narrow(job, set, job->open->bits + at, won, lost, words);
        keep(job, at, won, lost, words);
    }
}

void ISA_NAME(tb_step)(tb_step_job *job, uint32_t part, uint32_t *scratch) {
    uint32_t groups = tb_parts_of(job->open->strips, TB_STEP_GROUP);
    tb_range strips = tb_strips_of(job->open, part, TB_STEP_GROUP);
    tb_range rows = tb_part_of(part / groups, job->open->rows, TB_STEP_ROWS);
    if (job->open->words == 1)
        step_narrow(job, rows, 1);
    else if (job->open->words == 2)
        step_narrow(job, rows, 2);
    else
        step_strips(job, rows, strips, scratch);
}

// --- all inner loops of this level --------------------------------------------------------------

const tb_kernels *ISA_NAME(tb_kernels)(void) {
    static const tb_kernels kernels = {.step = ISA_NAME(tb_step),
                                       .fold = ISA_NAME(tb_fold),
                                       .capture = ISA_NAME(tb_capture),
                                       .grow = ISA_NAME(tb_grow),
                                       .disjoint = ISA_NAME(tb_disjoint),
                                       .emit = ISA_NAME(tb_emit),
                                       .load = ISA_NAME(tb_load)};
    return &kernels;
}
