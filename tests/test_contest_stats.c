// Elo, normalised Elo, LOS and the SPRT against published tests of Stockfish.
#include "base/rng.h"
#include "contest/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static contest_score pairs_of(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e) {
    return (contest_score){.pairs = {a, b, c, d, e}};
}

// As printed to so many decimals.
static void assert_prints(double value, int decimals, const char *printed) {
    char text[64];
    snprintf(text, sizeof text, "%.*f", decimals, value);
    assert_string_equal(text, printed);
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
    assert_true(e.score == 0.5 && e.elo == 0 && e.nelo == 0 && e.los == 0.5 && e.draw_ratio == 0);
    assert_true(isinf(e.elo_error) && isinf(e.nelo_error));
    assert_true(contest_llr(&t, &none) == 0);
    assert_int_equal(contest_sprt_judge(&t, &none), SPRT_RUNNING);
}

static void test_one_way(void **state) {
    (void)state;
    contest_score won = pairs_of(0, 0, 0, 0, 10), lost = pairs_of(10, 0, 0, 0, 0);
    contest_estimate e = contest_estimate_of(&won);
    assert_true(e.score == 1 && e.elo == INFINITY && e.nelo == INFINITY && e.los == 1);
    assert_true(e.elo_error == INFINITY && e.nelo_error == INFINITY);
    e = contest_estimate_of(&lost);
    assert_true(e.score == 0 && e.elo == -INFINITY && e.nelo == -INFINITY && e.los == 0);
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
    assert_true(e.score == 0.5 && e.elo == 0 && e.elo_error == 0 && e.nelo == 0 && e.los == 0.5);
    assert_true(isfinite(e.nelo_error));
    e = contest_estimate_of(&above);
    assert_true(e.score == 0.75 && e.elo_error == 0 && e.nelo == INFINITY && e.los == 1);
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
    // variance 0.1225, deviation of the mean 0.035: 1.4286 of them above one half
    assert_prints(e.los, 4, "0.9234");
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

// --- what the SPRT promises
// -----------------------------------------------------------------------

// A pair of games between players so far apart, a third of the games drawn.
static int random_pair(rng *r, double score) {
    int half_points = 0;
    for (int i = 0; i < 2; i++) {
        double u = (double)(rng_next(r) >> 11) * 0x1p-53, draws = 1.0 / 3;
        half_points += u < draws ? 1 : u < draws + score - draws / 2 ? 2 : 0;
    }
    return half_points;
}

static int share_accepted(const contest_sprt *t, double score, int runs, uint64_t seed) {
    rng r = {seed};
    int accepted = 0;
    for (int i = 0; i < runs; i++) {
        contest_score s = {0};
        contest_sprt_verdict verdict;
        do
            contest_add_pair(&s, random_pair(&r, score));
        while ((verdict = contest_sprt_judge(t, &s)) == SPRT_RUNNING);
        accepted += verdict == SPRT_ACCEPTED_H1;
    }
    return accepted;
}

// With the truth at one of the bounds, a run in twenty ends wrongly; in the middle, about every
// second one ends either way. Among 400 runs 5 % are 20, and 34 would be three deviations more.
static void test_sprt_errors(void **state) {
    (void)state;
    contest_sprt t = {0, 20, 0.05, 0.05, false};
    double at_elo1 = 1 / (1 + pow(10, -20.0 / 400)), between = (0.5 + at_elo1) / 2;
    int false_alarms = share_accepted(&t, 0.5, 400, 1);
    int missed = 400 - share_accepted(&t, at_elo1, 400, 2);
    int even = share_accepted(&t, between, 400, 3);
    assert_true(false_alarms >= 6 && false_alarms <= 34);
    assert_true(missed >= 6 && missed <= 34);
    assert_true(even >= 160 && even <= 240);
    t.normalised = true;
    assert_true(share_accepted(&t, 0.5, 400, 4) <= 34);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),      cmocka_unit_test(test_sprt_bounds),
        cmocka_unit_test(test_sprt_verdicts),  cmocka_unit_test(test_sprt_waits),
        cmocka_unit_test(test_nothing_played), cmocka_unit_test(test_one_way),
        cmocka_unit_test(test_no_variance),    cmocka_unit_test(test_single_games),
        cmocka_unit_test(test_add_pair),       cmocka_unit_test(test_lopsided),
        cmocka_unit_test(test_sprt_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
