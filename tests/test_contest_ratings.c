// Ratings of a field: known cases, anchors, groups, and how often the intervals hold.
#include "base/rng.h"
#include "contest/ratings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 12 };

static ratings fit_of(const ratings_problem *p) {
    ratings r;
    fault why;
    if (!ratings_fit(p, &r, &why))
        fail_msg("%s", why.line);
    return r;
}

static void assert_near(double value, double wanted, double margin) {
    if (!(fabs(value - wanted) <= margin))
        fail_msg("%.6f is not %.6f", value, wanted);
}

// Two players, only decided games: the difference is that of the score, its variance
// 1 / (n E (1 - E)) in natural units.
static void test_two_players(void **state) {
    (void)state;
    const ratings_row rows[] = {{0, 1, 45, 0, 15}, {1, 0, 10, 0, 30}};
    ratings_problem p = {2, rows, 2, NULL, 100, 0, 0};
    ratings r = fit_of(&p);
    assert_near(r.elo[0] - r.elo[1], 190.8485, 1e-3);
    assert_near((r.elo[0] + r.elo[1]) / 2, 100, 1e-9);
    // the likeliest draw rate is not quite 0: a draw was added
    assert_near(ratings_error_between(&r, 0, 1), 1.96 * 173.7178 / sqrt(100 * 0.1875), 1);
    assert_near(ratings_error(&r, 0), ratings_error_between(&r, 0, 1) / 2, 1e-9);
    assert_true(ratings_superiority(&r, 0, 1) > 0.999);
    assert_near(ratings_superiority(&r, 0, 1) + ratings_superiority(&r, 1, 0), 1, 1e-12);
    assert_near(ratings_expected(&r, 0, 1), 0.75, 1e-9);
    assert_int_equal(r.groups, 1);
    ratings_free(&r);
}

// Equal players; who begins scores 60 %.
static void test_advantage(void **state) {
    (void)state;
    const ratings_row rows[] = {{0, 1, 40, 40, 20}, {1, 0, 40, 40, 20}};
    ratings_problem p = {2, rows, 2, NULL, 0, NAN, 0};
    ratings r = fit_of(&p);
    assert_near(r.elo[0], 0, 1e-9);
    assert_near(r.advantage, 70.437, 1e-3);
    assert_true(r.has_advantage && r.advantage_error > 20 && r.advantage_error < 60);
    assert_near(r.draw_rate, 0.41, 0.02);
    ratings_free(&r);
    // Without games the other way round nobody can tell the advantage from strength.
    p.row_count = 1;
    r = fit_of(&p);
    assert_false(r.has_advantage);
    assert_near(r.elo[0] - r.elo[1], 70.437, 1e-3);
    ratings_free(&r);
}

// A win with the first move and a draw without fit an endless advantage: it is unknown.
static void test_endless_advantage(void **state) {
    (void)state;
    const ratings_row rows[] = {{0, 1, 1, 0, 0}, {1, 0, 0, 1, 0}};
    ratings_problem p = {2, rows, 2, NULL, 0, NAN, NAN};
    ratings r = fit_of(&p);
    assert_false(r.has_advantage);
    assert_near(r.elo[0] - r.elo[1], 190.8485, 1e-3);
    assert_true(ratings_error(&r, 0) > 500);
    ratings_free(&r);
}

// Draws make the errors smaller, not the ratings.
static void test_draws(void **state) {
    (void)state;
    const ratings_row decided[] = {{0, 1, 60, 0, 40}}, drawn[] = {{0, 1, 25, 70, 5}};
    ratings_problem p = {2, decided, 1, NULL, 0, 0, 0};
    ratings a = fit_of(&p);
    p.rows = drawn;
    ratings b = fit_of(&p);
    assert_near(a.elo[0], b.elo[0], 1e-9);
    // the variance of a game's score: 0.24, and 0.24 less a quarter of the draws
    assert_near(ratings_error(&b, 0) / ratings_error(&a, 0), sqrt(0.065 / 0.24), 0.02);
    ratings_free(&a);
    ratings_free(&b);
}

