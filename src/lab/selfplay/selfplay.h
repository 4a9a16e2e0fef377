// Games of the engine against itself, as data for the tuner and for networks: a file of packed
// games (lab/data/packed.h).
//
// Several threads play, each with a search of its own. Games are numbered and written in the order
// of their numbers, so the same settings make the same file with any number of threads, and after
// an interruption too.
#ifndef KRATON_LAB_SELFPLAY_SELFPLAY_H
#define KRATON_LAB_SELFPLAY_SELFPLAY_H

#include "rules/rules.h"

#include <stdatomic.h>

enum { SELFPLAY_MAX_THREADS = 256, SELFPLAY_HASH_MB = 8 }; // a small table is emptied quickly

struct game_tables;
struct network;

typedef struct {
    const rules_game *game;
    const char *path; // of the file written
    bool resumes;     // goes on with the file
    int games;        // that it is to have
    int threads;
    int random_plies;    // at most so many random moves begin a game
    int balance;         // centipawns: an opening that is worse for one side is not played
    int openings_within; // centipawns: writes only openings, balanced like that, as FENs; 0: games
    uint64_t nodes;      // a move
    uint64_t seed;
    // A score of win_score or more for win_plies plies is a win; one of at most draw_score for
    // draw_plies plies, from ply draw_after on, a draw. 0: no such adjudication.
    int win_score, win_plies, draw_score, draw_plies, draw_after;
    int max_plies;                    // then it is a draw
    const struct game_tables *tables; // for the search; NULL: none
    const char *tables_text;          // what the file says about them
    const struct network *network;    // that the search can use; NULL: evaluation made by hand
    const atomic_bool *stop;          // ends it after the moves being searched
} selfplay_terms;

// Plays the games and reports progress on standard error. False, with the reason, if the file
// cannot be written or memory runs out.
MUST_USE bool selfplay_run(const selfplay_terms *terms, fault *why);

#endif
