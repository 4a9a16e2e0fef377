// Proves that a position has one best move, and follows it: the heart of making puzzles. A position
// is proved by the search (the best move and the second best differ by a clear margin) or by the
// endgame tables (all moves but one give something away).
//
// A prover owns its search and its state and belongs to one thread. The same questions in the same
// order have the same answers on every machine.
#ifndef KRATON_LAB_PUZZLES_PROVER_H
#define KRATON_LAB_PUZZLES_PROVER_H

#include "lab/puzzles/puzzle.h"

#include <stdatomic.h>

struct game_tables;

typedef struct {
    const rules_game *game;
    uint64_t nodes;                   // of each search
    const struct game_tables *tables; // NULL: none
} prover_terms;

typedef struct prover prover;

prover *prover_new(const prover_terms *terms); // NULL when out of memory
void prover_free(prover *p);                   // NULL is allowed

// Looks for a puzzle in a position. `before` is the move that led to it: taking back the piece that
// just took is no puzzle. False if there is none.
bool prover_try(prover *p, const char *fen, rules_move before, puzzle *found);
// The same by the tables alone, for a position that no history leads to.
bool prover_try_tables(prover *p, const char *fen, puzzle *found);

#endif
