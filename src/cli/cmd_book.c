// kraton book: making opening books, joining them, looking into them.
#include "base/vector.h"
#include "cli/book.h"
#include "cli/files.h"
#include "cli/games.h"
#include "match/game.h"
#include "records/mirror.h"
#include "records/opening_name.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_PLIES = 24,
    MOST_PLIES = 1000,
    LINE_WEIGHT = 10,
    MOST_WEIGHT = 1000000,
    MOST_LISTED = 12, // plies of lines that are listed
    BOOK_LINE_SIZE = MOST_LISTED * RULES_MOVE_SIZE
};

// --- building -----------------------------------------------------------------------------------

typedef struct {
    const rules_game *game;
    book_maker *maker;
    uint32_t plies, min_games, weight;
    unsigned games, lines;
} building;

// "line 1: why" of a line that is read on its own.
static const char *without_line(const fault *why) {
    return text_starts(text_of(why->line), "line 1: ") ? why->line + 8 : why->line;
}

// The moves of an openings file, `CODE | Chinese | English | MOVES`.
static bool visit_opening_lines(const rules_game *game, const char *label, text bytes,
                                book_visit *visit, void *context) {
    opening_line line = {0};
    fault why = {""};
    record r;
    record_init(&r, game);
    bool good = true;
    while (good && opening_lines_next(&bytes, &line, &why)) {
        record_reader reader = record_read(line.moves, RECORD_MOVES, game);
        fault inner = {""};
        good = *why.line == '\0';
        if (good && (record_next(&reader, &r, &inner) != RECORD_OK || !visit(context, &r, &inner)))
            good = fault_set(&why, "line %u: %s", (unsigned)line.number, without_line(&inner));
    }
    if (!good)
        complain("%s: %s", label, why.line);
    record_free(&r);
    return good;
}

static bool visit_records(const rules_game *game, const char *path, book_visit *visit,
                          void *context) {
    games g;
    if (!games_open(&g, path, NULL, game))
        return false;
    bool good = true;
    while (good && games_next(&g)) {
        fault why = {""};
        good = visit(context, &g.game, &why);
        if (!good)
            complain("%s: game %u: %s", g.label, g.number, why.line);
    }
    return games_close(&g) == STATUS_OK && good;
}

// The games of `kraton match`, a line of JSON each.
static bool visit_match_games(const rules_game *game, const char *label, text bytes,
                              book_visit *visit, void *context) {
    const match_game_style style = {.game = game, .first = "first", .second = "second"};
    bool good = true;
    for (unsigned number = 1; good && bytes.len; number++) {
        text line = text_next_line(&bytes);
        if (text_trim(line).len == 0)
            continue;
        match_game g = {0};
        fault why = {""};
        record r;
        record_init(&r, game);
        good = match_game_read(&g, game, line, &why) &&
               (match_game_record(&g, &style, &r) || fault_set(&why, "out of memory")) &&
               visit(context, &r, &why);
        if (!good)
            complain("%s:%u: %s", label, number, why.line);
        record_free(&r);
        match_game_free(&g);
    }
    return good;
}

static bool is_match_json(text bytes) {
    text line = text_next_line(&bytes);
    return text_starts(text_trim(line), "{") && text_find(line, "\"round\"") < line.len;
}

bool book_visit_lines(const rules_game *game, const char *path, book_visit *visit, void *context) {
    text bytes;
    fault why;
    if (strcmp(path, "-") == 0) // can be read but once
        return visit_records(game, path, visit, context);
    if (!file_read(path, &bytes, &why)) {
        complain("kraton: %s", why.line);
        return false;
    }
    bool good;
    if (opening_lines_detect(bytes))
        good = visit_opening_lines(game, path, bytes, visit, context);
    else if (is_match_json(bytes))
        good = visit_match_games(game, path, bytes, visit, context);
    else
        good = visit_records(game, path, visit, context);
    free((void *)bytes.at);
    return good;
}

// A game with a result counts as one, moves alone are a line.
static bool add_game(void *context, const record *r, fault *why) {
    building *b = context;
    bool is_line = r->result == RULES_ONGOING && !r->first[0] && !r->second[0];
    *(is_line ? &b->lines : &b->games) += 1;
    return book_maker_add_game(b->maker, r, b->plies, is_line ? b->weight : 0, why);
}

int book_write(book_maker *maker, uint32_t min_games, const char *path) {
    buffer out = {0};
    fault why = {"out of memory"};
    int status = STATUS_OK;
    if (!book_maker_write(maker, min_games, &out) ||
        !file_write(path, (text){out.bytes, out.len}, &why))
        status = complain("kraton: %s", why.line);
    else
        printf("%s: %zu moves, %zu bytes\n", path, (out.len - BOOK_HEADER_BYTES) / BOOK_ENTRY_BYTES,
               out.len);
    buffer_free(&out);
    return status;
}

