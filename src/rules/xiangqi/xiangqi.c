#include "rules/xiangqi/xiangqi.h"

#include "base/rng.h"

static uint64_t piece_keys[16][XQ_POINTS];
static uint64_t black_to_move;

AT_START static void fill_keys(void) {
    rng r = {0x5869616e677169}; // "Xiangqi"
    for (int piece = 0; piece < 16; piece++)
        for (int point = 0; point < XQ_POINTS; point++)
            piece_keys[piece][point] = xq_type(piece) ? rng_next(&r) : 0;
    black_to_move = rng_next(&r);
}

void xq_refresh(xq_pos *pos) {
    pos->key = pos->stm == XQ_BLACK ? black_to_move : 0;
    for (int point = 0; point < XQ_POINTS; point++) {
        int piece = pos->board[point];
        pos->key ^= piece_keys[piece][point];
        if (xq_type(piece) == XQ_KING)
            pos->king[xq_side(piece)] = (uint8_t)point;
    }
}

static void move_piece(xq_pos *pos, int from, int to, int captured) {
    int piece = pos->board[from];
    pos->board[from] = (uint8_t)captured;
    pos->board[to] = (uint8_t)piece;
    if (xq_type(piece) == XQ_KING)
        pos->king[xq_side(piece)] = (uint8_t)to;
}

int xq_make(xq_pos *pos, rules_move move) {
    int from = move_from(move), to = move_to(move);
    int piece = pos->board[from], captured = pos->board[to];
    move_piece(pos, from, to, XQ_EMPTY);
    pos->key ^=
        piece_keys[piece][from] ^ piece_keys[piece][to] ^ piece_keys[captured][to] ^ black_to_move;
    pos->quiet = captured ? 0 : (uint16_t)(pos->quiet + 1);
    pos->number = (uint16_t)(pos->number + pos->stm);
    pos->stm ^= 1;
    return captured;
}

void xq_undo(xq_pos *pos, rules_move move, int captured, uint16_t quiet) {
    int from = move_from(move), to = move_to(move);
    int piece = pos->board[to];
    move_piece(pos, to, from, captured);
    pos->key ^=
        piece_keys[piece][from] ^ piece_keys[piece][to] ^ piece_keys[captured][to] ^ black_to_move;
    pos->quiet = quiet;
    pos->stm ^= 1;
    pos->number = (uint16_t)(pos->number - pos->stm);
}

static int sign(int n) { return (n > 0) - (n < 0); }

// Pieces strictly between two points of one rank or file.
static int count_between(const xq_pos *pos, int from, int to) {
    int step = xq_file(from) == xq_file(to) ? XQ_FILES : 1;
    if (to < from)
        step = -step;
    int count = 0;
    for (int p = from + step; p != to; p += step)
        count += pos->board[p] != XQ_EMPTY;
    return count;
}

static bool in_palace(int point, int side) {
    int rank = side == XQ_RED ? xq_rank(point) : 9 - xq_rank(point);
    return rank <= 2 && xq_file(point) >= 3 && xq_file(point) <= 5;
}

static bool crossed_river(int point, int side) { return (xq_rank(point) >= 5) == (side == XQ_RED); }

// Whether a piece on from moves to `to`, taking something or not.
static bool reaches(const xq_pos *pos, int piece, int from, int to, bool taking) {
    int dx = xq_file(to) - xq_file(from), dy = xq_rank(to) - xq_rank(from);
    int ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
    int side = xq_side(piece);
    switch (xq_type(piece)) {
    case XQ_CHARIOT:
        return (ax == 0) != (ay == 0) && count_between(pos, from, to) == 0;
    case XQ_CANNON:
        return (ax == 0) != (ay == 0) && count_between(pos, from, to) == (taking ? 1 : 0);
    case XQ_HORSE: // its leg is the point next to it on the long side
        if (ax == 2 && ay == 1)
            return pos->board[from + sign(dx)] == XQ_EMPTY;
        return ax == 1 && ay == 2 && pos->board[from + XQ_FILES * sign(dy)] == XQ_EMPTY;
    case XQ_ELEPHANT:
        return ax == 2 && ay == 2 && !crossed_river(to, side) &&
               pos->board[(from + to) / 2] == XQ_EMPTY;
    case XQ_ADVISOR:
        return ax == 1 && ay == 1 && in_palace(to, side);
    case XQ_KING:
        return ax + ay == 1 && in_palace(to, side);
    case XQ_PAWN:
        return dy == (side == XQ_RED ? 1 : -1) ? ax == 0
                                               : dy == 0 && ax == 1 && crossed_river(from, side);
    default:
        return false;
    }
}

bool xq_can_reach(const xq_pos *pos, int from, int to) {
    int piece = pos->board[from], target = pos->board[to];
    return piece && !(target && xq_side(target) == xq_side(piece)) &&
           reaches(pos, piece, from, to, target != XQ_EMPTY);
}

int xq_attackers(const xq_pos *pos, int point, int side, uint8_t from[16]) {
    int n = 0;
    for (int p = 0; p < XQ_POINTS; p++) {
        int piece = pos->board[p];
        if (piece && xq_side(piece) == side && p != point && reaches(pos, piece, p, point, true))
            from[n++] = (uint8_t)p;
    }
    return n;
}

static bool kings_face(const xq_pos *pos) {
    return xq_file(pos->king[0]) == xq_file(pos->king[1]) &&
           count_between(pos, pos->king[0], pos->king[1]) == 0;
}

bool xq_in_check(const xq_pos *pos, int side) {
    uint8_t from[16];
    return kings_face(pos) || xq_attackers(pos, pos->king[side], !side, from) > 0;
}

bool xq_is_legal(const xq_pos *pos, rules_move move) {
    int from = move_from(move), to = move_to(move);
    if (from >= XQ_POINTS || to >= XQ_POINTS || xq_side(pos->board[from]) != pos->stm ||
        !xq_can_reach(pos, from, to))
        return false;
    xq_pos next = *pos;
    xq_make(&next, move);
    return !xq_in_check(&next, pos->stm);
}

int xq_generate(const xq_pos *pos, rules_move moves[XQ_MAX_MOVES]) {
    int n = 0;
    for (int captures = 1; captures >= 0; captures--)
        for (int from = 0; from < XQ_POINTS; from++) {
            if (pos->board[from] == XQ_EMPTY || xq_side(pos->board[from]) != pos->stm)
                continue;
            for (int to = 0; to < XQ_POINTS; to++)
                if ((pos->board[to] != XQ_EMPTY) == captures && xq_is_legal(pos, move_of(from, to)))
                    moves[n++] = move_of(from, to);
        }
    return n;
}
