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
// gaps in the order of their representatives. To look a placement up, all eight images of its row
// set are made side by side and the smallest is taken, with the lowest-numbered symmetry where
// several lead to it; a bit for every set of that size tells the representatives, and how many of
// them come before is the row. The column set is turned by the same symmetry. (A table from every
// set straight to its row needs 43 MB instead of 3 and took twice as long at eight pieces, waiting
// for memory.)
//
// Columns. The column side's set, turned and with the row side's points squeezed out, as a
// combinatorial number (tb_rank_set).
//
// The row side is the one that gives the smaller table, among those with at most TB_MAX_ROW_PIECES
// pieces; the movers on a tie. That is the larger side, whose sets are the less often symmetric,
// unless it has more than seven pieces: then it is the smaller one, lest the tables behind a lookup
// outgrow the caches. To eight pieces nothing is lost by it, to twelve at most 2.3 % of a layer.
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
// - A capture of the row side on point t leads from the columns with t to those of the table with
//   one column piece less, a step of the column side from p to q from the columns with p and not q
//   to those with q and not p; both without changing their order (tb_rank_set), so such columns too
//   are taken out with one mask and put in with another.
// - Unequal sides: the same placement has the same index whoever moves. A step of the column side
//   stays in its row, a step of the row side leaves it.
// - Equal sides: rows are the movers', so after a step the former columns are the rows: the one
//   table is read transposed.
// - A set that is no representative has the row of its orbit, its columns permuted by the symmetry
//   that tb_smallest_image names.
//
// Call tb_index_prepare before anything else here and before there are threads; the tables are
// written once and only read from then on.
#ifndef KRATON_TABLEBASE_SURAKARTA_INDEX_H
#define KRATON_TABLEBASE_SURAKARTA_INDEX_H

#include "base/bits.h"
#include "base/minmax.h"
#include "rules/surakarta/surakarta.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

// --- sets of points as numbers ------------------------------------------------------------------

// The sets of k points, in the order of their 36-bit values, are the combinatorial number system:
// the set p1 < p2 < ... < pk has C(p1,1) + C(p2,2) + ... + C(pk,k) sets before it. The order does
// not change when points that are in none of the sets are left out, so sets of free points of a
// board keep the order they have on the whole board. Nor does it change when the same point is
// added to all sets or removed from all: the highest point that is in only one of two sets decides
// which comes first.

enum { TB_MAX_PIECES = 12 }; // of both sides together

extern uint32_t tb_choose[TB_MAX_PIECES + 1][SK_POINTS + 1]; // [k][n]: sets of k among n

// How many sets of as many points come before this one.
ALWAYS_INLINE uint32_t tb_rank_set(uint64_t set) {
    uint32_t rank = 0;
    for (int k = 1; set; k++)
        rank += tb_choose[k][bits_pop(&set)];
    return rank;
}

// The set of k points with that rank.
uint64_t tb_unrank_set(uint32_t rank, int k);

// The set renumbered as if the points of `holes`, none of them in it, were not there. Without the
// instruction for it, from the highest hole down each step closes one: what lies below it is
// doubled before all is halved.
ALWAYS_INLINE uint64_t tb_squeeze(uint64_t set, uint64_t holes) {
#ifdef __BMI2__
    return _pext_u64(set, ~holes);
#else
    while (holes) {
        uint64_t hole = (uint64_t)1 << bits_highest(holes);
        set = (set + (set & (hole - 1))) >> 1;
        holes ^= hole;
    }
    return set;
#endif
}

// The inverse: renumbers the set so that no point of `holes` is in it.
ALWAYS_INLINE uint64_t tb_spread(uint64_t set, uint64_t holes) {
    while (holes) {
        uint64_t hole = holes & -holes;
        set += set & -hole;
        holes ^= hole;
    }
    return set;
}

// --- splits and placements ----------------------------------------------------------------------

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

// Sixty-four sets of one size in their order.
typedef struct {
    uint64_t first; // bit = the set is its orbit's representative
    uint32_t rows;  // representatives before these
} tb_row_word;

