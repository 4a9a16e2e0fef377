// What each side's men attack: looked at once, used by every term of the evaluation.
//
// An attack includes own men, who are protected that way. A cannon attacks what lies behind its
// screen up to the next man; where it may go is another matter.
#ifndef KRATON_GAMES_XIANGQI_VIEW_H
#define KRATON_GAMES_XIANGQI_VIEW_H

#include "rules/xiangqi/generate.h"

// Sets of points as Red sees them.
#define XQ_VIEW_RANK(r) ((xq_set)511 << (XQ_FILES * (r)))
#define XQ_VIEW_RED_HALF (((xq_set)1 << 45) - 1)
#define XQ_VIEW_ALL (((xq_set)1 << XQ_POINTS) - 1)
#define XQ_VIEW_FILE_A                                                                             \
    ((xq_set)0x40201 | (xq_set)0x40201 << 27 | (xq_set)0x40201 << 54 | (xq_set)1 << 81)
#define XQ_VIEW_RED_PALACE ((xq_set)0x38 | (xq_set)0x38 << 9 | (xq_set)0x38 << 18)

// A chariot, cannon or horse.
typedef struct {
    xq_set attacks;
    xq_set goals; // where it may go: own men not among them
    int point, type;
} xq_view_man;

typedef struct {
    xq_view_man men[6]; // no side has more
    int count;
    xq_set by[XQ_TYPES]; // attacked by the men of a kind
    xq_set all;          // by any
    xq_set lesser;       // by pawns and guards
} xq_view_side;

ALWAYS_INLINE xq_set xq_view_palace(int side) {
    return side == XQ_RED ? XQ_VIEW_RED_PALACE : XQ_VIEW_RED_PALACE << 63;
}

// The half a side's pawns cross into.
ALWAYS_INLINE xq_set xq_view_beyond(int side) {
    return side == XQ_RED ? XQ_VIEW_ALL ^ XQ_VIEW_RED_HALF : XQ_VIEW_RED_HALF;
}

// One step towards the enemy.
ALWAYS_INLINE xq_set xq_view_ahead(xq_set men, int side) {
    return side == XQ_RED ? men << 9 & XQ_VIEW_ALL : men >> 9;
}

// One step to either side.
ALWAYS_INLINE xq_set xq_view_aside(xq_set men) {
    return (men & ~XQ_VIEW_FILE_A) >> 1 | (men & ~(XQ_VIEW_FILE_A << 8)) << 1;
}

// A word of lines as a set of points, without a loop: the product lays the file's lower eight
// places nine apart.
ALWAYS_INLINE xq_set xq_view_points(int point, uint32_t lines) {
    uint64_t low = (lines >> 16 & 255) * 0x0101010101010101u & 0x8040201008040201u;
    uint64_t high = (uint64_t)(lines >> 24 & 1) << 8 | (uint64_t)(lines >> 25 & 1) << 17;
    int file = xq_file(point);
    return ((xq_set)high << 64 | low) << file | (xq_set)(lines & 511) << (point - file);
}

ALWAYS_INLINE xq_view_man xq_view_liner(const xq_pos *pos, int side, int type, int point) {
    xq_view_man man = {.point = point, .type = type};
    uint32_t lines = xq_all_lines(pos, point), direct = xq_chariot_reach(point, lines);
    if (type == XQ_CHARIOT) {
        man.attacks = xq_view_points(point, direct);
        man.goals = man.attacks & ~pos->men[side << 3];
    } else { // the first men taken away, a cannon is a chariot
        uint32_t behind = xq_chariot_reach(point, lines & ~direct) & ~direct;
        man.attacks = xq_view_points(point, behind);
        man.goals = xq_view_points(point, direct & ~lines) | (man.attacks & pos->men[!side << 3]);
    }
    return man;
}

ALWAYS_INLINE void xq_view_majors(const xq_pos *pos, int side, xq_view_side *view) {
    const xq_set *own = &pos->men[side << 3];
    for (int type = XQ_CHARIOT; type <= XQ_HORSE; type++) {
        xq_set attacks = 0;
        for (xq_set men = own[type]; men;) {
            xq_view_man *man = &view->men[view->count++];
            int point = bits_wide_pop(&men);
            if (type == XQ_HORSE) {
                xq_set reach = xq_horse_reach(point, xq_all_lines(pos, point));
                *man = (xq_view_man){reach, reach & ~own[0], point, type};
            } else {
                *man = xq_view_liner(pos, side, type, point);
            }
            attacks |= man->attacks;
        }
        view->by[type] = attacks;
    }
}

ALWAYS_INLINE void xq_view_look(const xq_pos *pos, int side, xq_view_side *view) {
    const xq_set *own = &pos->men[side << 3];
    view->count = 0;
    xq_view_majors(pos, side, view);
    view->by[XQ_PAWN] =
        xq_view_ahead(own[XQ_PAWN], side) | xq_view_aside(own[XQ_PAWN] & xq_view_beyond(side));
    view->by[XQ_ELEPHANT] = view->by[XQ_ADVISOR] = 0;
    for (xq_set men = own[XQ_ELEPHANT]; men;)
        view->by[XQ_ELEPHANT] |= xq_elephant_reach(pos, bits_wide_pop(&men));
    for (xq_set men = own[XQ_ADVISOR]; men;)
        view->by[XQ_ADVISOR] |= xq_attack.advisor[bits_wide_pop(&men)];
    view->by[XQ_KING] = xq_attack.king[pos->king[side]];
    view->lesser = view->by[XQ_PAWN] | view->by[XQ_ELEPHANT] | view->by[XQ_ADVISOR];
    view->all = view->lesser | view->by[XQ_KING] | view->by[XQ_CHARIOT] | view->by[XQ_CANNON] |
                view->by[XQ_HORSE];
}

#endif
