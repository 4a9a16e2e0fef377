// kraton tb stats: what the tables hold, counted over all placements.
#include "cli/tb.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum { SPLITS, DISTANCES, LONGEST, ALL } section;

typedef struct {
    const command *self;
    const char *dir;
    tb_rules rules;
    bool csv;
    section what;
    tb_stats *splits; // in the order they are shown
    int count;
} showing;

static bool shows(const showing *s, section what) { return s->what == ALL || s->what == what; }

// --- the three tables ---------------------------------------------------------------------------

static void print_splits(const showing *s) {
    const char *titles =
        s->csv ? "%s,%s,%s,%s,%s,%s,%s,%s\n" : "%7s %6s %16s %16s %16s %16s %11s %12s\n";
    const char *row = s->csv ? "%d,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%d\n"
                             : "%7d %6d %16" PRIu64 " %16" PRIu64 " %16" PRIu64 " %16" PRIu64
                               " %11d %12d\n";
    printf(titles, "to-move", "others", "positions", "win", "draw", "loss", "longest-win",
           "longest-loss");
    for (int i = 0; i < s->count; i++) {
        const tb_tally *t = &s->splits[i].tally;
        printf(row, s->splits[i].split.movers, s->splits[i].split.others,
               t->win + t->draw + t->loss, t->win, t->draw, t->loss, t->longest_win,
               t->longest_loss);
    }
}

static uint64_t add_up(const showing *s, int value, int distance) {
    uint64_t sum = 0;
    for (int i = 0; i < s->count; i++)
        sum += tb_counter_placements(&s->splits[i].counted, value, distance);
    return sum;
}

static void print_distances(const showing *s) {
    const char *row = s->csv ? "%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n"
                             : "%8d %16" PRIu64 " %16" PRIu64 " %16" PRIu64 "\n";
    if (!s->csv)
        printf(
            "\nAll of them by distance (plies to the capture that keeps the value, 0 where it is "
            "kept by waiting):\n");
    printf(s->csv ? "%s,%s,%s,%s\n" : "%8s %16s %16s %16s\n", "distance", "win", "draw", "loss");
    int longest = 0;
    for (int i = 0; i < s->count; i++)
        longest = s->splits[i].longest > longest ? s->splits[i].longest : longest;
    for (int d = 0; d <= longest; d++)
        printf(row, d, add_up(s, TB_WIN, d), add_up(s, TB_DRAW, d), add_up(s, TB_LOSS, d));
}

static void print_longest(const showing *s) {
    if (!s->csv)
        printf("\nA longest win of each:\n");
    printf(s->csv ? "%s,%s,%s,%s\n" : "%7s %6s %8s  %s\n", "to-move", "others", "distance", "fen");
    for (int i = 0; i < s->count; i++) {
        const tb_stats *t = &s->splits[i];
        if (t->tally.longest_win == 0)
            continue;
        char fen[RULES_FEN_SIZE];
        writer w = writer_on(fen, sizeof fen);
        tb_write_fen(t->longest_win.movers, t->longest_win.others, &w);
        printf(s->csv ? "%d,%d,%d,%s\n" : "%7d %6d %8d  %s\n", t->split.movers, t->split.others,
               t->tally.longest_win, fen);
    }
}

static void print_sizes(const showing *s) {
    uint64_t entries = 0, values = 0, distances = 0;
    for (int i = 0; i < s->count; i++) {
        entries += s->splits[i].split.size;
        values += s->splits[i].value_bytes;
        distances += s->splits[i].distance_bytes;
    }
    printf("\n%" PRIu64 " entries stored, symmetric placements once: %.3f bytes each for values, "
           "%.3f for distances\n",
           entries, (double)values / (double)entries, (double)distances / (double)entries);
}

// --- collecting ---------------------------------------------------------------------------------

// All splits there are; false after a complaint.
static bool collect(showing *s) {
    bool fine = true;
    for (int n = 2; n <= TB_MAX_PIECES; n++)
        for (int a = n - 1; a >= 1; a--) {
            fault why;
            tb_stats *t = &s->splits[s->count];
            tb_file_state state = tb_stats_read(t, s->dir, s->rules, a, n - a, &why);
            if (state == TB_FILE_BAD) {
                complain("kraton %s: %s", s->self->name, why.line);
                fine = false;
            }
            s->count += state == TB_FILE_FINE;
        }
    return fine;
}

static bool find_section(const command *self, const char *name, bool csv, section *what) {
    static const char *const names[] = {"splits", "distances", "longest", "all"};
    *what = csv ? SPLITS : ALL;
    for (int i = SPLITS; name && i <= ALL; i++)
        if (strcmp(name, names[i]) == 0) {
            *what = (section)i;
            return true;
        }
    if (name)
        complain("kraton %s: --show is splits, distances, longest or all, not %s", self->name,
                 fault_quote(text_of(name)).shown);
    return !name;
}

int tb_stats_files(const command *self, int argc, char **argv) {
    const char *rules = NULL, *what = NULL;
    showing s = {.self = self};
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &s.dir},
        {"rules", 0, "RULES", "traditional or count, or a rule set; default icga, which counts",
         .string = &rules},
        {"csv", 0, NULL, "comma-separated; the splits only, where --show says nothing else",
         .flag = &s.csv},
        {"show", 0, "WHAT", "splits, distances, longest or all", .string = &what},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!tb_has_dir(self, s.dir) || !tb_find_rules(self, rules, &s.rules) ||
        !find_section(self, what, s.csv, &s.what))
        return STATUS_USAGE;
    s.splits = malloc(TB_MAX_PIECES * TB_MAX_PIECES * sizeof *s.splits);
    if (!s.splits)
        return complain("kraton %s: not enough memory", self->name);
    tb_index_prepare(TB_MAX_PIECES);
    bool fine = collect(&s);
    if (s.count == 0)
        fine = complain("kraton %s: no tables for %s in %s", self->name, tb_rules_name(s.rules),
                        fault_quote(text_of(s.dir)).shown) == STATUS_OK;
    if (s.count && shows(&s, SPLITS))
        print_splits(&s);
    if (s.count && shows(&s, DISTANCES))
        print_distances(&s);
    if (s.count && shows(&s, LONGEST))
        print_longest(&s);
    if (s.count && s.what == ALL && !s.csv)
        print_sizes(&s);
    free(s.splits);
    return fine ? STATUS_OK : STATUS_BAD;
}
