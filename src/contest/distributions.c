#include "contest/distributions.h"

#include <math.h>
#include <stdbool.h>

// --- Student's t --------------------------------------------------------------------------------

enum { MANY = 200 }; // from here on the series is long and an expansion exact to six digits

// The chance of a value between -t and t: Abramowitz and Stegun, 26.7.3 and 26.7.4.
static double between(double t, int freedom) {
    double angle = atan(t / sqrt(freedom)), c = cos(angle), s = sin(angle);
    int odd = freedom % 2;
    double term = odd ? c : 1, sum = freedom == 1 ? 0 : term;
    for (int i = odd ? 3 : 2; i < freedom; i += 2) {
        term *= c * c * (i - 1) / i;
        sum += term;
    }
    return odd ? 2 / M_PI * (angle + s * sum) : s * sum;
}

double student_below(double t, double freedom) {
    if (freedom >= MANY) { // the normal distribution, at a value drawn in a little
        double z = t * (1 - 1 / (4 * freedom)) / sqrt(1 + t * t / (2 * freedom));
        return 0.5 * erfc(-z * M_SQRT1_2);
    }
    double inside = between(fabs(t), (int)freedom);
    return t < 0 ? (1 - inside) / 2 : (1 + inside) / 2;
}

double student_95(double freedom) {
    const double z = 1.959963984540054;
    if (freedom >= MANY)
        return z + (z * z * z + z) / (4 * freedom);
    double low = z, high = 13; // 12.71 with one degree
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(student_below(middle, freedom) < 0.975 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

// --- likelihoods of scores ----------------------------------------------------------------------

// Observed frequencies f[i] of the scores a[i].
typedef struct {
    int cells;
    double total; // of the counts
    double f[LIKELIHOOD_CELLS], a[LIKELIHOOD_CELLS];
} frequencies;

// `turned` exchanges the two players.
static frequencies frequencies_of(const likelihood_sample *s, bool turned) {
    frequencies q = {.cells = s->cells};
    for (int i = 0; i < s->cells; i++)
        q.total += s->counts[i];
    for (int i = 0; i < s->cells; i++) {
        q.f[i] = s->counts[turned ? s->cells - 1 - i : i] / q.total;
        q.a[i] = (double)i / (s->cells - 1);
    }
    return q;
}

// --- roots --------------------------------------------------------------------------------------

// A falling function of x with its own data.
typedef double (*falling)(double x, void *data);

// The root between low and high, where f is never evaluated: it may be infinite there. Secant steps
// while they stay inside the bracket and the bracket shrinks, else bisection.
static double find_root(falling f, void *data, double low, double high, double guess) {
    double x = guess > low && guess < high ? guess : (low + high) / 2;
    double last_x = 0, last_y = 0, width = high - low;
    for (int i = 0; i < 200; i++) {
        double y = f(x, data);
        if (y == 0)
            return x;
        if (y > 0)
            low = x;
        else
            high = x;
        double next = i > 0 && y != last_y ? x - y * (x - last_x) / (y - last_y) : low;
        if (i % 3 == 2) { // three steps must halve the bracket at least
            if (high - low > width / 2)
                next = low;
            width = high - low;
        }
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        if (!(next > low && next < high) || fabs(next - x) <= 1e-15 * fabs(x))
            return x;
        last_x = x;
        last_y = y;
        x = next;
    }
    return x;
}

// --- one linear constraint ----------------------------------------------------------------------

// Among all distributions p with sum p[i] g[i] = 0 the likeliest is p[i] = f[i] / (1 + x g[i]),
// with x such that the constraint holds (Lagrange). Its log-likelihood, less that of f itself, is
// -sum f[i] ln(1 + x g[i]) for each observation.
typedef struct {
    const frequencies *q;
    double g[LIKELIHOOD_CELLS];
    double x;
} constraint;

static double constraint_mean(double x, void *data) {
    const constraint *c = data;
    double sum = 0;
    for (int i = 0; i < c->q->cells; i++)
        sum += c->q->f[i] * c->g[i] / (1 + x * c->g[i]);
    return sum;
}

// Some g must be below 0 and some above.
static void constraint_solve(constraint *c) {
    double least = 0, most = 0;
    for (int i = 0; i < c->q->cells; i++) {
        least = fmin(least, c->g[i]);
        most = fmax(most, c->g[i]);
    }
    c->x = find_root(constraint_mean, c, -1 / most, -1 / least, c->x);
}

static double constraint_likelihood(const constraint *c) {
    double sum = 0;
    for (int i = 0; i < c->q->cells; i++)
        sum += c->q->f[i] * log1p(c->x * c->g[i]);
    return -c->q->total * sum;
}

static double solve_mean(const frequencies *q, double mean) {
    constraint c = {.q = q};
    for (int i = 0; i < q->cells; i++)
        c.g[i] = q->a[i] - mean;
    constraint_solve(&c);
    return constraint_likelihood(&c);
}

double likelihood_of_mean(const likelihood_sample *s, double mean) {
    frequencies q = frequencies_of(s, false);
    return solve_mean(&q, mean);
}

// --- a given t ----------------------------------------------------------------------------------

// The hypothesis mean - t sigma = 1/2 is not linear in p. Since sigma is the least of
// (s + E(a - m)^2 / s) / 2 over all m and s, and is reached at p's own mean and deviation, the
// hypothesis is the linear constraint sum p[i] g[i] = 0 with
//     g[i] = a[i] - 1/2 - t s/2 (1 + ((a[i] - m) / s)^2)
// for the right m and s. They satisfy m = 1/2 + t s, so only s is unknown.
typedef struct {
    constraint c;
    double t; // above 0
} t_problem;

// How far the mean of the likeliest distribution for this s lies above m. Where it is m, the
// deviation is s, and the distribution satisfies the hypothesis itself. The derivative of the
// likelihood by s has the sign of the excess, or the opposite one if the observed t is above t.
static double excess_of_mean(double s, void *data) {
    t_problem *p = data;
    constraint *c = &p->c;
    const frequencies *q = c->q;
    double t = p->t, m = 0.5 + t * s, excess = 0;
    for (int i = 0; i < q->cells; i++) {
        double z = (q->a[i] - m) / s;
        c->g[i] = q->a[i] - 0.5 - t * s / 2 * (1 + z * z);
    }
    constraint_solve(c);
    for (int i = 0; i < q->cells; i++)
        excess += q->f[i] * (q->a[i] - m) / (1 + c->x * c->g[i]);
    return excess;
}

// The likelihood where the excess falls through 0 between low and high.
static double solve_between(t_problem *p, double low, double high, double guess) {
    excess_of_mean(find_root(excess_of_mean, p, low, high, guess), p);
    return constraint_likelihood(&p->c);
}

// The highest peak between low and high. The excess is above 0 at low and below 0 at high. Peaks
// belong to pairs of scores and lie far apart: with steps of a third none was missed in 18,000
// random samples, with steps of three quarters some were.
static double solve_highest(t_problem *p, double low, double high) {
    const double STEP = 1.25;
    double best = -INFINITY, before = 1;
    while (low < high) {
        double next = fmin(low * STEP, high), excess = next < high ? excess_of_mean(next, p) : -1;
        if (before > 0 && excess <= 0)
            best = fmax(best, solve_between(p, low, next, sqrt(low * next)));
        before = excess;
        low = next;
    }
    return best;
}

double likelihood_of_t(const likelihood_sample *sample, double t) {
    frequencies q = frequencies_of(sample, t < 0);
    t = fabs(t);
    if (t < 1e-9)
        return solve_mean(&q, 0.5);
    double mean = 0, variance = 0;
    for (int i = 0; i < q.cells; i++)
        mean += q.f[i] * q.a[i];
    for (int i = 0; i < q.cells; i++)
        variance += q.f[i] * (q.a[i] - mean) * (q.a[i] - mean);
    double gain = mean - 0.5, deviation = sqrt(variance);
    // Of all distributions with this t, the one of wins and losses only has the largest deviation.
    double root = sqrt(1 + t * t), high = 0.5 / root;
    // The g of the score 1 is above 0 for s from `start` to beyond `high`, that of 3/4 from half of
    // `start` to `gap`. Elsewhere no g is, and no distribution satisfies the constraint.
    double start = t / 2 / (root * (root + 1)), gap = t / 4 / (root * (root - 1));
    double low = q.cells == 5 ? start / 2 : start;
    t_problem p = {.c = {.q = &q}, .t = t};
    if (gain <= t * deviation) { // the distributions with at least this t: not a convex set
        if (low < start && gap < start)
            return fmax(solve_highest(&p, low, gap), solve_highest(&p, start, high));
        return solve_highest(&p, low, high);
    }
    // The distributions with at most this t are a convex set, and the answer is unique. It lies
    // between the two s for which the observed frequencies satisfy the linear constraint.
    double square = (variance + gain * gain) / (1 + t * t);
    double outer = (gain + sqrt(fmax(0, gain * gain - t * t * square))) / t;
    return solve_between(&p, fmax(low, square / outer), fmin(high, outer), deviation);
}
