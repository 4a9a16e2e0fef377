// kraton tb list, tb line and tb report: what a folder has, a position played out, and what the
// tables mean for players, as Markdown.
#include "base/minmax.h"
#include "cli/cmd_tb.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_WINS = 5, SPLITS = TB_MAX_PIECES * TB_MAX_PIECES, PER_LINE = 10, LINE_SIZE = 1 << 14 };

typedef struct {
    const command *self;
    tb_rules rules;
    kraton_tb *tables;
    kraton_tb_split splits[SPLITS];
    int count;
} report;

static double percent(uint64_t part, const kraton_tb_split *s) {
    return 100.0 * (double)part / (double)(s->win + s->draw + s->loss);
}

// --- material -----------------------------------------------------------------------------------

static void print_row(const kraton_tb_split *s) {
    printf("| %dv%d | %.2f | %.2f | %.2f | %d |\n", s->movers, s->others, percent(s->win, s),
           percent(s->draw, s), percent(s->loss, s), s->longest_win);
}

static void print_material(const report *r) {
    printf("## What material wins\n\n"
           "Per cent of all placements, for the side to move; the longest forced win in plies.\n\n"
           "| split | win | draw | loss | longest |\n|---|---:|---:|---:|---:|\n");
    for (int i = 0; i < r->count; i++)
        print_row(&r->splits[i]);
}

static bool is_behind(const kraton_tb_split *s, int pieces) {
    return s->others - s->movers == pieces && s->movers > 1;
}

static void print_behind(const report *r) {
    bool any = false;
    for (int i = 0; i < r->count; i++)
        any = any || is_behind(&r->splits[i], 1) || is_behind(&r->splits[i], 2);
    if (!any)
        return;
    printf("\n## A piece behind, and two\n\n");
    for (int k = 0; k < 2 * r->count; k++) {
        const kraton_tb_split *s = &r->splits[k % r->count];
        if (!is_behind(s, 1 + k / r->count))
            continue;
        printf("- %d against %d, to move: wins 1 in %.1f, draws 1 in %.1f.\n", s->movers, s->others,
               100 / percent(max_u64(s->win, 1), s), 100 / percent(max_u64(s->draw, 1), s));
    }
}

// --- longest wins -------------------------------------------------------------------------------

// How many of the moves keep the win.
static int count_winning(const tb_move *moves, int n) {
    int winning = 0;
    for (int i = 0; i < n; i++)
        winning += moves[i].value == TB_WIN;
    return winning;
}

static void print_win(const report *r, const kraton_tb_split *s, const char *fen) {
    rules_state *state = new_game(tb_game(), NULL, fen);
    tb_move moves[RULES_MAX_MOVES];
    char board[RULES_BOARD_SIZE];
    writer w = writer_on(board, sizeof board);
    if (!state)
        return;
    int n = tb_state_moves(r->tables, r->rules, state, moves);
    rules_draw(state, &(rules_drawing){.unicode = false}, &w);
    printf("\n### %d against %d: %d plies\n\n`%s`\n\n```text\n%s```\n\n", s->movers, s->others,
           s->longest_win, fen, board);
    printf("Black forces the capture that wins in %d plies. %d of %d moves keep the win",
           s->longest_win, count_winning(moves, n), n);
    printf(s->longest_win > 1 ? "; White can only put it off:\n\n```text\n" : ":\n\n```text\n");
    char *line = malloc(LINE_SIZE);
    if (line) {
        writer l = writer_on(line, LINE_SIZE);
        (void)tb_state_line(r->tables, r->rules, state, PER_LINE, &l);
        printf("%s\n", line);
    }
    printf("```\n");
    free(line);
    free(state);
}

// The splits with the longest wins, longest first.
static int by_longest(const void *a, const void *b) {
    const kraton_tb_split *x = a, *y = b;
    if (x->longest_win != y->longest_win)
        return y->longest_win - x->longest_win;
    return x->movers + x->others - y->movers - y->others;
}

static bool print_longest(report *r, const char *dir) {
    tb_stats *stats = calloc(1, sizeof *stats);
    int shown = 0;
    bool fine = stats != NULL, any_distances = false;
    qsort(r->splits, (size_t)r->count, sizeof *r->splits, by_longest);
    for (int i = 0; fine && i < r->count && shown < SHOWN_WINS; i++) {
        const kraton_tb_split *s = &r->splits[i];
        fault why;
        any_distances = any_distances || s->has_distances;
        if (!s->has_distances || s->longest_win == 0)
            continue;
        if (tb_stats_read(stats, dir, r->rules, s->movers, s->others, &why) != TB_FILE_FINE) {
            complain("kraton %s: %s", r->self->name, why.line);
            fine = false;
            continue;
        }
        char fen[RULES_FEN_SIZE];
        writer w = writer_on(fen, sizeof fen);
        tb_write_fen(stats->longest_win.movers, stats->longest_win.others, &w);
        if (shown++ == 0)
            printf("\n## The longest wins\n");
        print_win(r, s, fen);
    }
    if (fine && !any_distances)
        printf("\nThe tables have values without distances, so no longest wins are shown; `kraton "
               "tb build` adds\nthem.\n");
    free(stats);
    return fine;
}

// --- list ---------------------------------------------------------------------------------------

// What a folder has of a convention.
typedef struct {
    int pieces, tables, compressed, distances;
    uint64_t positions, bytes;
} inventory;

