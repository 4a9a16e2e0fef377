#include "tablebase/surakarta/verify_index.h"

#include <stdlib.h>
#include <string.h>

static void fill_choose(verify_index *ix) {
    for (int n = 0; n <= VERIFY_POINTS; n++) {
        ix->choose[0][n] = 1;
        for (int k = 1; k <= VERIFY_PIECES; k++)
            ix->choose[k][n] = n ? ix->choose[k][n - 1] + ix->choose[k - 1][n - 1] : 0;
    }
}

static void fill_turned(verify_index *ix) {
    for (int s = 0; s < 8; s++)
        for (int row = 0; row < 6; row++)
            for (int column = 0; column < 6; column++) {
                int c = s & 1 ? 5 - column : column, r = s & 2 ? 5 - row : row;
                ix->turned[s][row * 6 + column] = (uint8_t)(s & 4 ? c * 6 + r : r * 6 + c);
            }
}

static uint64_t turn(const verify_index *ix, int symmetry, uint64_t set) {
    uint64_t turned = 0;
    while (set)
        turned |= (uint64_t)1 << ix->turned[symmetry][bits_pop(&set)];
    return turned;
}

// Sets come in order, so one without a row is the smallest of its orbit and opens the next row for
// all of them: each with the lowest symmetry that leads back.
static void open_row(verify_index *ix, int pieces, uint64_t set) {
    uint32_t row = ix->rows[pieces]++;
    int members = 0;
    for (int s = 0; s < 8; s++) {
        uint64_t image = turn(ix, s, set);
        uint32_t *entry = &ix->row_of[pieces][verify_rank(ix, image)];
        if (*entry != UINT32_MAX)
            continue;
        int back = 0;
        while (turn(ix, back, image) != set)
            back++;
        *entry = row * 8 + (uint32_t)back;
        members++;
    }
    ix->set_of[pieces][row] = set;
    ix->orbit_of[pieces][row] = (uint8_t)members;
}

static bool number_rows(verify_index *ix, int pieces) {
    uint32_t sets = ix->choose[pieces][VERIFY_POINTS];
    // Hardly more than an eighth of the sets are rows; a set alone in its orbit is rare.
    uint32_t room = sets < 1000 ? sets : sets / 7;
    ix->row_of[pieces] = malloc(sets * sizeof *ix->row_of[pieces]);
    ix->set_of[pieces] = malloc(room * sizeof *ix->set_of[pieces]);
    ix->orbit_of[pieces] = malloc(room);
    if (!ix->row_of[pieces] || !ix->set_of[pieces] || !ix->orbit_of[pieces])
        return false;
    memset(ix->row_of[pieces], 0xff, sets * sizeof *ix->row_of[pieces]);
    uint64_t set = ((uint64_t)1 << pieces) - 1;
    for (uint32_t rank = 0; rank < sets; rank++, set = verify_next_set(set))
        if (ix->row_of[pieces][rank] == UINT32_MAX)
            open_row(ix, pieces, set);
    return true;
}

bool verify_index_prepare(verify_index *ix, int pieces) {
    *ix = (verify_index){.rows = {0}};
    fill_choose(ix);
    fill_turned(ix);
    for (int k = 1; k < pieces && k <= VERIFY_ROW_PIECES; k++)
        if (!number_rows(ix, k))
            return false;
    return true;
}

void verify_index_free(verify_index *ix) {
    for (int k = 0; k <= VERIFY_ROW_PIECES; k++) {
        free(ix->row_of[k]);
        free(ix->set_of[k]);
        free(ix->orbit_of[k]);
    }
}

verify_layout verify_layout_of(const verify_index *ix, int movers, int others) {
    verify_layout layouts[2];
    for (int i = 0; i < 2; i++) {
        bool movers_are_rows = i == 0;
        int rows = movers_are_rows ? movers : others, columns = movers + others - rows;
        layouts[i] = (verify_layout){
            .movers = movers,
            .others = others,
            .movers_are_rows = movers_are_rows,
            .row_pieces = rows,
            .column_pieces = columns,
            .rows = rows <= VERIFY_ROW_PIECES ? ix->rows[rows] : 0,
            .columns = ix->choose[columns][VERIFY_POINTS - rows],
        };
    }
    uint64_t size[2] = {layouts[0].rows * layouts[0].columns, layouts[1].rows * layouts[1].columns};
    return layouts[size[0] == 0 || (size[1] && size[1] < size[0])];
}

verify_view verify_view_of(const verify_index *ix, uint64_t set) {
    int pieces = bits_count(set);
    uint32_t found = ix->row_of[pieces][verify_rank(ix, set)];
    verify_view view = {.row = found / 8};
    uint64_t left_out = ix->set_of[pieces][view.row];
    uint8_t number[VERIFY_POINTS];
    for (int point = 0, next = 0; point < VERIFY_POINTS; point++)
        number[point] = left_out >> point & 1 ? 64 : (uint8_t)next++;
    for (int point = 0; point < VERIFY_POINTS; point++)
        view.number[point] = number[ix->turned[found % 8][point]];
    return view;
}

// As a view and a column there, but only for the points that are asked for.
uint64_t verify_find(const verify_index *ix, const verify_layout *layout, uint64_t movers,
                     uint64_t others) {
    uint64_t rows = layout->movers_are_rows ? movers : others;
    uint64_t columns = layout->movers_are_rows ? others : movers;
    uint32_t found = ix->row_of[layout->row_pieces][verify_rank(ix, rows)];
    uint64_t left_out = ix->set_of[layout->row_pieces][found / 8], numbers = 0;
    while (columns) {
        int point = ix->turned[found % 8][bits_pop(&columns)];
        numbers |= (uint64_t)1 << (point - bits_count(left_out & (((uint64_t)1 << point) - 1)));
    }
    return found / 8 * layout->columns + verify_rank(ix, numbers);
}
