// The board in a terminal: a small canvas of character cells, filled and then printed. Chinese
// characters are two cells wide, so a point takes two cells and the line to the next one two more;
// 19 lines by 36 cells has about the shape of a real board. With the files' names it is 21 lines.
#include "rules/xiangqi/text.h"

enum { STEP = 4, MARGIN = 1, ROWS = 19, COLUMNS = MARGIN + 8 * STEP + 3, RIVER_ROW = 9 };

typedef enum {
    STYLE_NONE,
    STYLE_LINE,
    STYLE_RED,
    STYLE_BLACK,
    STYLE_LAST, // a point of the last move
    STYLE_RED_LAST,
    STYLE_BLACK_LAST,
} style;

typedef struct {
    const char *glyph; // NULL: the second cell of the glyph on the left
    style how;
} cell;

typedef struct {
    cell at[ROWS][COLUMNS];
    bool unicode;
} canvas;

// Dark lines on wood, the pieces on ivory, the last move on yellow.
static const char *const style_codes[] = {
    [STYLE_NONE] = "\033[0m",
    [STYLE_LINE] = "\033[0;38;5;94;48;5;180m",
    [STYLE_RED] = "\033[0;1;38;5;160;48;5;230m",
    [STYLE_BLACK] = "\033[0;1;38;5;16;48;5;230m",
    [STYLE_LAST] = "\033[0;38;5;94;48;5;220m",
    [STYLE_RED_LAST] = "\033[0;1;38;5;160;48;5;220m",
    [STYLE_BLACK_LAST] = "\033[0;1;38;5;16;48;5;220m",
};

static void put(canvas *c, int row, int column, const char *glyph) {
    c->at[row][column].glyph = glyph;
}

static const char *pick(const canvas *c, const char *unicode, const char *ascii) {
    return c->unicode ? unicode : ascii;
}

