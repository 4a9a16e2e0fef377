#include "contest/ratings.h"

#include <math.h>
#include <stdlib.h>

// Inside, ratings are in natural units: the logarithm of the odds.
static const double ELO = 400 / 2.302585092994045684;
static const double Z95 = 1.959963984540054;
static const double FARTHEST = 30; // a rating beyond, 5,000 Elo, has no finite maximum

// The unknowns: the players without an anchor, then the advantage if it is estimated.
typedef struct {
    const ratings_problem *p;
    ratings *r;
    double prior, advantage;
    bool estimates_advantage;
    double *theta;     // by player
    double *weight;    // players * players: virtual draws of two players
    int *unknown;      // by player: its place, or -1
    int free, size;    // players among the unknowns, and all unknowns
    double *matrix;    // size * size
    double *gradient;  // size
    double *other;     // size * size
    bool *is_anchored; // by group
} fit;

static double logistic(double x) { return 1 / (1 + exp(-x)); }

static double score_of(const ratings_row *row) {
    return (double)row->wins + (double)row->draws / 2;
}

static double games_of(const ratings_row *row) {
    return (double)row->wins + (double)row->draws + (double)row->losses;
}

// --- draws --------------------------------------------------------------------------------------

// D^2 = nu^2 W L with W + D/2 = E and W + D + L = 1 is a quadratic equation for D. Equal players
// have D = nu / (2 + nu).
static double draw_chance(double expected, double nu) {
    double a = 1 - nu * nu / 4, b = nu * nu / 2, c = nu * nu * expected * (1 - expected);
    double root = sqrt(fmax(0, b * b + 4 * a * c));
    return b + root > 0 ? 2 * c / (b + root) : 0;
}

static double nu_of_rate(double rate) { return 2 * rate / (1 - rate); }

void ratings_chances(double expected, double draw_rate, double *win, double *draw) {
    *draw = draw_chance(expected, nu_of_rate(draw_rate));
    *win = expected - *draw / 2;
}

// The expected score of the player who moves first.
static double expected_of(const fit *f, const ratings_row *row) {
    return logistic(f->theta[row->first] - f->theta[row->second] + f->advantage);
}

// The log-likelihood of wins, draws and losses for a draw rate of equal players. A draw and a
// decided game of equal players are added, so that no rate is 0 or 1.
static double draw_likelihood(const fit *f, double rate) {
    double sum = log(rate) + log(1 - rate);
    for (size_t i = 0; i < f->p->row_count; i++) {
        const ratings_row *row = &f->p->rows[i];
        double e = expected_of(f, row), d = draw_chance(e, nu_of_rate(rate));
        sum += (double)row->draws * log(fmax(d, 1e-300));
        sum += (double)row->wins * log(fmax(e - d / 2, 1e-300));
        sum += (double)row->losses * log(fmax(1 - e - d / 2, 1e-300));
    }
    return sum;
}

// The likeliest draw rate, by golden section.
static double find_draw_rate(const fit *f) {
    const double GOLDEN = 0.618033988749895;
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double left = high - GOLDEN * (high - low), right = low + GOLDEN * (high - low);
        if (draw_likelihood(f, left) < draw_likelihood(f, right))
            low = left;
        else
            high = right;
    }
    return (low + high) / 2;
}

// --- groups -------------------------------------------------------------------------------------

