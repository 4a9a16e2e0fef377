// Compares two ways to do the same work. They run in turns, so that changes of the machine's speed
// affect both, and processor time is measured, so that other programs disturb less.
#ifndef KRATON_LAB_BENCH_MEASURE_H
#define KRATON_LAB_BENCH_MEASURE_H

#include "os/process.h"

#include <stdint.h>
#include <stdio.h>

// Some work, done once; returns its amount (leaves, calls, ...).
typedef struct {
    uint64_t (*run)(void *what);
    void *what;
    const os_child *worker; // the process that does it; NULL: this one
} bench_job;

// A job for this process.
static inline bench_job bench_here(uint64_t (*run)(void *what), void *what) {
    return (bench_job){run, what, NULL};
}

typedef struct {
    double low, middle, high; // middle is the median
} bench_spread;

typedef struct {
    uint64_t work[2];   // the amount one run of each does
    double rate[2];     // work per second of processor time, the median of the rounds
    bench_spread ratio; // the first's rate over the second's, round by round
} bench_result;

enum { BENCH_MAX_ROUNDS = 15 };

// Repeats each job in every round until it has run for a moment.
bench_result bench_compare(bench_job first, bench_job second, int rounds);

// A table of results: a title, the names of the two columns of rates; then rows, rates in that
// unit.
void bench_print_title(FILE *out, const char *title, const char *first, const char *second);
void bench_print_row(FILE *out, const char *what, const bench_result *r, double unit);

#endif
