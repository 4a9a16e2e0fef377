#include "contest/stats.h"

#include "base/suggest.h"
#include "contest/distributions.h"

#include <math.h>
#include <stdlib.h>

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
    double spread; // the mean square of what a score differs from 1/2
    int games;
} sample;

// The pairs, or the single games where there are no pairs. A count of 0 becomes `least`, unless
// all are 0.
static likelihood_sample counts_of(const contest_score *s, double least) {
    const int64_t games[3] = {s->losses, s->draws, s->wins};
    bool paired = false, any = false;
    for (int i = 0; i < 5; i++)
        paired |= s->pairs[i] > 0;
    likelihood_sample all = {.cells = paired ? 5 : 3};
    const int64_t *from = paired ? s->pairs : games;
    for (int i = 0; i < all.cells; i++)
        any |= from[i] > 0;
    for (int i = 0; any && i < all.cells; i++)
        all.counts[i] = from[i] ? (double)from[i] : least;
    return all;
}

static sample sample_of(const likelihood_sample *all) {
    int top = all->cells - 1;
    sample s = {.games = top / 2};
    for (int i = 0; i <= top; i++) {
        s.count += all->counts[i];
        s.mean += all->counts[i] * i / top;
    }
    if (s.count == 0)
        return (sample){.mean = 0.5, .games = top / 2};
    s.mean /= s.count;
    for (int i = 0; i <= top; i++) {
        double d = (double)i / top - s.mean;
        s.variance += all->counts[i] * d * d;
        s.spread += all->counts[i] * ((double)i / top - 0.5) * ((double)i / top - 0.5);
    }
    s.variance /= s.count;
    s.spread /= s.count;
    return s;
}

static double elo_of(double score) {
    if (score <= 0)
        return -INFINITY;
    return score >= 1 ? INFINITY : -ELO_SCALE * log(1 / score - 1);
}

static double score_of_elo(double elo) { return 1 / (1 + exp(-elo / ELO_SCALE)); }

// a / b, and 0 for 0 / 0.
static double ratio(double a, double b) { return a == 0 ? 0 : a / b; }

// The chance that the true mean is above 1/2: how far the mean is from there, measured in what it
// would vary by if it were there. Unlike the sample's own variance, that is never 0 where the mean
// differs from 1/2: one game won says 84 %.
static double superiority_of(const sample *s) {
    double z = ratio(s->mean - 0.5, sqrt(s->spread / s->count));
    return 0.5 * erfc(-z * M_SQRT1_2);
}

contest_estimate contest_estimate_of(const contest_score *score) {
    likelihood_sample counts = counts_of(score, 0);
    sample s = sample_of(&counts);
    double games = (double)(score->wins + score->draws + score->losses);
    contest_estimate e = {
        .score = s.mean,
        .elo = NAN,
        .elo_error = INFINITY,
        .nelo = NAN,
        .nelo_error = INFINITY,
        .los = NAN,
        .draw_ratio = ratio((double)score->draws, games),
    };
    if (s.count == 0)
        return e;
    double deviation = sqrt(s.games * s.variance); // of one game, as the pairs show it
    e.elo = elo_of(s.mean);
    e.nelo = NELO_SCALE * ratio(s.mean - 0.5, deviation);
    e.los = superiority_of(&s);
    if (s.variance == 0)
        return e;
    double half = Z95 * sqrt(s.variance / s.count);
    if (s.mean - half > 0 && s.mean + half < 1)
        e.elo_error = (elo_of(s.mean + half) - elo_of(s.mean - half)) / 2;
    e.nelo_error = NELO_SCALE * Z95 / sqrt(s.count * s.games);
    return e;
}

// ln of the largest likelihood under the hypothesis that the gain is `elo`.
static double likelihood_of_elo(const likelihood_sample *counts, double elo, bool normalised) {
    elo = fmax(-SPRT_MOST_ELO, fmin(SPRT_MOST_ELO, elo));
    if (!normalised)
        return likelihood_of_mean(counts, score_of_elo(elo));
    // t of a pair: two games have twice the gain and, independent, sqrt(2) times the deviation.
    return likelihood_of_t(counts, elo / NELO_SCALE * (counts->cells == 5 ? M_SQRT2 : 1));
}

