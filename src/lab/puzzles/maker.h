// Makes puzzles from games of self-play and from endgame tables, and writes them to a file
// (lab/puzzles/puzzle.h has the format). One thread; the same games and settings make the same
// file.
#ifndef KRATON_LAB_PUZZLES_MAKER_H
#define KRATON_LAB_PUZZLES_MAKER_H

#include "rules/rules.h"

#include <stdatomic.h>

struct game_tables;

typedef struct {
    const rules_game *game;
    const char *const *paths; // of packed games
    int path_count;
    const char *out;
    int wanted;     // puzzles in the file
    int games;      // looked through at most, of each file
    uint64_t nodes; // of each search
    uint64_t seed;  // of the positions of the tables
    const struct game_tables *tables;
    const char *command;     // the file's first lines say what made it
    const atomic_bool *stop; // writes what has been found
} maker_terms;

// Reports progress on standard error. False, with the reason, if a file cannot be read or written.
MUST_USE bool puzzles_make(const maker_terms *terms, fault *why);

#endif
