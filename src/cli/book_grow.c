// kraton book grow: an engine is asked about one position after the other, and its opinions become
// a book (games/book_tree.h).
#include "base/minmax.h"
#include "cli/book.h"
#include "cli/play.h"
#include "cli/sibling.h"
#include "games/book_tree.h"
#include "match/thinker.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_LINES = 32,
    DEFAULT_NODES = 200000,
    DEFAULT_POSITIONS = 1000,
    DEFAULT_LINES = 6,
    DEFAULT_MARGIN = 40,
    DEFAULT_PLIES = 24
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

// --- the engine ---------------------------------------------------------------------------------

static bool keeps_waiting(void *context) {
    (void)context;
    return !screen_is_interrupted();
}

// A mate is worth more than anything else, a nearer one most.
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

// The last thing said of each move; a variation that changed hands may have left a move twice.
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

// --- the tree -----------------------------------------------------------------------------------

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

// Names the first move of a line that loses more than the margin: it stays in the book, unplayed.
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
        if (!book_visit_lines(g->game, o->from.values[i], judge_line, g))
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
        return complain("kraton book: grow takes no argument %s",
                        fault_quote(text_of(argv[0])).shown);
    if (!o->game || !o->out)
        return complain("kraton book: grow needs --game and --out");
    g.game = find_game(o->game);
    if (!g.game || !read_numbers(&g, o))
        return STATUS_BAD;
    if (g.nodes == 0 || g.lines == 0 || g.margin == 0)
        return complain("kraton book: --nodes, --lines and --margin are at least 1");
    book_tree_terms terms = {(int)g.plies, (int)g.margin, (int)(g.margin + 1) / 2};
    fault why = {"out of memory"};
    g.tree = book_tree_new(g.game, &terms);
    g.state = new_game(g.game, NULL, NULL);
    bool good = g.tree && g.state;
    if (!good)
        complain("kraton: out of memory");
    for (int i = 0; good && i < o->from.count; i++)
        good = book_visit_lines(g.game, o->from.values[i], add_line, &g);
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
