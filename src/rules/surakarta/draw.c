// The board in a terminal: a small canvas of character cells, filled and then printed. The inner
// circuit is green and the outer one blue, as in the papers' figures.
#include "rules/surakarta/text.h"

enum {
    STEP = 4,            // cells from a point to the next, or to a loop beyond the edge
    LEFT = 2 + 2 * STEP, // cell of column a; two cells of ground beside the outer loops
    WIDTH = 2 * LEFT + 5 * STEP + 1,
    TOP = 2, // line of row 0
    HEIGHT = 2 * TOP + 5 * 2 + 1
};

typedef enum { STYLE_LINE, STYLE_INNER, STYLE_OUTER, STYLE_BLACK, STYLE_WHITE } style;

typedef struct {
    const char *glyph;
    style how;
    bool marked; // part of the last move
} cell;

typedef struct {
    cell at[HEIGHT][WIDTH];
    bool unicode, colour;
} canvas;

static const char *pick(const canvas *c, const char *unicode, const char *ascii) {
    return c->unicode ? unicode : ascii;
}

static void put(canvas *c, int y, int x, const char *glyph, style how) {
    c->at[y][x] = (cell){.glyph = glyph, .how = how};
}

// The circuit that runs along a row or column, 0..5.
static style line_style(int line) {
    return line == 1 || line == 4 ? STYLE_INNER : line == 2 || line == 3 ? STYLE_OUTER : STYLE_LINE;
}

static void draw_grid(canvas *c) {
    const int last_x = LEFT + 5 * STEP, last_y = HEIGHT - 1 - TOP;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            put(c, y, x, " ", STYLE_LINE);
    for (int line = 0; line < 6; line++)
        for (int x = LEFT; x <= last_x; x++)
            put(c, TOP + 2 * line, x, pick(c, "─", "-"), line_style(line));
    for (int line = 0; line < 6; line++)
        for (int y = TOP; y <= last_y; y++)
            if (y % 2 == 0)
                put(c, y, LEFT + STEP * line, pick(c, "┼", "+"), STYLE_LINE);
            else
                put(c, y, LEFT + STEP * line, pick(c, "│", "|"), line_style(line));
    put(c, TOP, LEFT, pick(c, "┌", "+"), STYLE_LINE);
    put(c, TOP, last_x, pick(c, "┐", "+"), STYLE_LINE);
    put(c, last_y, LEFT, pick(c, "└", "+"), STYLE_LINE);
    put(c, last_y, last_x, pick(c, "┘", "+"), STYLE_LINE);
}

// A loop is described for the top left corner and mirrored into its own.
typedef struct {
    canvas *on;
    bool right, bottom;
    style how;
} corner;

static void put_mirrored(const corner *k, int y, int x, const char *glyph) {
    put(k->on, k->bottom ? HEIGHT - 1 - y : y, k->right ? WIDTH - 1 - x : x, glyph, k->how);
}

static void put_bend(const corner *k, int y, int x, bool top, bool left) {
    static const char *const bends[2][2] = {{"╯", "╰"}, {"╮", "╭"}};
    top ^= k->bottom, left ^= k->right;
    put_mirrored(k, y, x, pick(k->on, bends[top][left], top ? "." : "'"));
}

// Up from the top of column `line`, round the corner, and in to the left end of row `line`.
static void draw_loop(canvas *c, int line, bool right, bool bottom) {
    corner k = {c, right, bottom, line_style(line)};
    const char *across = pick(c, "─", "-"), *down = pick(c, "│", "|");
    int left = LEFT - STEP * line, column = LEFT + STEP * line;
    int top = TOP - line, row = TOP + 2 * line;
    for (int y = top + 1; y < TOP; y++)
        put_mirrored(&k, y, column, down);
    for (int x = left + 1; x < column; x++)
        put_mirrored(&k, top, x, across);
    for (int y = top + 1; y < row; y++)
        put_mirrored(&k, y, left, down);
    for (int x = left + 1; x < LEFT; x++)
        put_mirrored(&k, row, x, across);
    put_bend(&k, top, column, true, false);
    put_bend(&k, top, left, true, true);
    put_bend(&k, row, left, false, true);
}

