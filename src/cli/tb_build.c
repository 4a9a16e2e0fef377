// kraton tb build: makes a folder's tables.
#include "base/minmax.h"
#include "cli/tb.h"
#include "cli/terminal.h"
#include "os/clock.h"
#include "os/process.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    BAR = 30,              // characters of the bar
    REDRAW_US = 100000,    // on a terminal
    LINE_US = 10 * 1000000 // elsewhere
};

typedef struct {
    const command *self;
    bool live; // standard output is a terminal: the line is drawn again and again
    int64_t start, shown;
} display;

// --- options ------------------------------------------------------------------------------------

// Bytes: a number of them, or of M or G (bytes, binary).
static bool parse_memory(text given, uint64_t *bytes) {
    int64_t number;
    int shift = 0;
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
} given_options;

// "5v4"
static bool parse_split(text given, int *pieces, int *only) {
    int64_t a, b;
    size_t v = text_find(given, "v");
    if (v == given.len || !text_to_int((text){given.at, v}, 1, TB_BUILD_SIDE, &a) ||
        !text_to_int(text_skip(given, v + 1), 1, TB_BUILD_SIDE, &b) || a + b > TB_BUILD_PIECES)
        return false;
    *pieces = (int)(a + b);
    *only = (int)a;
    return true;
}

static bool read_sizes(const command *self, const given_options *given, tb_build_plan *plan) {
    int64_t number = 0;
    bool pieces_fine =
        given->pieces && text_to_int(text_of(given->pieces), 2, TB_BUILD_PIECES, &number);
    plan->pieces = (int)number;
    if (!given->split && pieces_fine)
        return true;
    if (given->split && !given->pieces)
        if (parse_split(text_of(given->split), &plan->pieces, &plan->only))
            return true;
    if (given->split)
        complain("kraton %s: --split is like 5v4, of at most %d pieces, and goes without --pieces",
                 self->name, TB_BUILD_PIECES);
    else
        complain("kraton %s: --pieces is a number from 2 to %d", self->name, TB_BUILD_PIECES);
    return false;
}

static bool read_plan(const command *self, const given_options *given, tb_build_plan *plan) {
    int64_t threads = os_processor_count();
    *plan = (tb_build_plan){.dir = given->dir, .memory = os_memory_available()};
    if (!read_sizes(self, given, plan) || !tb_has_dir(self, given->dir) ||
        !tb_find_rules(self, given->rules, &plan->rules))
        return false;
    if (given->threads && !text_to_int(text_of(given->threads), 1, TB_MAX_THREADS, &threads)) {
        complain("kraton %s: --threads is a number from 1 to %d", self->name, TB_MAX_THREADS);
        return false;
    }
    if (given->memory && !parse_memory(text_of(given->memory), &plan->memory)) {
        complain("kraton %s: --memory is a number of bytes, like 500M or 8G", self->name);
        return false;
    }
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

static void print_table(const display *d, const tb_build *build) {
    if (d->live)
        fputs("\r\033[K", stdout);
    printf("%-9s %12s %8s %12s\n", "splits", "positions", "seconds", "bytes");
    uint64_t positions = 0, bytes = 0;
    for (int i = 0; i < build->count; i++) {
        const tb_build_pair *p = &build->pairs[i];
        char splits[16], seconds[16];
        writer s = writer_on(splits, sizeof splits), t = writer_on(seconds, sizeof seconds);
        write_format(&s, p->a == p->b ? "%dv%d" : "%dv%d %dv%d", p->a, p->b, p->b, p->a);
        if (p->there)
            write_string(&t, "there");
        else
            write_format(&t, "%.3f", p->seconds);
        printf("%-9s %12" PRIu64 " %8s %12" PRIu64 "\n", splits, p->positions, seconds, p->bytes);
        positions += p->positions;
        bytes += p->bytes;
    }
    printf("%-9s %12" PRIu64 " %8.3f %12" PRIu64 "\n", "all", positions,
           (double)(clock_us() - d->start) / 1e6, bytes);
}

static void tell(void *context, const char *line) {
    const display *d = context;
    complain("kraton %s: %s; built again", d->self->name, line);
}

int tb_build_tables(const command *self, int argc, char **argv) {
    given_options given = {0};
    const option table[] = {
        {.name = "pieces",
         .value = "N",
         .help = "all splits of up to N pieces",
         .string = &given.pieces},
        {.name = "split",
         .value = "AvB",
         .help = "this one and what it rests on",
         .string = &given.split},
        {.name = "rules",
         .value = "RULES",
         .help = "traditional, count or a rule set (count)",
         .string = &given.rules},
        {.name = "dir", .value = "FOLDER", .help = "where the tables go", .string = &given.dir},
        {.name = "threads",
         .value = "T",
         .help = "as many as there are processors",
         .string = &given.threads},
        {.name = "memory",
         .value = "M",
         .help = "at most, like 8G (what is free)",
         .string = &given.memory},
        {.name = NULL}};
    int status;
    tb_build_plan plan;
    if (!options_read(self, table, &argc, argv, &status))
        return status;
    if (!read_plan(self, &given, &plan))
        return STATUS_USAGE;
    display d = {.self = self, .live = terminal_look().redraws, .start = clock_us()};
    d.shown = d.start;
    tb_build build;
    fault why;
    if (!tb_build_prepare(&build, &plan, tell, &d, &why))
        return complain("kraton %s: %s", self->name, why.line);
    bool fine = tb_build_run(&build, show, &d, &why);
    if (fine)
        print_table(&d, &build);
    tb_build_release(&build);
    if (!fine && d.live)
        fputs("\r\033[K", stdout);
    return fine ? STATUS_OK : complain("kraton %s: %s", self->name, why.line);
}
