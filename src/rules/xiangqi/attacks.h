// How the men move, as tables: small enough to stay in the first-level cache. Chariots and cannons
// look their rank and their file up by its occupancy; horses by the four points beside them; the
// rest is one set per point. Written once before main and only read afterwards.
#ifndef KRATON_RULES_XIANGQI_ATTACKS_H
#define KRATON_RULES_XIANGQI_ATTACKS_H

#include "rules/xiangqi/xiangqi.h"

typedef struct {
    // By place on the line and the line's men: the empty places to both sides, and the first man
    // (chariot) or the second man (cannon) on each.
    uint16_t chariot_rank[XQ_FILES][512], chariot_file[XQ_RANKS][1024];
    uint16_t cannon_rank[XQ_FILES][512], cannon_file[XQ_RANKS][1024];
    uint16_t between[XQ_RANKS][XQ_RANKS]; // the places strictly between two of a line

    xq_set horse[XQ_POINTS][16];     // by the men beside it: 1 left, 2 right, 4 below, 8 above
    xq_set elephant[XQ_POINTS];      // on its own side of the river, eyes not regarded
    xq_set elephant_eyes[XQ_POINTS]; // the four points that may block it
    xq_set advisor[XQ_POINTS], king[XQ_POINTS];
    xq_set pawn[2][XQ_POINTS];

    xq_set cross[XQ_POINTS];       // the other points of its rank and file
    xq_set horses_to[XQ_POINTS];   // where a horse attacks it from, legs not regarded
    xq_set pawns_to[2][XQ_POINTS]; // where a pawn of that side attacks it from
} xq_attack_tables;

extern xq_attack_tables xq_attack;

// Rank and file of a point in one word: the rank's 9 bits below, the file's 10 from bit 16 on.
ALWAYS_INLINE uint32_t xq_lines(const xq_pos *pos, int side, int point) {
    return pos->ranks[side][xq_rank(point)] | (uint32_t)pos->files[side][xq_file(point)] << 16;
}

// Where a chariot or a cannon gets to, in the same form, given all men on its lines. Own men and,
// for the cannon, own men behind a screen are still in it.
ALWAYS_INLINE uint32_t xq_chariot_reach(int point, uint32_t lines) {
    return xq_attack.chariot_rank[xq_file(point)][lines & 511] |
           (uint32_t)xq_attack.chariot_file[xq_rank(point)][lines >> 16] << 16;
}

ALWAYS_INLINE uint32_t xq_cannon_reach(int point, uint32_t lines) {
    return xq_attack.cannon_rank[xq_file(point)][lines & 511] |
           (uint32_t)xq_attack.cannon_file[xq_rank(point)][lines >> 16] << 16;
}

// The bit of a point on another's lines; 0 when they share none.
ALWAYS_INLINE uint32_t xq_line_bit(int point, int other) {
    if (xq_rank(point) == xq_rank(other))
        return 1u << xq_file(other);
    return xq_file(point) == xq_file(other) ? 1u << (16 + xq_rank(other)) : 0;
}

// The men between two points of one line, as a word of that line; 0 for none.
ALWAYS_INLINE uint32_t xq_men_between(int point, uint32_t lines, int other) {
    if (xq_file(point) == xq_file(other))
        return lines >> 16 & xq_attack.between[xq_rank(point)][xq_rank(other)];
    return lines & xq_attack.between[xq_file(point)][xq_file(other)];
}

ALWAYS_INLINE xq_set xq_horse_reach(int point, uint32_t lines) {
    unsigned rank = (lines & 511) << 1,
             file = lines >> 16 << 1; // room for a place before the first
    unsigned beside = rank >> xq_file(point), along = file >> xq_rank(point);
    return xq_attack
        .horse[point][(beside & 1) | (beside >> 1 & 2) | (along & 1) << 2 | (along << 1 & 8)];
}

// The leg of a horse on from that goes to `to`.
ALWAYS_INLINE int xq_horse_leg(int from, int to) {
    static const int8_t step[39] = {
        [0] = -9, [2] = -9, [8] = -1, [12] = 1, [26] = -1, [30] = 1, [36] = 9, [38] = 9,
    };
    return from + step[to - from + 19];
}

ALWAYS_INLINE xq_set xq_elephant_reach(const xq_pos *pos, int point) {
    xq_set eyes = xq_attack.elephant_eyes[point] & (pos->men[0] | pos->men[8]);
    xq_set reach = xq_attack.elephant[point];
    while (eyes) {
        int to = 2 * bits_wide_pop(&eyes) - point; // as far behind the eye as the eye is away
        reach &= ~bits_wide(to & 127);
    }
    return reach;
}

// A word of lines as a set of points.
ALWAYS_INLINE xq_set xq_points_of(int point, uint32_t lines) {
    xq_set set = (xq_set)(lines & 511) << (point - xq_file(point));
    for (uint64_t ranks = lines >> 16; ranks;)
        set |= bits_wide(XQ_FILES * bits_pop(&ranks) + xq_file(point));
    return set;
}

#endif
