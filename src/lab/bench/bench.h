// `kraton bench`: compares the speed of generators and structures in one run. Results are ratios
// with their spread, because absolute speed depends on the machine. Each function returns 0, or 1
// if the two sides do not count the same.
#ifndef KRATON_LAB_BENCH_BENCH_H
#define KRATON_LAB_BENCH_BENCH_H

#include "base/isa.h"
#include "os/process.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// The generators against the references and, where it is installed, against fairy-stockfish.
int bench_rules(FILE *out);
// The ideas of papers 1, 3, 4 and 5, one by one; paper 3's endgame tables where a folder of some is
// given, else NULL.
int bench_papers(FILE *out, const char *dir);
// Paper 3's: bitboard against array, and the score of endgame tables at the depth limit. False
// where a count differs or tables are missing.
bool bench_paper3(FILE *out, const char *dir);
// The index of the endgame tables beside paper 3's and Schadd's: size and time of a lookup; the
// builder beside the slow solver. 1 where memory is short.
int bench_tables_baseline(FILE *out);
int bench_tables_v3(FILE *out);
static inline int bench_tables(FILE *out) { return ISA_PICK(bench_tables)(out); }
// Lookups in the tables of a folder. 1 where there are none.
int bench_lookups(FILE *out, const char *dir);
// How many games a second are read in each format, beside plain lists of moves. 1 where a game is
// not read.
int bench_records(FILE *out);
// The match runner's own cost beside bare pipes. Needs kraton and kraton-stub in the same folder.
int bench_match(FILE *out);
// Engines in sessions of their own beside engines in process groups: time of many short games,
// under whatever load the machine has.
int bench_sessions(FILE *out);

// --- measuring ----------------------------------------------------------------------------------

// Compares two ways to do the same work. They run in turns, so that changes of the machine's speed
// affect both, and processor time is measured, so that other programs disturb less.

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
