// kraton tb build: makes a folder's tables.
#include "base/minmax.h"
#include "cli/cmd_tb.h"
#include "cli/terminal.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    BAR = 30,               // characters of the bar
    REDRAW_US = 100000,     // on a terminal
    LINE_US = 10 * 1000000, // elsewhere
    CHECKPOINT_SECONDS = 600,
    LEAST_ALLOCATION = 64 << 10, // bytes: what the smallest tables take
    KERNELS = 64
};

typedef struct {
    const command *self;
    bool live; // standard output is a terminal: the line is drawn again and again
    int64_t start, shown;
} display;

// --- options ------------------------------------------------------------------------------------

// Bytes: a number of them, or of K, M or G (bytes, binary).
static bool parse_memory(text given, uint64_t *bytes) {
    int64_t number;
    int shift = 0;
    if (given.len > 0 && (given.at[given.len - 1] | 32) == 'k')
        shift = 10;
    if (given.len > 0 && (given.at[given.len - 1] | 32) == 'm')
        shift = 20;
    if (given.len > 0 && (given.at[given.len - 1] | 32) == 'g')
        shift = 30;
    given.len -= shift != 0;
    if (!text_to_int(given, 1, shift == 0 ? INT64_MAX : INT64_MAX >> shift, &number))
        return false;
    *bytes = (uint64_t)number << shift;
    return true;
}

typedef struct {
    const char *pieces, *split, *rules, *dir, *threads, *memory;
    const char *device, *device_memory, *allocation, *check, *csv, *lines, *checkpoint;
    bool no_files, values_only, profile;
} given_options;

// "5v4"
static bool parse_split(text given, int most, int most_side, int *pieces, int *only) {
    int64_t a, b;
    size_t v = text_find(given, "v");
    if (v == given.len || !text_to_int((text){given.at, v}, 1, most_side, &a) ||
        !text_to_int(text_skip(given, v + 1), 1, most_side, &b) || a + b > most)
        return false;
    *pieces = (int)(a + b);
    *only = (int)a;
    return true;
}

static bool read_sizes(const command *self, const given_options *given, tb_build_plan *plan) {
    int64_t number = 0;
    int most = given->device ? TB_BUILD_PIECES_DEVICE : TB_BUILD_PIECES;
    int side = given->device ? TB_BUILD_SIDE_DEVICE : TB_BUILD_SIDE;
    const char *hint = most < TB_BUILD_PIECES_DEVICE ? " (12 with --device)" : "";
    bool pieces_fine = given->pieces && text_to_int(text_of(given->pieces), 2, most, &number);
    plan->pieces = (int)number;
    if (!given->split && pieces_fine)
        return true;
    if (given->split && !given->pieces)
        if (parse_split(text_of(given->split), most, side, &plan->pieces, &plan->only))
            return true;
    if (given->split)
        complain(
            "kraton %s: --split is like 5v4, of at most %d pieces%s, and goes without --pieces",
            self->name, most, hint);
    else
        complain("kraton %s: --pieces is a number from 2 to %d%s", self->name, most, hint);
    return false;
}

// The options that go with --device only.
static bool read_keep(const command *self, const given_options *given, tb_build_plan *plan) {
    bool only_device = given->no_files || given->values_only || given->device_memory ||
                       given->allocation || given->check || given->csv || given->lines ||
                       given->checkpoint || given->profile;
    plan->keep = given->no_files      ? TB_KEEP_NOTHING
                 : given->values_only ? TB_KEEP_VALUES
                                      : TB_KEEP_ALL;
    if (only_device && !given->device)
        complain("kraton %s: --no-files, --values-only, --device-memory, --allocation, --check, "
                 "--csv, --lines, --checkpoint and --times go with --device",
                 self->name);
    else if (given->lines && !given->no_files)
        complain("kraton %s: --lines goes with --no-files; kraton tb line shows those of files",
                 self->name);
    else if (given->no_files && given->checkpoint)
        complain("kraton %s: --no-files goes without --checkpoint: without files there is nothing "
                 "to continue",
                 self->name);
    else if (given->no_files && (given->dir || given->values_only))
        complain("kraton %s: --no-files goes without --dir and --values-only", self->name);
    else
        return given->no_files || tb_has_dir(self, given->dir);
    return false;
}

