#include "lab/tune/network.h"

#include "base/minmax.h"
#include "base/rng.h"
#include "base/vector.h"
#include "games/surakarta/evaluate.h"
#include "rules/surakarta/text.h"

#include <math.h>
#include <stdlib.h>

enum { BATCH = 1024, BATCH_SMALL = 64, INPUTS = 2 * SK_POINTS };

// A position as the mover sees it.
typedef struct {
    uint64_t own, other;
    float features; // what they say, centipawns
    float score;    // a search's; NAN: none
    float result;   // points of the mover
} lesson;

// The weights of the groups one after the other, or what belongs to each of them.
typedef struct {
    float piece[SK_GROUPS][INPUTS], bias[SK_GROUPS], output[SK_GROUPS][2], constant;
} weights;
enum { WEIGHTS = sizeof(weights) / sizeof(float) };

// The same for all units.
typedef struct {
    float row[INPUTS][SK_UNITS], bias[SK_UNITS], output[2][SK_UNITS], constant;
} unit_weights;

struct sk_learner {
    tune_terms terms;
    lesson *lessons;
    size_t count, capacity;
    uint32_t *learn, *held;
    size_t learn_count, held_count;
    rng dice;
    float k;
    weights weight, mean, square;
    double mean_decay, square_decay;
    unit_weights net, gradient;
};

// --- lessons ------------------------------------------------------------------------------------

sk_learner *sk_learn_new(const tune_terms *terms) {
    sk_learner *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->terms = *terms;
    l->dice = (rng){terms->seed};
    l->mean_decay = l->square_decay = 1;
    return l;
}

void sk_learn_free(sk_learner *l) {
    if (!l)
        return;
    free(l->lessons);
    free(l->learn);
    free(l->held);
    free(l);
}

bool sk_learn_add(sk_learner *l, text fen, int half_points, int32_t score, fault *why) {
    sk_pos pos;
    if (!sk_parse_fen(&pos, fen, why))
        return false;
    lesson *grown = vector_reserve(l->lessons, &l->capacity, l->count + 1, sizeof *grown);
    if (!grown)
        return fault_set(why, "out of memory");
    l->lessons = grown;
    sk_eval e;
    sk_eval_refresh(&e, &pos, NULL);
    float sign = pos.stm == SK_BLACK ? 1 : -1, result = (float)half_points / 2;
    int32_t most = SAMPLE_SCORE_MAX, bounded = score > most ? most : score < -most ? -most : score;
    l->lessons[l->count++] = (lesson){
        .own = pos.pieces[pos.stm],
        .other = pos.pieces[pos.stm ^ 1],
        .features = sign * (float)sk_evaluate_traced(&pos, &e, NULL),
        .score = score == SAMPLE_NO_SCORE ? NAN : sign * (float)bounded,
        .result = pos.stm == SK_BLACK ? result : 1 - result,
    };
    return true;
}

size_t sk_learn_count(const sk_learner *l) { return l->count; }

static bool find_scale(sk_learner *l) {
    double *scores = malloc(l->count * sizeof *scores);
    uint8_t *half_points = malloc(l->count);
    bool good = scores && half_points;
    for (size_t i = 0; good && i < l->count; i++) {
        scores[i] = l->lessons[i].features;
        half_points[i] = (uint8_t)lroundf(2 * l->lessons[i].result);
    }
    if (good)
        l->k = (float)tune_fit_scale(scores, half_points, l->count);
    free(scores);
    free(half_points);
    return good;
}

// --- the network --------------------------------------------------------------------------------

static float random_weight(sk_learner *l, float most) {
    return ((float)rng_below(&l->dice, 2001) / 1000 - 1) * most;
}

// Outputs begin at 0: nothing is corrected yet.
static void begin_weights(sk_learner *l) {
    for (int g = 0; g < SK_GROUPS; g++) {
        for (int i = 0; i < INPUTS; i++)
            l->weight.piece[g][i] = random_weight(l, 0.25F);
        l->weight.bias[g] = 0.2F;
    }
}

// The weight of unit `unit` for an input, as an index into its group's.
static int turned_input(int input, int unit) {
    return input / SK_POINTS * SK_POINTS + sk_turn_point(input % SK_POINTS, unit % 8);
}

