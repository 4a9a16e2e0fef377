// Statistics of match results: Elo with its error, normalised Elo, likelihood of superiority,
// and the sequential probability ratio test. Pure arithmetic over counts; any thread may call it.
// docs/statistics.md has the formulas and how to read the figures.
#ifndef KRATON_CONTEST_STATS_H
#define KRATON_CONTEST_STATS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// Results from one player's point of view. A pair is two games from one opening, colours changed;
// pairs[k] counts those that brought k half points (0..4).
typedef struct {
    int64_t wins, draws, losses;
    int64_t pairs[5];
} contest_score;

// One game's points in halves: 0, 1 or 2.
void contest_add_game(contest_score *s, int half_points);
// Both games of a pair together, 0 to 4; each of them is added by contest_add_game as well.
void contest_add_pair(contest_score *s, int half_points);

typedef struct {
    double score; // 0..1
    // Of what the results cannot say, the value is not finite, or its error is not: there are no
    // games, every game went one way, or all games or pairs came out alike. Errors are of 95 %.
    double elo, elo_error;
    double nelo, nelo_error;
    double los;        // likelihood of superiority, 0..1; NAN without games
    double draw_ratio; // draws among the games
} contest_estimate;

// From the pairs where there are any, else from the single games.
contest_estimate contest_estimate_of(const contest_score *s);

typedef struct {
    double elo0, elo1;  // the two hypotheses
    double alpha, beta; // 0.05 each as a rule
    bool normalised;    // bounds in normalised Elo, else logistic
} contest_sprt;

typedef enum { SPRT_RUNNING, SPRT_ACCEPTED_H1, SPRT_ACCEPTED_H0 } contest_sprt_verdict;

// Bounds beyond this, in either direction and either unit, count as this.
enum { SPRT_MOST_ELO = 1000 };

// The exact log-likelihood ratio ln(L1/L0): each L is the largest likelihood that any distribution
// of results has whose gain is that bound (generalised SPRT). From the pairs where there are any,
// else from the single games. 0 before the first game; always finite.
double contest_llr(const contest_sprt *t, const contest_score *s);
// Where it stops: at or below lower H0 is accepted, at or above upper H1.
void contest_sprt_bounds(const contest_sprt *t, double *lower, double *upper);
// The test runs for at least SPRT_LEAST games. The ratio estimates the variance from the results,
// and a few equal pairs say nothing about it.
enum { SPRT_LEAST = 20 };
contest_sprt_verdict contest_sprt_judge(const contest_sprt *t, const contest_score *s);

// Sets the unit of the bounds by its name: `logistic`, `normalised` or `normalized`. False if it is
// none of these.
bool contest_sprt_model(text name, contest_sprt *test) __attribute__((warn_unused_result));

// Reads the terms of a test, joined by commas, in any order: `elo0=0,elo1=5,alpha=0.05,beta=0.05`.
// The defaults are elo0=0, elo1=5, alpha=0.05, beta=0.05, model=logistic; `normalised=1` is
// `model=normalised`. False, with the reason, if a term is unknown, is no number or is out of its
// range, or if elo0 is not below elo1.
bool contest_sprt_parse(text spec, contest_sprt *test, fault *why)
    __attribute__((warn_unused_result));

#endif
