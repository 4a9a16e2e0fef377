// Elo, normalised Elo, LOS and the SPRT against published tests of Stockfish.
#include "base/rng.h"
#include "contest/distributions.h"
#include "contest/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static contest_score pairs_of(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e) {
    return (contest_score){.pairs = {a, b, c, d, e}};
}

// As printed to so many decimals.
static void assert_prints(double value, int decimals, const char *printed) {
    char shown[64];
    snprintf(shown, sizeof shown, "%.*f", decimals, value);
    assert_string_equal(shown, printed);
}

static void test_published(void **state) {
    (void)state;
    static const struct {
        contest_score score;
        double elo0, elo1;
        bool normalised;
        const char *llr, *elo, *error, *nelo;
    } tests[] = {
        {{.pairs = {371, 10263, 24989, 10642, 379}}, 0, 2, true, "2.95", "1.47", "1.13", "2.91"},
        {{.pairs = {47, 8181, 25234, 8575, 47}}, 0.5, 2.5, true, "2.94", "1.63", "1.06", "3.61"},
        {{.pairs = {197, 45541, 117722, 46579, 228}},
         0.5,
         2.5,
         true,
         "2.96",
         "0.91",
         "0.50",
         "1.92"},
        {{.pairs = {115, 2196, 11328, 2317, 136}},
         -0.25,
         1.25,
         false,
         "2.94",
         "1.76",
         "1.57",
         "4.25"},
    };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        contest_sprt t = {tests[i].elo0, tests[i].elo1, 0.05, 0.05, tests[i].normalised};
        contest_estimate e = contest_estimate_of(&tests[i].score);
        assert_prints(contest_llr(&t, &tests[i].score), 2, tests[i].llr);
        assert_prints(e.elo, 2, tests[i].elo);
        assert_prints(e.elo_error, 2, tests[i].error);
        assert_prints(e.nelo, 2, tests[i].nelo);
    }
}

// Values of the exact ratio, as fishtest and fastchess compute it. The approximation
// N/2 ln(...) gives 2.84, 15.30, 9.21, 18.46 and 2.95: the first verdict would differ.
static void test_exact_ratio(void **state) {
    (void)state;
    static const struct {
        contest_score score;
        double elo0, elo1;
        bool normalised;
        int decimals;
        const char *llr;
    } tests[] = {
        {{.pairs = {4, 30, 87, 132, 47}}, 0, 5, true, 4, "3.1975"},
        {{.pairs = {1, 6, 31, 45, 17}}, 0, 50, false, 2, "12.27"},
        {{.pairs = {26, 101, 291, 399, 183}}, -5, 0, true, 2, "10.46"},
        {{.pairs = {118, 472, 1516, 1982, 912}}, 0, 2, true, 2, "20.72"},
        {{.pairs = {371, 10263, 24989, 10642, 379}}, 0, 2, true, 4, "2.9461"},
    };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        contest_sprt t = {tests[i].elo0, tests[i].elo1, 0.05, 0.05, tests[i].normalised};
        assert_prints(contest_llr(&t, &tests[i].score), tests[i].decimals, tests[i].llr);
        assert_int_equal(contest_sprt_judge(&t, &tests[i].score), SPRT_ACCEPTED_H1);
    }
}

static void test_sprt_bounds(void **state) {
    (void)state;
    contest_sprt t = {0, 2, 0.05, 0.05, true};
    double lower, upper;
    contest_sprt_bounds(&t, &lower, &upper);
    assert_prints(lower, 2, "-2.94");
    assert_prints(upper, 2, "2.94");
    t.alpha = 0.1;
    contest_sprt_bounds(&t, &lower, &upper);
    assert_prints(lower, 4, "-2.8904"); // ln(0.05 / 0.9)
    assert_prints(upper, 4, "2.2513");  // ln(0.95 / 0.1)
}

