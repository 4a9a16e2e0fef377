#include "lab/bench/bench.h"

#include "base/rng.h"
#include "lab/papers/paper3.h"
#include "tablebase/surakarta/build/build.h"

#include <stdlib.h>

enum { ROUNDS = 7, SAMPLES = 1 << 20 };

// Random placements of one number of pieces, and the three ways to number them. If there is a
// table, a byte of it is read as well. All its bytes are 1, and the next lookup depends on the
// byte, so that lookups do not overlap.
typedef struct {
    int pieces;
    tb_placement *samples;
    tb_split splits[TB_MAX_PIECES];      // by movers
    uint64_t offsets[TB_MAX_PIECES + 1]; // of the splits, and behind them the sum
    uint8_t *orbit_table, *paper3_table, *schadd_table;
} contest;

static uint64_t step(const uint8_t *table, uint64_t index) {
    return table ? table[index] : 1 + (index >> 63);
}

static uint64_t run_orbits(void *what) {
    const contest *c = what;
    uint64_t done = 0;
    for (uint64_t i = 0; i < SAMPLES; done++) {
        tb_placement p = c->samples[i];
        int movers = bits_count(p.movers);
        i += step(c->orbit_table, c->offsets[movers] + tb_rank(&c->splits[movers], p));
    }
    return done;
}

static uint64_t run_paper3(void *what) {
    const contest *c = what;
    uint64_t done = 0;
    for (uint64_t i = 0; i < SAMPLES; done++)
        i += step(c->paper3_table, paper3_rank(c->pieces, c->samples[i]));
    return done;
}

static uint64_t run_schadd(void *what) {
    const contest *c = what;
    uint64_t done = 0;
    for (uint64_t i = 0; i < SAMPLES; done++)
        i += step(c->schadd_table, schadd_rank(c->pieces, c->samples[i]));
    return done;
}

static void set_up(contest *c, int pieces) {
    rng dice = {6};
    c->pieces = pieces;
    c->offsets[1] = 0;
    for (int movers = 1; movers < pieces; movers++) {
        c->splits[movers] = tb_split_of(movers, pieces - movers);
        c->offsets[movers + 1] = c->offsets[movers] + c->splits[movers].size;
    }
    for (int i = 0; i < SAMPLES; i++)
        c->samples[i] = schadd_unrank(pieces, rng_next(&dice) % schadd_size(pieces));
}

static void show_sizes(FILE *out) {
    fprintf(out,
            "\nEndgame tables: entries for all positions of so many pieces\n"
            "  %-6s %15s %15s %15s   paper 3 / orbits\n",
            "pieces", "orbits", "paper 3", "Schadd");
    for (int n = 2; n <= TB_MAX_PIECES; n++) {
        uint64_t size = 0;
        for (int movers = 1; movers < n; movers++)
            size += tb_split_of(movers, n - movers).size;
        fprintf(out, "  %-6d %15llu %15llu %15llu   %.2f\n", n, (unsigned long long)size,
                (unsigned long long)paper3_size(n), (unsigned long long)schadd_size(n),
                (double)paper3_size(n) / (double)size);
    }
}

static void print_row(FILE *out, int pieces, const char *who, const bench_result *r) {
    fprintf(out, "  %-6d %-12s %10.1f %10.1f %8.2f    (%.2f - %.2f)\n", pieces, who,
            1e9 / r->rate[0], 1e9 / r->rate[1], r->ratio.middle, r->ratio.low, r->ratio.high);
    fflush(out);
}

static void compare(FILE *out, contest *c) {
    bench_job plain = bench_here(run_paper3, c);
    bench_result r = bench_compare(bench_here(run_orbits, c), plain, ROUNDS);
    print_row(out, c->pieces, "orbits", &r);
    r = bench_compare(bench_here(run_schadd, c), plain, ROUNDS);
    print_row(out, c->pieces, "Schadd", &r);
}

static void print_title(FILE *out, const char *title) {
    fprintf(out, "\n%s, one after the other, ns\n  %-6s %-12s %10s %10s    speed    (from - to)\n",
            title, "pieces", "", "this", "paper 3");
}

static uint8_t *table_of_ones(uint64_t size) {
    uint8_t *table = malloc(size);
    if (table)
        memset(table, 1, size);
    return table;
}

static bool compare_fetching(FILE *out, contest *c) {
    c->orbit_table = table_of_ones(c->offsets[c->pieces]);
    c->paper3_table = table_of_ones(paper3_size(c->pieces));
    c->schadd_table = table_of_ones(schadd_size(c->pieces));
    bool fine = c->orbit_table && c->paper3_table && c->schadd_table;
    if (fine)
        compare(out, c);
    free(c->orbit_table);
    free(c->paper3_table);
    free(c->schadd_table);
    c->orbit_table = c->paper3_table = c->schadd_table = NULL;
    return fine;
}

// --- building -----------------------------------------------------------------------------------

enum { BUILT_PIECES = 4, BUILD_ROUNDS = 3 };

// NULL: the slow solver.
typedef struct {
    const tb_kernels *kernels;
    bool fine;
} build;

static uint64_t run_build(void *what) {
    build *b = what;
    tb_solution solution;
    b->fine = b->kernels ? tb_build_solution(&solution, TB_TRADITIONAL, BUILT_PIECES, 1, b->kernels)
                         : tb_solve(&solution, TB_TRADITIONAL, BUILT_PIECES);
    uint64_t positions = 0;
    for (int n = 2; n <= BUILT_PIECES; n++)
        for (int movers = 1; movers < n; movers++)
            positions += solution.split[movers][n - movers].size;
    tb_solution_free(&solution);
    return positions;
}

static bool compare_builds(FILE *out, const char *who, const tb_kernels *kernels) {
    build slow = {NULL, false}, fast = {kernels, false};
    bench_result r =
        bench_compare(bench_here(run_build, &fast), bench_here(run_build, &slow), BUILD_ROUNDS);
    if (slow.fine && fast.fine)
        bench_print_row(out, who, &r, 1e6);
    return slow.fine && fast.fine;
}

static bool show_builds(FILE *out) {
    bench_print_title(out, "All tables of up to four pieces, one thread, positions a second",
                      "rows M/s", "solver M/s");
    bool fine = compare_builds(out, "rows of bits, any processor", tb_kernels_baseline());
#ifdef __x86_64__
    if (fine && isa_has_v3())
        fine = compare_builds(out, "rows of bits, AVX2", tb_kernels_v3());
    if (fine && isa_has_v4())
        fine = compare_builds(out, "rows of bits, AVX-512", tb_kernels_v4());
#endif
    return fine;
}

int ISA_NAME(bench_tables)(FILE *out) {
    static const int alone[] = {4, 6, 8, 12};
    contest c = {.samples = malloc(SAMPLES * sizeof(tb_placement))};
    bool fine = c.samples != NULL;
    tb_index_prepare(TB_MAX_PIECES);
    show_sizes(out);
    fprintf(out, "\nMedians of %d rounds in turns, random positions.\n", ROUNDS);
    print_title(out, "From the position to the index");
    for (int i = 0; fine && i < 4; i++) {
        set_up(&c, alone[i]);
        compare(out, &c);
    }
    print_title(out, "The same, and fetching a byte from a table of that size");
    for (int pieces = 5; fine && pieces <= 6; pieces++) {
        set_up(&c, pieces);
        fine = compare_fetching(out, &c);
    }
    free(c.samples);
    fine = fine && show_builds(out);
    if (!fine)
        fprintf(out, "not enough memory\n");
    return fine ? 0 : 1;
}
