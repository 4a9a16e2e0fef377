#include "contest/stats.h"

#include <math.h>

// Elo per unit of the natural logarithm of the odds, and the same for normalised Elo, which is
// measured in standard deviations of one game.
static const double ELO_SCALE = 400 / 2.302585092994045684;
static const double NELO_SCALE = 800 / 2.302585092994045684;
static const double Z95 = 1.959963984540054;

void contest_add_game(contest_score *s, int half_points) {
    s->wins += half_points == 2;
    s->draws += half_points == 1;
    s->losses += half_points == 0;
}

void contest_add_pair(contest_score *s, int half_points) { s->pairs[half_points]++; }

// What was drawn from: `count` scores between 0 and 1, each the mean of `games` games.
typedef struct {
    double count, mean, variance;
    int games;
} sample;

// `counts` of the scores 0, 1/top, 2/top ... 1.
static sample sample_of(const double *counts, int top) {
    sample s = {.games = top / 2};
    for (int i = 0; i <= top; i++) {
        s.count += counts[i];
        s.mean += counts[i] * i / top;
    }
    if (s.count == 0)
        return (sample){.mean = 0.5, .games = top / 2};
    s.mean /= s.count;
    for (int i = 0; i <= top; i++) {
        double d = (double)i / top - s.mean;
        s.variance += counts[i] * d * d;
    }
    s.variance /= s.count;
    return s;
}

// The pairs, or the single games where there are none. What never happened counts as `least`.
static sample sample_of_score(const contest_score *s, double least) {
    double counts[5], pairs = 0;
    for (int i = 0; i < 5; i++) {
        counts[i] = s->pairs[i] ? (double)s->pairs[i] : least;
        pairs += (double)s->pairs[i];
    }
    if (pairs > 0)
        return sample_of(counts, 4);
    const int64_t single[3] = {s->losses, s->draws, s->wins};
    if (single[0] + single[1] + single[2] == 0)
        least = 0;
    for (int i = 0; i < 3; i++)
        counts[i] = single[i] ? (double)single[i] : least;
    return sample_of(counts, 2);
}

static double elo_of(double score) {
    if (score <= 0)
        return -INFINITY;
    return score >= 1 ? INFINITY : -ELO_SCALE * log(1 / score - 1);
}

static double score_of_elo(double elo) { return 1 / (1 + exp(-elo / ELO_SCALE)); }

// a / b with 0 / 0 = 0: nothing found among nothing.
static double ratio(double a, double b) { return a == 0 ? 0 : a / b; }

contest_estimate contest_estimate_of(const contest_score *score) {
    sample s = sample_of_score(score, 0);
    double half = s.count > 0 ? Z95 * sqrt(s.variance / s.count) : INFINITY;
    double deviation = sqrt(s.games * s.variance); // of one game, as the pairs show it
    double games = (double)(score->wins + score->draws + score->losses);
    contest_estimate e = {
        .score = s.mean,
        .elo = elo_of(s.mean),
        .elo_error = INFINITY,
        .nelo = NELO_SCALE * ratio(s.mean - 0.5, deviation),
        .nelo_error = INFINITY,
        .los = 0.5 * erfc(-ratio(s.mean - 0.5, half / Z95) * M_SQRT1_2),
        .draw_ratio = ratio((double)score->draws, games),
    };
    if (s.mean - half > 0 && s.mean + half < 1)
        e.elo_error = (elo_of(s.mean + half) - elo_of(s.mean - half)) / 2;
    if (s.count > 0 && isfinite(e.nelo))
        e.nelo_error = NELO_SCALE * Z95 / sqrt(s.count * s.games);
    return e;
}

// Counts of 0 would give a variance of 0 and a ratio that is infinite or 0 / 0 after the first
// pairs; like fishtest, this takes them for a thousandth.
double contest_llr(const contest_sprt *t, const contest_score *score) {
    sample s = sample_of_score(score, 1e-3);
    if (s.count == 0)
        return 0;
    double m0 = score_of_elo(t->elo0), m1 = score_of_elo(t->elo1);
    if (t->normalised) {
        double deviation = sqrt(s.games * s.variance);
        m0 = 0.5 + deviation * t->elo0 / NELO_SCALE;
        m1 = 0.5 + deviation * t->elo1 / NELO_SCALE;
    }
    double d0 = s.mean - m0, d1 = s.mean - m1;
    return s.count / 2 * log((s.variance + d0 * d0) / (s.variance + d1 * d1));
}

void contest_sprt_bounds(const contest_sprt *t, double *lower, double *upper) {
    *lower = log(t->beta / (1 - t->alpha));
    *upper = log((1 - t->beta) / t->alpha);
}

contest_sprt_verdict contest_sprt_judge(const contest_sprt *t, const contest_score *s) {
    double lower, upper, llr = contest_llr(t, s);
    sample played = sample_of_score(s, 0);
    if (played.count * played.games < SPRT_LEAST)
        return SPRT_RUNNING;
    contest_sprt_bounds(t, &lower, &upper);
    return llr >= upper ? SPRT_ACCEPTED_H1 : llr <= lower ? SPRT_ACCEPTED_H0 : SPRT_RUNNING;
}
