// kraton tb probe, tb stats and tb verify: what reads tables.
#include "base/minmax.h"
#include "base/rng.h"
#include "cli/cmd_tb.h"
#include "cli/files.h"
#include "cli/terminal.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- probe ---------------------------------------------------------------------------------------

enum { LINE_SIZE = 256 };

typedef struct {
    kraton_tb *tables;
    tb_rules rules;
    rules_state *state; // owned
    int value, distance;
    tb_move moves[RULES_MAX_MOVES];
    int count;
    bool json;
} answer;

static bool look_up(answer *a, text fen, fault *why) {
    if (!rules_set_fen(a->state, fen, why))
        return false;
    int side = rules_side_to_move(a->state);
    a->value = tb_state_value(a->tables, a->state);
    a->distance = tb_state_distance(a->tables, a->state);
    a->count = tb_state_moves(a->tables, a->rules, a->state, a->moves);
    if (a->value == KRATON_TB_UNKNOWN || a->count < 0)
        return fault_set(why, "no table for %d against %d pieces",
                         rules_piece_count(a->state, side), rules_piece_count(a->state, side ^ 1));
    return true;
}

static void write_distance(writer *w, int distance) {
    if (distance == KRATON_TB_NO_DISTANCE)
        write_char(w, '?');
    else
        write_number(w, distance);
}

static void print_moves(const answer *a, const char *format, const char *between) {
    for (int i = 0; i < a->count; i++) {
        char move[RULES_MOVE_SIZE], distance[16];
        writer w = writer_on(move, sizeof move), d = writer_on(distance, sizeof distance);
        rules_format_move(a->state, a->moves[i].move, NOTATION_NATIVE, &w);
        write_distance(&d, a->moves[i].distance);
        fputs(i ? between : "", stdout);
        printf(format, move, tb_value_name(a->moves[i].value), distance);
    }
}

// A line for the position, and a line a move.
static void print_table(const answer *a) {
    char distance[16];
    writer d = writer_on(distance, sizeof distance);
    write_distance(&d, a->distance);
    printf("%-6s  %-4s %4s\n", rules_side_name(tb_game(), rules_side_to_move(a->state)),
           tb_value_name(a->value), distance);
    print_moves(a, "%-6s  %-4s %4s\n", "");
}

// One line, its parts apart by tabs: FEN, value, distance, moves.
static void print_line(const answer *a, const char *fen) {
    char distance[16];
    writer d = writer_on(distance, sizeof distance);
    write_distance(&d, a->distance);
    printf("%s\t%s\t%s\t", fen, tb_value_name(a->value), distance);
    print_moves(a, "%s=%s/%s", " ");
    putchar('\n');
}

static json_t *distance_json(int distance) {
    return distance == KRATON_TB_NO_DISTANCE ? json_null() : json_integer(distance);
}

static int print_answer_json(const answer *a) {
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(a->state, &w);
    json_t *moves = json_array();
    for (int i = 0; i < a->count; i++) {
        char move[RULES_MOVE_SIZE];
        writer m = writer_on(move, sizeof move);
        rules_format_move(a->state, a->moves[i].move, NOTATION_NATIVE, &m);
        json_array_append_new(moves, json_pack("{s:s, s:s, s:o}", "move", move, "value",
                                               tb_value_name(a->moves[i].value), "distance",
                                               distance_json(a->moves[i].distance)));
    }
    return print_json(json_pack("{s:s, s:s, s:s, s:o, s:o}", "fen", fen, "rules",
                                tb_rules_name(a->rules), "value", tb_value_name(a->value),
                                "distance", distance_json(a->distance), "moves", moves));
}

static int answer_lines(const command *self, answer *a) {
    char line[LINE_SIZE];
    bool noise;
    int status = STATUS_OK;
    for (long number = 1; file_read_line(stdin, line, sizeof line, &noise); number++) {
        fault why;
        text fen = text_trim(text_of(line));
        if (fen.len == 0 && !noise)
            continue;
        if (noise)
            fault_set(&why, "the line is too long or has a zero byte");
        bool found = !noise && look_up(a, fen, &why);
        if (found && a->json)
            status |= print_answer_json(a);
        else if (found)
            print_line(a, line);
        else
            status = complain("kraton %s: line %ld: %s", self->name, number, why.line);
    }
    return status;
}

