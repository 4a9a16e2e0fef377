// A network's view of Xiangqi: its inputs, and the units of a position in a line.
//
// An input is a piece on a point: seven kinds of own pieces, seven of the other side's, 90 points.
// Black's perspective is turned upside down. A perspective whose king stands on the right half of
// its palace is mirrored, so that a king is on one of six points: the king buckets. When a king
// moves, its perspective is another one; the units come from a cache of the last ones seen with the
// king on that point, and the pieces that have moved since.
#ifndef KRATON_GAMES_XIANGQI_UNITS_H
#define KRATON_GAMES_XIANGQI_UNITS_H

#include "games/accumulator.h"
#include "rules/xiangqi/xiangqi.h"

enum { XQ_NETWORK_INPUTS = 14 * XQ_POINTS, XQ_NETWORK_PIECES = 32, XQ_PALACE = 9 };

// How a side sees the board.
typedef struct {
    const int16_t *rows; // of its king bucket
    int width;
    int side;
    bool is_mirrored;
} xq_perspective;

// The last units of a side with its king on a point, and where the pieces stood. A cache is of one
// thread and one network; all zero is empty.
typedef struct {
    struct {
        _Alignas(64) int16_t units[NETWORK_MAX_WIDTH];
        xq_set men[16];
        bool is_filled;
    } of[2][XQ_PALACE];
} xq_network_cache;

// Whether the engine can use the network.
bool xq_network_fits(const network *n);

ALWAYS_INLINE int xq_network_king_bucket(const network *n, int side, int king) {
    int file = xq_file(king), rank = side == XQ_RED ? xq_rank(king) : XQ_RANKS - 1 - xq_rank(king);
    return n->shape.king_buckets == 1 ? 0 : 3 * (file == 4) + rank;
}

// `king` is where the king of the side stands.
ALWAYS_INLINE xq_perspective xq_network_perspective(const network *n, int side, int king) {
    return (xq_perspective){.rows = network_row(n, xq_network_king_bucket(n, side, king), 0),
                            .width = n->shape.width,
                            .side = side,
                            .is_mirrored = xq_file(king) > 4};
}

ALWAYS_INLINE int xq_network_input(const xq_perspective *p, int piece, int point) {
    int file = xq_file(point), rank = xq_rank(point);
    rank = p->side == XQ_RED ? rank : XQ_RANKS - 1 - rank;
    file = p->is_mirrored ? XQ_FILES - 1 - file : file;
    int kind = xq_type(piece) - 1 + (xq_side(piece) == p->side ? 0 : 7);
    return kind * XQ_POINTS + rank * XQ_FILES + file;
}

ALWAYS_INLINE const int16_t *xq_network_row(const xq_perspective *p, int piece, int point) {
    return p->rows + xq_network_input(p, piece, point) * p->width;
}

// Adds the rows of the pieces of `now` that are not in `was`; returns how many.
static inline int xq_network_list(const xq_perspective *p, const xq_set *now, const xq_set *was,
                                  const int16_t *rows[XQ_NETWORK_PIECES]) {
    int count = 0;
    for (int piece = 1; piece < 16; piece++)
        if (piece != 8) // the set of all Black's pieces
            for (xq_set more = now[piece] & ~was[piece]; more; more &= more - 1)
                rows[count++] = xq_network_row(p, piece, bits_wide_lowest(more));
    return count;
}

// The units of a side from scratch.
static inline void xq_network_compute(int16_t *units, const network *n, const xq_pos *pos,
                                      int side) {
    static const xq_set none[16];
    xq_perspective p = xq_network_perspective(n, side, pos->king[side]);
    const int16_t *rows[XQ_NETWORK_PIECES];
    memcpy(units, n->bias, (size_t)p.width * sizeof *units);
    n->kernels->change(units, rows, xq_network_list(&p, pos->men, none, rows), NULL, 0, p.width);
}

// The same by way of the cache.
static inline void xq_network_refresh(int16_t *units, const network *n, const xq_pos *pos, int side,
                                      xq_network_cache *cache) {
    int king = pos->king[side], width = n->shape.width;
    int rank = side == XQ_RED ? xq_rank(king) : XQ_RANKS - 1 - xq_rank(king);
    int at = 3 * rank + xq_file(king) - 3;
    int16_t *kept = cache->of[side][at].units;
    xq_set *men = cache->of[side][at].men;
    if (cache->of[side][at].is_filled) {
        xq_perspective p = xq_network_perspective(n, side, king);
        const int16_t *comes[XQ_NETWORK_PIECES], *goes[XQ_NETWORK_PIECES];
        int come = xq_network_list(&p, pos->men, men, comes);
        int go = xq_network_list(&p, men, pos->men, goes);
        n->kernels->change(kept, comes, come, goes, go, width);
    } else {
        xq_network_compute(kept, n, pos, side);
    }
    cache->of[side][at].is_filled = true;
    memcpy(men, pos->men, sizeof cache->of[side][at].men);
    memcpy(units, kept, (size_t)width * sizeof *units);
}

// Whether the units of a side can be computed from earlier ones: its king has not moved since.
ALWAYS_INLINE bool xq_network_can_follow(const accumulator *a, int side) {
    while (!a->is_ready[side]) {
        if (!a->before || a->step.piece == xq_piece(XQ_KING, side))
            return false;
        a = a->before;
    }
    return true;
}

// Computes the units from the nearest earlier ones that are up to date, and all in between.
static inline const int16_t *xq_network_follow(accumulator *a, const xq_perspective *p) {
    if (a->is_ready[p->side])
        return a->units[p->side];
    const int16_t *now = xq_network_follow(a->before, p);
    if (accumulator_is_pass(a))
        return now;
    accumulator_step s = a->step;
    a->network->kernels->update(
        a->units[p->side], now, xq_network_row(p, s.piece, s.to),
        xq_network_row(p, s.piece, s.from),
        s.taken == ACCUMULATOR_NO_PIECE ? NULL : xq_network_row(p, s.taken, s.to), p->width);
    a->is_ready[p->side] = true;
    return a->units[p->side];
}

// The units of a side. `pos` is the position of the accumulator; `cache` may be NULL.
static inline const int16_t *xq_network_units(accumulator *a, const xq_pos *pos, int side,
                                              xq_network_cache *cache) {
    if (xq_network_can_follow(a, side)) {
        xq_perspective p = xq_network_perspective(a->network, side, pos->king[side]);
        return xq_network_follow(a, &p);
    }
    if (cache)
        xq_network_refresh(a->units[side], a->network, pos, side, cache);
    else
        xq_network_compute(a->units[side], a->network, pos, side);
    a->is_ready[side] = true;
    return a->units[side];
}

// Centipawns for the mover. The output bucket goes by `phase`, 0 to `phases`.
ALWAYS_INLINE int32_t xq_network_evaluate(accumulator *a, const xq_pos *pos, int phase, int phases,
                                          xq_network_cache *cache) {
    const network *n = a->network;
    const int16_t *mover = xq_network_units(a, pos, pos->stm, cache);
    const int16_t *other = xq_network_units(a, pos, !pos->stm, cache);
    return network_evaluate(n, mover, other, phase * n->shape.output_buckets / (phases + 1));
}

#endif