// A number of bytes, if one was given.
static bool read_bytes(const command *self, const char *name, const char *given, uint64_t *bytes) {
    if (!given || parse_memory(text_of(given), bytes))
        return true;
    complain("kraton %s: --%s is a number of bytes, like 500M or 8G", self->name, name);
    return false;
}

// The numbers that go with a device.
static bool read_numbers(const command *self, const given_options *given, tb_build_plan *plan) {
    int64_t samples = 0, interval = CHECKPOINT_SECONDS;
    if (!option_number(self, "check", given->check, 1, INT64_MAX, &samples) ||
        !option_number(self, "checkpoint", given->checkpoint, 0, INT32_MAX, &interval))
        return false;
    plan->samples = (uint64_t)samples;
    plan->interval = (double)interval;
    plan->lines = given->lines != NULL;
    return true;
}

// Opens the device, if one was asked for. A status other than STATUS_OK comes after a complaint.
static int open_device(const command *self, const given_options *given, tb_build_plan *plan) {
    uint64_t allocation = 0, memory = UINT64_MAX;
    fault why;
    if (!given->device)
        return STATUS_OK;
    if (!read_numbers(self, given, plan) ||
        !read_bytes(self, "allocation", given->allocation, &allocation) ||
        !read_bytes(self, "device-memory", given->device_memory, &memory))
        return STATUS_USAGE;
    if (given->allocation && allocation < LEAST_ALLOCATION) {
        complain("kraton %s: --allocation is at least %dK", self->name, LEAST_ALLOCATION >> 10);
        return STATUS_USAGE;
    }
    plan->seed = (uint64_t)clock_us();
    plan->device = solver_open(text_of(given->device), allocation, &why);
    if (!plan->device)
        return complain("kraton %s: %s", self->name, why.line);
    device_profile(solver_device(plan->device), given->profile);
    plan->device_memory = min_u64(memory, device_about(solver_device(plan->device))->memory);
    return STATUS_OK;
}

static bool read_plan(const command *self, const given_options *given, tb_build_plan *plan) {
    int64_t threads = tb_usual_threads();
    *plan = (tb_build_plan){
        .dir = given->dir, .memory = os_memory_available(), .ranks = tb_program_ranks};
    if (plan->ranks)
        plan->memory /= (uint64_t)plan->ranks->beside;
    if (plan->ranks && given->device) {
        complain("kraton %s: --device goes without ranks", self->name);
        return false;
    }
    if (given->device && !*given->device) {
        complain("kraton %s: --device takes gpu, cpu or a part of a name: kraton tb devices",
                 self->name);
        return false;
    }
    if (!read_sizes(self, given, plan) || !read_keep(self, given, plan) ||
        !tb_find_rules(self, given->rules, &plan->rules))
        return false;
    if (given->threads && !text_to_int(text_of(given->threads), 1, TB_MAX_THREADS, &threads)) {
        complain("kraton %s: --threads is a number from 1 to %d", self->name, TB_MAX_THREADS);
        return false;
    }
    if (!read_bytes(self, "memory", given->memory, &plan->memory))
        return false;
    plan->threads = (int)min_i64(threads, TB_MAX_THREADS);
    return true;
}

// --- what is shown ------------------------------------------------------------------------------

static void write_left(writer *w, double seconds) {
    int64_t s = (int64_t)(seconds + 0.5);
    if (s >= 3600)
        write_format(w, "%" PRId64 ":%02" PRId64 ":%02" PRId64 " left", s / 3600, s / 60 % 60,
                     s % 60);
    else
        write_format(w, "%" PRId64 ":%02" PRId64 " left", s / 60, s % 60);
}

static void show(void *context, const tb_build *build) {
    display *d = context;
    int64_t now = clock_us();
    if (now - d->shown < (d->live ? REDRAW_US : LINE_US))
        return;
    d->shown = now;
    char line[160];
    writer w = writer_on(line, sizeof line);
    const tb_build_pair *pair = &build->pairs[build->current];
    if (d->live) {
        write_string(&w, "\r[");
        for (int i = 0; i < BAR; i++)
            write_char(&w, i < (int)(build->done * BAR) ? '#' : '.');
        write_string(&w, "] ");
    }
    write_format(&w, "%3.0f %%  %dv%d  ", 100 * build->done, pair->a, pair->b);
    double spent = (double)(now - d->start) / 1e6;
    if (build->done > 0.01)
        write_left(&w, spent * (1 - build->done) / build->done);
    printf(d->live ? "%s\033[K" : "%s\n", line);
    fflush(stdout);
}

