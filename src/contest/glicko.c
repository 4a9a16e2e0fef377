#include "contest/glicko.h"

#include <math.h>

static const double SCALE = 173.7178;
static const double TAU = 0.5; // how fast the volatility may change
static const double LEAST_DEVIATION = 30, MOST_DEVIATION = 350;

glicko glicko_new(void) { return (glicko){1500, MOST_DEVIATION, 0.06}; }

static double weight(double phi) { return 1 / sqrt(1 + 3 * phi * phi / (M_PI * M_PI)); }

static double expected(double mu, const glicko *other) {
    double phi = other->deviation / SCALE;
    return 1 / (1 + exp(-weight(phi) * (mu - (other->rating - 1500) / SCALE)));
}

// Glickman's f of step 5, whose zero is the logarithm of the new variance.
static double pull(double x, double delta, double phi, double v, double a) {
    double e = exp(x), d = phi * phi + v + e;
    return e * (delta * delta - phi * phi - v - e) / (2 * d * d) - (x - a) / (TAU * TAU);
}

// The new volatility, by the Illinois variant of regula falsi.
static double new_volatility(double sigma, double delta, double phi, double v) {
    double a = log(sigma * sigma), low = a, high;
    if (delta * delta > phi * phi + v) {
        high = log(delta * delta - phi * phi - v);
    } else {
        int k = 1;
        while (pull(a - k * TAU, delta, phi, v, a) < 0)
            k++;
        high = a - k * TAU;
    }
    double at_low = pull(low, delta, phi, v, a), at_high = pull(high, delta, phi, v, a);
    for (int i = 0; i < 100 && fabs(high - low) > 1e-6; i++) {
        double middle = low + (low - high) * at_low / (at_high - at_low);
        double at_middle = pull(middle, delta, phi, v, a);
        if (at_middle * at_high <= 0) {
            low = high;
            at_low = at_high;
        } else {
            at_low /= 2;
        }
        high = middle;
        at_high = at_middle;
    }
    return exp(low / 2);
}

static double within(double deviation) {
    return deviation < LEAST_DEVIATION  ? LEAST_DEVIATION
           : deviation > MOST_DEVIATION ? MOST_DEVIATION
                                        : deviation;
}

glicko glicko_rested(glicko g, double periods) {
    double step = g.volatility * SCALE;
    g.deviation = within(sqrt(g.deviation * g.deviation + periods * step * step));
    return g;
}

glicko glicko_after(glicko g, const glicko_result *results, int count) {
    if (count == 0)
        return glicko_rested(g, 1);
    double mu = (g.rating - 1500) / SCALE, phi = g.deviation / SCALE, information = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        double w = weight(results[i].opponent.deviation / SCALE);
        double e = expected(mu, &results[i].opponent);
        information += w * w * e * (1 - e);
        sum += w * (results[i].score - e);
    }
    double v = 1 / information;
    double sigma = new_volatility(g.volatility, v * sum, phi, v);
    double rested = phi * phi + sigma * sigma;
    double after = 1 / sqrt(1 / rested + information);
    return (glicko){(mu + after * after * sum) * SCALE + 1500, within(after * SCALE), sigma};
}
