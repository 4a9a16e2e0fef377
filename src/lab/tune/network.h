// Training the network of Surakarta's evaluation (games/surakarta/network). It learns what the
// features miss: the same positions and target as in lab/tune/tune, with the score of the features
// fixed as it is compiled in.
//
// A learner owns its memory and serves one thread; everything depends on the positions and the
// seed.
#ifndef KRATON_LAB_TUNE_NETWORK_H
#define KRATON_LAB_TUNE_NETWORK_H

#include "lab/tune/tune.h"

typedef struct sk_learner sk_learner;

// NULL when out of memory. Of the terms `spread` and `threads` are not used; a rate of 2 is
// 0.004 of a full unit a step.
sk_learner *sk_learn_new(const tune_terms *terms);
void sk_learn_free(sk_learner *l);

// Adds a position, its result and its score as samples_add does.
MUST_USE bool sk_learn_add(sk_learner *l, text fen, int half_points, int32_t score, fault *why);
size_t sk_learn_count(const sk_learner *l);

// Begins to learn from what was added, at least one position; no more can be added. Returns K, as
// tune_find_scale does. 0 when out of memory.
double sk_learn_begin(sk_learner *l);
void sk_learn_epoch(sk_learner *l, int n);
double sk_learn_loss(sk_learner *l, bool held_out);

// Writes network_weights.h with the weights as they are, and a remark on where they come from.
void sk_learn_write(const sk_learner *l, const char *remark, writer *out);

#endif
