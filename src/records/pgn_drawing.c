// Trees that one program draws where PGN has moves:
//   　开始　　　　　　　
//   　　↓　　　　　　　
//   马四进三…马四进五　
//   　　↓　　　　↓　　
//   炮４退９　炮４退９　
//
//   (1,0): {words}
// A row of moves and a row of arrows take turns. A cell is four characters wide and has one more
// behind it. A move follows the one above its arrow; without an arrow it is an alternative to the
// move left of it. Comments come behind the drawing, by ply and column.
#include "base/encoding.h"
#include "base/vector.h"
#include "records/pgn.h"

#include <stdlib.h>

enum { CELL = 5, NOTHING = 0 };

// A move of the drawing. Cells are known by their index; 0 is the start.
typedef struct {
    uint32_t row, column;
    uint32_t line;                 // of the text
    uint32_t parent, below, right; // the move before, the first after, the next alternative
    uint32_t node;                 // of the tree, once it was played
    bool is_played;
    text word;
} drawn_move;

typedef struct {
    pgn_parser *p;
    drawn_move *moves;
    size_t count, capacity;
} drawing;

bool pgn_starts_drawing(const record_reader *reader) { return text_starts(reader->rest, "开始"); }

// --- the drawing --------------------------------------------------------------------------------

// Cuts so many characters off a row; fewer at its end.
static text cut_characters(text *row, int count) {
    text cut = {row->at, 0};
    while (count-- && cut.len < row->len) {
        int n = utf8_length(text_skip(*row, cut.len));
        cut.len += n > 0 ? (size_t)n : 1;
    }
    *row = text_skip(*row, cut.len);
    return cut;
}

static bool add_move(drawing *d, drawn_move m) {
    drawn_move *grown = vector_reserve(d->moves, &d->capacity, d->count + 1, sizeof *grown);
    if (!grown)
        return false;
    d->moves = grown;
    d->moves[d->count++] = m;
    return true;
}

// The move of a column among those of a row, which start at an index and are in order.
static uint32_t find_in_row(const drawing *d, size_t *from, size_t end, uint32_t column) {
    while (*from < end && d->moves[*from].column < column)
        ++*from;
    return *from < end && d->moves[*from].column == column ? (uint32_t)*from : UINT32_MAX;
}

// Reads a row of moves; `arrows` is the row above it. False without memory, or for a move that
// follows nothing.
static bool read_row(drawing *d, text arrows, text row, uint32_t number, size_t above,
                     uint32_t line) {
    size_t end = d->count;
    uint32_t left = NOTHING;
    for (uint32_t column = 0; row.len; column++) {
        text cell = cut_characters(&row, CELL), over = cut_characters(&arrows, CELL);
        text word = cut_characters(&cell, CELL - 1);
        if (text_starts(word, "　") || text_starts(word, "…") || text_trim(word).len == 0)
            continue;
        bool is_below = text_find(over, "↓") < over.len;
        uint32_t parent = is_below ? find_in_row(d, &above, end, column)
                          : left   ? d->moves[left].parent
                                   : UINT32_MAX;
        drawn_move m = {
            .row = number, .column = column, .line = line, .parent = parent, .word = word};
        if (parent == UINT32_MAX || !add_move(d, m))
            return false;
        uint32_t move = (uint32_t)d->count - 1;
        *(is_below ? &d->moves[parent].below : &d->moves[left].right) = move;
        left = move;
    }
    return true;
}

// Reads all rows, up to an empty line. The rest starts behind the blanks of the first.
static bool read_rows(drawing *d) {
    record_reader *reader = d->p->reader;
    uint32_t line, number = 0;
    size_t above = 0;
    text arrows = {0}, row = reader_line(reader, &line);
    bool good = add_move(d, (drawn_move){.line = line, .is_played = true});
    while (good && reader->rest.len) {
        arrows = reader_line(reader, &line);
        if (text_find(arrows, "↓") == arrows.len || reader->rest.len == 0)
            break;
        row = reader_line(reader, &line);
        size_t end = d->count;
        good = read_row(d, arrows, row, ++number, above, line);
        above = end;
    }
    if (!good)
        pgn_refuse(d->p, line, "a move of the drawing follows nothing");
    return good;
}

