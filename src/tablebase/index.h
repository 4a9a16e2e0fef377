// The index of the endgame tables: a split (pieces to move, pieces of the other side) is a table,
// and every placement of its pieces has a place in it.
//
// A table is rows of columns. A row belongs to a set of points of one side, the row side; the
// columns of a row are all placements of the other side, the column side, on the free points:
//
//     index = row * columns + column
//
// Rows. The board has eight symmetries, and sets that one of them takes into one another share a
// row: that of the orbit's smallest 36-bit value, its representative. Rows are numbered without
// gaps in the order of their representatives. To look a placement up, its row set's rank among all
// sets of its size leads (one load) to the row and to the symmetry that takes the set to the
// representative, the lowest-numbered one where there are several; the whole placement is turned
// by it.
//
// Columns. The column side's set, turned and with the row side's points squeezed out, as a
// combinatorial number (choose.h).
//
// The row side is the one that gives the smaller table, among those with at most TB_MAX_ROW_PIECES
// pieces; the movers on a tie. That is the larger side, whose sets are the less often symmetric,
// unless it has more than seven pieces: then it is the smaller one, lest the table of all its sets
// outgrow what the lookup should touch (43 MB for up to seven, 121 MB more for eight). To eight
// pieces nothing is lost by it, to twelve at most 2.3 % of a layer.
//
// Duplicates. A representative that is symmetric itself keeps its full row: columns that such a
// symmetry takes into one another are the same placement twice over. Each of them is what some
// placement ranks to and holds its value, so that no lookup has to choose; tb_canonical names the
// first of those that are the same. Every entry stands for as many placements as the orbit of its
// row has sets, one placement a set (tb_weight), so weights add up to all placements and statistics
// need not look for duplicates. Where the representative has no symmetry, symmetric placements
// have one index.
//
// What it means for a builder that works on whole rows:
// - A row is contiguous, and its order is that of the column sets' values. The columns of a row are
//   those of the whole board, all sets of m points in the order of tb_rank_set, without the sets
//   that touch the row's set. So a working row of C(36,m) entries, where a step of the row side is
//   the same column of another row and blocked points are masks, becomes a row of the table by
//   dropping (pext, vpcompress) the masked entries.
// - Unequal sides: the same placement has the same index whoever moves. A step of the column side
//   stays in its row, a step of the row side leaves it.
// - Equal sides: rows are the movers', so after a step the former columns are the rows: the one
//   table is read transposed.
// - Rows of sets that are no representatives are those of their orbit with columns permuted by a
//   symmetry, tb_row_entry names which.
//
// Call tb_index_prepare before anything else here and before there are threads; the tables are
// written once and only read from then on.
#ifndef KRATON_TABLEBASE_INDEX_H
#define KRATON_TABLEBASE_INDEX_H

#include "tablebase/choose.h"

enum { TB_SYMMETRIES = 8, TB_MAX_ROW_PIECES = 7 };

typedef struct {
    uint64_t movers, others; // bit = point; disjoint
} tb_placement;

typedef struct {
    uint8_t movers, others; // pieces, at least 1 each
    uint8_t row_pieces, column_pieces;
    bool movers_are_rows;
    uint32_t rows, columns;
    uint64_t size; // rows * columns
} tb_split;

typedef struct {
    uint64_t turned[TB_SYMMETRIES][6][64];      // by symmetry, line of the board, points on it
    const uint32_t *row[TB_MAX_ROW_PIECES + 1]; // by rank of a set: row * 8 + symmetry to apply
    const uint64_t *set[TB_MAX_ROW_PIECES + 1]; // by row: representative, and from TB_FIXED_BY on
                                                // a bit for each symmetry that leaves it as it is
} tb_index_tables;

enum { TB_FIXED_BY = 56 };

extern tb_index_tables tb_index;

// Fills the tables that splits of up to so many pieces need (2 to TB_MAX_PIECES); what is there
// already is kept. Some 10 ms for six pieces, a third of a second for eight and more.
void tb_index_prepare(int pieces);

// The table for so many movers and others; together at most what was prepared.
tb_split tb_split_of(int movers, int others);

ALWAYS_INLINE tb_placement tb_placement_of(const sk_pos *pos) {
    return (tb_placement){pos->pieces[pos->stm], pos->pieces[pos->stm ^ 1]};
}

// The set after a symmetry: bit 0 mirrors the columns a-f, then bit 1 the rows, then bit 2 swaps
// rows and columns.
ALWAYS_INLINE uint64_t tb_turn(int symmetry, uint64_t set) {
    const uint64_t(*t)[64] = tb_index.turned[symmetry];
    return t[0][set & 63] | t[1][set >> 6 & 63] | t[2][set >> 12 & 63] | t[3][set >> 18 & 63] |
           t[4][set >> 24 & 63] | t[5][set >> 30 & 63];
}

ALWAYS_INLINE tb_placement tb_turn_placement(int symmetry, tb_placement p) {
    return (tb_placement){tb_turn(symmetry, p.movers), tb_turn(symmetry, p.others)};
}

// The row of a set of the row side, times 8, plus the symmetry that takes it to the representative.
ALWAYS_INLINE uint32_t tb_row_entry(int pieces, uint64_t set) {
    return tb_index.row[pieces][tb_rank_set(set)];
}

// The place of a placement that has the split's numbers of pieces.
ALWAYS_INLINE uint64_t tb_rank(const tb_split *split, tb_placement p) {
    uint64_t rows = split->movers_are_rows ? p.movers : p.others;
    uint64_t columns = split->movers_are_rows ? p.others : p.movers;
    uint32_t entry = tb_row_entry(split->row_pieces, rows);
    int symmetry = (int)(entry % TB_SYMMETRIES);
    uint64_t column = tb_squeeze(tb_turn(symmetry, columns), tb_turn(symmetry, rows));
    return (uint64_t)(entry / TB_SYMMETRIES) * split->columns + tb_rank_set(column);
}

// The placement at an index below split->size, its row side's set the representative.
tb_placement tb_unrank(const tb_split *split, uint64_t index);

// How many placements have this index.
int tb_weight(const tb_split *split, uint64_t index);

// The lowest index at which a placement symmetric to this one stands.
uint64_t tb_canonical(const tb_split *split, uint64_t index);

#endif
