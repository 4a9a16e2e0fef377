#include "lab/tune/tune.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "os/thread.h"

#include <math.h>
#include <stdlib.h>

enum {
    BATCH_MIN = 256,
    BATCH_MAX = 16384,
    BATCHES = 64,      // an epoch, within these bounds
    HALVES = 2,        // of a batch: as many threads can work, and sums are taken in this order
    HOLD_BLOCK = 1024, // positions of one game stay together: neighbours are held out together
    HOLD_BLOCKS = 200, // of as many at least, one position each where there are few
    SCALE_SAMPLES = 500000,
};

// All weights, or one value per weight.
typedef struct {
    double opening[TRACE_MAX], ending[TRACE_MAX];
} vector;

struct tuner {
    const eval_model *model;
    const samples *samples;
    tune_terms terms;
    uint32_t *learn, *held; // indices of samples
    size_t learn_count, held_count;
    rng dice;
    double k; // of the logistic function, per centipawn
    vector weight, mean, square;
    vector start;                    // the weights before
    double mean_decay, square_decay; // Adam's powers so far
    vector gradient[HALVES];
};

tune_terms tune_default_terms(void) {
    return (tune_terms){.epochs = 30,
                        .rate = 2,
                        .blend = 0.7,
                        .spread = 50,
                        .hold_out = 10,
                        .threads = 2,
                        .seed = 1};
}

// --- setting up ---------------------------------------------------------------------------------

bool tune_is_held(const tune_terms *terms, size_t i, size_t count) {
    size_t size = count / HOLD_BLOCKS;
    size = size < 1 ? 1 : size > HOLD_BLOCK ? HOLD_BLOCK : size;
    rng block = {terms->seed + i / size};
    return (int)rng_below(&block, 100) < terms->hold_out;
}

static void deal_samples(tuner *t) {
    for (size_t i = 0; i < t->samples->count; i++)
        if (tune_is_held(&t->terms, i, t->samples->count))
            t->held[t->held_count++] = (uint32_t)i;
        else
            t->learn[t->learn_count++] = (uint32_t)i;
}

tuner *tune_new(const eval_model *model, const samples *s, const tune_terms *terms) {
    tuner *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->model = model;
    t->samples = s;
    t->terms = *terms;
    t->dice = (rng){terms->seed};
    t->mean_decay = t->square_decay = 1;
    t->k = log(10) / 400;
    t->learn = malloc(s->count * sizeof *t->learn);
    t->held = malloc(s->count * sizeof *t->held);
    if (!t->learn || !t->held) {
        tune_free(t);
        return NULL;
    }
    for (int i = 0; i < model->parameters; i++) {
        t->start.opening[i] = model->weights[i].opening;
        t->start.ending[i] = model->weights[i].ending;
    }
    t->weight = t->start;
    deal_samples(t);
    return t;
}

void tune_free(tuner *t) {
    if (!t)
        return;
    free(t->learn);
    free(t->held);
    free(t);
}

// --- one position -------------------------------------------------------------------------------

static double evaluate(const tuner *t, const sample *p) {
    double opening = 0, ending = 0;
    for (uint64_t i = p[0].terms; i < p[1].terms; i++) {
        int parameter = t->samples->parameter[i], times = t->samples->times[i];
        opening += times * t->weight.opening[parameter];
        ending += times * t->weight.ending[parameter];
    }
    double phase = p->phase / (double)PHASE_MAX;
    return (opening * phase + ending * (1 - phase)) * p->scale / 64;
}

static double logistic(double x) { return 1 / (1 + exp(-x)); }

static double aim_of(const tuner *t, const sample *p) {
    double result = p->half_points / 2.0;
    if (p->score == SAMPLE_NO_SCORE)
        return result;
    return t->terms.blend * result + (1 - t->terms.blend) * logistic(t->k * p->score);
}

// The cross entropy of what is aimed at and what is expected at x = k times the score.
static double loss_of(double x, double aim) {
    double larger = max_double(x, 0); // log(1 + e^x) without overflow
    return larger - x * aim + log1p(exp(-fabs(x)));
}

static double loss_over(const tuner *t, const uint32_t *list, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const sample *p = &t->samples->at[list[i]];
        sum += loss_of(t->k * evaluate(t, p), aim_of(t, p));
    }
    return count ? sum / (double)count : 0;
}

double tune_loss(const tuner *t, bool held_out) {
    return held_out ? loss_over(t, t->held, t->held_count) : loss_over(t, t->learn, t->learn_count);
}

// How well the results are told by the scores at this k.
static double result_loss(const double *scores, const uint8_t *half_points, size_t count,
                          double k) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += loss_of(k * scores[i], half_points[i] / 2.0);
    return sum / (double)count;
}

double tune_fit_scale(const double *scores, const uint8_t *half_points, size_t count) {
    const double golden = 0.6180339887498949;
    double low = log(1e-4), high = log(0.1); // of k, by golden section
    for (int i = 0; i < 40; i++) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        if (result_loss(scores, half_points, count, exp(left)) <
            result_loss(scores, half_points, count, exp(right)))
            high = right;
        else
            low = left;
    }
    return exp((low + high) / 2);
}

double tune_find_scale(tuner *t) {
    size_t step = 1 + t->samples->count / SCALE_SAMPLES, count = (t->samples->count - 1) / step + 1;
    double *scores = malloc(count * sizeof *scores);
    uint8_t *half_points = malloc(count);
    if (scores && half_points) {
        for (size_t i = 0; i < count; i++) {
            scores[i] = evaluate(t, &t->samples->at[i * step]);
            half_points[i] = t->samples->at[i * step].half_points;
        }
        t->k = tune_fit_scale(scores, half_points, count);
    }
    free(scores);
    free(half_points);
    return log(10) / t->k;
}