// Units from groups.
static void expand(sk_learner *l) {
    for (int u = 0; u < SK_UNITS; u++) {
        for (int i = 0; i < INPUTS; i++)
            l->net.row[i][u] = l->weight.piece[u / 8][turned_input(i, u)];
        l->net.bias[u] = l->weight.bias[u / 8];
        for (int look = 0; look < 2; look++)
            l->net.output[look][u] = l->weight.output[u / 8][look];
    }
    l->net.constant = l->weight.constant;
}

// The slopes of groups from those of their units.
static void fold(const sk_learner *l, weights *slope) {
    *slope = (weights){.constant = l->gradient.constant};
    for (int u = 0; u < SK_UNITS; u++) {
        for (int i = 0; i < INPUTS; i++)
            slope->piece[u / 8][turned_input(i, u)] += l->gradient.row[i][u];
        slope->bias[u / 8] += l->gradient.bias[u];
        for (int look = 0; look < 2; look++)
            slope->output[u / 8][look] += l->gradient.output[look][u];
    }
}

// What both sides' units hold for a position: sums and how full they are.
typedef struct {
    int inputs[2][2 * SK_MAX_PIECES], count; // of each look
    float sum[2][SK_UNITS], full[2][SK_UNITS];
} activity;

static void add_input(const unit_weights *net, activity *a, int own_input) {
    int other_input = (own_input + SK_POINTS) % INPUTS;
    a->inputs[0][a->count] = own_input;
    a->inputs[1][a->count++] = other_input;
    for (int u = 0; u < SK_UNITS; u++) {
        a->sum[0][u] += net->row[own_input][u];
        a->sum[1][u] += net->row[other_input][u];
    }
}

// The network's answer in units of the logistic function; the features not counted in.
static float look(const unit_weights *net, const lesson *p, activity *a) {
    a->count = 0;
    memcpy(a->sum[0], net->bias, sizeof net->bias);
    memcpy(a->sum[1], net->bias, sizeof net->bias);
    for (uint64_t b = p->own; b;)
        add_input(net, a, bits_pop(&b));
    for (uint64_t b = p->other; b;)
        add_input(net, a, SK_POINTS + bits_pop(&b));
    float answer = net->constant;
    for (int side = 0; side < 2; side++)
        for (int u = 0; u < SK_UNITS; u++) {
            float sum = a->sum[side][u];
            a->full[side][u] = sum < 0 ? 0 : sum > 1 ? 1 : sum;
            answer += net->output[side][u] * a->full[side][u];
        }
    return answer;
}

static float logistic(float x) { return 1 / (1 + expf(-x)); }

static float aim_of(const sk_learner *l, const lesson *p) {
    if (isnan(p->score))
        return p->result;
    float blend = (float)l->terms.blend;
    return blend * p->result + (1 - blend) * logistic(l->k * p->score);
}

double sk_learn_loss(sk_learner *l, bool held_out) {
    const uint32_t *list = held_out ? l->held : l->learn;
    size_t count = held_out ? l->held_count : l->learn_count;
    double sum = 0;
    activity a;
    for (size_t i = 0; i < count; i++) {
        const lesson *p = &l->lessons[list[i]];
        double x = look(&l->net, p, &a) + l->k * p->features;
        sum += max_double(x, 0) - x * aim_of(l, p) + log1p(exp(-fabs(x)));
    }
    return count ? sum / (double)count : 0;
}

// --- learning -----------------------------------------------------------------------------------

double sk_learn_begin(sk_learner *l) {
    l->learn = malloc(l->count * sizeof *l->learn);
    l->held = malloc(l->count * sizeof *l->held);
    if (!l->learn || !l->held || !find_scale(l))
        return 0;
    for (size_t i = 0; i < l->count; i++)
        if (tune_is_held(&l->terms, i, l->count))
            l->held[l->held_count++] = (uint32_t)i;
        else
            l->learn[l->learn_count++] = (uint32_t)i;
    begin_weights(l);
    expand(l);
    return log(10) / l->k;
}

static void add_slopes(sk_learner *l, const lesson *p, float share) {
    activity a;
    unit_weights *g = &l->gradient;
    float answer = look(&l->net, p, &a) + l->k * p->features;
    float slope = (logistic(answer) - aim_of(l, p)) * share;
    g->constant += slope;
    for (int side = 0; side < 2; side++) {
        float down[SK_UNITS];
        for (int u = 0; u < SK_UNITS; u++) {
            bool open = a.sum[side][u] > 0 && a.sum[side][u] < 1;
            down[u] = open ? slope * l->net.output[side][u] : 0;
            g->output[side][u] += slope * a.full[side][u];
            g->bias[u] += down[u];
        }
        for (int i = 0; i < a.count; i++) {
            float *row = g->row[a.inputs[side][i]];
            for (int u = 0; u < SK_UNITS; u++)
                row[u] += down[u];
        }
    }
}