static int find_root(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// Numbers the groups of players that games connect.
static void find_groups(const ratings_problem *p, ratings *r, int *parent) {
    for (int i = 0; i < p->players; i++)
        parent[i] = i;
    for (size_t i = 0; i < p->row_count; i++)
        if (games_of(&p->rows[i]) > 0)
            parent[find_root(parent, p->rows[i].first)] = find_root(parent, p->rows[i].second);
    r->groups = 0;
    for (int i = 0; i < p->players; i++)
        r->group[i] = -1;
    for (int i = 0; i < p->players; i++) {
        int root = find_root(parent, i);
        if (r->group[root] < 0)
            r->group[root] = r->groups++;
        r->group[i] = r->group[root];
    }
}

static bool has_anchor(const ratings_problem *p, int player) {
    return p->anchors && !isnan(p->anchors[player]);
}

// Whether the points taken lead, from player to player, between any two of a group. Anchors count
// as one player. Only then all ratings are finite (Ford 1957).
static bool reaches_all(const ratings_problem *p, const ratings *r, bool forward, bool *seen) {
    for (int i = 0; i < p->players; i++)
        seen[i] = false;
    for (int g = 0; g < r->groups; g++) { // one start a group: an anchor if there is one
        int start = -1;
        for (int i = 0; i < p->players; i++)
            if (r->group[i] == g && (start < 0 || has_anchor(p, i)))
                start = i;
        seen[start] = true;
    }
    for (int i = 0; i < p->players; i++)
        seen[i] |= has_anchor(p, i);
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t i = 0; i < p->row_count; i++) {
            const ratings_row *row = &p->rows[i];
            bool first_scored = row->wins || row->draws, second_scored = row->losses || row->draws;
            int a = row->first, b = row->second;
            if (seen[a] && !seen[b] && (forward ? first_scored : second_scored))
                grows = seen[b] = true;
            if (seen[b] && !seen[a] && (forward ? second_scored : first_scored))
                grows = seen[a] = true;
        }
    }
    for (int i = 0; i < p->players; i++)
        if (!seen[i])
            return false;
    return true;
}

static bool is_finite_without_prior(const ratings_problem *p, const ratings *r, bool *seen) {
    return reaches_all(p, r, true, seen) && reaches_all(p, r, false, seen);
}

// Spreads every player's virtual draws over the opponents.
static void spread_prior(fit *f) {
    int n = f->p->players;
    double *games = f->gradient; // has room for n numbers
    for (int i = 0; i < n; i++)
        games[i] = 0;
    for (size_t i = 0; i < f->p->row_count; i++) {
        games[f->p->rows[i].first] += games_of(&f->p->rows[i]);
        games[f->p->rows[i].second] += games_of(&f->p->rows[i]);
    }
    for (size_t i = 0; i < f->p->row_count; i++) {
        const ratings_row *row = &f->p->rows[i];
        double both = games_of(row);
        if (both == 0)
            continue;
        double draws = f->prior * both * (1 / games[row->first] + 1 / games[row->second]);
        f->weight[row->first * n + row->second] += draws;
    }
}

// --- linear equations ---------------------------------------------------------------------------

// Replaces a symmetric matrix by its Cholesky factor. False if it is not positive definite.
static bool factorise(double *m, int n) {
    for (int j = 0; j < n; j++) {
        double *row = m + (size_t)j * (size_t)n, before = row[j], rest = before;
        for (int k = 0; k < j; k++)
            rest -= row[k] * row[k];
        if (!(rest > 1e-10 * before))
            return false;
        row[j] = sqrt(rest);
        for (int i = j + 1; i < n; i++) {
            double *below = m + (size_t)i * (size_t)n, sum = below[j];
            for (int k = 0; k < j; k++)
                sum -= below[k] * row[k];
            below[j] = sum / row[j];
        }
    }
    return true;
}

// Solves L L' x = b in place.
static void solve(const double *m, int n, double *b) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= m[(size_t)i * (size_t)n + (size_t)k] * b[k];
        b[i] /= m[(size_t)i * (size_t)n + (size_t)i];
    }
    for (int i = n - 1; i >= 0; i--) {
        b[i] /= m[(size_t)i * (size_t)n + (size_t)i];
        for (int k = 0; k < i; k++)
            b[k] -= m[(size_t)i * (size_t)n + (size_t)k] * b[i];
    }
}

// Adds w x x' to the lower half, where x is the derivative of a row's difference by the unknowns.
static void add_outer(const fit *f, double *m, int first, int second, bool moves_first, double w) {
    int at[3], count = 0;
    double x[3];
    if (f->unknown[first] >= 0)
        at[count] = f->unknown[first], x[count++] = 1;
    if (f->unknown[second] >= 0)
        at[count] = f->unknown[second], x[count++] = -1;
    if (moves_first && f->estimates_advantage)
        at[count] = f->free, x[count++] = 1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (at[i] >= at[k])
                m[(size_t)at[i] * (size_t)f->size + (size_t)at[k]] += w * x[i] * x[k];
}