// With ranks there are columns for what they sent each other, in bytes, and for the processor
// seconds of the busiest one.
static void end_row(const tb_build *build, const tb_build_pair *p) {
    if (build->plan.ranks)
        printf(" %12" PRIu64 " %12" PRIu64 " %8.3f", p->folding, p->writing, p->busiest);
    putchar('\n');
}

static void print_table(const display *d, const tb_build *build) {
    if (d->live)
        fputs("\r\033[K", stdout);
    printf("%-9s %12s %8s %12s", "splits", "positions", "seconds", "bytes");
    puts(build->plan.ranks ? "      folding      writing  busiest" : "");
    uint64_t positions = 0, bytes = 0;
    tb_build_pair all = {.a = 0};
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        char splits[16], seconds[16];
        writer s = writer_on(splits, sizeof splits), t = writer_on(seconds, sizeof seconds);
        write_format(&s, p->a == p->b ? "%dv%d" : "%dv%d %dv%d", p->a, p->b, p->b, p->a);
        if (p->there)
            write_string(&t, "there");
        else
            write_format(&t, "%.3f", p->seconds);
        printf("%-9s %12" PRIu64 " %8s %12" PRIu64, splits, p->positions, seconds, p->bytes);
        end_row(build, p);
        all.folding += p->folding;
        all.writing += p->writing;
        all.busiest += p->busiest;
        positions += p->positions;
        bytes += p->bytes;
    }
    printf("%-9s %12" PRIu64 " %8.3f %12" PRIu64, "all", positions,
           (double)(clock_us() - d->start) / 1e6, bytes);
    end_row(build, &all);
}

// What the build will take, before it starts.
static void print_plan(const tb_build *build) {
    const device_info *info = device_about(solver_device(build->plan.device));
    tb_build_needs needs = tb_build_expect(build);
    printf("device     %s, %.1f GB, allocations of up to %.1f GB\n", info->name,
           (double)info->memory / 1e9, (double)info->largest / 1e9);
    printf("positions  %" PRIu64 " to be built\n", needs.positions);
    printf("memory     %s on the device, %s here\n", tb_amount_of(needs.device_memory).shown,
           tb_amount_of(needs.memory).shown);
    printf("transfers  %s, disk up to %s\n", tb_amount_of(needs.transfers).shown,
           tb_amount_of(needs.disk).shown);
    printf("time       about %.0f s, without files\n", needs.seconds);
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        if (p->resumes)
            printf("continues  %dv%d after round %d%s\n", p->a, p->b, p->stage.round,
                   p->stage.pass ? " of the second pass" : "");
    }
    putchar('\n');
    fflush(stdout);
}

// --- counts -------------------------------------------------------------------------------------

static tb_stats stats_of(const tb_build_pair *p, int turn) {
    int movers = turn ? p->b : p->a;
    tb_stats s = {.split = tb_split_of(movers, p->a + p->b - movers),
                  .counted = tb_counts_sum(&p->counts[turn]),
                  .longest_win = p->counts[turn].longest_win};
    s.tally = tb_counter_sum(&s.counted, &s.longest);
    return s;
}

static void write_csv_row(FILE *to, const tb_build *build, const tb_stats *s, int value,
                          int distance) {
    char fen[RULES_FEN_SIZE] = "";
    writer w = writer_on(fen, sizeof fen);
    uint64_t placements = tb_counter_placements(&s->counted, value, distance);
    if (placements == 0)
        return;
    if (value == TB_WIN && distance == s->tally.longest_win && s->longest_win.movers)
        tb_write_fen(s->longest_win.movers, s->longest_win.others, &w);
    fprintf(to, "%s,%d,%d,%s,%d,%" PRIu64 ",%s\n", tb_rules_name(build->plan.rules),
            s->split.movers, s->split.others, tb_value_name(value), distance, placements, fen);
}

// Every split by value and distance, and where the longest win is.
static bool write_csv(const tb_build *build, FILE *to) {
    fprintf(to, "rules,to-move,others,value,distance,placements,longest-win\n");
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        for (int turn = 0; p->counts && turn < (p->a == p->b ? 1 : 2); turn++) {
            tb_stats s = stats_of(p, turn);
            for (int value = TB_WIN; value >= TB_LOSS; value--)
                for (int distance = 0; distance < 256; distance++)
                    write_csv_row(to, build, &s, value, distance);
        }
    }
    return !ferror(to);
}

