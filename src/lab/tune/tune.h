// Fitting the weights of an evaluation: the weights for which the expected score, a logistic
// function of the evaluation, comes nearest to how the games ended (and to what a search thought).
// Adam on small batches; what some positions hold back tells when it has learnt enough.
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
    double rate;   // centipawns a step at the start; falls to a hundredth of it
    double blend;  // the share of the result in what is aimed at, the rest is the search's score
    double spread; // how far from where they began weights are expected to end: strangers stay
    int hold_out;  // per cent of the positions that only judge
    int threads;   // 1 or 2
    uint64_t seed;
    const atomic_bool *stop; // NULL: never
} tune_terms;

tune_terms tune_default_terms(void);

typedef struct tuner tuner;

// NULL when memory will not do. There is at least one sample.
tuner *tune_new(const eval_model *model, const samples *s, const tune_terms *terms);
void tune_free(tuner *t);

// Finds what makes centipawns an expected score, with the weights as they are; returns K, the
// score at which ten points are made to one.
double tune_find_scale(tuner *t);
// Goes through all positions once, for the n-th time of terms->epochs (from 0).
void tune_epoch(tuner *t, int n);
// The loss (in nats a position) of the weights as they are: on what is learnt from, or held out.
double tune_loss(const tuner *t, bool held_out);
// The weights as they are, rounded; there is room for all parameters.
void tune_weights(const tuner *t, tapered *weights);

// The k, per centipawn, with which the logistic function of the scores tells the results best; the
// first side's half points.
double tune_fit_scale(const double *scores, const uint8_t *half_points, size_t count);
// Whether position i of so many is held out.
bool tune_is_held(const tune_terms *terms, size_t i, size_t count);

// Writes weights.h of the model with these weights and a remark on where they come from.
void tune_write(const eval_model *model, const tapered *weights, const char *remark, writer *out);

#endif