static void add_gradient(const fit *f, int first, int second, bool moves_first, double excess) {
    if (f->unknown[first] >= 0)
        f->gradient[f->unknown[first]] += excess;
    if (f->unknown[second] >= 0)
        f->gradient[f->unknown[second]] -= excess;
    if (moves_first && f->estimates_advantage)
        f->gradient[f->free] += excess;
}

// Without an anchor only differences count. Adding 1/n for each two players of a group makes the
// matrix definite and keeps the sum of their ratings.
static void add_centres(const fit *f, double *m) {
    for (int a = 0; a < f->p->players; a++)
        for (int b = 0; b < f->p->players; b++) {
            int group = f->r->group[a];
            if (group != f->r->group[b] || f->is_anchored[group] || f->unknown[a] < f->unknown[b])
                continue;
            m[(size_t)f->unknown[a] * (size_t)f->size + (size_t)f->unknown[b]] +=
                1.0 / f->p->players;
        }
}

// --- the maximum --------------------------------------------------------------------------------

static double likelihood(const fit *f) {
    double sum = 0;
    for (size_t i = 0; i < f->p->row_count; i++) {
        const ratings_row *row = &f->p->rows[i];
        double d = f->theta[row->first] - f->theta[row->second] + f->advantage;
        double s = score_of(row), n = games_of(row);
        sum += s * d - n * (d > 0 ? d + log1p(exp(-d)) : log1p(exp(d)));
    }
    for (int a = 0; f->prior > 0 && a < f->p->players; a++)
        for (int b = 0; b < f->p->players; b++) {
            double w = f->weight[a * f->p->players + b], d = f->theta[a] - f->theta[b];
            if (w > 0)
                sum += w * (d / 2 - (d > 0 ? d + log1p(exp(-d)) : log1p(exp(d))));
        }
    return sum;
}

// The first derivatives and, less their sign, the second ones.
static void differentiate(fit *f) {
    for (int i = 0; i < f->size; i++)
        f->gradient[i] = 0;
    for (size_t i = 0; i < (size_t)f->size * (size_t)f->size; i++)
        f->matrix[i] = 0;
    for (size_t i = 0; i < f->p->row_count; i++) {
        const ratings_row *row = &f->p->rows[i];
        double e = expected_of(f, row), n = games_of(row);
        add_gradient(f, row->first, row->second, true, score_of(row) - n * e);
        add_outer(f, f->matrix, row->first, row->second, true, n * e * (1 - e));
    }
    for (int a = 0; f->prior > 0 && a < f->p->players; a++)
        for (int b = 0; b < f->p->players; b++) {
            double w = f->weight[a * f->p->players + b];
            double e = logistic(f->theta[a] - f->theta[b]);
            if (w > 0) {
                add_gradient(f, a, b, false, w * (0.5 - e));
                add_outer(f, f->matrix, a, b, false, w * e * (1 - e));
            }
        }
    add_centres(f, f->matrix);
}

static void move_by(fit *f, double share) {
    for (int i = 0; i < f->p->players; i++)
        if (f->unknown[i] >= 0)
            f->theta[i] += share * f->gradient[f->unknown[i]];
    if (f->estimates_advantage)
        f->advantage += share * f->gradient[f->free];
}

