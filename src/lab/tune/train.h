// Training a network (games/network.h) from positions of packed games: stochastic gradient descent
// with Adam, in floating point, then rounded to the integers of the engine. The target is the one
// of tune.h: a blend of the result of the game and the score of the search.
//
// Where the board has symmetries that change nothing, the units come in groups with the same
// weights, turned and mirrored, and are trained as one.
//
// A trainer owns its memory and serves one thread; everything depends on the positions and the seed
// alone.
#ifndef KRATON_LAB_TUNE_TRAIN_H
#define KRATON_LAB_TUNE_TRAIN_H

#include "games/network.h"
#include "lab/tune/tune.h"
#include "lab/tune/view.h"

typedef struct trainer trainer;

// `shape` needs no inputs and no scale: those are found. NULL, with the reason, if there is no such
// shape or no memory. Of the terms `spread` and `threads` are not used.
trainer *train_new(const network_game *game, const network_shape *shape, const tune_terms *terms,
                   fault *why);
void train_free(trainer *t); // NULL is allowed

// Adds a position, with the result and the score for the first side.
MUST_USE bool train_add(trainer *t, text fen, int half_points, int32_t score, fault *why);
size_t train_count(const trainer *t);

// Begins to train; no position can be added afterwards. Returns K, as tune_find_scale does. 0 when
// out of memory.
double train_begin(trainer *t);
// One pass through the training positions, the n-th of terms->epochs.
void train_epoch(trainer *t, int n);
double train_loss(trainer *t, bool held_out);
// The largest rounding error of the engine's integers over the held-out positions, in centipawns.
double train_rounding(trainer *t, const network *n);

// The network as it is, rounded, with a text on where it comes from. NULL, with the reason, when
// out of memory.
network *train_round(const trainer *t, const char *about, fault *why);

#endif
