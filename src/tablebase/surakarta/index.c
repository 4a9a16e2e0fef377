#include "tablebase/surakarta/index.h"

#include "base/isa.h"
#include "base/minmax.h"

#include <assert.h>

// --- sets of points as numbers ------------------------------------------------------------------

uint32_t tb_choose[TB_MAX_PIECES + 1][SK_POINTS + 1];

AT_START static void fill_choose(void) {
    for (int n = 0; n <= SK_POINTS; n++)
        tb_choose[0][n] = 1;
    for (int k = 1; k <= TB_MAX_PIECES; k++)
        for (int n = 1; n <= SK_POINTS; n++)
            tb_choose[k][n] = tb_choose[k][n - 1] + tb_choose[k - 1][n - 1];
}

uint64_t tb_unrank_set(uint32_t rank, int k) {
    uint64_t set = 0;
    int point = SK_POINTS - 1;
    for (; k > 0; k--, point--) {
        while (tb_choose[k][point] > rank)
            point--;
        rank -= tb_choose[k][point];
        set |= sk_bit(point);
    }
    return set;
}

// --- rows ---------------------------------------------------------------------------------------

// For one to seven pieces: C(36,k) / 64 words, rounded up, and the orbits. Memory that costs
// nothing until it is written.
enum { ALL_WORDS = 167803, ALL_ROWS = 1344920 };

static tb_row_word all_words[ALL_WORDS];
static uint64_t all_sets[ALL_ROWS];
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

static void fill_turned(void) {
    for (int s = 0; s < TB_SYMMETRIES; s++)
        for (int line = 0; line < 6; line++)
            for (int points = 0; points < 64; points++) {
                uint64_t turned = 0;
                for (int i = 0; i < 6; i++)
                    if (points >> i & 1)
                        turned |= sk_bit(turn_point(s, line * 6 + i));
                tb_index.turned[line][points][s] = turned;
            }
}

static uint64_t symmetries_of(uint64_t set) {
    uint64_t fixed_by = 0;
    for (int s = 0; s < TB_SYMMETRIES; s++)
        fixed_by |= (uint64_t)(tb_turn(s, set) == set) << s;
    return fixed_by;
}

// Goes through the sets of so many pieces in order and numbers the representatives.
static uint32_t number_rows(int pieces, tb_row_word *words, uint64_t *sets) {
    uint32_t rows = 0;
    uint64_t set = sk_bit(pieces) - 1;
    for (uint32_t rank = 0; rank < tb_choose[pieces][SK_POINTS]; rank++) {
        tb_row_word *word = &words[rank / 64];
        if (rank % 64 == 0)
            word->rows = rows;
        if (tb_smallest_image(set).set == set) {
            word->first |= (uint64_t)1 << rank % 64;
            sets[rows++] = set | symmetries_of(set) << TB_FIXED_BY;
        }
        // The next larger number with as many bits.
        uint64_t low = set & -set, carried = set + low;
        set = carried | ((set ^ carried) >> 2) / low;
    }
    return rows;
}

void tb_index_prepare(int pieces) {
    assert(pieces >= 2 && pieces <= TB_MAX_PIECES);
    int most = min_int(pieces - 1, TB_MAX_ROW_PIECES);
    tb_row_word *words = all_words;
    uint64_t *sets = all_sets;
    if (rows_of[1] == 0)
        fill_turned();
    for (int k = 1; k <= most; k++) {
        if (rows_of[k] == 0) {
            rows_of[k] = number_rows(k, words, sets);
            tb_index.words[k] = words;
            tb_index.sets[k] = sets;
        }
        words += (tb_choose[k][SK_POINTS] + 63) / 64;
        sets += rows_of[k];
    }
    assert(words <= all_words + ALL_WORDS && sets <= all_sets + ALL_ROWS);
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
    return tb_index.sets[split->row_pieces][index / split->columns];
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
        lowest = min_u64(other, lowest);
    }
    return lowest;
}

tb_lookup *tb_lookup_best(void) { return ISA_PICK(tb_lookup); }
