// kraton book: opening books; book.c makes them, and here they are merged and shown.
#include "base/vector.h"
#include "cli/book.h"
#include "cli/files.h"
#include "cli/games.h"
#include "records/mirror.h"
#include "records/opening_name.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_LISTED = 12, // plies of lines that are listed
    BOOK_LINE_SIZE = MOST_LISTED * RULES_MOVE_SIZE
};

// --- joining ------------------------------------------------------------------------------------

// Opens a book by file name; the name of a game stands for the program's own book.
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
        return misuse("kraton book: merge needs books and --out BOOK");
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
        return misuse("kraton book: show needs a book, or a game for the program's own");
    book *b = open_book(argv[0]);
    if (!b)
        return STATUS_BAD;
    rules_notation notation;
    rules_state *s = NULL;
    bool known = find_notation(book_game(b), o->notation, &notation);
    if (known)
        s = game_of_arguments(book_game(b), argc - 1, argv + 1);
    if (s) {
        printf("%s: a book of %s, %u moves in %u positions\n", argv[0], rules_name(book_game(b)),
               book_entry_count(b), book_position_count(b));
        print_moves(b, s, notation);
    }
    free(s);
    book_free(b);
    return s ? STATUS_OK : known ? STATUS_BAD : STATUS_USAGE;
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

// Remembers a position, mirror images counting as the same; false if it was there before.
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
        return misuse("kraton book: lines needs a book, or a game for the program's own");
    if (!book_read_number("plies", o->plies, MOST_LISTED, &l.plies))
        return STATUS_USAGE;
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

// --- the subcommands ----------------------------------------------------------------------------

int cmd_book_build(const command *self, int argc, char **argv) {
    book_options o = {0};
    const option table[] = {
        {"game", 0, "GAME", "the game of the book", .string = &o.game},
        {"from", 0, "FILE", "openings, records or games of `kraton match`; may be repeated",
         .list = &o.from},
        {"plies", 0, "N", "plies of each game (24)", .string = &o.plies},
        {"min-games", 0, "N", "leave out moves played in fewer games (1)", .string = &o.min_games},
        {"weight", 0, "N", "weight of a line's moves (10); a game gives 2 for a win, 1 for a draw",
         .string = &o.weight},
        {"out", 'o', "BOOK", "the file to write", .string = &o.out},
        {.name = NULL},
    };
    int status;
    return options_read(self, table, &argc, argv, &status) ? book_build(&o, argc, argv) : status;
}

int cmd_book_grow(const command *self, int argc, char **argv) {
    book_options o = {0};
    const option table[] = {
        {"game", 0, "GAME", "the game of the book", .string = &o.game},
        {"from", 0, "FILE", "openings or records to begin with; may be repeated", .list = &o.from},
        {"plies", 0, "N", "plies from the start (24)", .string = &o.plies},
        {"positions", 0, "N", "number of positions (1000) besides those of --from",
         .string = &o.positions},
        {"nodes", 0, "N", "nodes for each position (200000)", .string = &o.nodes},
        {"lines", 0, "N", "moves to score in each position (6)", .string = &o.lines},
        {"margin", 0, "N", "centipawns a move may lose (40)", .string = &o.margin},
        {"engine", 0, "CMD", "the engine (default: Kraton's own)", .string = &o.engine},
        {"out", 'o', "BOOK", "the file to write", .string = &o.out},
        {.name = NULL},
    };
    int status;
    return options_read(self, table, &argc, argv, &status) ? book_grow(&o, argc, argv) : status;
}

int cmd_book_merge(const command *self, int argc, char **argv) {
    book_options o = {0};
    const option table[] = {
        {"out", 'o', "BOOK", "the file to write", .string = &o.out},
        {.name = NULL},
    };
    int status;
    return options_read(self, table, &argc, argv, &status) ? book_merge(&o, argc, argv) : status;
}

int cmd_book_show(const command *self, int argc, char **argv) {
    book_options o = {.notation = "native"};
    const option table[] = {
        {"notation", 0, "NOTATION", "notation of the moves", .string = &o.notation},
        {.name = NULL},
    };
    int status;
    return options_read(self, table, &argc, argv, &status) ? book_show(&o, argc, argv) : status;
}

int cmd_book_lines(const command *self, int argc, char **argv) {
    book_options o = {.notation = "native"};
    const option table[] = {
        {"plies", 0, "N", "plies of a line (4)", .string = &o.plies},
        {"notation", 0, "NOTATION", "notation of the moves", .string = &o.notation},
        {.name = NULL},
    };
    int status;
    return options_read(self, table, &argc, argv, &status) ? book_lines(&o, argc, argv) : status;
}
