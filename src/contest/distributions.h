// Distributions behind the statistics of matches: Student's t, and the likelihood of scores. Pure
// arithmetic; any thread may call it. docs/statistics.md has the mathematics.
#ifndef KRATON_CONTEST_DISTRIBUTIONS_H
#define KRATON_CONTEST_DISTRIBUTIONS_H

// --- Student's t: how far an estimate strays whose spread was judged by few games ---------------

// The chance of a value up to t, with so many degrees of freedom (at least 1).
double student_below(double t, double freedom);
// 95 % of all values lie between minus this and this.
double student_95(double freedom);

// --- likelihoods of scores ----------------------------------------------------------------------

// The largest likelihood that observed scores can have under a hypothesis about the distribution
// they were drawn from. The generalised SPRT compares two such hypotheses.

enum { LIKELIHOOD_CELLS = 5 };

// How often each of the scores 0, 1/(cells - 1) ... 1 was seen. Every count is above 0 and need not
// be whole; `cells` is 3 (games) or 5 (pairs).
typedef struct {
    int cells;
    double counts[LIKELIHOOD_CELLS];
} likelihood_sample;

// Both return ln(L / L*), which is at most 0: L is the largest likelihood under the hypothesis, L*
// the largest of all, that of the observed frequencies.

// Hypothesis: the mean is `mean`, above 0 and below 1.
double likelihood_of_mean(const likelihood_sample *s, double mean);
// Hypothesis: the mean lies `t` standard deviations above 1/2; -5 <= t <= 5.
double likelihood_of_t(const likelihood_sample *s, double t);

#endif
