#include "lab/tune/train.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>

enum { BATCH = 1024, BATCH_SMALL = 64, BATCHES_MANY = 64 };

static const float ROW_LIMIT = 3.8F; // 32 such rows and the bias fit into 16 bits

// A position as the mover sees it.
typedef struct {
    uint16_t rows[2][VIEW_PIECES]; // active rows of the mover's perspective, of the other's
    uint8_t count, bucket;
    float hand;   // the hand-made evaluation if it is corrected, else 0; centipawns
    float score;  // of the search
    float result; // of the mover: 1, 0.5, 0
} sample_position;

// Weights, gradients or averages: arrays one after the other.
typedef struct {
    float *all;
    float *rows, *bias, *output, *constant;
} layers;

struct trainer {
    const network_game *game;
    network_shape shape;
    tune_terms terms;
    sample_position *positions;
    size_t count, capacity;
    uint32_t *order; // training positions first, then the held-out ones
    size_t train_count;
    size_t weights;
    layers weight, gradient, mean, square;
    double mean_decay, square_decay;
    float k; // of the logistic function, per centipawn
    rng random;
};

// --- memory -------------------------------------------------------------------------------------

static size_t count_weights(const network_shape *s) {
    size_t width = (size_t)s->width, outputs = (size_t)s->output_buckets;
    return ((size_t)(s->king_buckets * s->inputs) + 1 + 2 * outputs) * width + outputs;
}

static bool new_layers(layers *l, const network_shape *s) {
    size_t width = (size_t)s->width;
    l->all = calloc(count_weights(s), sizeof *l->all);
    l->rows = l->all;
    if (!l->all)
        return false;
    l->bias = l->rows + (size_t)(s->king_buckets * s->inputs) * width;
    l->output = l->bias + width;
    l->constant = l->output + 2 * (size_t)s->output_buckets * width;
    return true;
}

trainer *train_new(const network_game *game, const network_shape *shape, const tune_terms *terms,
                   fault *why) {
    network_shape full = *shape;
    full.inputs = game->inputs;
    full.scale = 1;
    network *probe = network_new(&full, why); // checks the shape
    bool fits =
        probe && (game->fits(probe) || fault_set(why, "%s has no networks with %d king buckets",
                                                 game->game, shape->king_buckets));
    network_free(probe);
    if (!fits)
        return NULL;
    trainer *t = calloc(1, sizeof *t);
    if (t) {
        t->game = game;
        t->shape = full;
        t->terms = *terms;
        t->weights = count_weights(&full);
        t->mean_decay = t->square_decay = 1;
        t->random = (rng){terms->seed};
    }
    if (!t || !new_layers(&t->weight, &full) || !new_layers(&t->gradient, &full) ||
        !new_layers(&t->mean, &full) || !new_layers(&t->square, &full)) {
        train_free(t);
        fault_set(why, "out of memory");
        return NULL;
    }
    return t;
}

void train_free(trainer *t) {
    if (!t)
        return;
    free(t->positions);
    free(t->order);
    free(t->weight.all);
    free(t->gradient.all);
    free(t->mean.all);
    free(t->square.all);
    free(t);
}

// --- positions ----------------------------------------------------------------------------------

bool train_add(trainer *t, text fen, int half_points, int32_t score, fault *why) {
    network_view view;
    if (!t->game->look(&t->shape, fen, &view, why))
        return false;
    sample_position *grown =
        vector_reserve(t->positions, &t->capacity, t->count + 1, sizeof *grown);
    if (!grown)
        return fault_set(why, "out of memory");
    t->positions = grown;
    sample_position *p = &t->positions[t->count++];
    float sign = view.side == 0 ? 1 : -1, result = (float)half_points / 2;
    memcpy(p->rows, view.rows, sizeof p->rows);
    p->count = (uint8_t)view.count;
    p->bucket = (uint8_t)view.bucket;
    p->hand = t->shape.corrects ? (float)view.hand : 0;
    p->score = sign * (float)clamp_int(score, -SAMPLE_SCORE_MAX, SAMPLE_SCORE_MAX);
    p->result = view.side == 0 ? result : 1 - result;
    return true;
}