static void print_counts(const tb_build *build) {
    printf("\n%7s %6s %16s %16s %16s %11s %12s\n", "to-move", "others", "win", "draw", "loss",
           "longest-win", "longest-loss");
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        for (int turn = 0; p->counts && turn < (p->a == p->b ? 1 : 2); turn++) {
            tb_stats s = stats_of(p, turn);
            printf("%7d %6d %16" PRIu64 " %16" PRIu64 " %16" PRIu64 " %11d %12d\n", s.split.movers,
                   s.split.others, s.tally.win, s.tally.draw, s.tally.loss, s.tally.longest_win,
                   s.tally.longest_loss);
        }
    }
}

// A longest win of each split and its moves.
static bool write_lines(const tb_build *build, FILE *to) {
    fprintf(to, "rules,to-move,others,plies,position,line\n");
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        for (int turn = 0; turn < 2; turn++) {
            if (!p->lines[turn])
                continue;
            tb_stats s = stats_of(p, turn);
            char fen[RULES_FEN_SIZE];
            writer w = writer_on(fen, sizeof fen);
            tb_write_fen(s.longest_win.movers, s.longest_win.others, &w);
            fprintf(to, "%s,%d,%d,%d,%s,%s\n", tb_rules_name(build->plan.rules), s.split.movers,
                    s.split.others, s.tally.longest_win, fen, p->lines[turn]);
        }
    }
    return !ferror(to);
}

// A file that is written after the build and tried before it. What it held stays until then.
typedef struct {
    const char *path; // NULL: none
    bool is_new;
    bool (*write)(const tb_build *build, FILE *to);
} result_file;

static bool try_file(result_file *file, fault *why) {
    if (!file->path)
        return true;
    file->is_new = !os_path_exists(file->path);
    FILE *to = fopen(file->path, "a");
    return (to && fclose(to) == 0) || fault_set(why, "%s: %s", file->path, strerror(errno));
}

static bool write_result(const result_file *file, const tb_build *build, fault *why) {
    if (!file->path)
        return true;
    FILE *to = fopen(file->path, "w");
    bool fine = to && file->write(build, to);
    fine = to && fclose(to) == 0 && fine;
    return fine || fault_set(why, "%s: %s", file->path, strerror(errno));
}

static void drop_result(const result_file *file) {
    if (file->path && file->is_new)
        os_path_remove(file->path);
}

// --- the device's time --------------------------------------------------------------------------

// Kernels of the same name are compiled more than once.
static int add_up_times(device *d, device_time sums[KERNELS]) {
    device_time times[KERNELS];
    int count = device_times(d, times, KERNELS), n = 0;
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < n && strcmp(sums[at].kernel, times[i].kernel) != 0)
            at++;
        if (at == n) {
            sums[n++] = times[i];
            continue;
        }
        sums[at].runs += times[i].runs;
        sums[at].bytes += times[i].bytes;
        sums[at].seconds += times[i].seconds;
    }
    return n;
}

// Where the time went, and the planes that were gone through: what the memory's rate would allow.
static void print_profile(const tb_build *build) {
    device *d = solver_device(build->plan.device);
    device_time sums[KERNELS];
    int n = add_up_times(d, sums);
    printf("\n%-22s %8s %9s %9s %9s\n", "kernel", "runs", "seconds", "GB", "GB/s");
    for (int i = 0; i < n; i++) {
        double gb = (double)sums[i].bytes / 1e9;
        printf("%-22s %8" PRIu64 " %9.3f %9.2f %9.1f\n", sums[i].kernel, sums[i].runs,
               sums[i].seconds, gb, sums[i].seconds > 0 ? gb / sums[i].seconds : 0.0);
    }
    printf("%-22s %8s %9s %9.2f\n", "transfers", "", "", (double)device_moved(d) / 1e9);
}

// --- the command --------------------------------------------------------------------------------

static void tell(void *context, const char *line) {
    const display *d = context;
    complain("kraton %s: %s; built again", d->self->name, line);
}

