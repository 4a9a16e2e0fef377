// The index once more, the verifier's own: written from docs/tablebase-format.md alone and sharing
// nothing with index.h but the numbers it must arrive at. Rows are numbered by meeting their sets
// in order instead of by searching images, and a table leads from every set straight to its row:
// slower to prepare and larger than the builder's and the prober's way, and simpler.
//
// Written by verify_index_prepare, read by any number of threads, freed by its owner.
#ifndef KRATON_TABLEBASE_SURAKARTA_VERIFY_INDEX_H
#define KRATON_TABLEBASE_SURAKARTA_VERIFY_INDEX_H

#include "base/bits.h"

#include <stdbool.h>

enum { VERIFY_POINTS = 36, VERIFY_PIECES = 12, VERIFY_ROW_PIECES = 7 };

typedef struct {
    uint32_t choose[VERIFY_PIECES + 1][VERIFY_POINTS + 1]; // [k][n]: sets of k among n
    uint8_t turned[8][VERIFY_POINTS];                      // [symmetry][point]
    uint32_t rows[VERIFY_ROW_PIECES + 1];                  // by pieces
    uint32_t *row_of[VERIFY_ROW_PIECES + 1];               // by rank of a set: row * 8 + symmetry
    uint64_t *set_of[VERIFY_ROW_PIECES + 1];               // by row: its smallest set
    uint8_t *orbit_of[VERIFY_ROW_PIECES + 1];              // by row: how many sets share it
} verify_index;

// Fills in what splits of so many pieces need. False when memory will not do; free it in any case.
MUST_USE bool verify_index_prepare(verify_index *ix, int pieces);
void verify_index_free(verify_index *ix);

// A split's layout.
typedef struct {
    int movers, others;
    bool movers_are_rows;
    int row_pieces, column_pieces;
    uint64_t rows, columns;
} verify_layout;
verify_layout verify_layout_of(const verify_index *ix, int movers, int others);

// Sets of as many points before this one.
ALWAYS_INLINE uint32_t verify_rank(const verify_index *ix, uint64_t set) {
    uint32_t rank = 0;
    for (int k = 1; set; k++)
        rank += ix->choose[k][bits_pop(&set)];
    return rank;
}

// The next set of as many points.
ALWAYS_INLINE uint64_t verify_next_set(uint64_t set) {
    uint64_t low = set & -set, carried = set + low;
    return carried | ((set ^ carried) >> 2) / low;
}

// How the points of a board are numbered in a row: turned as that row wants it, and the row's own
// points left out (they are 64).
typedef struct {
    uint64_t row;
    uint8_t number[VERIFY_POINTS];
} verify_view;

// The row that a set has and the view from it.
verify_view verify_view_of(const verify_index *ix, uint64_t set);

// The column of a set in a view.
ALWAYS_INLINE uint32_t verify_column(const verify_index *ix, const verify_view *view,
                                     uint64_t set) {
    uint64_t numbers = 0;
    while (set)
        numbers |= (uint64_t)1 << view->number[bits_pop(&set)];
    return verify_rank(ix, numbers);
}

// The index of a placement.
uint64_t verify_find(const verify_index *ix, const verify_layout *layout, uint64_t movers,
                     uint64_t others);

#endif