// The lines crossing on a point without a piece; column and row of the point, not of the cell.
static const char *crossing(int column, int row) {
    static const char *const shapes[3][3] = {{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
    int across = column == 0 ? 0 : column == 8 ? 2 : 1;
    int down = row == 0 ? 0 : row == 9 ? 2 : 1;
    if (across == 1 && (row == 4 || row == 5)) // the banks of the river
        down = row == 4 ? 2 : 0;
    return shapes[down][across];
}

static void draw_grid(canvas *c) {
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            int x = column - MARGIN, file = x / STEP;
            bool on_file = x >= 0 && x % STEP == 0 && file < 9;
            cell *here = &c->at[row][column];
            *here = (cell){" ", STYLE_LINE};
            if (row % 2 == 0 && on_file)
                here->glyph = pick(c, crossing(file, row / 2), "+");
            else if (row % 2 == 0 && x > 0 && file < 8)
                here->glyph = pick(c, "─", "-");
            else if (on_file && (row != RIVER_ROW || file == 0 || file == 8))
                here->glyph = pick(c, "│", "|");
        }
}

static void draw_palaces(canvas *c) {
    static const int tops[] = {1, 15};
    const char *falling = pick(c, "╲", "\\"), *rising = pick(c, "╱", "/");
    int left = MARGIN + 3 * STEP + STEP / 2, right = left + STEP;
    for (int i = 0; i < 2; i++) {
        put(c, tops[i], left, falling);
        put(c, tops[i], right, rising);
        put(c, tops[i] + 2, left, rising);
        put(c, tops[i] + 2, right, falling);
    }
}

static void put_wide(canvas *c, int row, int column, const char *glyph) {
    put(c, row, column, glyph);
    put(c, row, column + 1, NULL);
}

static void draw_river(canvas *c) {
    static const char *const words[] = {"楚", "河", "漢", "界"};
    static const int columns[] = {6, 10, 22, 26};
    for (int i = 0; i < 4 && c->unicode; i++)
        put_wide(c, RIVER_ROW, MARGIN + columns[i], words[i]);
    for (int column = MARGIN + 2; column < MARGIN + 8 * STEP - 1 && !c->unicode; column += 2)
        put(c, RIVER_ROW, column, "~");
}

// Without colour the two sides' characters must differ, so both old forms are used.
static void draw_piece(canvas *c, int row, int column, int piece) {
    static const char *const characters[16] = {"", "俥", "炮", "傌", "兵", "相", "仕", "帥",
                                               "", "車", "砲", "馬", "卒", "象", "士", "將"};
    static const char *const letters[16] = {"", "R", "C", "N", "P", "B", "A", "K",
                                            "", "r", "c", "n", "p", "b", "a", "k"};
    if (c->unicode)
        put_wide(c, row, column, characters[piece]);
    else
        put(c, row, column, letters[piece]);
    style how = xq_side(piece) == XQ_RED ? STYLE_RED : STYLE_BLACK;
    c->at[row][column].how = c->at[row][column + 1].how = how;
    if (!c->unicode)
        c->at[row][column + 1].how = STYLE_LINE;
}

// With colour by the ground, else by brackets.
static void mark_point(canvas *c, int row, int column, bool colour) {
    int width = c->unicode ? 2 : 1;
    if (!colour) {
        put(c, row, column - 1, "[");
        put(c, row, column + width, "]");
        return;
    }
    style how = c->at[row][column].how;
    how = how == STYLE_RED ? STYLE_RED_LAST : how == STYLE_BLACK ? STYLE_BLACK_LAST : STYLE_LAST;
    for (int i = 0; i < width; i++)
        c->at[row][column + i].how = how;
}

static void draw_points(canvas *c, const xq_pos *pos, const rules_drawing *how) {
    for (int p = 0; p < XQ_POINTS; p++) {
        int row = 2 * (how->flipped ? xq_rank(p) : 9 - xq_rank(p));
        int column = MARGIN + STEP * (how->flipped ? 8 - xq_file(p) : xq_file(p));
        if (pos->board[p])
            draw_piece(c, row, column, pos->board[p]);
        if (how->last != MOVE_NONE && (p == move_from(how->last) || p == move_to(how->last)))
            mark_point(c, row, column, how->colour);
    }
}

// The files' names with the number one side counts them by: a/1 for Black, which
// must not look like a square, a九 for Red.
static void write_files(int side, const rules_drawing *how, writer *out) {
    static const char *const chinese[] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};
    write_string(out, "   ");
    for (int i = 0; i < 9; i++) {
        int file = how->flipped ? 8 - i : i, number = side == XQ_RED ? 9 - file : file + 1;
        write_char(out, (char)('a' + file));
        if (side == XQ_RED && how->unicode)
            write_format(out, "%s%s", chinese[number - 1], i < 8 ? " " : "");
        else
            write_format(out, "/%d%s", number, i < 8 ? " " : "");
    }
    write_char(out, '\n');
}

static void print_row(const canvas *c, int row, bool colour, writer *out) {
    int last = COLUMNS - 1;
    while (!colour && c->at[row][last].glyph && c->at[row][last].glyph[0] == ' ')
        last--;
    style now = STYLE_NONE;
    for (int column = 0; column <= last; column++) {
        const cell *here = &c->at[row][column];
        if (colour && here->how != now)
            write_string(out, style_codes[now = here->how]);
        if (here->glyph)
            write_string(out, here->glyph);
    }
    write_string(out, colour ? "\033[0m\n" : "\n");
}

void xq_draw(const xq_pos *pos, const rules_drawing *how, writer *out) {
    canvas c = {.unicode = how->unicode};
    draw_grid(&c);
    draw_palaces(&c);
    draw_river(&c);
    draw_points(&c, pos, how);
    int top = how->flipped ? XQ_RED : XQ_BLACK;
    write_files(top, how, out);
    for (int row = 0; row < ROWS; row++) {
        int rank = how->flipped ? row / 2 : 9 - row / 2;
        if (row % 2 == 0)
            write_format(out, "%-2d", rank + how->from_1);
        else
            write_string(out, "  ");
        print_row(&c, row, how->colour, out);
    }
    write_files(!top, how, out);
}
