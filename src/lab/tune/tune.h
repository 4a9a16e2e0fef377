// Fitting the weights of an evaluation: looks for the weights for which the expected score, a
// logistic function of the evaluation, is closest to the results of the games (and to the scores of
// the search). The method is Adam on small batches; held-out positions show when to stop.
//
// A tuner owns its numbers and reads the samples, which must outlive it. tune_epoch uses up to two
// threads and gives the same result with one; everything depends on the seed alone. Another thread
// or a signal handler may set *stop.
#ifndef KRATON_LAB_TUNE_TUNE_H
#define KRATON_LAB_TUNE_TUNE_H

#include "lab/tune/samples.h"

#include <stdatomic.h>

typedef struct {
    int epochs;
    double rate;  // centipawns a step at the start; falls to a hundredth of it
    double blend; // the share of the result in the target; the rest is the score of the search
    double
        spread; // expected change of a weight; weights of rare features stay near their old values
    int hold_out; // per cent of the positions that are held out
    int threads;  // 1 or 2
    uint64_t seed;
    const atomic_bool *stop; // NULL: never
} tune_terms;

tune_terms tune_default_terms(void);

typedef struct tuner tuner;

// NULL when out of memory. There is at least one sample.
tuner *tune_new(const eval_model *model, const samples *s, const tune_terms *terms);
void tune_free(tuner *t);

// Fits the scale of the logistic function with the present weights. Returns K: a score of K
// centipawns is an expected result of 10 to 1.
double tune_find_scale(tuner *t);
// One pass through all positions, the n-th of terms->epochs (from 0).
void tune_epoch(tuner *t, int n);
// The loss (nats per position) of the present weights, on the training or the held-out positions.
double tune_loss(const tuner *t, bool held_out);
// The present weights, rounded; `weights` has room for all parameters.
void tune_weights(const tuner *t, tapered *weights);

// The k, per centipawn, with which the logistic function of the scores predicts the results best.
// Results are the first side's half points.
double tune_fit_scale(const double *scores, const uint8_t *half_points, size_t count);
// Whether position i of so many is held out.
bool tune_is_held(const tune_terms *terms, size_t i, size_t count);

// Writes weights.h of the model with these weights and a remark on where they come from.
void tune_write(const eval_model *model, const tapered *weights, const char *remark, writer *out);

#endif
