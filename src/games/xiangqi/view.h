// Sets of points for the evaluation: what the men of a side attack, told without loops or branches
// where that can be.
//
// An attack includes own men, who are protected that way. A cannon attacks what lies behind its
// screen up to the next man; where it may go is another matter.
#ifndef KRATON_GAMES_XIANGQI_VIEW_H
#define KRATON_GAMES_XIANGQI_VIEW_H

#include "rules/xiangqi/generate.h"

// As Red sees them.
#define XQ_VIEW_RANK(r) ((xq_set)511 << (XQ_FILES * (r)))
#define XQ_VIEW_RED_HALF (((xq_set)1 << 45) - 1)
#define XQ_VIEW_ALL (((xq_set)1 << XQ_POINTS) - 1)
#define XQ_VIEW_FILE_A                                                                             \
    ((xq_set)0x40201 | (xq_set)0x40201 << 27 | (xq_set)0x40201 << 54 | (xq_set)1 << 81)
#define XQ_VIEW_RED_PALACE ((xq_set)0x38 | (xq_set)0x38 << 9 | (xq_set)0x38 << 18)
// Where elephants and advisors stand, of either side.
#define XQ_VIEW_RED_ELEPHANTS ((xq_set)0x44 | (xq_set)0x111 << 18 | (xq_set)0x44 << 36)
#define XQ_VIEW_ELEPHANTS (XQ_VIEW_RED_ELEPHANTS | XQ_VIEW_RED_ELEPHANTS << 45)
#define XQ_VIEW_RED_ADVISORS ((xq_set)0x28 | (xq_set)0x10 << 9 | (xq_set)0x28 << 18)
#define XQ_VIEW_ADVISORS (XQ_VIEW_RED_ADVISORS | XQ_VIEW_RED_ADVISORS << 63)

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

// Both turns of a diagonal, one step up or down the board. Over an edge they come out on the wrong
// rank, where no man stands that moves this way.
ALWAYS_INLINE xq_set xq_view_diagonal(xq_set men) {
    return men << 8 | men << 10 | men >> 8 | men >> 10;
}

ALWAYS_INLINE xq_set xq_view_pawns(xq_set pawns, int side) {
    return xq_view_ahead(pawns, side) | xq_view_aside(pawns & xq_view_beyond(side));
}

ALWAYS_INLINE xq_set xq_view_advisors(xq_set advisors) {
    return xq_view_diagonal(advisors) & XQ_VIEW_ADVISORS;
}

// The second step of each diagonal, where the first is free, on the elephants' own side.
ALWAYS_INLINE xq_set xq_view_elephants(xq_set elephants, xq_set everybody, int side) {
    xq_set eyes[4] = {elephants << 8, elephants << 10, elephants >> 8, elephants >> 10};
    for (int i = 0; i < 4; i++)
        eyes[i] &= ~everybody;
    return (eyes[0] << 8 | eyes[1] << 10 | eyes[2] >> 8 | eyes[3] >> 10) & XQ_VIEW_ELEPHANTS &
           ~xq_view_beyond(side);
}

// The first point of each rank.
static const xq_set xq_view_rank_first[XQ_RANKS] = {
    (xq_set)1,       (xq_set)1 << 9,  (xq_set)1 << 18, (xq_set)1 << 27, (xq_set)1 << 36,
    (xq_set)1 << 45, (xq_set)1 << 54, (xq_set)1 << 63, (xq_set)1 << 72, (xq_set)1 << 81};

// A word of lines as a set of points, without a loop: products lay a file's places nine apart,
// eight in the lower word and two in the upper, and carry a rank to its place.
ALWAYS_INLINE xq_set xq_view_points(int point, uint32_t lines) {
    int file = xq_file(point);
    uint64_t low = (lines >> 16 & 255) * 0x0101010101010101u & 0x8040201008040201u;
    uint64_t high = (uint64_t)(lines >> 24) * 0x10100 & 0x20100;
    high = high << file | low >> 1 >> (63 - file);
    xq_set rank = xq_view_rank_first[xq_rank(point)] * (lines & 511);
    return ((xq_set)high << 64 | low << file) | rank;
}

// What a chariot, cannon or horse attacks, and where it may go; lines: all men on its own.
typedef struct {
    xq_set attacks, goals;
} xq_view_man;

ALWAYS_INLINE xq_view_man xq_view_major(const xq_pos *pos, int side, int type, int point,
                                        uint32_t lines) {
    xq_view_man man;
    if (type == XQ_HORSE) {
        man.attacks = xq_horse_reach(point, lines);
        man.goals = man.attacks & ~pos->men[side << 3];
        return man;
    }
    uint32_t direct = xq_chariot_reach(point, lines);
    if (type == XQ_CHARIOT) {
        man.attacks = xq_view_points(point, direct);
        man.goals = man.attacks & ~pos->men[side << 3];
    } else { // with the first men taken away a cannon is a chariot
        uint32_t behind = xq_chariot_reach(point, lines & ~direct) & ~direct;
        man.attacks = xq_view_points(point, behind);
        man.goals = xq_view_points(point, direct & ~lines) | (man.attacks & pos->men[!side << 3]);
    }
    return man;
}

#endif
