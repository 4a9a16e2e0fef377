#include "games/surakarta/model.h"
#include "games/surakarta/evaluate.h"
#include "rules/surakarta/text.h"

static bool explain(text fen, eval_trace *trace, int32_t *score, fault *why) {
    sk_pos pos;
    sk_eval e;
    memset(trace, 0, sizeof *trace);
    if (!sk_parse_fen(&pos, fen, why))
        return false;
    sk_eval_refresh(&e, &pos);
    *score = sk_evaluate_traced(&pos, &e, trace);
    return true;
}

const eval_model sk_model = {
    .game = "surakarta",
    .prefix = "sk",
    .parameters = SK_PARAMETERS,
    .weights = sk_weights,
    .name = sk_name_parameter,
    .explain = explain,
};
