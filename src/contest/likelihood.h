// The largest likelihood that observed scores can have under a hypothesis about the distribution
// they were drawn from. The generalised SPRT compares two such hypotheses. Pure arithmetic; any
// thread may call it. docs/statistics.md has the mathematics.
#ifndef KRATON_CONTEST_LIKELIHOOD_H
#define KRATON_CONTEST_LIKELIHOOD_H

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