// A few pairs that came out the same have no spread: that says nothing.
static void test_sprt_waits(void **state) {
    (void)state;
    contest_sprt t = {0, 100, 0.05, 0.05, false};
    contest_score even = {.wins = 2, .losses = 2, .pairs = {0, 0, 2, 0, 0}};
    assert_int_equal(contest_sprt_judge(&t, &even), SPRT_RUNNING);
    contest_score later = {.wins = 10, .losses = 10, .pairs = {0, 0, 10, 0, 0}};
    assert_int_equal(contest_sprt_judge(&t, &later), SPRT_ACCEPTED_H0);
}

static void test_sprt_verdicts(void **state) {
    (void)state;
    contest_sprt t = {0, 2, 0.05, 0.05, true};
    contest_score good = pairs_of(371, 10263, 24989, 10642, 379);
    contest_score bad = pairs_of(379, 10642, 24989, 10263, 371);
    contest_score young = pairs_of(3, 10, 24, 11, 3);
    assert_int_equal(contest_sprt_judge(&t, &good), SPRT_ACCEPTED_H1);
    assert_int_equal(contest_sprt_judge(&t, &bad), SPRT_ACCEPTED_H0);
    assert_int_equal(contest_sprt_judge(&t, &young), SPRT_RUNNING);
    // H0 and H1 exchanged, the score turned round: the same ratio with the other sign.
    contest_sprt turned = {0, -2, 0.05, 0.05, true};
    assert_true(fabs(contest_llr(&turned, &bad) - contest_llr(&t, &good)) < 1e-9);
}

static void test_nothing_played(void **state) {
    (void)state;
    contest_score none = {0};
    contest_estimate e = contest_estimate_of(&none);
    contest_sprt t = {0, 5, 0.05, 0.05, false};
    assert_true(e.score == 0.5 && isnan(e.elo) && isnan(e.nelo) && isnan(e.los));
    assert_true(e.draw_ratio == 0);
    assert_true(isinf(e.elo_error) && isinf(e.nelo_error));
    assert_true(contest_llr(&t, &none) == 0);
    assert_int_equal(contest_sprt_judge(&t, &none), SPRT_RUNNING);
}

static void test_one_way(void **state) {
    (void)state;
    contest_score won = pairs_of(0, 0, 0, 0, 10), lost = pairs_of(10, 0, 0, 0, 0);
    contest_estimate e = contest_estimate_of(&won);
    assert_true(e.score == 1 && e.elo == INFINITY && e.nelo == INFINITY);
    assert_prints(e.los, 4, "0.9992"); // sqrt(10) deviations
    assert_true(e.elo_error == INFINITY && e.nelo_error == INFINITY);
    e = contest_estimate_of(&lost);
    assert_true(e.score == 0 && e.elo == -INFINITY && e.nelo == -INFINITY);
    assert_prints(e.los, 4, "0.0008");
    contest_sprt t = {0, 10, 0.05, 0.05, false};
    double before = contest_llr(&t, &won);
    assert_true(isfinite(before) && before > 0);
    won.pairs[4] = 1000;
    assert_int_equal(contest_sprt_judge(&t, &won), SPRT_ACCEPTED_H1);
    lost.pairs[0] = 1000;
    assert_int_equal(contest_sprt_judge(&t, &lost), SPRT_ACCEPTED_H0);
}

static void test_no_variance(void **state) {
    (void)state;
    contest_score level = pairs_of(0, 0, 50, 0, 0), above = pairs_of(0, 0, 0, 50, 0);
    contest_estimate e = contest_estimate_of(&level);
    assert_true(e.score == 0.5 && e.elo == 0 && e.nelo == 0 && e.los == 0.5);
    assert_true(isinf(e.elo_error) && isinf(e.nelo_error));
    e = contest_estimate_of(&above);
    assert_true(e.score == 0.75 && isinf(e.elo_error) && e.nelo == INFINITY && e.los > 0.9999);
    assert_prints(e.elo, 2, "190.85");
    const contest_sprt tests[] = {{0, 5, 0.05, 0.05, false}, {0, 5, 0.05, 0.05, true}};
    for (int i = 0; i < 2; i++) {
        assert_true(isfinite(contest_llr(&tests[i], &level)));
        assert_true(contest_llr(&tests[i], &level) < 0); // nearer to no gain than to some
        assert_true(isfinite(contest_llr(&tests[i], &above)));
        assert_true(contest_llr(&tests[i], &above) > 0);
    }
}