bool book_read_number(const char *name, const char *value, uint32_t most, uint32_t *number) {
    int64_t n;
    if (!value)
        return true;
    if (!text_to_int(text_of(value), 0, most, &n)) {
        complain("kraton book: --%s takes a number up to %u, not %s", name, (unsigned)most,
                 fault_quote(text_of(value)).shown);
        return false;
    }
    *number = (uint32_t)n;
    return true;
}

static int book_build(const book_options *o, int argc, char **argv) {
    building b = {.plies = DEFAULT_PLIES, .min_games = 1, .weight = LINE_WEIGHT};
    if (!o->game || !o->out || (o->from.count == 0 && argc == 0))
        return complain("kraton book: build needs --game, --out and --from FILE");
    b.game = find_game(o->game);
    if (!b.game || !book_read_number("plies", o->plies, MOST_PLIES, &b.plies) ||
        !book_read_number("min-games", o->min_games, UINT32_MAX, &b.min_games) ||
        !book_read_number("weight", o->weight, MOST_WEIGHT, &b.weight))
        return STATUS_BAD;
    if (b.weight == 0)
        return complain("kraton book: lines of weight 0 would never be played");
    b.maker = book_maker_new(b.game);
    if (!b.maker)
        return complain("kraton: out of memory");
    bool good = true;
    for (int i = 0; good && i < o->from.count; i++)
        good = book_visit_lines(b.game, o->from.values[i], add_game, &b);
    for (int i = 0; good && i < argc; i++) // --from a b c
        good = book_visit_lines(b.game, argv[i], add_game, &b);
    int status = good ? book_write(b.maker, b.min_games, o->out) : STATUS_BAD;
    if (status == STATUS_OK)
        printf("from %u lines and %u games, %u plies of each\n", b.lines, b.games, b.plies);
    book_maker_free(b.maker);
    return status;
}

// --- joining ------------------------------------------------------------------------------------

// The book in a file, or the program's own where a game is named instead.
static book *open_book(const char *name) {
    const rules_game *game = rules_find(text_of(name));
    fault why = {"out of memory"};
    book *b = game ? book_built_in(game) : book_open(name, NULL, &why);
    if (!b)
        complain("kraton: %s", why.line);
    return b;
}

static int book_merge(const book_options *o, int argc, char **argv) {
    if (argc == 0 || !o->out)
        return complain("kraton book: merge needs books and --out BOOK");
    book_maker *maker = NULL;
    const rules_game *game = NULL;
    int status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < argc; i++) {
        book *b = open_book(argv[i]);
        if (!b) {
            status = STATUS_BAD;
            break;
        }
        if (!maker) {
            game = book_game(b);
            maker = book_maker_new(game);
        }
        if (!maker)
            status = complain("kraton: out of memory");
        else if (book_game(b) != game)
            status = complain("kraton: %s: a book of %s, not of %s", argv[i],
                              rules_name(book_game(b)), rules_name(game));
        else if (!book_maker_add_book(maker, b))
            status = complain("kraton: out of memory");
        book_free(b);
    }
    if (status == STATUS_OK)
        status = book_write(maker, 0, o->out);
    book_maker_free(maker);
    return status;
}

// --- looking ------------------------------------------------------------------------------------

static const opening_name *name_after(rules_state *s, rules_move move) {
    fault why;
    if (!rules_play(s, move, &why))
        return NULL;
    const opening_name *name = opening_name_at(s);
    rules_undo(s);
    return name;
}

static void print_moves(const book *b, rules_state *s, rules_notation notation) {
    book_move moves[RULES_MAX_MOVES];
    int n = book_moves(b, s, moves);
    uint32_t all = 0;
    for (int i = 0; i < n; i++)
        all += moves[i].is_image ? 0 : moves[i].weight;
    if (n == 0) {
        printf("no move for this position\n");
        return;
    }
    printf("%-8s %8s %6s %8s %8s %8s\n", "move", "weight", "share", "won", "drawn", "lost");
    for (int i = 0; i < n; i++) {
        char shown[RULES_MOVE_SIZE];
        writer w = writer_on(shown, sizeof shown);
        rules_format_move(s, moves[i].move, notation, &w);
        if (moves[i].is_image) {
            printf("%-8s    the same on the other wing\n", shown);
            continue;
        }
        const opening_name *name = name_after(s, moves[i].move);
        printf("%-8s %8u %5.1f%% %8u %8u %8u", shown, moves[i].weight,
               all ? 100.0 * moves[i].weight / all : 0.0, moves[i].wins, moves[i].draws,
               moves[i].losses);
        if (name)
            printf("  %s %s  %s", name->code, name->chinese, name->english);
        printf("\n");
    }
}

static int book_show(const book_options *o, int argc, char **argv) {
    if (argc == 0)
        return complain("kraton book: show needs a book, or a game for the program's own");
    book *b = open_book(argv[0]);
    if (!b)
        return STATUS_BAD;
    rules_notation notation;
    rules_state *s = NULL;
    if (find_notation(book_game(b), o->notation, &notation))
        s = game_of_arguments(book_game(b), argc - 1, argv + 1);
    if (s) {
        printf("%s: a book of %s, %u moves in %u positions\n", argv[0], rules_name(book_game(b)),
               book_entry_count(b), book_position_count(b));
        print_moves(b, s, notation);
    }
    free(s);
    book_free(b);
    return s ? STATUS_OK : STATUS_BAD;
}

