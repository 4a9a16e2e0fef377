// How good a Xiangqi position is, in centipawns. What a move changes little of is kept in an
// accumulator, which the search carries along; the rest is looked at anew. All of it is inline, so
// that the search compiles it for its own instruction set.
//
// The accumulators of a line point to each other (games/accumulator.h). The tables are written
// before main; nothing else is kept.
#ifndef KRATON_GAMES_XIANGQI_EVALUATE_H
#define KRATON_GAMES_XIANGQI_EVALUATE_H

#include "base/minmax.h"
#include "games/xiangqi/endings.h"
#include "games/xiangqi/terms.h"
#include "games/xiangqi/units.h"

enum { XQ_EVAL_MAX = 14999 };

typedef struct {
    uint64_t counts;   // how many of each piece, four bits a piece
    int32_t score;     // material and places, Red's point of view, opening and ending in one word
    int32_t phase;     // chariots, cannons and horses left: PHASE_MAX with all of them
    accumulator units; // of the network, if there is one
} xq_eval;

ALWAYS_INLINE int xq_eval_phase_of(int piece) {
    static const int8_t worth[XQ_TYPES] = {[XQ_CHARIOT] = 32, [XQ_CANNON] = 16, [XQ_HORSE] = 16};
    return worth[xq_type(piece)];
}

// The name of a parameter: "place-horse-c2", "attackers-7".
void xq_name_parameter(int parameter, writer *out);

// The accumulator from scratch. `n` may be NULL.
static inline void xq_eval_refresh(xq_eval *e, const xq_pos *pos, const network *n) {
    e->counts = 0;
    e->score = e->phase = 0;
    accumulator_begin(&e->units, n);
    for (int point = 0; point < XQ_POINTS; point++) {
        int piece = pos->board[point];
        e->counts += (uint64_t)(piece != XQ_EMPTY) << 4 * piece;
        e->score += xq_eval_table.place[piece][point];
        e->phase += xq_eval_phase_of(piece);
    }
}

// The accumulator after a pseudo-legal move, from the one before it.
static inline void xq_eval_update(xq_eval *next, xq_eval *now, const xq_pos *before,
                                  rules_move move) {
    int from = move_from(move), to = move_to(move);
    int piece = before->board[from], captured = before->board[to];
    next->counts = now->counts - ((uint64_t)(captured != XQ_EMPTY) << 4 * captured);
    next->score = now->score + xq_eval_table.place[piece][to] - xq_eval_table.place[piece][from] -
                  xq_eval_table.place[captured][to];
    next->phase = now->phase - xq_eval_phase_of(captured);
    accumulator_step step = {.piece = (uint8_t)piece, .from = (uint8_t)from, .to = (uint8_t)to};
    step.taken = captured == XQ_EMPTY ? ACCUMULATOR_NO_PIECE : (uint8_t)captured;
    accumulator_follow(&next->units, &now->units, step);
}

// The accumulator after a null move.
static inline void xq_eval_update_null(xq_eval *next, xq_eval *now) {
    next->counts = now->counts;
    next->score = now->score;
    next->phase = now->phase;
    accumulator_pass(&next->units, &now->units);
}

// A word of two values at some phase, in 1/PHASE_MAX.
ALWAYS_INLINE int32_t xq_eval_blend(int32_t score, int phase) {
    int opening = (int16_t)score, ending = (int16_t)((score + 0x8000) >> 16);
    return opening * phase + ending * (PHASE_MAX - phase);
}

// The accumulator's part, for the tuner.
static inline void xq_eval_trace_places(const xq_pos *pos, eval_trace *trace) {
    for (int point = 0; point < XQ_POINTS; point++) {
        int piece = pos->board[point], side = xq_side(piece), type = xq_type(piece) - 1;
        if (!piece)
            continue;
        int seen = side == XQ_RED ? point : XQ_POINTS - 1 - point, file = xq_file(seen);
        trace_add(trace, XQ_F_MATERIAL + type, side == XQ_RED ? 1 : -1);
        trace_add(trace, XQ_F_PLACE + 50 * type + 5 * xq_rank(seen) + (file < 5 ? file : 8 - file),
                  side == XQ_RED ? 1 : -1);
    }
}

// Red's point of view; trace is NULL in the search.
ALWAYS_INLINE int32_t xq_eval_red(const xq_pos *pos, const xq_eval *e, eval_trace *trace) {
    xq_eval_scene s;
    xq_eval_set_scene(&s, pos, e->counts, trace);
    xq_eval_look(&s, XQ_RED);
    xq_eval_look(&s, XQ_BLACK);
    int32_t word = e->score + xq_eval_lesser_majors(&s, XQ_RED);
    word -= xq_eval_lesser_majors(&s, XQ_BLACK);
    word += xq_eval_chariots(&s, XQ_RED) - xq_eval_chariots(&s, XQ_BLACK);
    word += xq_eval_side(&s, XQ_RED) - xq_eval_side(&s, XQ_BLACK);
    int32_t tempo = xq_eval_take(&s, pos->stm, XQ_F_TEMPO, 1);
    word += pos->stm == XQ_RED ? tempo : -tempo;
    int32_t score = xq_eval_blend(word, e->phase);
    int scale = XQ_ENDING_FULL;
    if (e->phase <= XQ_ENDING_PHASE)
        scale = xq_ending_scale(pos, e->counts, score > 0 ? XQ_RED : XQ_BLACK);
    if (trace) {
        xq_eval_trace_places(pos, trace);
        trace->phase = e->phase;
        trace->scale = scale;
    }
    return (int32_t)((int64_t)score * scale / (XQ_ENDING_FULL * PHASE_MAX));
}

// From the mover's point of view: made by hand, by the network, or by both. `cache` may be NULL.
static inline int32_t xq_evaluate(const xq_pos *pos, xq_eval *e, xq_network_cache *cache) {
    const network *n = e->units.network;
    int32_t score = 0;
    if (!n || n->shape.corrects)
        score = pos->stm == XQ_RED ? xq_eval_red(pos, e, NULL) : -xq_eval_red(pos, e, NULL);
    if (n)
        score += xq_network_evaluate(&e->units, pos, e->phase, PHASE_MAX, cache);
    return clamp_int(score, -XQ_EVAL_MAX, XQ_EVAL_MAX);
}

#endif
