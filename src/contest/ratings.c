#include "contest/ratings.h"

#include "base/rng.h"
#include "contest/distributions.h"
#include "contest/field.h"

#include <math.h>
#include <stdlib.h>

// Inside, ratings are in natural units: the logarithm of the odds.
static const double ELO = 400 / 2.302585092994045684;
static const double MOST_ADVANTAGE = 1000;
static const double FARTHEST = 30; // a rating beyond, 5,000 Elo, has no finite maximum

// Up to so many players the covariance is computed; beyond, it is that of so many random draws, a
// multiple of FIELD_LANES. Then errors are within 3.5 % of the computed ones, two times out of
// three.
enum { EXACT_PLAYERS = 300, DRAWS = 400 };

// The unknowns: the players without an anchor, and the advantage if it is estimated.
typedef struct {
    const ratings_problem *p;
    ratings *r;
    double prior, advantage;
    double *theta;       // by player
    double *virtual;     // by row: virtual draws
    double *expected;    // by row: the expected score of the first
    int *rows_of, *from; // the rows of player i are rows_of[from[i]] to rows_of[from[i + 1] - 1]
    int *queue;          // players
    bool *is_fixed;      // by player: it has an anchor
    bool *is_held;       // by group: it has such a player
    field field;
    field_lanes *right, *step; // players + 1, as the field's
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

static void find_expected(fit *f) {
    for (size_t i = 0; i < f->p->row_count; i++)
        f->expected[i] = expected_of(f, &f->p->rows[i]);
}

// The log-likelihood of wins, draws and losses for a draw rate of equal players. A draw and a
// decided game of equal players are added, so that no rate is 0 or 1.
static double draw_likelihood(const fit *f, double rate) {
    double sum = log(rate) + log(1 - rate);
    for (size_t i = 0; i < f->p->row_count; i++) {
        const ratings_row *row = &f->p->rows[i];
        double e = f->expected[i], d = draw_chance(e, nu_of_rate(rate));
        sum += (double)row->draws * log(fmax(d, 1e-300));
        sum += (double)row->wins * log(fmax(e - d / 2, 1e-300));
        sum += (double)row->losses * log(fmax(1 - e - d / 2, 1e-300));
    }
    return sum;
}

// The likeliest draw rate, by golden section.
static double find_draw_rate(const fit *f) {
    const double GOLDEN = 0.618033988749895;
    double low = 0, high = 1, left = 1 - GOLDEN, right = GOLDEN;
    double at_left = draw_likelihood(f, left), at_right = draw_likelihood(f, right);
    while (high - low > 1e-7) {
        if (at_left < at_right) {
            low = left;
            left = right, at_left = at_right;
            right = low + GOLDEN * (high - low), at_right = draw_likelihood(f, right);
        } else {
            high = right;
            right = left, at_right = at_left;
            left = high - GOLDEN * (high - low), at_left = draw_likelihood(f, left);
        }
    }
    return (low + high) / 2;
}

// --- groups -------------------------------------------------------------------------------------

static bool has_anchor(const ratings_problem *p, int player) {
    return p->anchors && !isnan(p->anchors[player]);
}

static int other_in(const ratings_row *row, int player) {
    return row->first == player ? row->second : row->first;
}

// Lists the rows of every player.
static void list_rows(fit *f) {
    const ratings_problem *p = f->p;
    for (size_t i = 0; i < p->row_count; i++) {
        f->from[p->rows[i].first + 1]++;
        f->from[p->rows[i].second + 1]++;
    }
    for (int i = 0; i < p->players; i++)
        f->from[i + 1] += f->from[i];
    int *next = f->queue; // where the next row of a player goes
    for (int i = 0; i < p->players; i++)
        next[i] = f->from[i];
    for (size_t i = 0; i < p->row_count; i++) {
        f->rows_of[next[p->rows[i].first]++] = (int)i;
        f->rows_of[next[p->rows[i].second]++] = (int)i;
    }
}

// Numbers the groups of players that games connect, and finds those with anchors.
static void find_groups(fit *f) {
    const ratings_problem *p = f->p;
    ratings *r = f->r;
    r->groups = 0;
    for (int i = 0; i < p->players; i++)
        r->group[i] = -1;
    for (int i = 0; i < p->players; i++) {
        if (r->group[i] >= 0)
            continue;
        int count = 0, group = r->groups++;
        f->queue[count++] = i;
        r->group[i] = group;
        for (int at = 0; at < count; at++)
            for (int k = f->from[f->queue[at]]; k < f->from[f->queue[at] + 1]; k++) {
                const ratings_row *row = &p->rows[f->rows_of[k]];
                int other = other_in(row, f->queue[at]);
                if (games_of(row) > 0 && r->group[other] < 0) {
                    r->group[other] = group;
                    f->queue[count++] = other;
                }
            }
    }
    for (int i = 0; i < p->players; i++) {
        f->is_fixed[i] = has_anchor(p, i);
        f->is_held[r->group[i]] |= f->is_fixed[i];
    }
}

// Whether this player took points from the other in the row.
static bool has_scored(const ratings_row *row, int player) {
    return row->draws || (row->first == player ? row->wins : row->losses);
}

// Whether the points taken lead, from player to player, between any two of a group. Anchors count
// as one player. Only then all ratings are finite (Ford 1957).
static bool reaches_all(fit *f, bool forward, bool *seen, bool *has_begun) {
    const ratings_problem *p = f->p;
    int count = 0;
    for (int i = 0; i < p->players; i++)
        seen[i] = has_begun[i] = false;    // there are no more groups than players
    for (int i = 0; i < p->players; i++) { // one start a group, or its anchors
        int group = f->r->group[i];
        seen[i] = f->is_held[group] ? f->is_fixed[i] : !has_begun[group];
        has_begun[group] = true;
        if (seen[i])
            f->queue[count++] = i;
    }
    for (int at = 0; at < count; at++)
        for (int k = f->from[f->queue[at]]; k < f->from[f->queue[at] + 1]; k++) {
            const ratings_row *row = &p->rows[f->rows_of[k]];
            int own = f->queue[at], other = other_in(row, own);
            if (!seen[other] && has_scored(row, forward ? own : other)) {
                seen[other] = true;
                f->queue[count++] = other;
            }
        }
    return count == p->players;
}

static bool is_finite_without_prior(fit *f, bool *seen) {
    bool *has_begun = seen + f->p->players;
    return reaches_all(f, true, seen, has_begun) && reaches_all(f, false, seen, has_begun);
}

// Whether the results say something about the advantage. They do not if it can be made up for by
// ratings: if players have heights so that in every game the second is one above the first.
static bool shows_advantage(fit *f, bool *seen) {
    const ratings_problem *p = f->p;
    double *height = f->theta;
    int count = 0;
    for (int i = 0; i < p->players; i++) {
        seen[i] = f->is_fixed[i];
        height[i] = 0;
        if (seen[i])
            f->queue[count++] = i;
    }
    for (int at = 0, start = 0; at < count || start < p->players;) {
        if (at == count) { // a group without an anchor
            if (!seen[start])
                f->queue[count++] = start;
            seen[start++] = true;
            continue;
        }
        int own = f->queue[at++];
        for (int k = f->from[own]; k < f->from[own + 1]; k++) {
            const ratings_row *row = &p->rows[f->rows_of[k]];
            int other = other_in(row, own);
            double wanted = height[own] + (row->first == own ? 1 : -1);
            if (games_of(row) == 0)
                continue;
            if (seen[other] && height[other] != wanted)
                return true;
            if (!seen[other])
                f->queue[count++] = other;
            seen[other] = true;
            height[other] = wanted;
        }
    }
    return false;
}

static void count_games(fit *f) {
    for (size_t i = 0; i < f->p->row_count; i++) {
        f->r->games[f->p->rows[i].first] += games_of(&f->p->rows[i]);
        f->r->games[f->p->rows[i].second] += games_of(&f->p->rows[i]);
    }
}

// Spreads every player's virtual draws over the opponents.
static void spread_prior(fit *f) {
    const double *games = f->r->games;
    for (size_t i = 0; i < f->p->row_count; i++) {
        const ratings_row *row = &f->p->rows[i];
        double both = games_of(row);
        f->virtual[i] = both > 0
                            ? f->prior * both * (1 / games[row->first] + 1 / games[row->second])
                            : 0;
    }
}

// --- the maximum --------------------------------------------------------------------------------

static double likelihood(const fit *f) {
    double sum = 0;
    for (size_t i = 0; i < f->p->row_count; i++) {
        const ratings_row *row = &f->p->rows[i];
        double level = f->theta[row->first] - f->theta[row->second], d = level + f->advantage;
        sum += score_of(row) * d - games_of(row) * (d > 0 ? d + log1p(exp(-d)) : log1p(exp(d)));
        if (f->virtual[i] > 0)
            sum += f->virtual[i] *
                   (level / 2 - (level > 0 ? level + log1p(exp(-level)) : log1p(exp(level))));
    }
    return sum;
}

// The first derivatives go to `right`; the second ones, less their sign, are the field.
static void differentiate(fit *f) {
    int last = f->p->players;
    memset(f->right, 0, ((size_t)last + 1) * sizeof *f->right);
    find_expected(f);
    for (size_t i = 0; i < f->p->row_count; i++) {
        const ratings_row *row = &f->p->rows[i];
        double e = f->expected[i], n = games_of(row), excess = score_of(row) - n * e;
        double level = logistic(f->theta[row->first] - f->theta[row->second]);
        double sum = excess + f->virtual[i] * (0.5 - level);
        f->right[row->first][0] += sum;
        f->right[row->second][0] -= sum;
        f->right[last][0] += excess;
        f->field.rows[i] = (field_row){row->first, row->second, n * e * (1 - e),
                                       f->virtual[i] * level * (1 - level)};
    }
}

static void move_by(fit *f, double share) {
    for (int i = 0; i < f->p->players; i++)
        f->theta[i] += share * f->step[i][0];
    f->advantage += share * f->step[f->p->players][0];
}

static bool is_too_far(const fit *f) {
    for (int i = 0; i < f->p->players; i++)
        if (!(fabs(f->theta[i]) <= FARTHEST))
            return true;
    return !(fabs(f->advantage) <= FARTHEST);
}

// Newton's method; a step that does not help is halved. The likelihood is concave. It is a long
// sum: near the maximum its last digits say nothing about a step.
static bool climb(fit *f) {
    const double ROUNDING = 1e-12; // of the sum
    double before = likelihood(f);
    for (int step = 0; step < 100; step++) {
        differentiate(f);
        field_solve(&f->field, f->right, f->step, 1e-9);
        double longest = 0, share = 1;
        for (int i = 0; i <= f->p->players; i++)
            longest = fmax(longest, fabs(f->step[i][0]));
        if (longest > 2)
            share = 2 / longest;
        move_by(f, share);
        double now = likelihood(f), noise = ROUNDING * fabs(before);
        for (int halved = 0; now < before - noise && halved < 40; halved++) {
            share /= 2;
            move_by(f, -share);
            now = likelihood(f);
        }
        if (longest < 1e-10 || (now <= before + noise && longest < 1e-6))
            return true;
        before = now;
        if (is_too_far(f))
            return false;
    }
    return false;
}

// Starts at 0, or at the anchors.
static void begin(fit *f, bool estimates_advantage) {
    const ratings_problem *p = f->p;
    double centre = 0;
    int anchors = 0;
    for (int i = 0; i < p->players; i++)
        if (f->is_fixed[i])
            centre += p->anchors[i] / ELO, anchors++;
    for (int i = 0; i < p->players; i++)
        f->theta[i] = f->is_fixed[i] ? p->anchors[i] / ELO - centre / anchors : 0;
    f->advantage = isnan(p->advantage) ? 0 : p->advantage / ELO;
    f->field.has_advantage = estimates_advantage;
}

// --- errors -------------------------------------------------------------------------------------

// The root of the variance of a row's points.
static double deviation_of(const fit *f, size_t row) {
    double e = f->expected[row], draws = draw_chance(e, nu_of_rate(f->r->draw_rate));
    return sqrt(fmax(0, games_of(&f->p->rows[row]) * (e * (1 - e) - draws / 4)));
}

// A is the inverse of the second derivatives, V the variance of the first ones, which draws make
// smaller; the covariance is A V A.
static void find_covariance(fit *f) {
    int n = f->p->players, size = n + 1;
    field_lanes *part = calloc((size_t)size, sizeof *part);
    f->r->is_complete = part != NULL;
    field spread = f->field; // V
    spread.rows = part ? calloc(f->p->row_count, sizeof *spread.rows) : NULL;
    for (size_t i = 0; spread.rows && i < f->p->row_count; i++) {
        double deviation = deviation_of(f, i);
        spread.rows[i] =
            (field_row){f->p->rows[i].first, f->p->rows[i].second, deviation * deviation, 0};
    }
    for (int from = 0; spread.rows && from < size; from += FIELD_LANES) {
        memset(f->right, 0, (size_t)size * sizeof *f->right);
        for (int k = 0; k < FIELD_LANES && from + k < size; k++)
            f->right[from + k][k] = 1;
        field_solve(&f->field, f->right, part, 1e-10);
        field_apply(&spread, (const field_lanes *)part, f->right);
        field_solve(&f->field, f->right, f->step, 1e-10);
        for (int k = 0; k < FIELD_LANES && from + k < size; k++)
            for (int i = 0; i < n && from + k < n; i++)
                f->r->covariance[(size_t)i * (size_t)n + (size_t)(from + k)] =
                    ELO * ELO * f->step[i][k];
        if (size - from <= FIELD_LANES)
            f->r->advantage_error = ELO * sqrt(fmax(0, f->step[n][size - 1 - from]));
    }
    f->r->is_complete = spread.rows != NULL;
    free(spread.rows);
    free(part);
}

// A times random first derivatives: the points of every row are moved up or down by their
// deviation. The covariance of the results is A V A.
static void draw_samples(fit *f) {
    int n = f->p->players;
    rng seed = {1};
    double advantage = 0;
    for (int from = 0; from < DRAWS; from += FIELD_LANES) {
        memset(f->right, 0, ((size_t)n + 1) * sizeof *f->right);
        for (size_t i = 0; i < f->p->row_count; i++) {
            const ratings_row *row = &f->p->rows[i];
            double deviation = deviation_of(f, i);
            uint64_t bits = rng_next(&seed);
            for (int k = 0; k < FIELD_LANES; k++) {
                double moved = bits >> k & 1 ? deviation : -deviation;
                f->right[row->first][k] += moved;
                f->right[row->second][k] -= moved;
                f->right[n][k] += moved;
            }
        }
        field_solve(&f->field, f->right, f->step, 1e-3);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < FIELD_LANES; k++)
                f->r->draws[(size_t)i * DRAWS + (size_t)(from + k)] = (float)(ELO * f->step[i][k]);
        for (int k = 0; k < FIELD_LANES; k++)
            advantage += f->step[n][k] * f->step[n][k];
    }
    f->r->advantage_error = ELO * sqrt(advantage / DRAWS);
    f->r->is_complete = true;
}