// --- learning -----------------------------------------------------------------------------------

typedef struct {
    const tuner *t;
    const uint32_t *list;
    size_t count;
    vector *gradient;
} share;

static void add_gradients(void *argument) {
    const share *s = argument;
    const tuner *t = s->t;
    memset(s->gradient, 0, sizeof *s->gradient);
    for (size_t n = 0; n < s->count; n++) {
        const sample *p = &t->samples->at[s->list[n]];
        double slope = t->k * (logistic(t->k * evaluate(t, p)) - aim_of(t, p)) * p->scale / 64;
        double opening = slope * p->phase / PHASE_MAX, ending = slope - opening;
        for (uint64_t i = p[0].terms; i < p[1].terms; i++) {
            int parameter = t->samples->parameter[i], times = t->samples->times[i];
            s->gradient->opening[parameter] += times * opening;
            s->gradient->ending[parameter] += times * ending;
        }
    }
}

// Both halves of a batch, the second one on a thread of its own where there is one.
static void work_on_batch(tuner *t, const uint32_t *list, size_t count) {
    size_t half = count / HALVES;
    share shares[HALVES] = {{t, list, half, &t->gradient[0]},
                            {t, list + half, count - half, &t->gradient[1]}};
    os_thread helper;
    bool helped = t->terms.threads > 1 && os_thread_start(&helper, add_gradients, &shares[1]);
    add_gradients(&shares[0]);
    if (helped)
        os_thread_join(&helper);
    else
        add_gradients(&shares[1]);
}

// One of Adam's steps for one weight; the spread pulls it to where it began, the more the fewer the
// samples are.
static void step(const tuner *t, double rate, double slope, double start, double *weight,
                 double *mean, double *square) {
    slope += (*weight - start) / (t->terms.spread * t->terms.spread * (double)t->learn_count);
    *mean = 0.9 * *mean + 0.1 * slope;
    *square = 0.999 * *square + 0.001 * slope * slope;
    double variance = *square / (1 - t->square_decay);
    *weight -= rate * (*mean / (1 - t->mean_decay)) / (sqrt(variance) + 1e-12);
}

static void take_step(tuner *t, size_t count, double rate) {
    t->mean_decay *= 0.9;
    t->square_decay *= 0.999;
    const vector *a = &t->gradient[0], *b = &t->gradient[1];
    for (int i = 0; i < t->model->parameters; i++) {
        step(t, rate, (a->opening[i] + b->opening[i]) / (double)count, t->start.opening[i],
             &t->weight.opening[i], &t->mean.opening[i], &t->square.opening[i]);
        step(t, rate, (a->ending[i] + b->ending[i]) / (double)count, t->start.ending[i],
             &t->weight.ending[i], &t->mean.ending[i], &t->square.ending[i]);
    }
}

static void shuffle(tuner *t) {
    for (size_t i = t->learn_count; i > 1; i--) {
        size_t j = rng_below(&t->dice, (uint32_t)i);
        uint32_t other = t->learn[j];
        t->learn[j] = t->learn[i - 1];
        t->learn[i - 1] = other;
    }
}

void tune_epoch(tuner *t, int n) {
    // From the full rate to a hundredth of it, evenly in its logarithm.
    double done = t->terms.epochs > 1 ? (double)n / (t->terms.epochs - 1) : 0;
    double rate = t->terms.rate * pow(0.01, done);
    size_t batch = t->learn_count / BATCHES;
    batch = batch < BATCH_MIN ? BATCH_MIN : batch > BATCH_MAX ? BATCH_MAX : batch;
    shuffle(t);
    for (size_t at = 0; at < t->learn_count; at += batch) {
        size_t count = t->learn_count - at < batch ? t->learn_count - at : batch;
        if (t->terms.stop && atomic_load_explicit(t->terms.stop, memory_order_relaxed))
            return;
        work_on_batch(t, t->learn + at, count);
        take_step(t, count, rate);
    }
}

// --- the result ---------------------------------------------------------------------------------

static int16_t rounded(double weight) {
    double most = 16000;
    return (int16_t)lround(weight > most ? most : weight < -most ? -most : weight);
}

void tune_weights(const tuner *t, tapered *weights) {
    for (int i = 0; i < t->model->parameters; i++)
        weights[i] = (tapered){rounded(t->weight.opening[i]), rounded(t->weight.ending[i])};
}

void tune_write(const eval_model *model, const tapered *weights, const char *remark, writer *out) {
    char upper[32];
    size_t n = 0;
    for (; model->game[n] && n + 1 < sizeof upper; n++)
        upper[n] = (char)(model->game[n] - 'a' + 'A');
    upper[n] = '\0';
    write_format(out,
                 "// What the features of games/%s/evaluate are worth, {opening, ending} in "
                 "centipawns.\n// Written by kraton tune: %s.\n"
                 "#ifndef KRATON_GAMES_%s_WEIGHTS_H\n#define KRATON_GAMES_%s_WEIGHTS_H\n\n"
                 "#include \"games/trace.h\"\n\n// clang-format off\n"
                 "static const tapered %s_weights[] = {\n",
                 model->game, remark, upper, upper, model->prefix);
    for (int i = 0; i < model->parameters; i++) {
        write_string(out, i % 3 ? " " : "    "); // three to a line
        write_string(out, "/* ");
        model->name(i, out);
        write_format(out, " */ {%d, %d},", weights[i].opening, weights[i].ending);
        if (i % 3 == 2 || i + 1 == model->parameters)
            write_char(out, '\n');
    }
    write_string(out, "};\n// clang-format on\n\n#endif\n");
}