// Where all games of all pairs are independent, pairs and single games tell the same.
static void test_single_games(void **state) {
    (void)state;
    contest_score s = {0};
    for (int i = 0; i < 100; i++)
        contest_add_game(&s, i < 30 ? 2 : i < 80 ? 1 : 0);
    assert_int_equal(s.wins, 30);
    assert_int_equal(s.draws, 50);
    assert_int_equal(s.losses, 20);
    contest_estimate e = contest_estimate_of(&s);
    assert_prints(e.score, 3, "0.550");
    assert_prints(e.draw_ratio, 3, "0.500");
    assert_prints(e.elo, 2, "34.86");
    // (wins - losses) / sqrt(wins + losses) = 1.4142 deviations above one half
    assert_prints(e.los, 4, "0.9214");
    contest_score one = {.wins = 1};
    assert_prints(contest_estimate_of(&one).los, 4, "0.8413");
    assert_prints(e.nelo, 2, "49.63");
    assert_prints(e.nelo_error, 2, "68.10");
    assert_prints(e.elo_error, 1, "48.5");
    contest_score paired = s;
    const double p[3] = {0.2, 0.5, 0.3};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            paired.pairs[a + b] += (int64_t)(p[a] * p[b] * 10000 + 0.5);
    s = (contest_score){.wins = 6000, .draws = 10000, .losses = 4000};
    contest_estimate by_pairs = contest_estimate_of(&paired), by_games = contest_estimate_of(&s);
    assert_true(fabs(by_pairs.elo - by_games.elo) < 1e-9);
    assert_true(fabs(by_pairs.elo_error - by_games.elo_error) < 1e-9);
    assert_true(fabs(by_pairs.nelo - by_games.nelo) < 1e-9);
    assert_true(fabs(by_pairs.nelo_error - by_games.nelo_error) < 1e-9);
    assert_true(fabs(by_pairs.los - by_games.los) < 1e-9);
}

static void test_add_pair(void **state) {
    (void)state;
    contest_score s = {0};
    for (int i = 0; i <= 4; i++)
        for (int n = 0; n <= i; n++)
            contest_add_pair(&s, i);
    for (int i = 0; i <= 4; i++)
        assert_int_equal(s.pairs[i], i + 1);
    assert_int_equal(s.wins + s.draws + s.losses, 0);
}

// The interval of a short, lopsided match reaches 1: no finite error is true.
static void test_lopsided(void **state) {
    (void)state;
    contest_score s = {.wins = 9, .draws = 1};
    contest_estimate e = contest_estimate_of(&s);
    assert_prints(e.elo, 1, "511.5");
    assert_true(isinf(e.elo_error) && isfinite(e.nelo) && e.los > 0.99);
}

// --- the exact likelihood against a slow search -------------------------------------------------

// The search knows nothing of multipliers. It walks over the probabilities of all scores but two;
// those of the two then follow from the hypothesis. One of the two is the most frequent score.
typedef struct {
    likelihood_sample sample;
    bool normalised;
    double bound;                          // the mean, or t
    int dependent[2];                      // the two scores
    int free[LIKELIHOOD_CELLS], variables; // and the others
} hypothesis;

static double uniform(rng *r) { return (double)(rng_next(r) >> 11) * 0x1p-53; }

static double score_of(const hypothesis *h, int cell) {
    return (double)cell / (h->sample.cells - 1);
}

// Makes the `nth` choice of the second dependent score.
static void choose_dependent(hypothesis *h, int nth) {
    const double *counts = h->sample.counts;
    int most = 0;
    for (int i = 1; i < h->sample.cells; i++)
        if (counts[i] > counts[most])
            most = i;
    h->dependent[0] = most;
    h->dependent[1] = nth < most ? nth : nth + 1;
    h->variables = 0;
    for (int i = 0; i < h->sample.cells; i++)
        if (i != h->dependent[0] && i != h->dependent[1])
            h->free[h->variables++] = i;
}