int tb_probe(const command *self, int argc, char **argv) {
    const char *dir = NULL, *rules = NULL;
    answer a = {.json = false};
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &dir},
        {"rules", 0, "CONVENTION",
         "traditional or count, or a rule set; default icga, which counts", .string = &rules},
        {"json", 0, NULL, "a line of JSON for each position", .flag = &a.json},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!tb_has_dir(self, dir) || !tb_find_rules(self, rules, &a.rules))
        return STATUS_USAGE;
    a.tables = tb_open(self, dir, a.rules);
    if (!a.tables)
        return STATUS_BAD;
    a.state = new_game(tb_game(), NULL, NULL);
    if (!a.state) {
        kraton_tb_close(a.tables);
        return STATUS_BAD;
    }
    fault why;
    if (argc == 0)
        status = answer_lines(self, &a);
    else if (!look_up(&a, text_of(argv[0]), &why))
        status = complain("kraton %s: %s", self->name, why.line);
    else if (a.json)
        status = print_answer_json(&a);
    else
        print_table(&a);
    free(a.state);
    kraton_tb_close(a.tables);
    return status;
}

// --- stats ---------------------------------------------------------------------------------------

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
        longest = max_int(longest, s->splits[i].longest);
    for (int d = 0; d <= longest; d++)
        printf(row, d, add_up(s, TB_WIN, d), add_up(s, TB_DRAW, d), add_up(s, TB_LOSS, d));
}

static int count_with_distances(const showing *s) {
    int count = 0;
    for (int i = 0; i < s->count; i++)
        count += s->splits[i].has_distances;
    return count;
}