static void fill_in(fit *f) {
    const ratings_problem *p = f->p;
    ratings *r = f->r;
    differentiate(f);
    r->draw_rate = find_draw_rate(f);
    if (r->draws)
        draw_samples(f);
    else
        find_covariance(f);
    double *sums = f->theta; // by group, in the place of a rating that is not needed any more
    double *counts = f->field.diagonal;
    for (int i = 0; i < p->players; i++)
        r->elo[i] = ELO * f->theta[i];
    for (int g = 0; g < r->groups; g++)
        sums[g] = counts[g] = 0;
    for (int i = 0; i < p->players; i++) {
        int g = r->group[i];
        if (f->is_held[g] && !f->is_fixed[i])
            continue;
        sums[g] += f->is_fixed[i] ? p->anchors[i] - r->elo[i] : r->elo[i];
        counts[g]++;
    }
    for (int i = 0; i < p->players; i++) {
        double mean = sums[r->group[i]] / counts[r->group[i]];
        r->elo[i] += f->is_held[r->group[i]] ? mean : p->average - mean;
    }
    r->prior = f->prior;
    r->has_advantage = f->field.has_advantage || !isnan(p->advantage);
    r->advantage = ELO * f->advantage;
    double games = 0; // each is two players'
    for (int i = 0; i < p->players; i++)
        games += r->games[i] / 2;
    r->advantage_error =
        f->field.has_advantage && games > 1 ? r->advantage_error * student_95(games - 1) : 0;
}