// ln(L / L*) where the second dependent score has the share q.
static double complete(const hypothesis *h, double *p, double rest, double q) {
    double total = 0, sum = 0, mean = 0;
    p[h->dependent[0]] = rest - q;
    p[h->dependent[1]] = q;
    for (int i = 0; i < h->sample.cells; i++) {
        if (!(p[i] > 0))
            return -INFINITY;
        total += h->sample.counts[i];
        mean += p[i] * score_of(h, i);
    }
    if (h->normalised && (mean - 0.5) * h->bound < 0)
        return -INFINITY; // squaring the equation brought this one in
    for (int i = 0; i < h->sample.cells; i++)
        sum += h->sample.counts[i] * log(p[i] * total / h->sample.counts[i]);
    return sum;
}

// The best for free scores of probability e^y; -INFINITY where there is no such distribution.
static double slow_likelihood(const hypothesis *h, const double *y) {
    double p[LIKELIHOOD_CELLS] = {0}, rest = 1, mean = 0, square = 0, t = h->bound;
    for (int i = 0; i < h->variables; i++) {
        double a = score_of(h, h->free[i]), share = exp(y[i]);
        p[h->free[i]] = share;
        rest -= share;
        mean += share * a;
        square += share * a * a;
    }
    double first = score_of(h, h->dependent[0]), second = score_of(h, h->dependent[1]);
    mean += rest * first;
    square += rest * first * first;
    double w = second - first, w2 = second * second - first * first;
    if (!h->normalised)
        return complete(h, p, rest, (h->bound - mean) / w);
    // (mean + w q - 1/2)^2 = t^2 (square + w2 q - (mean + w q)^2)
    double a = w * w * (1 + t * t), b = 2 * w * (mean - 0.5) - t * t * (w2 - 2 * w * mean);
    double c = (mean - 0.5) * (mean - 0.5) - t * t * (square - mean * mean);
    double root = sqrt(b * b - 4 * a * c);
    return fmax(complete(h, p, rest, (-b - root) / (2 * a)),
                complete(h, p, rest, (-b + root) / (2 * a)));
}

// Climbs along one variable after the other, each with a step that doubles and turns.
static double climb(const hypothesis *h, double *y) {
    double best = slow_likelihood(h, y), steps[LIKELIHOOD_CELLS] = {1, 1, 1}, widest = 1;
    for (int sweep = 0; sweep < 400 && widest > 1e-6; sweep++) {
        widest = 0;
        for (int i = 0; i < h->variables; i++) {
            double before = y[i];
            y[i] += steps[i];
            double found = slow_likelihood(h, y);
            if (found <= best)
                y[i] = before;
            steps[i] *= found > best ? 2 : -0.5;
            best = fmax(best, found);
            widest = fmax(widest, fabs(steps[i]));
        }
    }
    return best;
}

static double climb_again(const hypothesis *h, double *y) {
    double before, found = -INFINITY;
    int rounds = 0;
    do {
        before = found;
        found = climb(h, y);
    } while (found > before + 1e-6 && ++rounds < 10);
    return found;
}

// From several starts, since there may be several peaks.
static double search_likelihood(hypothesis *h, rng *r) {
    double best = -INFINITY;
    for (int start = 0; start < 8; start++) {
        double y[LIKELIHOOD_CELLS];
        choose_dependent(h, start % (h->sample.cells - 1));
        do
            for (int i = 0; i < h->variables; i++)
                y[i] = log(uniform(r)) - 12 * uniform(r) * (double)(rng_next(r) % 2);
        while (slow_likelihood(h, y) == -INFINITY);
        best = fmax(best, climb_again(h, y));
    }
    return best;
}