// Adam's step for all weights at once. They stay so small that 16 bits hold every sum.
static void take_step(sk_learner *l, float rate) {
    weights slopes;
    fold(l, &slopes);
    const float *slope = (const float *)&slopes, most = 4.5F;
    float *weight = (float *)&l->weight, *mean = (float *)&l->mean, *square = (float *)&l->square;
    l->mean_decay *= 0.9;
    l->square_decay *= 0.999;
    for (int i = 0; i < WEIGHTS; i++) {
        mean[i] = 0.9F * mean[i] + 0.1F * slope[i];
        square[i] = 0.999F * square[i] + 0.001F * slope[i] * slope[i];
        float spread = sqrtf(square[i] / (float)(1 - l->square_decay)) + 1e-8F;
        weight[i] -= rate * mean[i] / (float)(1 - l->mean_decay) / spread;
        weight[i] = weight[i] > most ? most : weight[i] < -most ? -most : weight[i];
    }
    expand(l);
}

void sk_learn_epoch(sk_learner *l, int n) {
    double done = l->terms.epochs > 1 ? (double)n / (l->terms.epochs - 1) : 0;
    float rate = (float)(l->terms.rate * 0.002 * pow(0.02, done));
    size_t batch = l->learn_count / BATCH < 64 ? BATCH_SMALL : BATCH;
    for (size_t i = l->learn_count; i > 1; i--) {
        size_t j = rng_below(&l->dice, (uint32_t)i);
        uint32_t other = l->learn[j];
        l->learn[j] = l->learn[i - 1];
        l->learn[i - 1] = other;
    }
    for (size_t at = 0; at < l->learn_count; at += batch) {
        size_t count = l->learn_count - at < batch ? l->learn_count - at : batch;
        if (l->terms.stop && atomic_load_explicit(l->terms.stop, memory_order_relaxed))
            return;
        l->gradient = (unit_weights){.constant = 0};
        for (size_t i = 0; i < count; i++)
            add_slopes(l, &l->lessons[l->learn[at + i]], 1 / (float)count);
        take_step(l, rate);
    }
}

// --- the result ---------------------------------------------------------------------------------

static int rounded(float weight, float unit) { return (int)lroundf(weight * unit); }

static void write_points(const float *weight, writer *out) {
    for (int i = 0; i < SK_POINTS; i++)
        write_format(out, "%s%s%d", i ? "," : "",
                     i % 18 == 0 && i ? "\n      "
                     : i              ? " "
                                      : "",
                     rounded(weight[i], SK_FULL));
}

void sk_learn_write(const sk_learner *l, const char *remark, writer *out) {
    float output_unit = SK_OUTPUT_UNIT / l->k;
    write_format(out,
                 "// The weights of games/surakarta/network: a group of eight units after the "
                 "other, each for\n// own pieces, for the other's, its bias and its outputs.\n"
                 "// Written by kraton tune --network: %s.\n"
                 "#ifndef KRATON_GAMES_SURAKARTA_NETWORK_WEIGHTS_H\n"
                 "#define KRATON_GAMES_SURAKARTA_NETWORK_WEIGHTS_H\n\n"
                 "#include \"games/surakarta/network.h\"\n\n// clang-format off\n"
                 "enum { SK_NETWORK_CONSTANT = %d }; // centipawns\n"
                 "static const sk_group sk_groups[SK_GROUPS] = {\n",
                 remark, rounded(l->weight.constant, 1 / l->k));
    for (int g = 0; g < SK_GROUPS; g++) {
        write_string(out, "    {{{");
        write_points(l->weight.piece[g], out);
        write_string(out, "},\n     {");
        write_points(l->weight.piece[g] + SK_POINTS, out);
        write_format(out, "}},\n     %d, {%d, %d}},\n", rounded(l->weight.bias[g], SK_FULL),
                     rounded(l->weight.output[g][0], output_unit),
                     rounded(l->weight.output[g][1], output_unit));
    }
    write_string(out, "};\n// clang-format on\n\n#endif\n");
}