static void test_anchors(void **state) {
    (void)state;
    const ratings_row rows[] = {{0, 1, 30, 0, 10}, {1, 2, 30, 0, 10}, {2, 0, 5, 0, 35}};
    double anchors[] = {NAN, 2000, NAN};
    ratings_problem p = {3, rows, 3, anchors, 0, 0, 0};
    ratings r = fit_of(&p);
    p.anchors = NULL;
    ratings loose = fit_of(&p);
    assert_near(r.elo[1], 2000, 1e-9);
    assert_near(ratings_error(&r, 1), 0, 1e-12);
    for (int i = 0; i < 3; i++)
        assert_near(r.elo[i] - r.elo[1], loose.elo[i] - loose.elo[1], 1e-6);
    assert_near(ratings_error(&r, 0), ratings_error_between(&loose, 0, 1), 1e-6);
    // Two anchors may contradict the results; they stay where they are.
    anchors[2] = 2050;
    p.anchors = anchors;
    ratings both = fit_of(&p);
    assert_near(both.elo[1], 2000, 1e-9);
    assert_near(both.elo[2], 2050, 1e-9);
    assert_true(both.elo[0] > 2050);
    ratings_free(&r);
    ratings_free(&loose);
    ratings_free(&both);
}

// Who won or lost everything has no finite rating, unless draws are added.
static void test_prior(void **state) {
    (void)state;
    const ratings_row rows[] = {{0, 1, 10, 0, 10}, {0, 2, 20, 0, 0}, {2, 1, 0, 0, 20}};
    ratings_problem p = {3, rows, 3, NULL, 0, 0, 0};
    ratings r;
    fault why;
    assert_false(ratings_fit(&p, &r, &why));
    assert_non_null(strstr(why.line, "--prior"));
    p.prior = NAN;
    r = fit_of(&p);
    assert_near(r.prior, 1, 0);
    assert_near(r.elo[0], r.elo[1], 1e-6);
    assert_true(r.elo[2] < r.elo[0] - 300 && r.elo[2] > r.elo[0] - 2000);
    ratings_free(&r);
    p.row_count = 1;
    p.players = 2;
    r = fit_of(&p);
    assert_near(r.prior, 0, 0); // not needed
    ratings_free(&r);
}

static void test_groups(void **state) {
    (void)state;
    const ratings_row rows[] = {{0, 2, 3, 0, 1}, {1, 3, 1, 0, 1}, {3, 4, 5, 2, 1}};
    ratings_problem p = {5, rows, 3, NULL, 1500, NAN, NAN};
    ratings r = fit_of(&p);
    assert_int_equal(r.groups, 2);
    assert_true(r.group[0] == r.group[2] && r.group[1] == r.group[3] && r.group[3] == r.group[4]);
    assert_near((r.elo[0] + r.elo[2]) / 2, 1500, 1e-6);
    assert_near((r.elo[1] + r.elo[3] + r.elo[4]) / 3, 1500, 1e-6);
    assert_near(ratings_superiority(&r, 0, 1), 0.5, 0);
    ratings_free(&r);
}