// --- the whole ----------------------------------------------------------------------------------

// Estimates with the advantage if it is wanted and the results say something about it.
static bool estimate(fit *f, bool *seen) {
    if (isnan(f->p->advantage) && shows_advantage(f, seen)) {
        begin(f, true);
        if (climb(f) && fabs(f->advantage) <= MOST_ADVANTAGE / ELO)
            return true; // beyond, few results are explained by it alone and it has no maximum
    }
    begin(f, false);
    return climb(f);
}

static bool allocate(fit *f, bool **seen) {
    size_t n = (size_t)f->p->players, rows = f->p->row_count + 1;
    ratings *r = f->r;
    bool is_small = n <= EXACT_PLAYERS;
    r->elo = calloc(n, sizeof *r->elo);
    r->games = calloc(n, sizeof *r->games);
    r->group = calloc(n, sizeof *r->group);
    if (is_small)
        r->covariance = calloc(n * n, sizeof *r->covariance);
    else
        r->draws = calloc(n * DRAWS, sizeof *r->draws);
    f->theta = calloc(n, sizeof *f->theta);
    f->virtual = calloc(rows, sizeof *f->virtual);
    f->expected = calloc(rows, sizeof *f->expected);
    f->rows_of = calloc(2 * rows, sizeof *f->rows_of);
    f->from = calloc(n + 1, sizeof *f->from);
    f->queue = calloc(n, sizeof *f->queue);
    f->is_fixed = calloc(n, sizeof *f->is_fixed);
    f->is_held = calloc(n, sizeof *f->is_held);
    f->right = calloc(n + 1, sizeof *f->right);
    f->step = calloc(n + 1, sizeof *f->step);
    *seen = calloc(2 * n, sizeof **seen);
    return field_init(&f->field, f->p->players, f->p->row_count) && r->elo && r->games &&
           r->group && (r->covariance || r->draws) && f->theta && f->virtual && f->expected &&
           f->rows_of && f->from && f->queue && f->is_fixed && f->is_held && f->right && f->step &&
           *seen;
}

