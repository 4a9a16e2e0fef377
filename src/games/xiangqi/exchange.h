// The exchange value of a move against a threshold, for the search: quicker than rules' xq_see and
// not as strict. Screens, legs and eyes are asked anew after each capture, pins are not regarded.
#ifndef KRATON_GAMES_XIANGQI_EXCHANGE_H
#define KRATON_GAMES_XIANGQI_EXCHANGE_H

#include "rules/xiangqi/generate.h"
#include "rules/xiangqi/see.h"

// What is left of the board while the men go down one after the other.
typedef struct {
    int point;      // where they all take
    xq_set alive;   // men still there
    uint32_t lines; // those on the point's lines
} xq_melee;

// The cheapest man of side that takes on the point, or -1.
ALWAYS_INLINE int xq_melee_taker(const xq_pos *pos, const xq_melee *m, int side) {
    const xq_set *men = &pos->men[side << 3];
    int point = m->point;
    xq_set set = men[XQ_PAWN] & xq_attack.pawns_to[side][point] & m->alive;
    if (set)
        return bits_wide_lowest(set);
    set = men[XQ_ADVISOR] & xq_attack.advisor[point] & m->alive;
    if (set)
        return bits_wide_lowest(set);
    for (set = men[XQ_ELEPHANT] & xq_attack.elephant[point] & m->alive; set;) {
        int from = bits_wide_pop(&set);
        if (!(m->alive >> ((from + point) / 2) & 1))
            return from;
    }
    for (set = men[XQ_HORSE] & xq_attack.horses_to[point] & m->alive; set;) {
        int from = bits_wide_pop(&set);
        if (!(m->alive >> xq_horse_leg(from, point) & 1))
            return from;
    }
    xq_set liners = (men[XQ_CANNON] | men[XQ_CHARIOT]) & xq_attack.cross[point] & m->alive;
    if (liners) {
        set = men[XQ_CANNON] & liners;
        if (set)
            set &= xq_points_of(point, xq_cannon_reach(point, m->lines) & m->lines);
        if (!set && men[XQ_CHARIOT] & liners)
            set = men[XQ_CHARIOT] & liners & xq_points_of(point, xq_chariot_reach(point, m->lines));
        if (set)
            return bits_wide_lowest(set);
    }
    set = men[XQ_KING] & xq_attack.king[point] & m->alive;
    return set ? bits_wide_lowest(set) : -1;
}

// Whether side's king looks down a free file at the point, where the other may then not step.
ALWAYS_INLINE bool xq_melee_faces(const xq_pos *pos, const xq_melee *m, int side) {
    int king = pos->king[side];
    return xq_file(king) == xq_file(m->point) && !xq_men_between(m->point, m->lines, king);
}

// Whether a legal move nets at least that much when both sides go on taking on its target, each
// with its cheapest man, as long as it pays.
static inline bool xq_exchange_at_least(const xq_pos *pos, rules_move move, int least) {
    const int *values = xq_plain_values;
    int from = move_from(move), to = move_to(move), side = pos->stm;
    int swap = values[xq_type(pos->board[to])] - least;
    if (swap < 0)
        return false;
    swap = values[xq_type(pos->board[from])] - swap;
    if (swap <= 0)
        return true;
    xq_melee m = {to, (pos->men[0] | pos->men[8]) & ~bits_wide(from),
                  xq_all_lines(pos, to) & ~xq_line_bit(to, from)};
    bool holds = true;
    for (;;) {
        side = !side;
        int taker = xq_melee_taker(pos, &m, side);
        if (taker < 0)
            return holds;
        holds = !holds;
        int type = xq_type(pos->board[taker]);
        m.alive &= ~bits_wide(taker);
        m.lines &= ~xq_line_bit(to, taker);
        if (type == XQ_KING && // it may not step where it would be taken
            (xq_melee_taker(pos, &m, !side) >= 0 || xq_melee_faces(pos, &m, !side)))
            return !holds;
        if (type == XQ_KING)
            return holds;
        swap = values[type] - swap;
        if (swap < (int)holds)
            return holds;
    }
}

#endif