static void print_longest(const showing *s) {
    if (!s->csv)
        printf("\nA longest win of each:\n");
    printf(s->csv ? "%s,%s,%s,%s\n" : "%7s %6s %8s  %s\n", "to-move", "others", "distance", "fen");
    for (int i = 0; i < s->count; i++) {
        const tb_stats *t = &s->splits[i];
        if (t->longest_win.movers == 0)
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
                tb_complain_of_file(s->self->name, why.line);
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

static bool stop_at_once(void *context, const char *name) {
    (void)context, (void)name;
    return false;
}

int tb_stats_files(const command *self, int argc, char **argv) {
    const char *rules = NULL, *what = NULL;
    showing s = {.self = self};
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &s.dir},
        {"rules", 0, "CONVENTION",
         "traditional or count, or a rule set; default icga, which counts", .string = &rules},
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
    if (!os_folder_list(s.dir, stop_at_once, NULL))
        return complain("kraton %s: %s: %s", self->name, fault_quote(text_of(s.dir)).shown,
                        strerror(errno));
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
    int with = count_with_distances(&s);
    if (with && shows(&s, DISTANCES))
        print_distances(&s);
    if (with && shows(&s, LONGEST))
        print_longest(&s);
    if (with < s.count && s.what != SPLITS)
        complain("kraton %s: %d of %d tables are values alone, so not counted by distance; kraton "
                 "tb build adds distances",
                 self->name, s.count - with, s.count);
    if (s.count && s.what == ALL && !s.csv)
        print_sizes(&s);
    free(s.splits);
    return fine ? STATUS_OK : STATUS_BAD;
}

// --- verify --------------------------------------------------------------------------------------

#define DEFAULT_SAMPLE 100000000
#define MOST_SAMPLE 1000000000000

typedef struct {
    const command *self;
    bool shows_progress, has_shown;
    int64_t began; // when the work did that the progress counts
    uint64_t done;
} watching;

static void clear_progress(watching *s) {
    if (s->has_shown)
        fputs("\r\x1b[K", stderr);
    s->has_shown = false;
}

static void on_fault(void *context, const char *line) {
    watching *s = context;
    clear_progress(s);
    tb_complain_of_file(s->self->name, line);
}

static void on_split(void *context, const tb_verify_split *split) {
    watching *s = context;
    clear_progress(s);
    printf("%-11s %2d v %-2d %13" PRIu64 " %13" PRIu64 "  %-5s %8.2f\n",
           tb_rules_name(split->rules), split->movers, split->others, split->entries,
           split->positions, split->wrong ? "WRONG" : "ok", split->seconds);
    fflush(stdout);
}

// The time left is that of the convention at hand.
static bool on_progress(void *context, const char *what, uint64_t done, uint64_t all) {
    watching *s = context;
    if (done < s->done || done == 0)
        s->began = clock_us();
    s->done = done;
    if (!s->shows_progress)
        return true;
    double spent = (double)(clock_us() - s->began) / 1e6;
    if (done == 0 || all == 0)
        fprintf(stderr, "\r\x1b[K%s", what);
    else
        fprintf(stderr, "\r\x1b[K%s  %.1f %%, %.0f s left", what, 100 * (double)done / (double)all,
                spent * ((double)all / (double)done - 1));
    fflush(stderr);
    s->has_shown = true;
    return true;
}

static void print_verified(const tb_verify_result *r, bool is_on_device, uint64_t seed) {
    printf("%d tables, %" PRIu64 " positions checked", r->splits, r->positions);
    if (is_on_device)
        printf(" on the device");
    if (is_on_device && r->sampled)
        printf(", of larger tables samples with seed %" PRIu64, seed);
    else if (r->sampled)
        printf(", of more than %d pieces a sample of %" PRIu64 " with seed %" PRIu64, TB_VERIFY_ALL,
               r->sampled, seed);
    printf(r->faults ? ": %" PRIu64 " faults\n" : ": all right\n", r->faults);
}

int tb_verify_files(const command *self, int argc, char **argv) {
    const char *dir = NULL, *rules = NULL, *threads = NULL, *seed = NULL, *sample = NULL;
    const char *on_device = NULL;
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &dir},
        {"rules", 0, "CONVENTION", "traditional or count only, or a rule set's", .string = &rules},
        {"device", 0, "NAME", "samples of every split on an OpenCL device: kraton tb devices",
         .string = &on_device},
        {"threads", 0, "N", "threads; default one a processor", .string = &threads},
        {"seed", 0, "N", "of the sample beyond seven pieces; default a random one",
         .string = &seed},
        {"sample", 0, "N", "positions beyond seven pieces; default 100000000, 0 for all",
         .string = &sample},
        {.name = NULL},
    };
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    tb_verify_terms terms = {
        .dir = dir, .one_convention = rules != NULL, .ranks = tb_program_ranks};
    rng dice = {(uint64_t)clock_us()};
    int64_t n_threads = tb_usual_threads(), n_seed = (int64_t)(rng_next(&dice) >> 32),
            n_sample = DEFAULT_SAMPLE;
    if (!tb_has_dir(self, dir) || (rules && !tb_find_rules(self, rules, &terms.rules)) ||
        !option_number(self, "threads", threads, 1, 64, &n_threads) ||
        !option_number(self, "seed", seed, 0, INT64_MAX, &n_seed) ||
        !option_number(self, "sample", sample, 0, MOST_SAMPLE, &n_sample))
        return STATUS_USAGE;
    terms.threads = (int)n_threads;
    terms.seed = (uint64_t)n_seed;
    terms.sample = (uint64_t)n_sample;
    if (!os_folder_list(dir, stop_at_once, NULL))
        return complain("kraton %s: %s: %s", self->name, fault_quote(text_of(dir)).shown,
                        strerror(errno));
    if (!tb_is_unpacked(self, dir, rules ? &terms.rules : NULL) ||
        (!on_device && !tb_has_distances(self, dir, rules ? &terms.rules : NULL)))
        return STATUS_BAD;
    fault why;
    solver *device_solver = on_device ? solver_open(text_of(on_device), 0, &why) : NULL;
    if (on_device && !device_solver)
        return complain("kraton %s: %s", self->name, why.line);
    if (stderr_is_terminal())
        fprintf(stderr, "kraton %s: seed %" PRId64 "\n", self->name, n_seed);
    watching s = {.self = self, .shows_progress = stderr_is_terminal()};
    tb_verify_listener listener = {on_fault, on_split, on_progress, &s};
    printf("%-11s %6s %13s %13s  %-5s %8s\n", "rules", "split", "entries", "checked", "",
           "seconds");
    tb_verify_result r = device_solver ? tb_verify_on_device(&terms, device_solver, &listener)
                                       : tb_verify(&terms, &listener);
    clear_progress(&s);
    solver_close(device_solver);
    if (r.splits == 0 && r.faults == 0)
        return complain("kraton %s: no tables in %s", self->name, fault_quote(text_of(dir)).shown);
    print_verified(&r, on_device, terms.seed);
    return r.faults ? STATUS_BAD : STATUS_OK;
}

