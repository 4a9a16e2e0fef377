// A network's view of Surakarta (games/network.h): its inputs, and the units of a position in a
// line.
//
// An input is a piece on a point: own pieces on 36 points, then the other side's. There are no king
// buckets. The eight symmetries of the board are in the weights: units come in groups of eight with
// the same weights, turned and mirrored, and the same outputs, so a position and its images have
// one value (lab/tune/train.c). A network from a file takes the place of today's (network.h), with
// the features or without.
#ifndef KRATON_GAMES_SURAKARTA_UNITS_H
#define KRATON_GAMES_SURAKARTA_UNITS_H

#include "games/accumulator.h"
#include "rules/surakarta/surakarta.h"

enum { SK_NETWORK_INPUTS = 2 * SK_POINTS, SK_SYMMETRIES = 8, SK_MOST_PIECES = 24 };

// Whether the engine can use the network.
bool sk_units_fit(const network *n);

ALWAYS_INLINE int sk_units_input(int look, int side, int point) {
    return (side == look ? 0 : SK_POINTS) + point;
}

ALWAYS_INLINE const int16_t *sk_units_row(const network *n, int look, int side, int point) {
    return network_row(n, 0, sk_units_input(look, side, point));
}

ALWAYS_INLINE int sk_units_bucket(const network_shape *s, const sk_pos *pos) {
    return bits_count(sk_occupied(pos)) * s->output_buckets / (SK_MOST_PIECES + 1);
}

ALWAYS_INLINE void sk_units_update(accumulator *next, accumulator *now, const sk_pos *before,
                                   rules_move move) {
    int us = before->stm, them = us ^ 1, from = move_from(move), to = move_to(move);
    accumulator_step step = {.piece = (uint8_t)us, .from = (uint8_t)from, .to = (uint8_t)to};
    step.taken = before->pieces[them] >> to & 1 ? (uint8_t)them : ACCUMULATOR_NO_PIECE;
    accumulator_follow(next, now, step);
}

// The units of a side from scratch.
static inline const int16_t *sk_units_compute(accumulator *a, const sk_pos *pos, int look) {
    const network *n = a->network;
    const int16_t *rows[SK_POINTS];
    int count = 0;
    for (int side = 0; side < 2; side++)
        for (uint64_t b = pos->pieces[side]; b;)
            rows[count++] = sk_units_row(n, look, side, bits_pop(&b));
    memcpy(a->units[look], n->bias, (size_t)n->shape.width * sizeof(int16_t));
    n->kernels->change(a->units[look], rows, count, NULL, 0, n->shape.width);
    a->is_ready[look] = true;
    return a->units[look];
}

// The units of a side from the nearest earlier ones that are up to date.
static inline const int16_t *sk_units_follow(accumulator *a, int look) {
    if (a->is_ready[look])
        return a->units[look];
    const network *n = a->network;
    const int16_t *now = sk_units_follow(a->before, look);
    if (accumulator_is_pass(a))
        return now;
    accumulator_step s = a->step;
    n->kernels->update(a->units[look], now, sk_units_row(n, look, s.piece, s.to),
                       sk_units_row(n, look, s.piece, s.from),
                       s.taken == ACCUMULATOR_NO_PIECE ? NULL
                                                       : sk_units_row(n, look, s.taken, s.to),
                       n->shape.width);
    a->is_ready[look] = true;
    return a->units[look];
}

// `pos` is the position of the accumulator.
static inline const int16_t *sk_units_of(accumulator *a, const sk_pos *pos, int look) {
    const accumulator *at = a;
    while (!at->is_ready[look] && at->before)
        at = at->before;
    return at->is_ready[look] ? sk_units_follow(a, look) : sk_units_compute(a, pos, look);
}

// Centipawns for the mover.
ALWAYS_INLINE int32_t sk_units_evaluate(accumulator *a, const sk_pos *pos) {
    const network *n = a->network;
    const int16_t *mover = sk_units_of(a, pos, pos->stm), *other = sk_units_of(a, pos, !pos->stm);
    return network_evaluate(n, mover, other, sk_units_bucket(&n->shape, pos));
}

#endif