// --- its lines ----------------------------------------------------------------------------------

typedef struct {
    const book *book;
    rules_state *state;
    rules_notation notation;
    uint32_t plies;
    uint64_t *seen; // keys of the positions that ended a line
    size_t count, capacity;
    bool failed;
} listing;

// Notes a position up to mirror images; false where it was noted before.
static bool note_position(listing *l) {
    uint64_t key = mirror_of(l->state).key;
    for (size_t i = 0; i < l->count; i++)
        if (l->seen[i] == key)
            return false;
    uint64_t *grown = vector_reserve(l->seen, &l->capacity, l->count + 1, sizeof *grown);
    l->failed |= !grown;
    if (!grown)
        return false;
    l->seen = grown;
    l->seen[l->count++] = key;
    return true;
}

// Prints the lines from the position in the state on, the moves so far before them.
static void list_lines(listing *l, const char *before) {
    book_move moves[RULES_MAX_MOVES];
    int n = rules_ply(l->state) < l->plies ? book_moves(l->book, l->state, moves) : 0;
    bool has_next = false;
    for (int i = 0; i < n; i++) {
        char line[BOOK_LINE_SIZE];
        writer w = writer_on(line, sizeof line);
        fault why;
        if (moves[i].weight == 0 || moves[i].is_image)
            continue;
        write_format(&w, "%s%s", before, *before ? " " : "");
        rules_format_move(l->state, moves[i].move, l->notation, &w);
        if (w.overflow || !rules_play(l->state, moves[i].move, &why))
            continue;
        has_next = true;
        list_lines(l, line);
        rules_undo(l->state);
    }
    if (!has_next && *before && note_position(l))
        puts(before);
}

static int book_lines(const book_options *o, int argc, char **argv) {
    listing l = {.plies = 4};
    if (argc != 1)
        return complain("kraton book: lines needs a book, or a game for the program's own");
    if (!book_read_number("plies", o->plies, MOST_LISTED, &l.plies))
        return STATUS_BAD;
    book *b = open_book(argv[0]);
    if (!b)
        return STATUS_BAD;
    l.book = b;
    if (find_notation(book_game(b), o->notation, &l.notation))
        l.state = new_game(book_game(b), NULL, NULL);
    if (l.state)
        list_lines(&l, "");
    bool good = l.state && !l.failed;
    if (l.failed)
        complain("kraton: out of memory");
    free(l.seen);
    free(l.state);
    book_free(b);
    return good ? STATUS_OK : STATUS_BAD;
}

int cmd_book(const command *self, int argc, char **argv) {
    book_options o = {.notation = "native"};
    const option table[] = {
        {"game", 0, "GAME", "build, grow: the book's game", .string = &o.game},
        {"from", 0, "FILE", "build, grow: openings, moves, PGN, JSON of `match`; may be repeated",
         .list = &o.from},
        {"plies", 0, "N", "build: of each game; grow: from the start (24); lines (4)",
         .string = &o.plies},
        {"min-games", 0, "N", "build: leave out moves of fewer games (1); lines stay",
         .string = &o.min_games},
        {"weight", 0, "N", "build: what a line gives its moves (10); a game won gives 2, a draw 1",
         .string = &o.weight},
        {"engine", 0, "CMD", "grow: whom to ask, another engine than Kraton's own",
         .string = &o.engine},
        {"nodes", 0, "N", "grow: for each position (200000)", .string = &o.nodes},
        {"positions", 0, "N", "grow: how many (1000), and all of the lines",
         .string = &o.positions},
        {"lines", 0, "N", "grow: moves to be told of each (6)", .string = &o.lines},
        {"margin", 0, "N", "grow: centipawns that a move may lose (40)", .string = &o.margin},
        {"out", 'o', "BOOK", "build, grow, merge: the file to write", .string = &o.out},
        {"notation", 0, "NAME", "show, lines: how moves are written", .string = &o.notation},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (strcmp(argv[0], "build") == 0)
        return book_build(&o, argc - 1, argv + 1);
    if (strcmp(argv[0], "grow") == 0)
        return book_grow(&o, argc - 1, argv + 1);
    if (strcmp(argv[0], "merge") == 0)
        return book_merge(&o, argc - 1, argv + 1);
    if (strcmp(argv[0], "lines") == 0)
        return book_lines(&o, argc - 1, argv + 1);
    if (strcmp(argv[0], "show") == 0)
        return book_show(&o, argc - 1, argv + 1);
    complain("kraton book: build, grow, merge, show or lines, not %s",
             fault_quote(text_of(argv[0])).shown);
    return STATUS_USAGE;
}
