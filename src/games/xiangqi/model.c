#include "games/xiangqi/model.h"
#include "games/xiangqi/evaluate.h"
#include "games/xiangqi/weights.h"
#include "rules/xiangqi/text.h"

static bool explain(text fen, eval_trace *trace, int32_t *score, fault *why) {
    xq_pos pos;
    xq_eval e;
    memset(trace, 0, sizeof *trace);
    if (!xq_parse_fen(&pos, fen, why))
        return false;
    xq_eval_refresh(&e, &pos);
    *score = xq_eval_red(&pos, &e, trace);
    return true;
}

const eval_model xq_model = {
    .game = "xiangqi",
    .prefix = "xq",
    .parameters = XQ_F_COUNT,
    .weights = xq_weights,
    .name = xq_name_parameter,
    .explain = explain,
};