// A field of eight, 50 games with each of two first, as Ordo 1.2.6 rates it: `ordo -a 0 -W -D -z
// 200.24 -s 2000`, then with `-A` the third player and `-w 25`. Its errors are those of 2,000
// simulations.
static void test_like_ordo(void **state) {
    (void)state;
    static const ratings_row rows[] = {
        {0, 1, 28, 16, 6},  {0, 2, 25, 18, 7},  {0, 3, 37, 11, 2},  {0, 4, 29, 14, 7},
        {0, 5, 31, 16, 3},  {0, 6, 38, 12, 0},  {0, 7, 39, 9, 2},   {1, 0, 16, 21, 13},
        {1, 2, 27, 15, 8},  {1, 3, 19, 28, 3},  {1, 4, 32, 13, 5},  {1, 5, 30, 13, 7},
        {1, 6, 35, 12, 3},  {1, 7, 41, 8, 1},   {2, 0, 8, 23, 19},  {2, 1, 13, 17, 20},
        {2, 3, 23, 18, 9},  {2, 4, 29, 14, 7},  {2, 5, 28, 13, 9},  {2, 6, 37, 13, 0},
        {2, 7, 29, 16, 5},  {3, 0, 10, 18, 22}, {3, 1, 10, 19, 21}, {3, 2, 15, 13, 22},
        {3, 4, 24, 16, 10}, {3, 5, 26, 18, 6},  {3, 6, 26, 20, 4},  {3, 7, 33, 12, 5},
        {4, 0, 2, 20, 28},  {4, 1, 9, 16, 25},  {4, 2, 8, 21, 21},  {4, 3, 11, 24, 15},
        {4, 5, 22, 20, 8},  {4, 6, 18, 22, 10}, {4, 7, 28, 17, 5},  {5, 0, 5, 16, 29},
        {5, 1, 6, 21, 23},  {5, 2, 11, 17, 22}, {5, 3, 15, 20, 15}, {5, 4, 12, 18, 20},
        {5, 6, 22, 23, 5},  {5, 7, 23, 20, 7},  {6, 0, 2, 6, 42},   {6, 1, 2, 16, 32},
        {6, 2, 6, 20, 24},  {6, 3, 10, 24, 16}, {6, 4, 14, 18, 18}, {6, 5, 15, 16, 19},
        {6, 7, 26, 20, 4},  {7, 0, 3, 10, 37},  {7, 1, 2, 13, 35},  {7, 2, 4, 16, 30},
        {7, 3, 8, 14, 28},  {7, 4, 11, 20, 19}, {7, 5, 6, 26, 18},  {7, 6, 15, 20, 15},
    };
    static const double elo[] = {175.629, 124.719, 65.557,   8.676,
                                 -38.548, -56.080, -115.922, -164.030};
    static const double errors[] = {20.563, 19.370, 18.947, 18.483, 18.472, 18.562, 19.045, 19.925};
    static const double anchored[] = {2109.389, 2058.787, 2000,     1943.491,
                                      1896.577, 1879.160, 1819.703, 1771.894};
    double anchors[8] = {NAN, NAN, 2000, NAN, NAN, NAN, NAN, NAN};
    ratings_problem p = {8, rows, sizeof rows / sizeof rows[0], NULL, 0, NAN, NAN};
    ratings r = fit_of(&p);
    assert_near(r.advantage, 38.81, 0.01);
    assert_near(r.draw_rate, 0.4027, 0.001);
    for (int i = 0; i < 8; i++) {
        assert_near(r.elo[i], elo[i], 0.01);
        assert_near(ratings_error(&r, i), errors[i], 0.5);
    }
    ratings_free(&r);
    p.anchors = anchors;
    p.advantage = 25;
    r = fit_of(&p);
    for (int i = 0; i < 8; i++)
        assert_near(r.elo[i], anchored[i], 0.01);
    ratings_free(&r);
}

// --- random fields ------------------------------------------------------------------------------

static double uniform(rng *r) { return ((double)(rng_next(r) >> 11) + 0.5) * 0x1p-53; }

static double normal(rng *r) {
    double length = sqrt(-2 * log(uniform(r)));
    return length * cos(2 * M_PI * uniform(r));
}

typedef struct {
    int players, row_count;
    double elo[MOST], advantage, draw_rate; // the truth
    ratings_row rows[MOST * MOST];
} field;

// `games` of every two players, with each first.
static field field_of(rng *r, int players, int games) {
    field f = {.players = players};
    double spread = 50 + 150 * uniform(r), mean = 0;
    f.advantage = 80 * uniform(r) - 20;
    f.draw_rate = 0.7 * uniform(r);
    for (int i = 0; i < f.players; i++)
        mean += f.elo[i] = spread * normal(r);
    for (int i = 0; i < f.players; i++)
        f.elo[i] -= mean / f.players;
    for (int a = 0; a < f.players; a++)
        for (int b = 0; b < f.players; b++) {
            if (a == b)
                continue;
            ratings_row *row = &f.rows[f.row_count++];
            *row = (ratings_row){.first = a, .second = b};
            double e = 1 / (1 + pow(10, (f.elo[b] - f.elo[a] - f.advantage) / 400)), win, draw;
            ratings_chances(e, f.draw_rate, &win, &draw);
            for (int i = 0; i < games; i++) {
                double u = uniform(r);
                *(u < win ? &row->wins : u < win + draw ? &row->draws : &row->losses) += 1;
            }
        }
    return f;
}