static int run_plan(const command *self, const given_options *given, const tb_build_plan *plan) {
    display d = {.self = self, .live = terminal_look().redraws, .start = clock_us()};
    d.shown = d.start;
    tb_build build;
    fault why;
    result_file csv = {.path = given->csv, .write = write_csv};
    result_file lines = {.path = given->lines, .write = write_lines};
    if (!tb_build_prepare(&build, plan, tell, &d, &why))
        return complain("kraton %s: %s", self->name, why.line);
    bool fine = try_file(&csv, &why) && try_file(&lines, &why);
    if (fine && plan->device)
        print_plan(&build);
    fine = fine && tb_build_run(&build, show, &d, &why);
    if (build.no_checkpoint.line[0])
        complain("kraton %s: %s", self->name, build.no_checkpoint.line);
    if (fine)
        print_table(&d, &build);
    if (fine && plan->keep != TB_KEEP_ALL)
        print_counts(&build);
    fine = fine && write_result(&csv, &build, &why) && write_result(&lines, &build, &why);
    if (!fine) {
        drop_result(&csv);
        drop_result(&lines);
    }
    if (fine && given->profile)
        print_profile(&build);
    tb_build_release(&build);
    if (!fine && d.live)
        fputs("\r\033[K", stdout);
    return fine ? STATUS_OK : complain("kraton %s: %s", self->name, why.line);
}

#define AT(field) .place = offsetof(given_options, field)

static const option_row build_rows[] = {
    {"pieces", 0, "N", "all splits of up to N pieces", AT(pieces)},
    {"split", 0, "AvB", "this one and what it rests on", AT(split)},
    {"rules", 0, "CONVENTION", "traditional, count or a rule set (count)", AT(rules)},
    {"dir", 0, "FOLDER", "where the tables go", AT(dir)},
    {"threads", 0, "T", "as many as there are processors", AT(threads)},
    {"memory", 0, "M", "at most, like 8G (what is free)", AT(memory)},
    {"device", 0, "NAME", "gpu, cpu or a part of a name: kraton tb devices", AT(device)},
    {"device-memory", 0, "M", "at most, on the device (all of it)", AT(device_memory)},
    {"allocation", 0, "M", "at most, in one piece (what the device allows)", AT(allocation)},
    {"values-only", 0, NULL, "no distances, with --device", AT(values_only)},
    {"no-files", 0, NULL, "counts only, with --device", AT(no_files)},
    {"csv", 0, "FILE", "writes the counts by distance, with --device", AT(csv)},
    {"check", 0, "N", "checks N positions of each split, with --device", AT(check)},
    {"lines", 0, "FILE", "writes the moves of longest wins, with --no-files", AT(lines)},
    {"checkpoint", 0, "S", "seconds between checkpoints inside a pair, with --device (600)",
     AT(checkpoint)},
    {"times", 0, NULL, "where the time went, with --device; slower", AT(profile)},
};

enum { BUILD_OPTIONS = sizeof build_rows / sizeof build_rows[0] };

int tb_build_tables(const command *self, int argc, char **argv) {
    given_options given = {0};
    option table[BUILD_OPTIONS + 1];
    options_place(build_rows, BUILD_OPTIONS, &given, table);
    int status;
    tb_build_plan plan;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!read_plan(self, &given, &plan))
        return STATUS_USAGE;
    if (given.dir && !tb_is_unpacked(self, given.dir, &plan.rules))
        return STATUS_BAD;
    status = open_device(self, &given, &plan);
    if (status != STATUS_OK)
        return status;
    status = run_plan(self, &given, &plan);
    solver_close(plan.device);
    return status;
}

int tb_devices(const command *self, int argc, char **argv) {
    const option table[] = {{.name = NULL}};
    device_info infos[DEVICE_MAX];
    fault why;
    int status;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    int count = device_list(infos, &why);
    if (count == 0)
        return complain("kraton %s: %s", self->name, why.line);
    for (int i = 0; i < count; i++)
        printf(
            "%s  %s\n     %.1f GB, allocations of up to %.1f GB, %u units, %u MHz, driver %s%s\n",
            infos[i].is_gpu ? "gpu" : "cpu", infos[i].name, (double)infos[i].memory / 1e9,
            (double)infos[i].largest / 1e9, infos[i].units, infos[i].clock, infos[i].driver,
            infos[i].usable ? "" : "; cannot be used: no compiler or too little local memory");
    return STATUS_OK;
}