static void free_fit(fit *f) {
    free(f->theta);
    free(f->virtual);
    free(f->expected);
    free(f->rows_of);
    free(f->from);
    free(f->queue);
    free(f->is_fixed);
    free(f->is_held);
    free(f->right);
    free(f->step);
    field_free(&f->field);
}

static bool find_ratings(fit *f, bool *seen, fault *why) {
    list_rows(f);
    find_groups(f);
    count_games(f);
    f->field.is_fixed = f->is_fixed;
    f->field.group = f->r->group;
    f->field.group_held = f->is_held;
    f->field.groups = f->r->groups;
    bool is_finite = is_finite_without_prior(f, seen);
    f->prior = isnan(f->p->prior) ? !is_finite : f->p->prior;
    spread_prior(f);
    if ((!is_finite && f->prior == 0) || !estimate(f, seen))
        return fault_set(why, "no finite ratings fit these results%s",
                         f->prior > 0 ? "" : " (--prior 1 adds a draw to each player)");
    fill_in(f);
    return f->r->is_complete || fault_set(why, "out of memory");
}

bool ratings_fit(const ratings_problem *p, ratings *r, fault *why) {
    fit f = {.p = p, .r = r};
    bool *seen = NULL;
    *r = (ratings){.players = p->players};
    bool good = allocate(&f, &seen) ? find_ratings(&f, seen, why) : fault_set(why, "out of memory");
    free(seen);
    free_fit(&f);
    if (!good)
        ratings_free(r);
    return good;
}

