#include "rules/xiangqi/xiangqi.h"

#include "base/rng.h"
#include "rules/xiangqi/generate.h"

uint64_t xq_piece_keys[16][XQ_POINTS];
uint64_t xq_black_to_move;

AT_START static void fill_keys(void) {
    rng r = {0x5869616e677169}; // "Xiangqi"
    for (int piece = 0; piece < 16; piece++)
        for (int point = 0; point < XQ_POINTS; point++)
            xq_piece_keys[piece][point] = xq_type(piece) ? rng_next(&r) : 0;
    xq_black_to_move = rng_next(&r);
}

void xq_refresh(xq_pos *pos) {
    memset(pos->men, 0, sizeof pos->men);
    memset(pos->ranks, 0, sizeof pos->ranks);
    memset(pos->files, 0, sizeof pos->files);
    pos->key = pos->stm == XQ_BLACK ? xq_black_to_move : 0;
    for (int point = 0; point < XQ_POINTS; point++) {
        int piece = pos->board[point];
        if (!piece)
            continue;
        xq_toggle_man(pos, piece, point);
        pos->key ^= xq_piece_keys[piece][point];
        if (xq_type(piece) == XQ_KING)
            pos->king[xq_side(piece)] = (uint8_t)point;
    }
}

xq_set xq_attackers(const xq_pos *pos, int point, int side) {
    const xq_set *men = &pos->men[side << 3];
    uint32_t lines = xq_all_lines(pos, point);
    xq_set set = (men[XQ_CHARIOT] & xq_points_of(point, xq_chariot_reach(point, lines))) |
                 (men[XQ_CANNON] & xq_points_of(point, xq_cannon_reach(point, lines) & lines)) |
                 (men[XQ_PAWN] & xq_attack.pawns_to[side][point]) |
                 (men[XQ_ELEPHANT] & xq_elephant_reach(pos, point)) |
                 (men[XQ_ADVISOR] & xq_attack.advisor[point]) |
                 (men[XQ_KING] & xq_attack.king[point]);
    for (xq_set horses = men[XQ_HORSE] & xq_attack.horses_to[point]; horses;) {
        int horse = bits_wide_pop(&horses);
        if (pos->board[xq_horse_leg(horse, point)] == XQ_EMPTY)
            set |= bits_wide(horse);
    }
    return set;
}

bool xq_in_check(const xq_pos *pos, int side) {
    int king = pos->king[side]; // a move from there to there changes no line
    return xq_takes_king(pos, xq_takers_of(pos, !side), !side, king, king, king);
}

bool xq_can_reach(const xq_pos *pos, int from, int to) {
    int piece = pos->board[from], target = pos->board[to], side = xq_side(piece);
    if (!piece || (target && xq_side(target) == side))
        return false;
    uint32_t lines = xq_all_lines(pos, from);
    switch (xq_type(piece)) {
    case XQ_CHARIOT:
        return xq_chariot_reach(from, lines) & xq_line_bit(from, to);
    case XQ_CANNON:
        return xq_cannon_reach(from, lines) & xq_line_bit(from, to);
    case XQ_PAWN:
        return xq_attack.pawn[side][from] >> to & 1;
    default:
        return xq_step_reach(pos, xq_type(piece), from) >> to & 1;
    }
}

bool xq_is_pseudo_legal(const xq_pos *pos, rules_move move) {
    int from = move_from(move), to = move_to(move);
    return from < XQ_POINTS && to < XQ_POINTS && xq_side(pos->board[from]) == pos->stm &&
           xq_can_reach(pos, from, to);
}

bool xq_is_legal(const xq_pos *pos, rules_move move) {
    if (!xq_is_pseudo_legal(pos, move))
        return false;
    int from = move_from(move), to = move_to(move), king = pos->king[pos->stm];
    return !xq_exposes(pos, pos->stm, from == king ? to : king, from, to);
}

bool xq_gives_check(const xq_pos *pos, rules_move move) { return xq_checks(pos, move); }

int xq_generate(const xq_pos *pos, rules_move moves[XQ_MAX_MOVES]) {
    return xq_write_legal(pos, moves);
}

static int generate_kind(const xq_pos *pos, xq_kind kind, rules_move *moves) {
    xq_guard g = xq_guard_king(pos);
    const rules_move *end = xq_write_kind(pos, kind, XQ_ANYWHERE, moves);
    return (int)(xq_keep_safe(pos, &g, moves, end) - moves);
}

int xq_generate_captures(const xq_pos *pos, rules_move moves[XQ_MAX_MOVES]) {
    return generate_kind(pos, XQ_CAPTURES, moves);
}

int xq_generate_quiets(const xq_pos *pos, rules_move moves[XQ_MAX_MOVES]) {
    return generate_kind(pos, XQ_QUIETS, moves);
}
