#include "lab/tune/view.h"

#include "games/surakarta/evaluate.h"
#include "games/xiangqi/evaluate.h"
#include "rules/surakarta/text.h"
#include "rules/xiangqi/text.h"

// --- Xiangqi ------------------------------------------------------------------------------------

static bool look_xiangqi(const network_shape *shape, text fen, network_view *view, fault *why) {
    xq_pos pos;
    xq_eval e;
    if (!xq_parse_fen(&pos, fen, why))
        return false;
    network shape_only = {.shape = *shape};
    xq_eval_refresh(&e, &pos, NULL);
    view->side = pos.stm;
    view->count = 0;
    memcpy(view->board, pos.board, XQ_POINTS);
    xq_perspective p[2];
    int first[2];
    for (int look = 0; look < 2; look++) {
        int side = pos.stm ^ look, king = pos.king[side];
        p[look] = (xq_perspective){.side = side, .is_mirrored = xq_file(king) > 4};
        first[look] = xq_network_king_bucket(&shape_only, side, king) * XQ_NETWORK_INPUTS;
    }
    for (int point = 0; point < XQ_POINTS; point++) {
        if (!pos.board[point])
            continue;
        for (int look = 0; look < 2; look++)
            view->rows[look][view->count] =
                (uint16_t)(first[look] + xq_network_input(&p[look], pos.board[point], point));
        view->count++;
    }
    view->bucket = e.phase * shape->output_buckets / (PHASE_MAX + 1);
    view->hand = view->plain = xq_evaluate(&pos, &e, NULL);
    return true;
}

static bool evaluate_xiangqi(const network *n, text fen, int32_t *value, fault *why) {
    xq_pos pos;
    xq_eval e;
    if (!xq_parse_fen(&pos, fen, why))
        return false;
    xq_eval_refresh(&e, &pos, n);
    *value = xq_evaluate(&pos, &e, NULL);
    return true;
}

// --- Surakarta ----------------------------------------------------------------------------------

static bool look_surakarta(const network_shape *shape, text fen, network_view *view, fault *why) {
    sk_pos pos;
    sk_eval e;
    if (!sk_parse_fen(&pos, fen, why))
        return false;
    sk_eval_refresh(&e, &pos, NULL);
    view->side = pos.stm;
    view->count = 0;
    for (int point = 0; point < SK_POINTS; point++) {
        int side = (int)(pos.pieces[SK_WHITE] >> point & 1);
        view->board[point] = 0;
        if (!(sk_occupied(&pos) >> point & 1))
            continue;
        view->board[point] = (uint8_t)(1 + side);
        for (int look = 0; look < 2; look++)
            view->rows[look][view->count] = (uint16_t)sk_units_input(pos.stm ^ look, side, point);
        view->count++;
    }
    view->bucket = sk_units_bucket(shape, &pos);
    view->plain = sk_evaluate(&pos, &e);
    view->hand = view->plain - sk_network_evaluate(&e.network, pos.stm);
    return true;
}

static bool evaluate_surakarta(const network *n, text fen, int32_t *value, fault *why) {
    sk_pos pos;
    sk_eval e;
    if (!sk_parse_fen(&pos, fen, why))
        return false;
    sk_eval_refresh(&e, &pos, n);
    *value = sk_evaluate(&pos, &e);
    return true;
}

// --- both ---------------------------------------------------------------------------------------

const network_game *network_game_find(const rules_game *game) {
    static const network_game games[] = {
        {"xiangqi", XQ_NETWORK_INPUTS, XQ_POINTS, 1, look_xiangqi, xq_network_fits,
         evaluate_xiangqi, NULL},
        {"surakarta", SK_NETWORK_INPUTS, SK_POINTS, SK_SYMMETRIES, look_surakarta, sk_units_fit,
         evaluate_surakarta, sk_turn_point},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (text_is(text_of(rules_name(game)), games[i].game))
            return &games[i];
    return NULL;
}