void ratings_free(ratings *r) {
    free(r->elo);
    free(r->games);
    free(r->covariance);
    free(r->draws);
    free(r->group);
    *r = (ratings){0};
}

// --- reading them -------------------------------------------------------------------------------

// The variance of a's rating less b's; b may be -1 for none.
static double variance_of(const ratings *r, int a, int b) {
    size_t n = (size_t)r->players, i = (size_t)a, k = b < 0 ? i : (size_t)b;
    double sum = 0;
    if (r->covariance) {
        const double *c = r->covariance;
        return b < 0 ? c[i * n + i] : c[i * n + i] + c[k * n + k] - c[i * n + k] - c[k * n + i];
    }
    for (size_t d = 0; d < DRAWS; d++) {
        double x = (double)r->draws[i * DRAWS + d];
        x -= b < 0 ? 0 : (double)r->draws[k * DRAWS + d];
        sum += x * x;
    }
    return sum / DRAWS;
}

// The spread of few games is little known, so errors are those of Student's distribution.
static double freedom_of(const ratings *r, int a, int b) {
    return (b < 0 ? r->games[a] : fmin(r->games[a], r->games[b])) - 1;
}

static double error_of(const ratings *r, int a, int b) {
    double variance = variance_of(r, a, b), freedom = freedom_of(r, a, b);
    if (!(variance > 0))
        return 0; // an anchor
    return freedom < 1 ? INFINITY : student_95(freedom) * sqrt(variance);
}

double ratings_error(const ratings *r, int player) { return error_of(r, player, -1); }

double ratings_error_between(const ratings *r, int a, int b) { return error_of(r, a, b); }

double ratings_superiority(const ratings *r, int a, int b) {
    double variance = variance_of(r, a, b), difference = r->elo[a] - r->elo[b];
    if (r->group[a] != r->group[b] || (!(variance > 0) && difference == 0))
        return 0.5;
    if (!(variance > 0))
        return difference > 0;
    double freedom = freedom_of(r, a, b);
    return freedom < 1 ? NAN : student_below(difference / sqrt(variance), freedom);
}

double ratings_expected(const ratings *r, int a, int b) {
    double d = (r->elo[a] - r->elo[b]) / ELO, h = r->advantage / ELO;
    return (logistic(d + h) + logistic(d - h)) / 2;
}
