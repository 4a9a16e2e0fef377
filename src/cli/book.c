#include "cli/book.h"

#include "base/minmax.h"
#include "cli/files.h"
#include "cli/games.h"
#include "cli/screen.h"
#include "cli/sibling.h"
#include "games/book_tree.h"
#include "match/game.h"
#include "match/thinker.h"
#include "os/clock.h"
#include "os/file.h"
#include "records/opening_name.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_PLIES = 24, MOST_PLIES = 1000, LINE_WEIGHT = 10, MOST_WEIGHT = 1000000 };

// --- building -----------------------------------------------------------------------------------

// Does something with each line of moves in a file.
typedef bool visit_line(void *context, const record *line, fault *why);

typedef struct {
    const rules_game *game;
    book_maker *maker;
    uint32_t plies, min_games, weight;
    unsigned games, lines, left_out;
} building;

// Removes "line 1: ", which means nothing for a line that is read on its own.
static const char *without_line(const fault *why) {
    return text_starts(text_of(why->line), "line 1: ") ? why->line + 8 : why->line;
}

// The moves of an openings file, `CODE | Chinese | English | MOVES`.
static bool visit_opening_lines(const rules_game *game, const char *label, text bytes,
                                visit_line *visit, void *context) {
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
        record_close(&reader);
    }
    if (!good)
        complain("%s: %s", label, why.line);
    record_free(&r);
    return good;
}

// Games that cannot be read are left out where somebody counts them, and refused otherwise.
static bool visit_records(const rules_game *game, const char *path, visit_line *visit,
                          void *context, unsigned *left_out) {
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
    bool is_whole = games_close(&g) == STATUS_OK;
    if (left_out)
        *left_out += g.bad;
    return good && (is_whole || (left_out && g.good));
}