// Counts from balanced to lopsided, some of them 0; games one time in four.
static likelihood_sample random_sample(rng *r) {
    likelihood_sample s = {.cells = rng_next(r) % 4 ? 5 : 3};
    double size = exp(2 + 7 * uniform(r));
    for (int i = 0; i < s.cells; i++)
        s.counts[i] = fmax(1e-3, floor(size * pow(uniform(r), 1 + 3 * uniform(r))));
    if (rng_next(r) % 4 == 0)
        s.counts[rng_next(r) % (uint64_t)s.cells] = 1e-3;
    return s;
}

static void test_against_search(void **state) {
    (void)state;
    rng r = {5};
    for (int i = 0; i < 1000; i++) {
        likelihood_sample s = random_sample(&r);
        bool normalised = i % 3 != 0;
        double found[2], exact[2], bounds[2];
        for (int k = 0; k < 2; k++) {
            double width = i % 10 == 0 ? 1 : 0.1; // a tenth of them wider than anybody needs
            double t = (2 * uniform(&r) - 1) * width;
            bounds[k] = normalised ? t : 0.5 + t / 3;
            hypothesis h = {.sample = s, .normalised = normalised, .bound = bounds[k]};
            found[k] = search_likelihood(&h, &r);
            exact[k] = (normalised ? likelihood_of_t : likelihood_of_mean)(&s, bounds[k]);
        }
        double error = fabs((exact[1] - exact[0]) - (found[1] - found[0]));
        if (error > 1e-4 * fmax(1, fabs(exact[1] - exact[0])))
            fail_msg("set %d: %g %g %g %g %g, bounds %g %g: %.8f %.8f, found %.8f %.8f", i,
                     s.counts[0], s.counts[1], s.counts[2], s.counts[3], s.counts[4], bounds[0],
                     bounds[1], exact[0], exact[1], found[0], found[1]);
    }
}

// Where nearly all pairs came out even the likelihood has several peaks; the highest counts.
static void test_highest_peak(void **state) {
    (void)state;
    static const likelihood_sample samples[] = {
        {5, {2, 1e-3, 88868, 1e-3, 1e-3}},    {5, {25, 11, 35016, 1e-3, 1e-3}},
        {5, {1e-3, 1e-3, 13, 1e-3, 1e-3}},    {5, {24, 1e-3, 2282, 1e-3, 1e-3}},
        {5, {2214, 43, 108156, 47, 12}},      {5, {1e-3, 2, 11573, 19, 1e-3}},
        {5, {1e-3, 1e-3, 34227, 1e-3, 1e-3}},
    };
    static const double ts[] = {0.01, 0.05, 0.2, 1, 2, 4};
    rng r = {6};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        for (size_t k = 0; k < sizeof ts / sizeof ts[0]; k++) {
            hypothesis h = {.sample = samples[i], .normalised = true, .bound = ts[k]};
            double found = search_likelihood(&h, &r);
            assert_true(likelihood_of_t(&samples[i], ts[k]) > found - 1e-4 * fmax(1, -found));
        }
}

// No counts and no bounds give anything but a finite number, and exchanging the players changes
// the sign only.
static void test_always_finite(void **state) {
    (void)state;
    static const int64_t sizes[] = {0, 1, 2, 1000, 50000000, INT64_C(4000000000000)};
    static const double bounds[][2] = {{0, 5},        {-5, 0},    {-1, 1},        {0, 1e-7},
                                       {-1000, 1000}, {990, 1e9}, {-1e300, 1e300}};
    rng r = {7};
    for (int i = 0; i < 4000; i++) {
        contest_score s = {0}, turned = {0};
        for (int k = 0; k < 5; k++)
            s.pairs[k] = i < 30 ? (k == i % 5) * sizes[i / 5] : sizes[rng_next(&r) % 6];
        if (i % 4 == 0)
            s = (contest_score){s.pairs[0], s.pairs[1], s.pairs[2], {0}};
        turned = (contest_score){s.losses, s.draws, s.wins, {0}};
        for (int k = 0; k < 5; k++)
            turned.pairs[k] = s.pairs[4 - k];
        for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
            contest_sprt t = {bounds[k][0], bounds[k][1], 0.05, 0.05, i % 2};
            contest_sprt back = {-bounds[k][1], -bounds[k][0], 0.05, 0.05, i % 2};
            double llr = contest_llr(&t, &s), other = contest_llr(&back, &turned);
            assert_true(isfinite(llr));
            double played = (double)(s.wins + s.draws + s.losses);
            for (int c = 0; c < 5; c++)
                played += (double)s.pairs[c];
            if (fabs(llr + other) > 1e-6 * fmax(1, fabs(llr)) + 1e-12 * played)
                fail_msg("%d %zu: %.9g and %.9g", i, k, llr, other);
        }
    }
}

