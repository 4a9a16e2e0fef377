// The accumulator of a network for Xiangqi: the units of both perspectives.
//
// An input is a piece on a point: seven kinds of own pieces, seven of the other side's, 90 points.
// Black's perspective is turned upside down. A perspective whose king stands on the right half of
// its palace is mirrored, so that a king is on one of six points: the king buckets. When a king
// moves, its perspective is computed anew.
#ifndef KRATON_GAMES_XIANGQI_NETWORK_H
#define KRATON_GAMES_XIANGQI_NETWORK_H

#include "games/network.h"
#include "rules/xiangqi/xiangqi.h"

enum { XQ_NETWORK_INPUTS = 14 * XQ_POINTS, XQ_NETWORK_PIECES = 32 };

typedef struct {
    const network *network;                           // NULL: none
    _Alignas(64) int16_t units[2][NETWORK_MAX_WIDTH]; // by side
} xq_accumulator;

// How a side sees the board.
typedef struct {
    const int16_t *rows; // of its king bucket
    int width;
    int side;
    bool is_mirrored;
} xq_perspective;

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

// The units of a side from scratch; `board` has the pieces.
static inline void xq_network_refresh_side(xq_accumulator *a, const uint8_t *board, int side,
                                           int king) {
    xq_perspective p = xq_network_perspective(a->network, side, king);
    memcpy(a->units[side], a->network->bias, (size_t)p.width * sizeof(int16_t));
    for (int point = 0; point < XQ_POINTS; point++)
        if (board[point])
            network_add(a->units[side], xq_network_row(&p, board[point], point), p.width);
}

static inline void xq_network_refresh(xq_accumulator *a, const xq_pos *pos, const network *n) {
    a->network = n;
    for (int side = 0; n && side < 2; side++)
        xq_network_refresh_side(a, pos->board, side, pos->king[side]);
}

// The accumulator after a move, from the one before it.
static inline void xq_network_update(xq_accumulator *next, const xq_accumulator *now,
                                     const xq_pos *before, rules_move move) {
    int from = move_from(move), to = move_to(move);
    int piece = before->board[from], captured = before->board[to];
    const network *n = next->network = now->network;
    for (int side = 0; n && side < 2; side++) {
        if (piece == xq_piece(XQ_KING, side)) {
            uint8_t board[XQ_POINTS];
            memcpy(board, before->board, sizeof board);
            board[to] = (uint8_t)piece;
            board[from] = XQ_EMPTY;
            xq_network_refresh_side(next, board, side, to);
            continue;
        }
        xq_perspective p = xq_network_perspective(n, side, before->king[side]);
        network_update(next->units[side], now->units[side], xq_network_row(&p, piece, to),
                       xq_network_row(&p, piece, from),
                       captured ? xq_network_row(&p, captured, to) : NULL, p.width);
    }
}

// Centipawns for the mover. The output bucket goes by `phase`, 0 to `phases`.
ALWAYS_INLINE int32_t xq_network_evaluate(const xq_accumulator *a, int stm, int phase, int phases) {
    const network *n = a->network;
    int bucket = phase * n->shape.output_buckets / (phases + 1);
    return network_evaluate(n, a->units[stm], a->units[!stm], bucket);
}

#endif