typedef struct {
    // By line of the board and points on it: their images by symmetry, side by side.
    _Alignas(64) uint64_t turned[6][64][TB_SYMMETRIES];
    const tb_row_word *words[TB_MAX_ROW_PIECES + 1]; // by pieces, then by rank / 64
    const uint64_t *sets[TB_MAX_ROW_PIECES + 1];     // by pieces, then by row: representative, and
                                                     // from TB_FIXED_BY on the symmetries (a bit
                                                     // each) that leave it as it is
} tb_index_tables;

enum { TB_FIXED_BY = 56 };

extern tb_index_tables tb_index;

// Fills the tables that splits of up to so many pieces need (2 to TB_MAX_PIECES); what is there
// already is kept. Some 10 ms for six pieces, 0.2 s for eight and more.
void tb_index_prepare(int pieces);

// The table for so many movers and others; together at most what was prepared.
tb_split tb_split_of(int movers, int others);

ALWAYS_INLINE tb_placement tb_placement_of(const sk_pos *pos) {
    return (tb_placement){pos->pieces[pos->stm], pos->pieces[pos->stm ^ 1]};
}

// The set after a symmetry: bit 0 mirrors the columns a-f, then bit 1 the rows, then bit 2 swaps
// rows and columns.
ALWAYS_INLINE uint64_t tb_turn(int symmetry, uint64_t set) {
    uint64_t turned = 0;
    for (int line = 0; line < 6; line++)
        turned |= tb_index.turned[line][set >> 6 * line & 63][symmetry];
    return turned;
}

// The smallest image of a set.
typedef struct {
    uint64_t set;
    int symmetry; // the lowest-numbered that leads to it
} tb_image;

// Compilers make all eight images at once of this; signed, since only signed numbers can be
// compared side by side before AVX-512.
ALWAYS_INLINE tb_image tb_smallest_image(uint64_t set) {
    int64_t smallest = INT64_MAX;
    for (int s = 0; s < TB_SYMMETRIES; s++) {
        int64_t image = (int64_t)tb_turn(s, set) * TB_SYMMETRIES + s;
        smallest = min_i64(image, smallest);
    }
    return (tb_image){(uint64_t)smallest / TB_SYMMETRIES, (int)(smallest % TB_SYMMETRIES)};
}

ALWAYS_INLINE tb_placement tb_turn_placement(int symmetry, tb_placement p) {
    return (tb_placement){tb_turn(symmetry, p.movers), tb_turn(symmetry, p.others)};
}

// The row of a representative of so many pieces.
ALWAYS_INLINE uint32_t tb_find_row(int pieces, uint64_t representative) {
    uint32_t rank = tb_rank_set(representative);
    const tb_row_word *word = &tb_index.words[pieces][rank / 64];
    uint64_t before = word->first & (((uint64_t)1 << rank % 64) - 1);
    return word->rows + (uint32_t)bits_count(before);
}

// The place of a placement that has the split's numbers of pieces.
ALWAYS_INLINE uint64_t tb_rank(const tb_split *split, tb_placement p) {
    tb_image rows = tb_smallest_image(split->movers_are_rows ? p.movers : p.others);
    uint64_t columns = tb_turn(rows.symmetry, split->movers_are_rows ? p.others : p.movers);
    return (uint64_t)tb_find_row(split->row_pieces, rows.set) * split->columns +
           tb_rank_set(tb_squeeze(columns, rows.set));
}

// The placement at an index below split->size, its row side's set the representative.
tb_placement tb_unrank(const tb_split *split, uint64_t index);

// How many placements have this index.
int tb_weight(const tb_split *split, uint64_t index);

// The lowest index at which a placement symmetric to this one stands.
uint64_t tb_canonical(const tb_split *split, uint64_t index);

// --- one placement at a time --------------------------------------------------------------------

typedef uint64_t tb_lookup(const tb_split *split, tb_placement p);

tb_lookup tb_lookup_baseline, tb_lookup_v3;

// tb_rank as this processor does it best, for callers that are not compiled once per level
// themselves; to be asked for once.
tb_lookup *tb_lookup_best(void);

#endif
