#include "lab/tune/model.h"

#include "games/surakarta/evaluate.h"
#include "games/xiangqi/evaluate.h"
#include "games/xiangqi/weights.h"
#include "rules/surakarta/text.h"
#include "rules/xiangqi/text.h"

static bool explain_surakarta(text fen, eval_trace *trace, int32_t *score, fault *why) {
    sk_pos pos;
    sk_eval e;
    memset(trace, 0, sizeof *trace);
    if (!sk_parse_fen(&pos, fen, why))
        return false;
    sk_eval_refresh(&e, &pos);
    *score = sk_evaluate_traced(&pos, &e, trace);
    return true;
}

static bool explain_xiangqi(text fen, eval_trace *trace, int32_t *score, fault *why) {
    xq_pos pos;
    xq_eval e;
    memset(trace, 0, sizeof *trace);
    if (!xq_parse_fen(&pos, fen, why))
        return false;
    xq_eval_refresh(&e, &pos);
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