size_t train_count(const trainer *t) { return t->count; }

// --- the network --------------------------------------------------------------------------------

typedef struct {
    float sum[2][NETWORK_MAX_WIDTH], clipped[2][NETWORK_MAX_WIDTH];
} activity;

// The output in units of the logistic function, the hand-made evaluation included.
static float evaluate(const trainer *t, const sample_position *p, activity *a) {
    int width = t->shape.width;
    const float *output = t->weight.output + (size_t)(2 * p->bucket) * (size_t)width;
    float value = t->weight.constant[p->bucket] + t->k * p->hand;
    for (int look = 0; look < 2; look++, output += width) {
        float *restrict sum = a->sum[look], *restrict clipped = a->clipped[look];
        memcpy(sum, t->weight.bias, (size_t)width * sizeof *sum);
        for (int i = 0; i < p->count; i++) {
            const float *restrict row = t->weight.rows + (size_t)p->rows[look][i] * (size_t)width;
            for (int u = 0; u < width; u++)
                sum[u] += row[u];
        }
        for (int u = 0; u < width; u++) {
            clipped[u] = sum[u] < 0 ? 0 : sum[u] > 1 ? 1 : sum[u];
            value += output[u] * clipped[u] * clipped[u];
        }
    }
    return value;
}

static float logistic(float x) { return 1 / (1 + expf(-x)); }

static float target_of(const trainer *t, const sample_position *p) {
    float blend = (float)t->terms.blend;
    return blend * p->result + (1 - blend) * logistic(t->k * p->score);
}

double train_loss(trainer *t, bool held_out) {
    size_t from = held_out ? t->train_count : 0, to = held_out ? t->count : t->train_count;
    double sum = 0;
    activity a;
    for (size_t i = from; i < to; i++) {
        const sample_position *p = &t->positions[t->order[i]];
        double x = evaluate(t, p, &a);
        sum += max_double(x, 0) - x * target_of(t, p) + log1p(exp(-fabs(x)));
    }
    return to > from ? sum / (double)(to - from) : 0;
}

// --- symmetries ---------------------------------------------------------------------------------

// Unit 8 g + s of a board with eight symmetries has the weights of unit 8 g for the points that
// symmetry s turns to. Adds up what belongs together, or with `first` set takes unit 8 g's, and
// writes it to all of them.
static void tie_rows(const trainer *t, float *rows, bool first) {
    int width = t->shape.width, points = t->game->points, turns = t->game->symmetries;
    for (int kind = 0; kind < t->shape.inputs / points; kind++)
        for (int group = 0; group < width; group += turns) {
            float base[VIEW_MAX_POINTS] = {0};
            float *from = rows + (size_t)(kind * points) * (size_t)width + group;
            for (int point = 0; point < points; point++)
                for (int s = 0; s < (first ? 1 : turns); s++)
                    base[t->game->turn(point, s)] += from[point * width + s];
            for (int point = 0; point < points; point++)
                for (int s = 0; s < turns; s++)
                    from[point * width + s] = base[t->game->turn(point, s)];
        }
}

// The same for weights that have no point: bias and outputs, `count` in a row.
static void tie_units(const trainer *t, float *units, size_t count, bool first) {
    size_t turns = (size_t)t->game->symmetries;
    for (size_t group = 0; group < count; group += turns) {
        float base = 0;
        for (size_t s = 0; s < (first ? 1 : turns); s++)
            base += units[group + s];
        for (size_t s = 0; s < turns; s++)
            units[group + s] = base;
    }
}