// The games of `kraton match`, a line of JSON each.
static bool visit_match_games(const rules_game *game, const char *label, text bytes,
                              visit_line *visit, void *context) {
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

static bool visit_lines(const rules_game *game, const char *path, visit_line *visit, void *context,
                        unsigned *left_out) {
    text bytes;
    fault why;
    os_file_status status;
    bool is_folder = os_path_get_status(path, &status) && status.kind == OS_KIND_FOLDER;
    if (strcmp(path, "-") == 0 || is_folder) // standard input can be read but once
        return visit_records(game, path, visit, context, left_out);
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
        good = visit_records(game, path, visit, context, left_out);
    free((void *)bytes.at);
    return good;
}

// A record with a result or players counts as a game, moves alone as a line.
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

int book_build(const book_options *o, int argc, char **argv) {
    building b = {.plies = DEFAULT_PLIES, .min_games = 1, .weight = LINE_WEIGHT};
    if (!o->game || !o->out || (o->from.count == 0 && argc == 0))
        return misuse("kraton book: build needs --game, --out and --from FILE");
    b.game = find_game(o->game);
    if (!b.game || !book_read_number("plies", o->plies, MOST_PLIES, &b.plies) ||
        !book_read_number("min-games", o->min_games, UINT32_MAX, &b.min_games) ||
        !book_read_number("weight", o->weight, MOST_WEIGHT, &b.weight))
        return STATUS_USAGE;
    if (b.weight == 0)
        return misuse("kraton book: lines of weight 0 would never be played");
    b.maker = book_maker_new(b.game);
    if (!b.maker)
        return complain("kraton: out of memory");
    bool good = true;
    for (int i = 0; good && i < o->from.count; i++)
        good = visit_lines(b.game, o->from.values[i], add_game, &b, &b.left_out);
    for (int i = 0; good && i < argc; i++) // --from a b c
        good = visit_lines(b.game, argv[i], add_game, &b, &b.left_out);
    int status = good ? book_write(b.maker, b.min_games, o->out) : STATUS_BAD;
    if (status == STATUS_OK)
        printf("from %u lines and %u games, %u plies of each\n", b.lines, b.games, b.plies);
    if (status == STATUS_OK && b.left_out)
        status = complain("kraton book: %u game%s that cannot be read left out", b.left_out,
                          b.left_out > 1 ? "s" : "");
    book_maker_free(b.maker);
    return status;
}

// --- growing -------------------------------------------------------------------------------------

// An engine is asked about one position after the other, and its opinions become a book
// (games/book_tree.h).
enum {
    MOST_LINES = 32,
    DEFAULT_NODES = 200000,
    DEFAULT_POSITIONS = 1000,
    DEFAULT_LINES = 6,
    DEFAULT_MARGIN = 40
};

typedef struct {
    const rules_game *game;
    uint32_t nodes, positions, lines, margin, plies;
    book_tree *tree;
    rules_state *state;
    thinker *thinker;
    rules_move heard[MOST_LINES]; // by variation, of the position being asked about
    int32_t score[MOST_LINES];
    int count;
    int64_t begun_us;
    unsigned bad_lines; // with a move that loses too much
} growing;

static bool keeps_waiting(void *context) {
    (void)context;
    return !screen_is_interrupted();
}

// A mate scores higher than anything else, a nearer one higher still.
static int32_t score_of(const dialect_info *info) {
    enum { MATE = 30000 };
    if (!info->is_mate)
        return info->score;
    return info->score > 0 ? MATE - info->score : -MATE - info->score;
}

static void on_line(void *context, const thinker_line *line) {
    growing *g = context;
    int n = line->info.variation > 0 ? line->info.variation - 1 : 0;
    if (line->pv_count == 0 || !line->info.has_score || line->info.is_bound || n >= MOST_LINES)
        return;
    g->heard[n] = line->pv[0];
    g->score[n] = score_of(&line->info);
    if (n >= g->count)
        g->count = n + 1;
}

static bool start_engine(growing *g, const char *program, fault *why) {
    match_engine e = {0};
    char guard[SIBLING_PATH_SIZE], lines[16];
    writer w = writer_on(lines, sizeof lines);
    thinker_listener listener = {on_line, keeps_waiting, g};
    write_format(&w, "%u", g->lines);
    bool good =
        sibling_engine(&e, g->game, program, why) &&
        match_engine_set(&e, text_of("option.MultiPV"), text_of(lines), why) &&
        (program || match_engine_set(&e, text_of("option.OwnBook"), text_of("false"), why)) &&
        sibling_self(guard, why);
    match_engine_complete(&e);
    if (good)
        g->thinker = thinker_open(&e, g->game, guard, &listener, why);
    match_engine_free(&e);
    if (!g->thinker)
        return false;
    thinker_want_variations(g->thinker);
    return true;
}

// The last score of each move. A move that changed its variation may be there twice.
static int gather_opinions(const growing *g, book_opinion opinions[MOST_LINES]) {
    int count = 0;
    for (int i = 0; i < g->count; i++) {
        bool is_new = g->heard[i] != MOVE_NONE && rules_is_legal(g->state, g->heard[i]);
        for (int k = 0; k < count; k++)
            is_new &= opinions[k].move != g->heard[i];
        if (is_new)
            opinions[count++] = (book_opinion){g->heard[i], g->score[i]};
    }
    return count;
}

// Asks about the position in the state. False when it is time to stop; *status then says why.
static bool ask(growing *g, int *status) {
    dialect_limits limits = {.clock_us = {-1, -1}, .nodes = g->nodes};
    book_opinion opinions[MOST_LINES];
    g->count = 0;
    memset(g->heard, 0, sizeof g->heard);
    thinker_forget(g->thinker); // so that an answer depends on nothing but its question
    thinker_answer said = thinker_ask(g->thinker, g->state, rules_start_fen(g->game), &limits);
    if (said.end == THINKER_LEFT_OFF)
        return false;
    if (said.end == THINKER_GONE) {
        *status = complain("kraton book: %s", said.why.line);
        return false;
    }
    int count = gather_opinions(g, opinions);
    if (!book_tree_answer(g->tree, g->state, opinions, count)) {
        *status = complain("kraton: out of memory");
        return false;
    }
    return true;
}

static void show_progress(const growing *g) {
    if (!stderr_is_terminal())
        return;
    uint32_t asked = book_tree_asked(g->tree);
    uint32_t all = max_u32(g->positions, asked + book_tree_waiting(g->tree));
    double gone = (double)(clock_us() - g->begun_us) / 1e6;
    fprintf(stderr, "\r%u of %u positions, %.0f s left (Ctrl-C keeps what is done)\033[K", asked,
            all, asked ? gone / asked * (all - asked) : 0.0);
}

static int grow_tree(growing *g) {
    int status = STATUS_OK;
    g->begun_us = clock_us();
    while ((book_tree_waiting(g->tree) || book_tree_asked(g->tree) < g->positions) &&
           book_tree_next(g->tree, g->state) && ask(g, &status))
        show_progress(g);
    if (stderr_is_terminal())
        fputs("\r\033[K", stderr);
    return status;
}

static bool add_line(void *context, const record *line, fault *why) {
    return book_tree_add_line(((growing *)context)->tree, line, why);
}

// Prints the first move of a line that loses more than the margin. It stays in the book with weight
// 0, so it is not played.
static bool judge_line(void *context, const record *line, fault *why) {
    growing *g = context;
    char moves[BOOK_TREE_PLIES * RULES_MOVE_SIZE];
    writer w = writer_on(moves, sizeof moves);
    while (rules_undo(g->state))
        continue;
    for (uint32_t i = 0; i < line->count; i++) {
        int32_t loss;
        write_string(&w, i ? " " : "");
        rules_format_move(g->state, line->moves[i], NOTATION_NATIVE, &w);
        if (book_tree_loss(g->tree, g->state, line->moves[i], &loss) && loss > (int32_t)g->margin) {
            printf("not played: %s, which loses %d.%02d\n", moves, (int)loss / 100,
                   (int)loss % 100);
            g->bad_lines++;
            return true;
        }
        if (!rules_play(g->state, line->moves[i], why))
            return false;
    }
    return true;
}

static int write_tree(growing *g, const book_options *o) {
    book_maker *maker = book_maker_new(g->game);
    book_tree_settle(g->tree);
    int status = maker && book_tree_give(g->tree, maker) ? book_write(maker, 0, o->out)
                                                         : complain("kraton: out of memory");
    book_maker_free(maker);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < o->from.count; i++)
        if (!visit_lines(g->game, o->from.values[i], judge_line, g, NULL))
            return STATUS_BAD;
    printf("%u positions asked about, %u nodes each; %u lines have a move that is not played\n",
           book_tree_asked(g->tree), g->nodes, g->bad_lines);
    return STATUS_OK;
}

