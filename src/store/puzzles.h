// Who has tried which puzzle, and the ratings of solvers.
#ifndef KRATON_STORE_PUZZLES_H
#define KRATON_STORE_PUZZLES_H

#include "store/store.h"

// A solver's rating in one game; tries count the first one of every puzzle.
typedef struct {
    double rating, deviation, volatility;
    int tries, solved;
    int64_t updated; // microseconds since 1970
} stored_solver;

// False where the player has tried none.
MUST_USE bool store_find_solver(store *s, int64_t player, const char *game, stored_solver *found);
// Notes the first try of a puzzle and the rating after it.
void store_add_puzzle_try(store *s, int64_t player, const char *game, int number, bool is_solved,
                          const stored_solver *now);
bool store_has_tried_puzzle(store *s, int64_t player, const char *game, int number);
void store_each_puzzle_tried(store *s, int64_t player, const char *game,
                             void (*take)(void *context, int number), void *context);

#endif
