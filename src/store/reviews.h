// What the engine thought of every position of a finished game.
#ifndef KRATON_STORE_REVIEWS_H
#define KRATON_STORE_REVIEWS_H

#include "store/store.h"

typedef struct {
    int ply; // moves played
    bool is_mate;
    int32_t score; // or moves to the mate; from the first side's point of view
    int32_t depth; // 0: the game is decided here
    char best[8];  // the move it would play; empty there
} stored_assessment;

// Keeps one, in place of an earlier one.
void store_set_assessment(store *s, int64_t game, const stored_assessment *a);
// By ply, from that one on.
void store_each_assessment(store *s, int64_t game, int from,
                           void (*take)(void *context, const stored_assessment *a), void *context);
int store_count_assessments(store *s, int64_t game);

#endif