static bool read_numbers(growing *g, const book_options *o) {
    return book_read_number("nodes", o->nodes, 1000000000, &g->nodes) &&
           book_read_number("positions", o->positions, 1000000, &g->positions) &&
           book_read_number("lines", o->lines, MOST_LINES, &g->lines) &&
           book_read_number("margin", o->margin, 1000, &g->margin) &&
           book_read_number("plies", o->plies, BOOK_TREE_PLIES, &g->plies);
}

int book_grow(const book_options *o, int argc, char **argv) {
    growing g = {.nodes = DEFAULT_NODES,
                 .positions = DEFAULT_POSITIONS,
                 .lines = DEFAULT_LINES,
                 .margin = DEFAULT_MARGIN,
                 .plies = DEFAULT_PLIES};
    if (argc)
        return misuse("kraton book: grow takes no argument %s",
                      fault_quote(text_of(argv[0])).shown);
    if (!o->game || !o->out)
        return misuse("kraton book: grow needs --game and --out");
    g.game = find_game(o->game);
    if (!g.game || !read_numbers(&g, o))
        return STATUS_USAGE;
    if (g.nodes == 0 || g.lines == 0 || g.margin == 0)
        return misuse("kraton book: --nodes, --lines and --margin are at least 1");
    book_tree_terms terms = {(int)g.plies, (int)g.margin, (int)(g.margin + 1) / 2};
    fault why = {"out of memory"};
    g.tree = book_tree_new(g.game, &terms);
    g.state = new_game(g.game, NULL, NULL);
    bool good = g.tree && g.state;
    if (!good)
        complain("kraton: out of memory");
    for (int i = 0; good && i < o->from.count; i++)
        good = visit_lines(g.game, o->from.values[i], add_line, &g, NULL);
    screen_catch_interrupt();
    int status = STATUS_BAD;
    if (good && !start_engine(&g, o->engine, &why))
        complain("kraton book: %s", why.line);
    else if (good) {
        status = grow_tree(&g);
        thinker_close(g.thinker);
        if (status == STATUS_OK)
            status = write_tree(&g, o);
    }
    book_tree_free(g.tree);
    free(g.state);
    return status;
}