// Newton's method; a step that does not help is halved. The likelihood is concave.
static bool climb(fit *f) {
    double before = likelihood(f);
    for (int step = 0; step < 100; step++) {
        differentiate(f);
        if (!factorise(f->matrix, f->size))
            return false;
        solve(f->matrix, f->size, f->gradient);
        double longest = 0, share = 1;
        for (int i = 0; i < f->size; i++)
            longest = fmax(longest, fabs(f->gradient[i]));
        if (longest > 2)
            share = 2 / longest;
        move_by(f, share);
        double now = likelihood(f);
        for (int halved = 0; now < before && halved < 40; halved++) {
            share /= 2;
            move_by(f, -share);
            now = likelihood(f);
        }
        if (longest < 1e-10 || (now <= before && longest < 1e-6))
            return true;
        before = now;
        for (int i = 0; i < f->p->players; i++)
            if (fabs(f->theta[i]) > FARTHEST || fabs(f->advantage) > FARTHEST)
                return false;
    }
    return false;
}

// Numbers the unknowns and starts at 0, or at the anchors.
static void begin(fit *f) {
    const ratings_problem *p = f->p;
    f->free = 0;
    double centre = 0;
    int anchors = 0;
    for (int i = 0; i < p->players; i++)
        if (has_anchor(p, i))
            centre += p->anchors[i] / ELO, anchors++;
    for (int i = 0; i < p->players; i++) {
        bool fixed = has_anchor(p, i);
        f->unknown[i] = fixed ? -1 : f->free++;
        f->theta[i] = fixed ? p->anchors[i] / ELO - centre / anchors : 0;
        if (fixed)
            f->is_anchored[f->r->group[i]] = true;
    }
    f->advantage = isnan(p->advantage) ? 0 : p->advantage / ELO;
    f->size = f->free + f->estimates_advantage;
}

// --- errors -------------------------------------------------------------------------------------