static field random_field(rng *r) {
    int players = 3 + (int)rng_below(r, MOST - 2);
    return field_of(r, players, 5 + (int)rng_below(r, 40));
}

// At the maximum every player's expected score is the actual one, and so is that of the first side.
static void test_expected_scores(void **state) {
    (void)state;
    rng seed = {11};
    for (int n = 0; n < 50; n++) {
        field f = random_field(&seed);
        ratings_problem p = {f.players, f.rows, (size_t)f.row_count, NULL, 0, NAN, 0};
        ratings r;
        fault why;
        if (!ratings_fit(&p, &r, &why))
            continue; // somebody won or lost everything
        double missing[MOST] = {0}, first = 0;
        for (int i = 0; i < f.row_count; i++) {
            const ratings_row *row = &f.rows[i];
            double d = r.elo[row->first] - r.elo[row->second] + r.advantage;
            double games = (double)(row->wins + row->draws + row->losses);
            double excess =
                (double)row->wins + (double)row->draws / 2 - games / (1 + pow(10, -d / 400));
            missing[row->first] += excess;
            missing[row->second] -= excess;
            first += excess;
        }
        for (int i = 0; i < f.players; i++)
            assert_near(missing[i], 0, 1e-4);
        assert_near(first, 0, 1e-4);
        ratings_free(&r);
    }
}

// The chances at any expected score are chances, and bring that score.
static void test_chances(void **state) {
    (void)state;
    for (double rate = 0; rate < 0.99; rate += 0.07)
        for (double e = 0.01; e < 1; e += 0.01) {
            double win, draw;
            ratings_chances(e, rate, &win, &draw);
            assert_true(win >= 0 && draw >= 0 && win + draw <= 1 + 1e-12);
            assert_near(win + draw / 2, e, 1e-12);
        }
    double win, draw;
    ratings_chances(0.5, 0.6, &win, &draw);
    assert_near(draw, 0.6, 1e-12);
}

typedef struct {
    int inside, all;
} coverage;

static void count_inside(coverage *c, double value, double truth, double error) {
    c->inside += fabs(value - truth) <= error;
    c->all++;
}

static void assert_covers(const char *what, const coverage *c) {
    double share = (double)c->inside / c->all;
    print_message("%s: %d of %d, %.1f %%, inside the 95 %% interval\n", what, c->inside, c->all,
                  100 * share);
    assert_true(share > 0.93 && share < 0.97);
}

// In 1,000 fields of 3 to 12 players the true values lie inside the intervals as often as promised.
static void test_coverage(void **state) {
    (void)state;
    rng seed = {3};
    coverage rating = {0}, difference = {0}, advantage = {0};
    for (int n = 0; n < 1000; n++) {
        field f = random_field(&seed);
        ratings_problem p = {f.players, f.rows, (size_t)f.row_count, NULL, 0, NAN, NAN};
        ratings r = fit_of(&p);
        for (int i = 0; i < f.players; i++)
            count_inside(&rating, r.elo[i], f.elo[i], ratings_error(&r, i));
        for (int i = 1; i < f.players; i++)
            count_inside(&difference, r.elo[i] - r.elo[0], f.elo[i] - f.elo[0],
                         ratings_error_between(&r, i, 0));
        count_inside(&advantage, r.advantage, f.advantage, r.advantage_error);
        ratings_free(&r);
    }
    assert_covers("ratings", &rating);
    assert_covers("differences", &difference);
    assert_covers("first-move advantage", &advantage);
}

// Few games: everyone plays two to six. The intervals are wide, and hold at least as often as
// promised.
static void test_few_games(void **state) {
    (void)state;
    rng seed = {5};
    coverage rating = {0}, difference = {0};
    for (int n = 0; n < 2000; n++) {
        field f = field_of(&seed, 2 + (int)rng_below(&seed, 3), 1);
        ratings_problem p = {f.players, f.rows, (size_t)f.row_count, NULL, 0, NAN, NAN};
        ratings r = fit_of(&p);
        for (int i = 0; i < f.players; i++)
            count_inside(&rating, r.elo[i], f.elo[i], ratings_error(&r, i));
        for (int i = 1; i < f.players; i++)
            count_inside(&difference, r.elo[i] - r.elo[0], f.elo[i] - f.elo[0],
                         ratings_error_between(&r, i, 0));
        ratings_free(&r);
    }
    print_message("few games: %.1f %% of the ratings, %.1f %% of the differences\n",
                  100.0 * rating.inside / rating.all, 100.0 * difference.inside / difference.all);
    assert_true(rating.inside > 0.945 * rating.all && difference.inside > 0.945 * difference.all);
}