static void tie(const trainer *t, layers *l, bool first) {
    if (t->game->symmetries == 1)
        return;
    size_t width = (size_t)t->shape.width;
    tie_rows(t, l->rows, first);
    tie_units(t, l->bias, width, first);
    tie_units(t, l->output, 2 * (size_t)t->shape.output_buckets * width, first);
}

// --- training -----------------------------------------------------------------------------------

static bool find_scale(trainer *t) {
    double *scores = malloc(t->count * sizeof *scores);
    uint8_t *half_points = malloc(t->count);
    bool good = scores && half_points;
    for (size_t i = 0; good && i < t->count; i++) {
        scores[i] = t->positions[i].score;
        half_points[i] = (uint8_t)lroundf(2 * t->positions[i].result);
    }
    if (good)
        t->k = (float)tune_fit_scale(scores, half_points, t->count);
    free(scores);
    free(half_points);
    return good;
}

// Random rows; outputs at 0, so that a network that corrects begins by changing nothing.
static void begin_weights(trainer *t) {
    size_t rows = (size_t)(t->shape.king_buckets * t->shape.inputs) * (size_t)t->shape.width;
    for (size_t i = 0; i < rows; i++)
        t->weight.rows[i] = ((float)rng_below(&t->random, 2001) / 1000 - 1) * 0.1F;
    for (int u = 0; u < t->shape.width; u++)
        t->weight.bias[u] = 0.3F;
    for (int i = 0; !t->shape.corrects && i < 2 * t->shape.output_buckets * t->shape.width; i++)
        t->weight.output[i] = ((float)rng_below(&t->random, 2001) / 1000 - 1) * 0.1F;
}

double train_begin(trainer *t) {
    t->order = malloc(t->count * sizeof *t->order);
    if (!t->order || !find_scale(t))
        return 0;
    size_t held = t->count;
    for (size_t i = 0; i < t->count; i++)
        t->order[tune_is_held(&t->terms, i, t->count) ? --held : t->train_count++] = (uint32_t)i;
    begin_weights(t);
    tie(t, &t->weight, true);
    return log(10) / t->k;
}

static void add_gradient(trainer *t, const sample_position *p, float share) {
    activity a;
    int width = t->shape.width;
    float slope = (logistic(evaluate(t, p, &a)) - target_of(t, p)) * share;
    size_t outputs = (size_t)(2 * p->bucket) * (size_t)width;
    t->gradient.constant[p->bucket] += slope;
    for (int look = 0; look < 2; look++, outputs += (size_t)width) {
        float down[NETWORK_MAX_WIDTH];
        for (int u = 0; u < width; u++) {
            float full = a.clipped[look][u];
            bool is_open = a.sum[look][u] > 0 && a.sum[look][u] < 1;
            t->gradient.output[outputs + (size_t)u] += slope * full * full;
            down[u] = is_open ? slope * t->weight.output[outputs + (size_t)u] * 2 * full : 0;
            t->gradient.bias[u] += down[u];
        }
        for (int i = 0; i < p->count; i++) {
            float *restrict row = t->gradient.rows + (size_t)p->rows[look][i] * (size_t)width;
            for (int u = 0; u < width; u++)
                row[u] += down[u];
        }
    }
}

// A step of Adam for all weights.
static void take_step(trainer *t, float rate) {
    t->mean_decay *= 0.9;
    t->square_decay *= 0.999;
    float mean_scale = (float)(1 / (1 - t->mean_decay));
    float square_scale = (float)(1 / (1 - t->square_decay));
    float *restrict weight = t->weight.all, *restrict mean = t->mean.all;
    float *restrict square = t->square.all;
    const float *restrict slope = t->gradient.all;
    for (size_t i = 0; i < t->weights; i++) {
        mean[i] = 0.9F * mean[i] + 0.1F * slope[i];
        square[i] = 0.999F * square[i] + 0.001F * slope[i] * slope[i];
        float step = rate * mean[i] * mean_scale / (sqrtf(square[i] * square_scale) + 1e-7F);
        float moved = weight[i] - step;
        weight[i] = moved > ROW_LIMIT ? ROW_LIMIT : moved < -ROW_LIMIT ? -ROW_LIMIT : moved;
    }
}

