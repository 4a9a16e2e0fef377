#include "lab/spsa/spsa.h"

#include "base/minmax.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

static const double ALPHA = 0.602, GAMMA = 0.101, STABLE = 0.1; // A is a tenth of all iterations

spsa_param spsa_usual(const char *name, int value) {
    spsa_param p = {.value = value, .start = value, .low = value / 4, .high = 4 * value};
    writer w = writer_on(p.name, sizeof p.name);
    write_string(&w, name);
    p.low = max_int(p.low, value > 0 ? 1 : 0); // many are divisors
    p.high = max_int(p.high, p.low + 2);
    p.step = max_double((double)value / 10, 0.5);
    return p;
}

static double moved_by(const spsa *s, const spsa_param *p) {
    return p->step * pow((double)s->iterations / (s->done + 1), GAMMA);
}

// The nearest whole numbers, the nearer one more often.
static int round_at_random(double value, const spsa_param *p, rng *r) {
    double floor_of = floor(value), part = (double)rng_below(r, 1 << 20) / (1 << 20);
    return clamp_int((int)floor_of + (value - floor_of > part), p->low, p->high);
}

void spsa_draw(const spsa *s, int *plus, int *minus, int *sign) {
    rng r = {s->seed + (uint64_t)s->done * 0x9e3779b97f4a7c15u};
    for (int i = 0; i < s->count; i++) {
        const spsa_param *p = &s->params[i];
        sign[i] = p->is_fixed ? 0 : rng_below(&r, 2) ? 1 : -1;
        double by = moved_by(s, p) * sign[i];
        plus[i] = p->is_fixed ? p->start : round_at_random(p->value + by, p, &r);
        minus[i] = p->is_fixed ? p->start : round_at_random(p->value - by, p, &r);
    }
}

void spsa_learn(spsa *s, const int *sign, int result) {
    double k = s->done + 1, all = s->iterations, stable = STABLE * all;
    double rate = s->rate * pow((stable + all) / (stable + k), ALPHA) * pow(k / all, 2 * GAMMA);
    for (int i = 0; i < s->count; i++) {
        spsa_param *p = &s->params[i];
        double value = p->value + rate * moved_by(s, p) * sign[i] * result;
        p->value = value < p->low ? p->low : value > p->high ? p->high : value;
    }
    s->done++;
}

// --- the file -----------------------------------------------------------------------------------

void spsa_write(const spsa *s, buffer *out) {
    buffer_format(
        out, "spsa 1\niterations %d\ndone %d\nrate %.17g\nseed %llu\ngames %llu %llu %llu\n",
        s->iterations, s->done, s->rate, (unsigned long long)s->seed, (unsigned long long)s->wins,
        (unsigned long long)s->draws, (unsigned long long)s->losses);
    buffer_string(out, "# name value start low high step\n");
    for (int i = 0; i < s->count; i++) {
        const spsa_param *p = &s->params[i];
        if (!p->is_fixed)
            buffer_format(out, "%s %.17g %d %d %d %.17g\n", p->name, p->value, p->start, p->low,
                          p->high, p->step);
    }
}

static bool next_int(text *line, int64_t low, int64_t high, int64_t *value) {
    return text_to_int(text_next_word(line), low, high, value);
}

static bool next_real(text *line, double *value) {
    text word = text_next_word(line);
    char copy[64];
    writer w = writer_on(copy, sizeof copy);
    write_text(&w, word);
    char *end;
    *value = strtod(copy, &end);
    return word.len && !w.overflow && *end == 0 && isfinite(*value);
}

static bool read_param(text name, text line, spsa_param *p) {
    int64_t start, low, high;
    *p = (spsa_param){.step = 0};
    writer w = writer_on(p->name, sizeof p->name);
    write_text(&w, name);
    if (w.overflow || !next_real(&line, &p->value) ||
        !next_int(&line, INT32_MIN, INT32_MAX, &start) ||
        !next_int(&line, INT32_MIN, INT32_MAX, &low) || !next_int(&line, low, INT32_MAX, &high) ||
        !next_real(&line, &p->step) || p->step <= 0 || p->value < (double)low ||
        p->value > (double)high || text_trim(line).len)
        return false;
    p->start = (int)start, p->low = (int)low, p->high = (int)high;
    return true;
}

// A line of the head; *known is false if it is one of a parameter.
static bool read_head(spsa *s, text name, text line, bool *known) {
    int64_t n = 0, a, b, c;
    *known = true;
    if (text_is(name, "spsa"))
        return next_int(&line, 1, 1, &n);
    if (text_is(name, "iterations"))
        return next_int(&line, 1, INT32_MAX, &n) && ((s->iterations = (int)n), true);
    if (text_is(name, "done"))
        return next_int(&line, 0, INT32_MAX, &n) && ((s->done = (int)n), true);
    if (text_is(name, "seed"))
        return next_int(&line, 0, INT64_MAX, &n) && ((s->seed = (uint64_t)n), true);
    if (text_is(name, "rate"))
        return next_real(&line, &s->rate);
    if (text_is(name, "games")) {
        if (!next_int(&line, 0, INT64_MAX, &a) || !next_int(&line, 0, INT64_MAX, &b) ||
            !next_int(&line, 0, INT64_MAX, &c))
            return false;
        s->wins = (uint64_t)a, s->draws = (uint64_t)b, s->losses = (uint64_t)c;
        return true;
    }
    *known = false;
    return true;
}

bool spsa_read(spsa *s, text from, fault *why) {
    *s = (spsa){.count = 0};
    for (int number = 1; from.len; number++) {
        text line = text_trim(text_next_line(&from)), rest = line, name = text_next_word(&rest);
        bool known;
        if (number == 1 && !text_is(line, "spsa 1"))
            return fault_set(why, "line 1: not the state of an SPSA run");
        if (!line.len || line.at[0] == '#')
            continue;
        if (!read_head(s, name, rest, &known) ||
            (!known && (s->count == SPSA_MAX || !read_param(name, rest, &s->params[s->count++]))))
            return fault_set(why, "line %d: %s is not understood", number, fault_quote(line).shown);
    }
    if (!s->iterations || !s->count || s->rate <= 0)
        return fault_set(why, "it is cut off");
    return true;
}
