// `kraton bench`: compares the speed of generators and structures in one run. Results are ratios
// with their spread, because absolute speed depends on the machine. Each function returns 0, or 1
// if the two sides do not count the same.
#ifndef KRATON_LAB_BENCH_BENCH_H
#define KRATON_LAB_BENCH_BENCH_H

#include "base/isa.h"

#include <stdbool.h>
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

#endif
