// Games of the engine against itself, for the tuner: a line a quiet position with what the search
// made of it and how its game ended (lab/tune/samples.h has the format). One process, one search, a
// fixed number of nodes a move: the same seed makes the same games.
#ifndef KRATON_LAB_SELFPLAY_SELFPLAY_H
#define KRATON_LAB_SELFPLAY_SELFPLAY_H

#include "rules/rules.h"

#include <stdatomic.h>

typedef struct {
    const rules_game *game;
    const char *path; // of the file written
    int games;
    int random_plies; // at most so many moves at random begin a game
    uint64_t nodes;   // a move
    uint64_t seed;
    int openings_within; // centipawns: only the beginnings as balanced as that, as FENs; 0: games
    const atomic_bool *stop; // ends it after the move being thought about
} selfplay_terms;

// Plays the games and tells how it goes on standard error. False, with the reason, where the file
// cannot be written or memory will not do.
MUST_USE bool selfplay_run(const selfplay_terms *terms, fault *why);

// kraton-GAME selfplay [--games N] [--nodes N] [--random N] [--seed N] [--openings CP] --out FILE:
// the arguments behind `selfplay`, NULL at the end. Returns the exit status.
int selfplay_main(const rules_game *game, char **arguments);

#endif
