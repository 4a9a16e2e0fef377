#include "lab/bench/bench.h"

#include "os/clock.h"

#include <assert.h>
#include <stdlib.h>

// Processor time that the worker has used so far, in seconds.
static double seconds_used(const os_child *worker) {
    return (double)(worker ? os_child_cpu_us(worker) : clock_cpu_us()) / 1e6;
}

// Work per second over at least so long. A worker that has died uses no time: its rate is 0.
static double rate_of(bench_job job, uint64_t *work) {
    const double least = 0.02;
    uint64_t done = 0;
    double start = seconds_used(job.worker), spent;
    do {
        *work = job.run(job.what);
        done += *work;
        spent = seconds_used(job.worker) - start;
    } while (*work && spent < least);
    return spent > 0 ? (double)done / spent : 0;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bench_spread spread_of(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, compare_doubles);
    return (bench_spread){values[0], values[n / 2], values[n - 1]};
}

bench_result bench_compare(bench_job first, bench_job second, int rounds) {
    assert(rounds >= 1 && rounds <= BENCH_MAX_ROUNDS);
    double rate[2][BENCH_MAX_ROUNDS], ratio[BENCH_MAX_ROUNDS];
    bench_result r = {0};
    for (int i = 0; i < rounds; i++) {
        rate[0][i] = rate_of(first, &r.work[0]);
        rate[1][i] = rate_of(second, &r.work[1]);
        ratio[i] = rate[0][i] / rate[1][i];
    }
    r.rate[0] = spread_of(rate[0], rounds).middle;
    r.rate[1] = spread_of(rate[1], rounds).middle;
    r.ratio = spread_of(ratio, rounds);
    return r;
}

void bench_print_title(FILE *out, const char *title, const char *first, const char *second) {
    fprintf(out, "\n%s\n  %-30s %12s %12s   ratio    (from - to)\n", title, "", first, second);
}

void bench_print_row(FILE *out, const char *what, const bench_result *r, double unit) {
    fprintf(out, "  %-30s %12.2f %12.2f %7.2f    (%.2f - %.2f)\n", what, r->rate[0] / unit,
            r->rate[1] / unit, r->ratio.middle, r->ratio.low, r->ratio.high);
    fflush(out);
}