// A count of 0 is taken for a thousandth, as fishtest does. With a true 0 a few equal pairs would
// make the ratio infinite or 0 / 0.
double contest_llr(const contest_sprt *t, const contest_score *score) {
    likelihood_sample counts = counts_of(score, 1e-3);
    if (counts.counts[0] == 0)
        return 0;
    return likelihood_of_elo(&counts, t->elo1, t->normalised) -
           likelihood_of_elo(&counts, t->elo0, t->normalised);
}

void contest_sprt_bounds(const contest_sprt *t, double *lower, double *upper) {
    *lower = log(t->beta / (1 - t->alpha));
    *upper = log((1 - t->beta) / t->alpha);
}

contest_sprt_verdict contest_sprt_judge(const contest_sprt *t, const contest_score *s) {
    likelihood_sample counts = counts_of(s, 0);
    sample played = sample_of(&counts);
    if (played.count * played.games < SPRT_LEAST)
        return SPRT_RUNNING;
    double lower, upper, llr = contest_llr(t, s);
    contest_sprt_bounds(t, &lower, &upper);
    return llr >= upper ? SPRT_ACCEPTED_H1 : llr <= lower ? SPRT_ACCEPTED_H0 : SPRT_RUNNING;
}

// --- the terms of a test as text -----------------------------------------------------------------

enum { ELO0, ELO1, ALPHA, BETA, NORMALISED, TERMS };

// Infinite bounds, and error rates of 0 or 1/2, would make no test.
static const struct {
    const char *name, *range;
} terms[TERMS] = {[ELO0] = {"elo0", "a number from -1000 to 1000"},
                  [ELO1] = {"elo1", "a number from -1000 to 1000"},
                  [ALPHA] = {"alpha", "a number between 0 and 0.5"},
                  [BETA] = {"beta", "a number between 0 and 0.5"},
                  [NORMALISED] = {"normalised", "0 or 1"}};

// False for NaN: every comparison with it is false.
static bool is_in_range(int term, double value) {
    if (term == ELO0 || term == ELO1)
        return value >= -SPRT_MOST_ELO && value <= SPRT_MOST_ELO;
    if (term == ALPHA || term == BETA)
        return value > 0 && value < 0.5;
    return value == 0 || value == 1;
}

static bool read_term(text part, double values[TERMS], fault *why) {
    size_t equals = text_find(part, "=");
    text key = {part.at, equals}, given = text_skip(part, equals + 1);
    contest_sprt named = {0};
    int i = 0;
    if (text_is(key, "model") && contest_sprt_model(given, &named)) {
        values[NORMALISED] = named.normalised;
        return true;
    }
    if (text_is(key, "model"))
        return fault_set(why, "model takes logistic or normalised, not %s",
                         fault_quote(given).shown);
    if (text_is(key, "normalized"))
        key = text_of("normalised");
    while (i < TERMS && !text_is(key, terms[i].name))
        i++;
    if (i == TERMS) {
        suggestion near = suggest_for(key);
        for (i = 0; i < TERMS; i++)
            suggest_offer(&near, terms[i].name);
        suggest_offer(&near, "model");
        return fault_set(why, "no term %s (elo0, elo1, alpha, beta, model)%s",
                         fault_quote(key).shown, suggest_hint(&near).shown);
    }
    char number[64], *end;
    writer w = writer_on(number, sizeof number);
    write_text(&w, given);
    double value = strtod(number, &end);
    if (end == number || *end || w.overflow || !is_in_range(i, value))
        return fault_set(why, "%s takes %s, not %s", terms[i].name, terms[i].range,
                         fault_quote(given).shown);
    values[i] = value;
    return true;
}

bool contest_sprt_model(text name, contest_sprt *test) {
    test->normalised = text_is(name, "normalised") || text_is(name, "normalized");
    return test->normalised || text_is(name, "logistic");
}

bool contest_sprt_parse(text spec, contest_sprt *test, fault *why) {
    double values[TERMS] = {[ELO0] = 0, [ELO1] = 5, [ALPHA] = 0.05, [BETA] = 0.05};
    while (spec.len) {
        size_t comma = text_find(spec, ",");
        if (!read_term((text){spec.at, comma}, values, why))
            return false;
        spec = text_skip(spec, comma + 1);
    }
    if (values[ELO0] >= values[ELO1])
        return fault_set(why, "elo0 must be below elo1");
    *test = (contest_sprt){values[ELO0], values[ELO1], values[ALPHA], values[BETA],
                           values[NORMALISED] != 0};
    return true;
}
