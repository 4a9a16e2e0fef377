// kraton tb verify: the tables of a folder against the rules.
#include "base/minmax.h"
#include "base/rng.h"
#include "cli/tb.h"
#include "cli/terminal.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_SAMPLE 100000000
#define MOST_SAMPLE 1000000000000

typedef struct {
    const command *self;
    bool shows_progress, has_shown;
    int64_t began; // when the work did that the progress counts
    uint64_t done;
} showing;

static void clear_progress(showing *s) {
    if (s->has_shown)
        fputs("\r\x1b[K", stderr);
    s->has_shown = false;
}

static void on_fault(void *context, const char *line) {
    showing *s = context;
    clear_progress(s);
    complain("kraton %s: %s", s->self->name, line);
}

static void on_split(void *context, const tb_verify_split *split) {
    showing *s = context;
    clear_progress(s);
    printf("%-11s %2d v %-2d %13" PRIu64 " %13" PRIu64 "  %-5s %8.2f\n",
           tb_rules_name(split->rules), split->movers, split->others, split->entries,
           split->positions, split->wrong ? "WRONG" : "ok", split->seconds);
    fflush(stdout);
}

// The time left is that of the convention at hand.
static bool on_progress(void *context, const char *what, uint64_t done, uint64_t all) {
    showing *s = context;
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

static bool read_number(const command *self, const char *name, const char *value, int64_t low,
                        int64_t high, int64_t *number) {
    if (!value || text_to_int(text_of(value), low, high, number))
        return true;
    complain("kraton %s: --%s is a number from %" PRId64 " to %" PRId64 ", not %s", self->name,
             name, low, high, fault_quote(text_of(value)).shown);
    return false;
}

static bool stop_at_once(void *context, const char *name) {
    (void)context, (void)name;
    return false;
}

int tb_verify_files(const command *self, int argc, char **argv) {
    const char *dir = NULL, *rules = NULL, *threads = NULL, *seed = NULL, *sample = NULL;
    const option table[] = {
        {"dir", 0, "FOLDER", "where the tables are", .string = &dir},
        {"rules", 0, "RULES", "traditional or count only, or a rule set's", .string = &rules},
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
    tb_verify_terms terms = {.dir = dir, .one_convention = rules != NULL};
    rng dice = {(uint64_t)clock_us()};
    int64_t n_threads = os_processor_count(), n_seed = (int64_t)(rng_next(&dice) >> 32),
            n_sample = DEFAULT_SAMPLE;
    if (!tb_has_dir(self, dir) || (rules && !tb_find_rules(self, rules, &terms.rules)) ||
        !read_number(self, "threads", threads, 1, 64, &n_threads) ||
        !read_number(self, "seed", seed, 0, INT64_MAX, &n_seed) ||
        !read_number(self, "sample", sample, 0, MOST_SAMPLE, &n_sample))
        return STATUS_USAGE;
    terms.threads = (int)n_threads;
    terms.seed = (uint64_t)n_seed;
    terms.sample = (uint64_t)n_sample;
    if (!os_folder_list(dir, stop_at_once, NULL))
        return complain("kraton %s: %s: %s", self->name, fault_quote(text_of(dir)).shown,
                        strerror(errno));
    if (stderr_is_terminal())
        fprintf(stderr, "kraton %s: seed %" PRId64 "\n", self->name, n_seed);
    showing s = {.self = self, .shows_progress = stderr_is_terminal()};
    tb_verify_listener listener = {on_fault, on_split, on_progress, &s};
    printf("%-11s %6s %13s %13s  %-5s %8s\n", "rules", "split", "entries", "checked", "",
           "seconds");
    tb_verify_result r = tb_verify(&terms, &listener);
    clear_progress(&s);
    if (r.splits == 0 && r.faults == 0)
        return complain("kraton %s: no tables in %s", self->name, fault_quote(text_of(dir)).shown);
    printf("%d tables, %" PRIu64 " positions checked", r.splits, r.positions);
    if (r.sampled)
        printf(", of more than %d pieces a sample of %" PRIu64 " with seed %" PRIu64, TB_VERIFY_ALL,
               r.sampled, terms.seed);
    printf(r.faults ? ": %" PRIu64 " faults\n" : ": all right\n", r.faults);
    return r.faults ? STATUS_BAD : STATUS_OK;
}