// The sides differ by shape, too: colours are lost when text is copied, and not everybody sees
// them. A ring would look black on wood, so White in colours is a disc with a rim.
static const char *piece_glyph(const canvas *c, int side) {
    if (!c->unicode)
        return side == SK_BLACK ? "B" : "W";
    return side == SK_BLACK ? "●" : c->colour ? "◉" : "○";
}

static void draw_points(canvas *c, const sk_pos *pos, const rules_drawing *how) {
    for (int p = 0; p < SK_POINTS; p++) {
        int shown = how->flipped ? SK_POINTS - 1 - p : p;
        int y = TOP + 2 * (shown / 6), x = LEFT + STEP * (shown % 6);
        if (pos->pieces[SK_BLACK] >> p & 1)
            put(c, y, x, piece_glyph(c, SK_BLACK), STYLE_BLACK);
        if (pos->pieces[SK_WHITE] >> p & 1)
            put(c, y, x, piece_glyph(c, SK_WHITE), STYLE_WHITE);
        if (how->last == MOVE_NONE || (p != move_from(how->last) && p != move_to(how->last)))
            continue;
        for (int i = -1; i <= 1; i++)
            c->at[y][x + i].marked = true;
        if (!c->colour) {
            c->at[y][x - 1].glyph = "[";
            c->at[y][x + 1].glyph = "]";
        }
    }
}

// Wood below, yellow where the last move went.
static void write_style(const cell *here, writer *out) {
    static const char *const inks[] = {[STYLE_LINE] = "38;5;94",
                                       [STYLE_INNER] = "38;5;28",
                                       [STYLE_OUTER] = "38;5;25",
                                       [STYLE_BLACK] = "1;38;5;16",
                                       [STYLE_WHITE] = "1;38;5;231"};
    write_format(out, "\033[0;%s;48;5;%dm", inks[here->how], here->marked ? 220 : 180);
}

static void print_line(const canvas *c, int y, writer *out) {
    int last = WIDTH - 1;
    while (!c->colour && last > 0 && c->at[y][last].glyph[0] == ' ')
        last--;
    const cell *now = NULL; // the cell whose style is in force
    for (int x = 0; x <= last; x++) {
        const cell *here = &c->at[y][x];
        bool shows = here->glyph[0] != ' '; // of a blank only the ground is seen
        if (c->colour &&
            (!now || here->marked != now->marked || (shows && here->how != now->how))) {
            write_style(here, out);
            now = here;
        }
        write_string(out, here->glyph);
    }
    if (c->colour)
        write_string(out, "\033[0m");
}

void sk_draw(const sk_pos *pos, const rules_drawing *how, writer *out) {
    canvas c = {.unicode = how->unicode, .colour = how->colour};
    draw_grid(&c);
    for (int k = 0; k < 8; k++)
        draw_loop(&c, 1 + k / 4, k & 1, k >> 1 & 1);
    draw_points(&c, pos, how);
    for (int y = 0; y < HEIGHT; y++) {
        int row = (y - TOP) / 2;
        if (y >= TOP && y < HEIGHT - TOP && y % 2 == 0)
            write_format(out, "%d ", how->flipped ? row + 1 : 6 - row);
        else
            write_string(out, "  ");
        print_line(&c, y, out);
        write_char(out, '\n');
    }
    write_format(out, "%*s", LEFT + 2, "");
    for (int column = 0; column < 6; column++)
        write_format(out, "%c%s", how->flipped ? 'f' - column : 'a' + column,
                     column < 5 ? "   " : "");
    // On a dark ground a full disc looks white: say which is which.
    if (how->unicode && !how->colour)
        write_format(out, "     %s Black  %s White", piece_glyph(&c, SK_BLACK),
                     piece_glyph(&c, SK_WHITE));
    write_char(out, '\n');
}