// A is the inverse of the second derivatives, V the variance of the first ones, which draws make
// smaller; the covariance is A V A. Leaves A V A in `other`.
static void find_covariance(fit *f) {
    int n = f->size;
    double nu = nu_of_rate(f->r->draw_rate);
    differentiate(f);
    if (!factorise(f->matrix, n))
        return;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        f->other[i] = 0;
    for (size_t i = 0; i < f->p->row_count; i++) {
        const ratings_row *row = &f->p->rows[i];
        double e = expected_of(f, row), variance = e * (1 - e) - draw_chance(e, nu) / 4;
        add_outer(f, f->other, row->first, row->second, true, games_of(row) * variance);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            f->other[(size_t)k * (size_t)n + (size_t)i] =
                f->other[(size_t)i * (size_t)n + (size_t)k];
    for (int i = 0; i < n; i++) // V A, row by row: V and A are symmetric
        solve(f->matrix, n, f->other + (size_t)i * (size_t)n);
    for (int k = 0; k < n; k++) { // A (V A), column by column
        for (int i = 0; i < n; i++)
            f->gradient[i] = f->other[(size_t)i * (size_t)n + (size_t)k];
        solve(f->matrix, n, f->gradient);
        for (int i = 0; i < n; i++)
            f->other[(size_t)i * (size_t)n + (size_t)k] = f->gradient[i];
    }
}

static void fill_in(fit *f) {
    const ratings_problem *p = f->p;
    ratings *r = f->r;
    r->draw_rate = find_draw_rate(f);
    find_covariance(f);
    double *sums = f->gradient, *counts = f->matrix; // by group
    for (int g = 0; g < r->groups; g++)
        sums[g] = counts[g] = 0;
    for (int i = 0; i < p->players; i++) {
        double shift = has_anchor(p, i) ? p->anchors[i] - ELO * f->theta[i] : ELO * f->theta[i];
        if (f->is_anchored[r->group[i]] ? has_anchor(p, i) : true)
            sums[r->group[i]] += shift, counts[r->group[i]]++;
    }
    for (int i = 0; i < p->players; i++) {
        int g = r->group[i];
        double mean = sums[g] / counts[g];
        r->elo[i] = ELO * f->theta[i] + (f->is_anchored[g] ? mean : p->average - mean);
        for (int k = 0; k < p->players; k++)
            if (f->unknown[i] >= 0 && f->unknown[k] >= 0)
                r->covariance[i * p->players + k] =
                    ELO * ELO *
                    f->other[(size_t)f->unknown[i] * (size_t)f->size + (size_t)f->unknown[k]];
    }
    r->prior = f->prior;
    r->has_advantage = f->estimates_advantage || !isnan(p->advantage);
    r->advantage = ELO * f->advantage;
    size_t last = (size_t)f->size * (size_t)f->size - 1;
    r->advantage_error = f->estimates_advantage ? Z95 * ELO * sqrt(f->other[last]) : 0;
}

// --- the whole ----------------------------------------------------------------------------------

// Estimates with the advantage if it is wanted, or else, if the results say nothing about it,
// without.
static bool estimate(fit *f) {
    f->estimates_advantage = isnan(f->p->advantage);
    begin(f);
    if (climb(f))
        return true;
    if (!f->estimates_advantage)
        return false;
    f->estimates_advantage = false;
    begin(f);
    return climb(f);
}

static bool allocate(fit *f, bool **seen) {
    size_t n = (size_t)f->p->players, most = n + 1;
    ratings *r = f->r;
    r->elo = calloc(n, sizeof *r->elo);
    r->covariance = calloc(n * n, sizeof *r->covariance);
    r->group = calloc(n, sizeof *r->group);
    f->theta = calloc(n, sizeof *f->theta);
    f->weight = calloc(n * n, sizeof *f->weight);
    f->unknown = calloc(n, sizeof *f->unknown);
    f->matrix = calloc(most * most, sizeof *f->matrix);
    f->other = calloc(most * most, sizeof *f->other);
    f->gradient = calloc(most, sizeof *f->gradient);
    f->is_anchored = calloc(n, sizeof *f->is_anchored);
    *seen = calloc(n, sizeof **seen);
    return r->elo && r->covariance && r->group && f->theta && f->weight && f->unknown &&
           f->matrix && f->other && f->gradient && f->is_anchored && *seen;
}

static void free_fit(fit *f) {
    free(f->theta);
    free(f->weight);
    free(f->unknown);
    free(f->matrix);
    free(f->other);
    free(f->gradient);
    free(f->is_anchored);
}

bool ratings_fit(const ratings_problem *p, ratings *r, fault *why) {
    fit f = {.p = p, .r = r};
    bool *seen = NULL, good;
    *r = (ratings){.players = p->players};
    if (!allocate(&f, &seen)) {
        good = fault_set(why, "out of memory");
    } else {
        find_groups(p, r, f.unknown);
        f.prior = isnan(p->prior) ? !is_finite_without_prior(p, r, seen) : p->prior;
        if (f.prior > 0)
            spread_prior(&f);
        good = estimate(&f) || fault_set(why, "no finite ratings fit these results%s",
                                         f.prior > 0 ? ""
                                                     : " (--prior 1 adds a draw to each "
                                                       "player)");
        if (good)
            fill_in(&f);
    }
    free(seen);
    free_fit(&f);
    if (!good)
        ratings_free(r);
    return good;
}

void ratings_free(ratings *r) {
    free(r->elo);
    free(r->covariance);
    free(r->group);
    *r = (ratings){0};
}

static double variance_of(const ratings *r, int a, int b) {
    return r->covariance[a * r->players + b];
}

double ratings_error(const ratings *r, int player) {
    return Z95 * sqrt(fmax(0, variance_of(r, player, player)));
}

double ratings_error_between(const ratings *r, int a, int b) {
    return Z95 * sqrt(fmax(0, variance_of(r, a, a) + variance_of(r, b, b) - variance_of(r, a, b) -
                                  variance_of(r, b, a)));
}

double ratings_superiority(const ratings *r, int a, int b) {
    double error = ratings_error_between(r, a, b) / Z95, difference = r->elo[a] - r->elo[b];
    if (r->group[a] != r->group[b] || (error == 0 && difference == 0))
        return 0.5;
    return 0.5 * erfc(-difference / error * M_SQRT1_2);
}

double ratings_expected(const ratings *r, int a, int b) {
    double d = (r->elo[a] - r->elo[b]) / ELO, h = r->advantage / ELO;
    return (logistic(d + h) + logistic(d - h)) / 2;
}
