// `kraton bench serve`: what the server costs. A server of its own plays very many games between
// programs at once, at a fixed number of moves a second. After a while spectators come, each of
// whom follows one player from game to game; then it holds idle connections. Who has finished a
// game begins another, so every part of a run is like the others. Every record is read back and
// judged again.
#ifndef KRATON_CLIENT_LOAD_H
#define KRATON_CLIENT_LOAD_H

#include "base/bits.h"
#include "base/text.h"

#include <stdio.h>

typedef struct {
    int games;           // at once, each with two connections
    int spectators;      // each watches one of them,
    bool on_one;         // or all of them the same one
    int moves;           // in all, without those made while spectators take their seats
    int rate;            // moves a second; 0: as many as go
    int idle;            // connections afterwards
    int most_plies;      // a game is resigned then; 0: none is
    const char *program; // the server's
} server_bench_plan;

// Prints the figures. False, with the reason, where the server failed or a record is wrong.
MUST_USE bool server_bench(FILE *out, const server_bench_plan *plan, fault *why);

#endif