// --- what the SPRT promises ---------------------------------------------------------------------

// A pair of games between players so far apart, a third of the games drawn.
static int random_pair(rng *r, double score) {
    int half_points = 0;
    for (int i = 0; i < 2; i++) {
        double u = uniform(r), draws = 1.0 / 3;
        half_points += u < draws ? 1 : u < draws + score - draws / 2 ? 2 : 0;
    }
    return half_points;
}

// How many of the runs end with H1.
static int count_accepted(const contest_sprt *t, double score, int runs, uint64_t seed) {
    rng r = {seed};
    int accepted = 0;
    int64_t pairs = 0;
    for (int i = 0; i < runs; i++) {
        contest_score s = {0};
        contest_sprt_verdict verdict;
        do {
            contest_add_pair(&s, random_pair(&r, score));
            pairs++;
        } while ((verdict = contest_sprt_judge(t, &s)) == SPRT_RUNNING);
        accepted += verdict == SPRT_ACCEPTED_H1;
    }
    print_message("[%g, %g] %s, score %.4f: H1 in %d of %d runs, %.0f pairs a run\n", t->elo0,
                  t->elo1, t->normalised ? "normalised" : "logistic", score, accepted, runs,
                  (double)pairs / runs);
    return accepted;
}

// With the truth at one of the bounds, a run in twenty ends wrongly; halfway, about every second
// one ends either way. 400 runs a side, 10,000 with KRATON_FULL; three deviations more or less are
// chance.
static void test_sprt_errors(void **state) {
    (void)state;
    int runs = getenv("KRATON_FULL") ? 10000 : 400;
    double most = 0.05 * runs + 3 * sqrt(0.05 * 0.95 * runs), half = runs / 2.0;
    for (int normalised = 0; normalised <= 1; normalised++) {
        contest_sprt t = {0, 40, 0.05, 0.05, normalised};
        // A game's variance is 1/4 less a quarter of the draws, less the gain's square.
        double gain = 1 / (1 + pow(10, -40.0 / 400)) - 0.5, nt = 40 * log(10) / 800;
        if (normalised)
            gain = nt * sqrt((0.25 - 1.0 / 12) / (1 + nt * nt));
        uint64_t seed = 1 + 3 * (uint64_t)normalised;
        int false_alarms = count_accepted(&t, 0.5, runs, seed);
        int missed = runs - count_accepted(&t, 0.5 + gain, runs, seed + 1);
        assert_true(false_alarms > 0.02 * runs && false_alarms < most);
        assert_true(missed > 0.02 * runs && missed < most);
        int even = count_accepted(&t, 0.5 + gain / 2, runs, seed + 2);
        assert_true(fabs(even - half) < 0.1 * runs);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),      cmocka_unit_test(test_sprt_bounds),
        cmocka_unit_test(test_sprt_verdicts),  cmocka_unit_test(test_sprt_waits),
        cmocka_unit_test(test_nothing_played), cmocka_unit_test(test_one_way),
        cmocka_unit_test(test_no_variance),    cmocka_unit_test(test_single_games),
        cmocka_unit_test(test_add_pair),       cmocka_unit_test(test_lopsided),
        cmocka_unit_test(test_sprt_errors),    cmocka_unit_test(test_exact_ratio),
        cmocka_unit_test(test_against_search), cmocka_unit_test(test_highest_peak),
        cmocka_unit_test(test_always_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
