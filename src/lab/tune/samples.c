#include "lab/tune/samples.h"

#include "base/minmax.h"
#include "base/vector.h"
#include "games/surakarta/evaluate.h"
#include "games/xiangqi/evaluate.h"
#include "games/xiangqi/weights.h"
#include "rules/surakarta/text.h"
#include "rules/xiangqi/text.h"

#include <stdlib.h>

enum { MOST_PARTS = 16 }; // of a count: beyond 2032 no evaluation counts

void samples_free(samples *s) {
    free(s->at);
    free(s->parameter);
    free(s->times);
    *s = (samples){0};
}

// Makes room for one more sample, its end mark, and all the terms it can have.
static bool make_room(samples *s, size_t terms) {
    size_t same = s->terms_capacity; // both arrays of terms grow alike
    void *at = vector_reserve(s->at, &s->capacity, s->count + 2, sizeof *s->at);
    s->at = at ? at : s->at;
    void *parameter = vector_reserve(s->parameter, &same, s->terms + terms, sizeof *s->parameter);
    s->parameter = parameter ? parameter : s->parameter;
    void *times = vector_reserve(s->times, &s->terms_capacity, s->terms + terms, sizeof *s->times);
    s->times = times ? times : s->times;
    return at && parameter && times;
}

static int bounded(int value, int most) { return clamp_int(value, -most, most); }

// A count beyond a byte becomes several terms.
static void add_terms(samples *s, int parameter, int times) {
    while (times) {
        int part = bounded(times, INT8_MAX);
        s->parameter[s->terms] = (uint16_t)parameter;
        s->times[s->terms++] = (int8_t)part;
        times -= part;
    }
}

bool samples_add(samples *s, const eval_model *model, text fen, int half_points, int32_t score,
                 fault *why) {
    eval_trace trace;
    int32_t own;
    if (!model->explain(fen, &trace, &own, why))
        return false;
    if (!make_room(s, TRACE_MAX * MOST_PARTS))
        return fault_set(why, "out of memory");
    sample *added = &s->at[s->count++];
    *added =
        (sample){.terms = s->terms,
                 .phase = (uint16_t)trace.phase,
                 .score = (int16_t)(score == SAMPLE_NO_SCORE ? SAMPLE_NO_SCORE
                                                             : bounded(score, SAMPLE_SCORE_MAX)),
                 .scale = (uint8_t)trace.scale,
                 .half_points = (uint8_t)half_points};
    for (int i = 0; i < model->parameters; i++)
        if (trace.coefficient[i])
            add_terms(s, i, bounded(trace.coefficient[i], MOST_PARTS * INT8_MAX));
    s->at[s->count].terms = s->terms;
    return true;
}

// Cuts the part before the next semicolon off rest.
static text next_part(text *rest) {
    text part = {rest->at, text_find(*rest, ";")};
    *rest = text_skip(*rest, part.len + 1);
    return text_trim(part);
}

bool samples_read_line(text line, sample_line *parts, fault *why) {
    static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};
    text rest = text_trim(line);
    *parts = (sample_line){.score = SAMPLE_NO_SCORE};
    if (rest.len == 0 || rest.at[0] == '#')
        return true;
    parts->fen = next_part(&rest);
    text result = next_part(&rest), score = text_trim(rest);
    while (parts->half_points < 3 && !text_is(result, results[parts->half_points]))
        parts->half_points++;
    if (parts->half_points == 3)
        return fault_set(why, "%s is no result (1-0, 0-1, 1/2-1/2); a line is FEN ; RESULT ; SCORE",
                         fault_quote(result).shown);
    int64_t value;
    if (score.len == 0)
        return true;
    if (!text_to_int(score, -1000000, 1000000, &value))
        return fault_set(why, "%s is no score", fault_quote(score).shown);
    parts->score = (int32_t)value;
    return true;
}

bool samples_add_line(samples *s, const eval_model *model, text line, fault *why) {
    sample_line parts;
    if (!samples_read_line(line, &parts, why))
        return false;
    return parts.fen.len == 0 ||
           samples_add(s, model, parts.fen, parts.half_points, parts.score, why);
}

// --- models -------------------------------------------------------------------------------------

static bool explain_surakarta(text fen, eval_trace *trace, int32_t *score, fault *why) {
    sk_pos pos;
    sk_eval e;
    memset(trace, 0, sizeof *trace);
    if (!sk_parse_fen(&pos, fen, why))
        return false;
    sk_eval_refresh(&e, &pos, NULL);
    *score = sk_evaluate_traced(&pos, &e, trace);
    return true;
}

static bool explain_xiangqi(text fen, eval_trace *trace, int32_t *score, fault *why) {
    xq_pos pos;
    xq_eval e;
    memset(trace, 0, sizeof *trace);
    if (!xq_parse_fen(&pos, fen, why))
        return false;
    xq_eval_refresh(&e, &pos, NULL);
    *score = xq_eval_red(&pos, &e, trace);
    return true;
}

static const eval_model models[] = {
    {
        .game = "surakarta",
        .prefix = "sk",
        .parameters = SK_PARAMETERS,
        .weights = sk_weights,
        .name = sk_name_parameter,
        .explain = explain_surakarta,
    },
    {
        .game = "xiangqi",
        .prefix = "xq",
        .parameters = XQ_F_COUNT,
        .weights = xq_weights,
        .name = xq_name_parameter,
        .explain = explain_xiangqi,
    },
};

const eval_model *model_find(const rules_game *game) {
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (rules_find(text_of(models[i].game)) == game)
            return &models[i];
    return NULL;
}