static void shuffle(trainer *t) {
    for (size_t i = t->train_count; i > 1; i--) {
        size_t j = rng_below(&t->random, (uint32_t)i);
        uint32_t other = t->order[j];
        t->order[j] = t->order[i - 1];
        t->order[i - 1] = other;
    }
}

void train_epoch(trainer *t, int n) {
    // From the full rate to a fiftieth of it, evenly in its logarithm.
    double done = t->terms.epochs > 1 ? (double)n / (t->terms.epochs - 1) : 0;
    float rate = (float)(t->terms.rate * 0.0005 * pow(0.02, done));
    size_t batch = t->train_count / BATCH < BATCHES_MANY ? BATCH_SMALL : BATCH;
    shuffle(t);
    for (size_t at = 0; at < t->train_count; at += batch) {
        size_t count = min_size(batch, t->train_count - at);
        if (t->terms.stop && atomic_load_explicit(t->terms.stop, memory_order_relaxed))
            return;
        memset(t->gradient.all, 0, t->weights * sizeof *t->gradient.all);
        for (size_t i = 0; i < count; i++)
            add_gradient(t, &t->positions[t->order[at + i]], 1 / (float)count);
        tie(t, &t->gradient, false);
        take_step(t, rate);
    }
}

// --- the result ---------------------------------------------------------------------------------

network *train_round(const trainer *t, const char *about, fault *why) {
    network_shape shape = t->shape;
    size_t outputs = 2 * (size_t)shape.output_buckets * (size_t)shape.width;
    float most = 1e-6F;
    for (size_t i = 0; i < outputs; i++)
        most = fmaxf(most, fabsf(t->weight.output[i]));
    float unit = most / 127; // of an output weight
    shape.scale = (int32_t)lround(65536 * (double)unit / (127 * (double)t->k));
    network *n = network_new(&shape, why);
    if (!n)
        return NULL;
    writer words = writer_on(n->text, sizeof n->text);
    write_format(&words, "game %s\n%s", t->game->game, about);
    size_t rows = (size_t)(shape.king_buckets * shape.inputs) * (size_t)shape.width;
    for (size_t i = 0; i < rows; i++)
        n->rows[i] = (int16_t)lroundf(t->weight.rows[i] * NETWORK_ONE);
    for (int u = 0; u < shape.width; u++)
        n->bias[u] = (int16_t)lroundf(t->weight.bias[u] * NETWORK_ONE);
    for (size_t i = 0; i < outputs; i++)
        n->output[i] = (int8_t)lroundf(t->weight.output[i] / unit);
    for (int i = 0; i < shape.output_buckets; i++)
        n->constant[i] = (int32_t)lroundf(t->weight.constant[i] / unit * 127);
    return n;
}

double train_rounding(trainer *t, const network *n) {
    double worst = 0;
    activity a;
    for (size_t i = t->train_count; i < t->count; i++) {
        const sample_position *p = &t->positions[t->order[i]];
        _Alignas(64) int16_t units[2][NETWORK_MAX_WIDTH];
        for (int look = 0; look < 2; look++) {
            const int16_t *rows[VIEW_PIECES];
            for (int r = 0; r < p->count; r++)
                rows[r] = network_row(n, 0, p->rows[look][r]);
            memcpy(units[look], n->bias, (size_t)n->shape.width * sizeof(int16_t));
            n->kernels->change(units[look], rows, p->count, NULL, 0, n->shape.width);
        }
        double exact = evaluate(t, p, &a) / (double)t->k - (double)p->hand;
        worst = max_double(worst, fabs(exact - network_evaluate(n, units[0], units[1], p->bucket)));
    }
    return worst;
}