// --- pack and unpack ----------------------------------------------------------------------------

typedef struct {
    const command *self;
    const char *dir;
    bool unpack;
    int files, pieces; // converted; the most of any table there
    uint64_t before, after, entries;
} packing;

// Converts a table's values and removes the old file; false after a complaint.
static bool convert(packing *p, tb_rules rules, int a, int b) {
    tb_reader from, to;
    fault why;
    tb_kind old = p->unpack ? TB_PACKED : TB_VALUES, new = p->unpack ? TB_VALUES : TB_PACKED;
    char path[TB_PATH_SIZE];
    tb_file_state state = tb_reader_open(&from, p->dir, old, rules, a, b, &why);
    if (state == TB_FILE_ABSENT)
        return true;
    bool fine =
        state == TB_FILE_FINE && tb_reader_check(&from, &why) &&
        (p->unpack ? tb_unpack_values(&from, p->dir, &why) : tb_pack_values(&from, p->dir, &why)) &&
        tb_reader_open(&to, p->dir, new, rules, a, b, &why) == TB_FILE_FINE;
    if (fine && tb_file_path(path, p->dir, old, rules, a, b)) {
        p->files++;
        p->before += from.header.bytes;
        p->after += to.header.bytes;
        p->entries += to.header.entries;
        tb_reader_close(&to);
        os_path_remove(path);
    }
    tb_reader_close(&from);
    if (!fine)
        tb_complain_of_file(p->self->name, why.line);
    return fine;
}

// Stops at the first failure: the next one would most likely fail for the same reason.
static bool convert_all(packing *p, tb_rules rules) {
    int most;
    bool fine = true;
    if (!tb_file_most_pieces(p->dir, rules, &most)) {
        complain("kraton %s: %s: %s", p->self->name, fault_quote(text_of(p->dir)).shown,
                 strerror(errno));
        return false;
    }
    if (most > 0)
        tb_index_prepare(most);
    p->pieces = max_int(p->pieces, most);
    for (int n = 2; n <= most; n++)
        for (int a = 1; fine && a < n; a++)
            fine = convert(p, rules, a, n - a);
    return fine;
}

static int pack_or_unpack(const command *self, int argc, char **argv, bool unpack) {
    const char *rules = NULL;
    packing p = {.self = self, .unpack = unpack};
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &p.dir},
        {"rules", 0, "CONVENTION", "traditional or count only, or a rule set's", .string = &rules},
        {.name = NULL},
    };
    int status;
    tb_rules only = TB_TRADITIONAL;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!tb_has_dir(self, p.dir) || (rules && !tb_find_rules(self, rules, &only)))
        return STATUS_USAGE;
    os_file lock;
    fault why;
    if (!tb_build_lock(&lock, p.dir, &why))
        return complain("kraton %s: %s", self->name, why.line);
    bool fine = true;
    for (int i = 0; fine && i < TB_CONVENTIONS; i++)
        if (!rules || only == (tb_rules)i)
            fine = convert_all(&p, (tb_rules)i);
    os_file_close(&lock);
    if (!fine)
        return STATUS_BAD;
    if (p.pieces == 0)
        return complain("kraton %s: no tables in %s", self->name,
                        fault_quote(text_of(p.dir)).shown);
    printf("%d tables: %" PRIu64 " bytes instead of %" PRIu64, p.files, p.after, p.before);
    if (p.entries)
        printf(", %.4f a position", (double)p.after / (double)p.entries);
    putchar('\n');
    return STATUS_OK;
}

int tb_pack(const command *self, int argc, char **argv) {
    return pack_or_unpack(self, argc, argv, false);
}

int tb_unpack(const command *self, int argc, char **argv) {
    return pack_or_unpack(self, argc, argv, true);
}