// --- playing it ---------------------------------------------------------------------------------

// Whether a move is part of the main line: nothing but first moves lead to it.
static bool is_main(const drawing *d, uint32_t move) {
    const record *r = d->p->r;
    uint32_t parent = d->moves[move].parent;
    return d->moves[parent].node == r->last && (r->node_count == 0 || !r->nodes[r->last].next);
}

// Plays a move behind its parent. False where the main line cannot be played.
static bool play(drawing *d, uint32_t move) {
    pgn_parser *p = d->p;
    drawn_move *m = &d->moves[move];
    fault why;
    if (!d->moves[m->parent].is_played)
        return true; // its line was left out
    bool was_main = is_main(d, move);
    if (d->moves[m->parent].node || p->game.at)
        replay_go(&p->game, d->moves[m->parent].node);
    m->is_played = pgn_play(p, m->word, &why);
    m->node = p->game.at;
    if (!m->is_played && (was_main || p->reader->is_strict))
        pgn_refuse(p, m->line, why.line);
    else if (!m->is_played)
        record_drop(p->r, "line %u: the rest of a variation is left out: %s", (unsigned)m->line,
                    why.line);
    return !p->bad;
}

// Plays a line, then what is right of its moves, from the last to the first.
static void play_all(drawing *d) {
    uint32_t move = d->moves[0].below;
    while (move && play(d, move)) {
        const drawn_move *m = &d->moves[move];
        uint32_t next = m->below;
        while (!next && move) {
            next = d->moves[move].right;
            move = d->moves[move].parent;
        }
        move = next;
    }
}

// --- comments -----------------------------------------------------------------------------------

static int by_place(const void *a, const void *b) {
    const drawn_move *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

// Cuts a number and the character behind it off the text.
static bool cut_number(text *rest, char behind, uint32_t *number) {
    size_t digits = 0;
    int64_t n;
    while (digits < rest->len && rest->at[digits] >= '0' && rest->at[digits] <= '9')
        digits++;
    if (digits == rest->len || rest->at[digits] != behind ||
        !text_to_int((text){rest->at, digits}, 0, UINT32_MAX, &n))
        return false;
    *number = (uint32_t)n;
    *rest = text_skip(*rest, digits + 1);
    return true;
}

// Reads `(12,6): {words}`; false where something else stands there.
static bool read_comment(drawing *d) {
    pgn_parser *p = d->p;
    text rest = text_skip(p->reader->rest, 1);
    drawn_move wanted = {0};
    if (!text_starts(p->reader->rest, "(") || !cut_number(&rest, ',', &wanted.row) ||
        !cut_number(&rest, ')', &wanted.column) || !text_starts(rest, ": {"))
        return false;
    uint32_t line = p->reader->line;
    pgn_advance(p->reader, (size_t)(rest.at + strlen(": {") - p->reader->rest.at));
    text words = p->reader->rest;
    if (!pgn_skip_braces(p->reader)) {
        pgn_refuse(p, line, "a comment without end");
        return true;
    }
    words.len = (size_t)(p->reader->rest.at - words.at) - 1;
    const drawn_move *m = bsearch(&wanted, d->moves, d->count, sizeof wanted, by_place);
    if (!m || !m->is_played)
        record_drop(p->r, "line %u: a comment is left out: there is no such move", (unsigned)line);
    else if (!record_add_comment(p->r, m->node, words))
        pgn_refuse(p, line, "out of memory");
    return true;
}

void pgn_read_drawing(pgn_parser *p) {
    drawing d = {.p = p};
    bool good = !p->bad && read_rows(&d);
    if (good)
        play_all(&d);
    for (bool more = good; more && p->reader->rest.len;) {
        size_t blank = pgn_blank_length(p->reader);
        if (blank)
            pgn_advance(p->reader, blank);
        else
            more = read_comment(&d);
    }
    free(d.moves);
}