static void add_file(inventory *i, const char *dir, tb_kind kind, tb_rules rules, int a, int b) {
    tb_reader reader;
    fault why;
    tb_file_state state = tb_reader_open(&reader, dir, kind, rules, a, b, &why);
    if (state == TB_FILE_BAD)
        tb_complain_of_file("tb list", why.line);
    if (state != TB_FILE_FINE)
        return;
    i->bytes += reader.header.bytes;
    if (kind == TB_DISTANCES) {
        i->distances++;
    } else {
        i->tables++;
        i->compressed += kind == TB_PACKED;
        i->pieces = a + b;
        i->positions += reader.header.entries;
    }
    tb_reader_close(&reader);
}

static inventory take_stock(const char *dir, tb_rules rules, int most) {
    inventory i = {0};
    for (int n = 2; n <= most; n++)
        for (int a = 1; a < n; a++) {
            fault why;
            tb_reader values;
            // Where both forms are there, the one that is read counts.
            tb_kind kind = TB_PACKED;
            if (tb_reader_open(&values, dir, TB_VALUES, rules, a, n - a, &why) != TB_FILE_ABSENT) {
                kind = TB_VALUES;
                tb_reader_close(&values);
            }
            add_file(&i, dir, kind, rules, a, n - a);
            add_file(&i, dir, TB_DISTANCES, rules, a, n - a);
        }
    return i;
}

int tb_list(const command *self, int argc, char **argv) {
    const char *dir = NULL;
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &dir},
        {.name = NULL},
    };
    int status, found = 0;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!tb_has_dir(self, dir))
        return STATUS_USAGE;
    for (int rules = 0; rules < TB_CONVENTIONS; rules++) {
        int most;
        if (!tb_file_most_pieces(dir, (tb_rules)rules, &most))
            return complain("kraton %s: %s: %s", self->name, fault_quote(text_of(dir)).shown,
                            strerror(errno));
        if (most < 2)
            continue;
        tb_index_prepare(most);
        inventory i = take_stock(dir, (tb_rules)rules, most);
        if (found++ == 0)
            printf("%-11s %6s %6s %10s %9s %14s %14s\n", "rules", "pieces", "tables", "compressed",
                   "distances", "positions", "bytes");
        printf("%-11s %6d %6d %10d %9d %14" PRIu64 " %14" PRIu64 "\n",
               tb_rules_name((tb_rules)rules), i.pieces, i.tables, i.compressed, i.distances,
               i.positions, i.bytes);
    }
    return found ? STATUS_OK
                 : complain("kraton %s: no tables in %s", self->name,
                            fault_quote(text_of(dir)).shown);
}

// --- line ---------------------------------------------------------------------------------------

static bool play_out(const command *self, kraton_tb *tables, tb_rules rules, const char *dir,
                     const rules_state *state) {
    int value = tb_state_value(tables, state), distance = tb_state_distance(tables, state);
    if (value == KRATON_TB_UNKNOWN || distance == KRATON_TB_NO_DISTANCE) {
        complain(value == KRATON_TB_UNKNOWN
                     ? "kraton %s: no table for so many pieces in %s"
                     : "kraton %s: the tables in %s have values without distances; kraton tb build "
                       "adds them",
                 self->name, fault_quote(text_of(dir)).shown);
        return false;
    }
    char *line = malloc(LINE_SIZE);
    if (!line)
        return false;
    writer w = writer_on(line, LINE_SIZE);
    int plies = tb_state_line(tables, rules, state, PER_LINE, &w);
    printf("%s, %d plies%s%s\n", tb_value_name(value), plies, plies ? "\n" : ": kept by waiting",
           plies ? line : "");
    free(line);
    return true;
}

int tb_line(const command *self, int argc, char **argv) {
    const char *dir = NULL, *named = NULL;
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &dir},
        {"rules", 0, "CONVENTION",
         "traditional or count, or a rule set; default icga, which counts", .string = &named},
        {.name = NULL},
    };
    int status;
    tb_rules rules;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!tb_has_dir(self, dir) || !tb_find_rules(self, named, &rules))
        return STATUS_USAGE;
    rules_state *state = new_game(tb_game(), NULL, argv[0]);
    kraton_tb *tables = state ? tb_open(self, dir, rules) : NULL;
    bool fine = tables && play_out(self, tables, rules, dir, state);
    free(state);
    kraton_tb_close(tables);
    return fine ? STATUS_OK : STATUS_BAD;
}

// --- report -------------------------------------------------------------------------------------

int tb_report(const command *self, int argc, char **argv) {
    const char *dir = NULL, *rules = NULL;
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &dir},
        {"rules", 0, "CONVENTION",
         "traditional or count, or a rule set; default icga, which counts", .string = &rules},
        {.name = NULL},
    };
    int status;
    report *r = calloc(1, sizeof *r);
    if (!options_read(self, table, &argc, argv, &status) || !r) {
        free(r);
        return r ? status : STATUS_BAD;
    }
    r->self = self;
    if (!tb_has_dir(self, dir) || !tb_find_rules(self, rules, &r->rules)) {
        free(r);
        return STATUS_USAGE;
    }
    r->tables = tb_open(self, dir, r->rules);
    bool fine = r->tables != NULL;
    if (fine) {
        while (r->count < SPLITS && kraton_tb_nth(r->tables, r->count, &r->splits[r->count]))
            r->count++;
        printf("# Endgames of up to %d pieces, `%s`\n\n", kraton_tb_pieces(r->tables),
               tb_rules_name(r->rules));
        print_material(r);
        print_behind(r);
        fine = print_longest(r, dir);
    }
    kraton_tb_close(r->tables);
    free(r);
    return fine ? STATUS_OK : STATUS_BAD;
}
