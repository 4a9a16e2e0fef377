// `kraton bench serve`: what the server costs. A server of its own plays very many games between
// programs at once, watched by spectators, at a fixed number of moves a second; then it holds idle
// connections. Every record is read back and judged again.
#ifndef KRATON_CLIENT_LOAD_H
#define KRATON_CLIENT_LOAD_H

#include "base/bits.h"
#include "base/text.h"

#include <stdio.h>

typedef struct {
    int games;           // at once, each with two connections
    int spectators;      // each watches one of them,
    bool on_one;         // or all of them the same one
    int rate;            // moves a second; 0: as many as go
    int idle;            // connections afterwards
    int most_plies;      // a game is resigned then; 0: none is
    const char *program; // the server's
} server_bench_plan;

// Prints the figures. False, with the reason, where the server failed or a record is wrong.
MUST_USE bool server_bench(FILE *out, const server_bench_plan *plan, fault *why);

#endif
