// What the builder of tables works on: all sets of so many points, and bits for placements in rows
// and columns.
//
// The builder does not use the order of the index (index.h) but this one: a row for every set of
// one side, a column for every representative of the other side's sets. So a step of the row side,
// with whatever column, leads to the same column of another row, and what is true of a row's
// positions spreads to another by a plain OR of their bits. Symmetry is used all the same: each
// placement up to symmetry stands there once, but for the few representatives that are symmetric
// themselves.
//
// A plane is one bit for every row and column. Its columns are cut into strips of at most 512 so
// that the rows of a strip, which refer to each other in no particular order, stay close together
// in memory.
//
// The caller owns rows and planes and frees them.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_ROWS_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_ROWS_H

#include "tablebase/surakarta/index.h"

#include <stddef.h>

enum { TB_STRIP_WORDS = 8, TB_REP_BITS = 24 };

// All sets of so many points in the order of tb_rank_set.
typedef struct {
    int pieces; // 0 to 9
    uint32_t sets, reps;
    uint32_t *folded;  // by set: its representative, and above TB_REP_BITS the symmetries (a bit
                       // each) that lead to it
    uint64_t *members; // by representative: the set
    uint32_t (*images)[TB_SYMMETRIES]; // by representative, then by symmetry: the set it becomes
} tb_rows;

// How many representatives sets of so many points have.
uint32_t tb_count_reps(int pieces);

MUST_USE bool tb_rows_make(tb_rows *rows, int pieces);
void tb_rows_free(tb_rows *rows);

// The next set of as many points; the set is not the last.
ALWAYS_INLINE uint64_t tb_next_set(uint64_t set) {
    if (set == 0)
        return 0;
    uint64_t low = set & -set, carried = set + low;
    return carried | ((set ^ carried) >> 2) / low;
}

// --- the ranks of sets that differ in a point ---------------------------------------------------

// A set with sums from which the ranks of its neighbours are put together.
typedef struct {
    uint64_t set;
    int points[TB_MAX_PIECES];
    // Over the lowest points, what they add to the rank: in their places, each one place lower,
    // each one higher.
    uint32_t here[TB_MAX_PIECES + 1], lower[TB_MAX_PIECES + 1], higher[TB_MAX_PIECES + 1];
} tb_member;

ALWAYS_INLINE void tb_member_set(tb_member *m, uint64_t set, int pieces) {
    m->set = set;
    m->here[0] = m->lower[0] = m->higher[0] = 0;
    for (int i = 0; i < pieces; i++) {
        int point = bits_pop(&set);
        m->points[i] = point;
        m->here[i + 1] = m->here[i] + tb_choose[i + 1][point];
        m->lower[i + 1] = m->lower[i] + tb_choose[i][point];
        m->higher[i + 1] = m->higher[i] + tb_choose[i + 2][point];
    }
}

// The rank after the i-th of the points has gone to a point that is not in the set.
ALWAYS_INLINE uint32_t tb_member_moved(const tb_member *m, int pieces, int i, int to) {
    int below = bits_count(m->set & (sk_bit(to) - 1));
    if (to < m->points[i])
        return m->here[below] + tb_choose[below + 1][to] + m->higher[i] - m->higher[below] +
               m->here[pieces] - m->here[i + 1];
    return m->here[i] + m->lower[below] - m->lower[i + 1] + tb_choose[below][to] + m->here[pieces] -
           m->here[below];
}

// The rank, among sets of one point less, without the i-th.
ALWAYS_INLINE uint32_t tb_member_without(const tb_member *m, int pieces, int i) {
    return m->here[i] + m->lower[pieces] - m->lower[i + 1];
}

// --- planes -------------------------------------------------------------------------------------

typedef struct {
    uint32_t rows, columns;
    uint32_t words;  // of a row in a strip: 1, 2 or TB_STRIP_WORDS
    uint32_t all;    // strips there are: columns / 64 / words, rounded up
    uint32_t first;  // the first one kept here
    uint32_t strips; // how many are kept here
    uint64_t *bits;  // strip by strip, row by row; NULL: none
} tb_plane;

// Whose strips: every process keeps its share of every plane. A plane's share depends only on how
// many strips it has, so planes with the same columns are shared out the same way.
typedef struct {
    int rank, count;
} tb_share;

// A plane of zeros for all sets of the one kind by the representatives of the other.
MUST_USE bool tb_plane_make(tb_plane *plane, const tb_rows *rows, const tb_rows *columns,
                            tb_share share);
void tb_plane_free(tb_plane *plane); // one that was never made is allowed
void tb_plane_clear(const tb_plane *plane);
// What tb_plane_make would take, in the largest share.
size_t tb_plane_bytes(uint32_t rows, uint32_t columns, int count);
// The words of the strips kept here.
size_t tb_plane_words(const tb_plane *plane);

// Which of so many ranks keeps a strip.
ALWAYS_INLINE int tb_plane_keeper(const tb_plane *plane, uint32_t strip, int count) {
    return (int)(((uint64_t)(strip + 1) * (uint64_t)count - 1) / plane->all);
}

ALWAYS_INLINE bool tb_plane_keeps(const tb_plane *plane, uint32_t strip) {
    return strip - plane->first < plane->strips;
}

// Where a row's words within a strip are among the bits, if the strip is kept here. It is the same
// in all planes of the same rows and columns.
ALWAYS_INLINE size_t tb_plane_offset(const tb_plane *plane, uint32_t strip, uint32_t row) {
    return ((size_t)(strip - plane->first) * plane->rows + row) * plane->words;
}

// A row's words within a strip that is kept here.
ALWAYS_INLINE uint64_t *tb_plane_at(const tb_plane *plane, uint32_t strip, uint32_t row) {
    return plane->bits + tb_plane_offset(plane, strip, row);
}

// 64 columns of a row.
ALWAYS_INLINE uint64_t *tb_plane_word(const tb_plane *plane, uint32_t word, uint32_t row) {
    return tb_plane_at(plane, word / plane->words, row) + word % plane->words;
}

#endif