// 20,000 players and 200,000 games: the sampled errors hold as the computed ones do.
static void test_large_field(void **state) {
    (void)state;
    enum { PLAYERS = 20000, GAMES = 200000 };
    rng seed = {7};
    double *truth = malloc(PLAYERS * sizeof *truth);
    ratings_row *rows = calloc(GAMES, sizeof *rows);
    assert_true(truth && rows);
    for (int i = 0; i < PLAYERS; i++)
        truth[i] = 100 * normal(&seed);
    for (int i = 0; i < GAMES; i++) {
        int a = (int)rng_below(&seed, PLAYERS);
        int b = (a + 1 + (int)rng_below(&seed, PLAYERS - 1)) % PLAYERS;
        double e = 1 / (1 + pow(10, (truth[b] - truth[a] - 30) / 400)), win, draw, u;
        ratings_chances(e, 0.4, &win, &draw);
        u = uniform(&seed);
        rows[i] = (ratings_row){a, b, u < win, u >= win && u < win + draw, u >= win + draw};
    }
    ratings_problem p = {PLAYERS, rows, GAMES, NULL, 0, NAN, NAN};
    ratings r = fit_of(&p);
    coverage rating = {0}, difference = {0}; // between neighbours in the list of players
    double mean = 0;
    for (int i = 0; i < PLAYERS; i++)
        mean += truth[i] / PLAYERS;
    for (int i = 0; i < PLAYERS; i++) {
        count_inside(&rating, r.elo[i], truth[i] - mean, ratings_error(&r, i));
        int k = (i + 1) % PLAYERS;
        count_inside(&difference, r.elo[i] - r.elo[k], truth[i] - truth[k],
                     ratings_error_between(&r, i, k));
    }
    assert_covers("differences in a large field", &difference);
    assert_covers("ratings of a large field", &rating);
    assert_near(r.advantage, 30, 2 * r.advantage_error);
    ratings_free(&r);
    free(truth);
    free(rows);
}

// The likelihood of many games is rounded more coarsely than the last steps change it.
static void test_many_large_fields(void **state) {
    (void)state;
    enum { PLAYERS = 1000, GAMES = 10000, FIELDS = 12 };
    double *truth = calloc(PLAYERS, sizeof *truth);
    ratings_row *rows = calloc(GAMES, sizeof *rows);
    assert_true(truth && rows);
    for (uint64_t n = 0; n < FIELDS; n++) {
        rng seed = {n};
        for (int i = 0; i < PLAYERS; i++)
            truth[i] = 200 * normal(&seed);
        for (int i = 0; i < GAMES; i++) {
            int a = (int)rng_below(&seed, PLAYERS);
            int b = (a + 1 + (int)rng_below(&seed, PLAYERS - 1)) % PLAYERS;
            bool drawn = uniform(&seed) < 0.2;
            bool won = uniform(&seed) < 1 / (1 + pow(10, (truth[b] - truth[a]) / 400));
            rows[i] = (ratings_row){a, b, !drawn && won, drawn, !drawn && !won};
        }
        ratings_problem p = {PLAYERS, rows, GAMES, NULL, 0, NAN, NAN};
        ratings r = fit_of(&p);
        assert_true(r.has_advantage);
        assert_near(r.advantage, 0, 2 * r.advantage_error);
        ratings_free(&r);
    }
    free(truth);
    free(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_players),
        cmocka_unit_test(test_advantage),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_prior),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_chances),
        cmocka_unit_test(test_expected_scores),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_like_ordo),
        cmocka_unit_test(test_endless_advantage),
        cmocka_unit_test(test_few_games),
        cmocka_unit_test(test_large_field),
        cmocka_unit_test(test_many_large_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
