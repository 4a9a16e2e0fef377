#include "lab/bench/bench.h"

#include "base/rng.h"
#include "lab/papers/paper3.h"
#include "tablebase/surakarta/probe.h"

#include <stdlib.h>

enum { ROUNDS = 7, SAMPLES = 1 << 18, FEW = 256, AHEAD = 8 };

// Random positions of the tables' most pieces, looked up in tables opened one way.
typedef struct {
    kraton_tb *tables;
    const tb_placement *samples;
    uint32_t count; // a power of two
} job;

// The next position depends on the value read (at most 2), so that lookups do not overlap.
static uint64_t run_waiting(void *what) {
    const job *j = what;
    uint64_t done = 0;
    for (uint32_t i = 0; done < SAMPLES; done++) {
        tb_placement p = j->samples[i & (j->count - 1)];
        i += 1 + ((uint32_t)(kraton_tb_value(j->tables, p.movers, p.others) + 1) >> 2);
    }
    return done;
}

static uint64_t run_freely(void *what) {
    const job *j = what;
    int sum = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        tb_placement p = j->samples[i & (j->count - 1)];
        sum += kraton_tb_value(j->tables, p.movers, p.others);
    }
    __asm__ volatile("" : : "r"(sum));
    return SAMPLES;
}

// In two steps: prefetch some positions, then read their values.
static uint64_t run_ahead(void *what) {
    const job *j = what;
    kraton_tb_spot spots[AHEAD] = {{NULL, 0}};
    int sum = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        tb_placement p = j->samples[i & (j->count - 1)];
        sum += kraton_tb_value_at(spots[i % AHEAD]);
        spots[i % AHEAD] = kraton_tb_find(j->tables, p.movers, p.others);
    }
    __asm__ volatile("" : : "r"(sum));
    return SAMPLES;
}

static uint64_t run_distances(void *what) {
    const job *j = what;
    enum { LOOKUPS = 64 };
    int sum = 0;
    for (uint32_t i = 0; i < LOOKUPS; i++) {
        tb_placement p = j->samples[i * 997 & (j->count - 1)];
        sum += kraton_tb_distance(j->tables, p.movers, p.others);
    }
    __asm__ volatile("" : : "r"(sum));
    return LOOKUPS;
}

static void print_row(FILE *out, const char *what, const bench_result *r) {
    fprintf(out, "  %-42s %10.1f %10.1f %8.2f    (%.2f - %.2f)\n", what, 1e9 / r->rate[0],
            1e9 / r->rate[1], r->ratio.middle, r->ratio.low, r->ratio.high);
    fflush(out);
}

static void compare(FILE *out, job mapped, job loaded) {
    static const struct {
        const char *name;
        uint64_t (*run)(void *what);
        uint32_t count;
    } rows[] = {{"few positions, each after the other's answer", run_waiting, FEW},
                {"all over the tables, the same", run_waiting, SAMPLES},
                {"all over the tables, not waiting", run_freely, SAMPLES},
                {"all over the tables, asked 8 ahead", run_ahead, SAMPLES},
                {"a distance, all over the tables", run_distances, SAMPLES}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        mapped.count = loaded.count = rows[i].count;
        bench_result r = bench_compare(bench_here(rows[i].run, &mapped),
                                       bench_here(rows[i].run, &loaded), ROUNDS);
        print_row(out, rows[i].name, &r);
    }
}

static void tell(void *out, const char *line) { fprintf(out, "%s\n", line); }

int bench_lookups(FILE *out, const char *dir) {
    tb_placement *samples = malloc(SAMPLES * sizeof *samples);
    kraton_tb *mapped = kraton_tb_open(dir, KRATON_TB_COUNT, 0, tell, out);
    kraton_tb *loaded = kraton_tb_open(dir, KRATON_TB_COUNT, KRATON_TB_LOAD, NULL, NULL);
    bool fine = samples && mapped && loaded;
    if (fine) {
        int pieces = kraton_tb_pieces(mapped);
        rng dice = {7};
        for (int i = 0; i < SAMPLES; i++)
            samples[i] = schadd_unrank(pieces, rng_next(&dice) % schadd_size(pieces));
        fprintf(out,
                "\nLookups of random positions of %d pieces, ns: files mapped, and copied to large "
                "pages\n  %-42s %10s %10s    speed    (from - to)\n",
                pieces, "", "mapped", "copied");
        compare(out, (job){mapped, samples, 0}, (job){loaded, samples, 0});
    } else {
        fprintf(out, "no tables for count in %s\n", dir);
    }
    kraton_tb_close(mapped);
    kraton_tb_close(loaded);
    free(samples);
    return fine ? 0 : 1;
}
