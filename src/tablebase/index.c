#include "tablebase/index.h"

#include <assert.h>

// C(36,1) + ... + C(36,7), and as many orbits: memory that costs nothing until it is written.
enum { ALL_SETS = 10739175, ALL_ROWS = 1344920 };

static uint32_t row_of_set[ALL_SETS];
static uint64_t set_of_row[ALL_ROWS];
static uint32_t rows_of[TB_MAX_ROW_PIECES + 1]; // how many, by pieces; 0 until prepared

tb_index_tables tb_index;

static int turn_point(int symmetry, int point) {
    int row = point / 6, column = point % 6;
    if (symmetry & 1)
        column = 5 - column;
    if (symmetry & 2)
        row = 5 - row;
    return symmetry & 4 ? column * 6 + row : row * 6 + column;
}

// A mirror undoes itself; behind a swap of rows and columns the two mirrors change roles.
static int inverse_of(int symmetry) {
    return symmetry & 4 ? 4 | (symmetry & 1) << 1 | (symmetry >> 1 & 1) : symmetry;
}

static void fill_turned(void) {
    for (int s = 0; s < TB_SYMMETRIES; s++)
        for (int line = 0; line < 6; line++)
            for (int points = 0; points < 64; points++) {
                uint64_t turned = 0;
                for (int i = 0; i < 6; i++)
                    if (points >> i & 1)
                        turned |= sk_bit(turn_point(s, line * 6 + i));
                tb_index.turned[s][line][points] = turned;
            }
}

// Goes through the sets in order. One that has no row yet is the smallest of its orbit: it gets the
// next, and so do all its images. (Rows and their numbers start at 0, so an entry is kept plus 1
// until all are there.)
static uint32_t number_rows(int pieces, uint32_t *row, uint64_t *set) {
    uint32_t rows = 0, sets = tb_choose[pieces][SK_POINTS];
    uint64_t smallest = sk_bit(pieces) - 1;
    for (uint32_t i = 0; i < sets; i++) {
        if (row[i] == 0) {
            uint64_t fixed_by = 0;
            for (int s = TB_SYMMETRIES - 1; s >= 0; s--) { // downwards: the lowest one stays
                uint64_t image = tb_turn(inverse_of(s), smallest);
                row[tb_rank_set(image)] = rows * TB_SYMMETRIES + (uint32_t)s + 1;
                fixed_by |= (uint64_t)(image == smallest) << s;
            }
            set[rows++] = smallest | fixed_by << TB_FIXED_BY;
        }
        // The next larger number with as many bits.
        uint64_t low = smallest & -smallest, carried = smallest + low;
        smallest = carried | ((smallest ^ carried) >> 2) / low;
    }
    for (uint32_t i = 0; i < sets; i++)
        row[i]--;
    return rows;
}

void tb_index_prepare(int pieces) {
    assert(pieces >= 2 && pieces <= TB_MAX_PIECES);
    int most = pieces - 1 < TB_MAX_ROW_PIECES ? pieces - 1 : TB_MAX_ROW_PIECES;
    uint32_t *row = row_of_set;
    uint64_t *set = set_of_row;
    if (rows_of[1] == 0)
        fill_turned();
    for (int k = 1; k <= most; k++) {
        if (rows_of[k] == 0) {
            rows_of[k] = number_rows(k, row, set);
            tb_index.row[k] = row;
            tb_index.set[k] = set;
        }
        row += tb_choose[k][SK_POINTS];
        set += rows_of[k];
    }
    assert(row <= row_of_set + ALL_SETS && set <= set_of_row + ALL_ROWS);
}

static uint64_t size_with_rows(int rows, int columns) {
    return (uint64_t)rows_of[rows] * tb_choose[columns][SK_POINTS - rows];
}

tb_split tb_split_of(int movers, int others) {
    assert(movers >= 1 && others >= 1 && movers + others <= TB_MAX_PIECES);
    bool movers_are_rows = others > TB_MAX_ROW_PIECES ||
                           (movers <= TB_MAX_ROW_PIECES &&
                            size_with_rows(movers, others) <= size_with_rows(others, movers));
    int rows = movers_are_rows ? movers : others, columns = movers + others - rows;
    assert(rows_of[rows] != 0);
    return (tb_split){.movers = (uint8_t)movers,
                      .others = (uint8_t)others,
                      .row_pieces = (uint8_t)rows,
                      .column_pieces = (uint8_t)columns,
                      .movers_are_rows = movers_are_rows,
                      .rows = rows_of[rows],
                      .columns = tb_choose[columns][SK_POINTS - rows],
                      .size = size_with_rows(rows, columns)};
}

static uint64_t row_set_at(const tb_split *split, uint64_t index) {
    return tb_index.set[split->row_pieces][index / split->columns];
}

tb_placement tb_unrank(const tb_split *split, uint64_t index) {
    assert(index < split->size);
    uint64_t rows = row_set_at(split, index) & SK_BOARD;
    uint64_t column = tb_unrank_set((uint32_t)(index % split->columns), split->column_pieces);
    uint64_t columns = tb_spread(column, rows);
    return split->movers_are_rows ? (tb_placement){rows, columns} : (tb_placement){columns, rows};
}

int tb_weight(const tb_split *split, uint64_t index) {
    return TB_SYMMETRIES / bits_count(row_set_at(split, index) >> TB_FIXED_BY);
}

uint64_t tb_canonical(const tb_split *split, uint64_t index) {
    uint64_t fixed_by = row_set_at(split, index) >> TB_FIXED_BY, lowest = index;
    tb_placement p = tb_unrank(split, index);
    fixed_by &= fixed_by - 1; // the first leaves everything as it is
    while (fixed_by) {
        uint64_t other = tb_rank(split, tb_turn_placement(bits_pop(&fixed_by), p));
        lowest = other < lowest ? other : lowest;
    }
    return lowest;
}
