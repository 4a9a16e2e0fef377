// Endings that material alone judges wrongly: who has nothing left to attack with cannot win, and
// many a small advantage does not win against a whole palace. From the endgame books; what is
// drawn with best play keeps a little of its score, so that the engine still tries.
#ifndef KRATON_GAMES_XIANGQI_ENDINGS_H
#define KRATON_GAMES_XIANGQI_ENDINGS_H

#include "games/xiangqi/terms.h"

enum { XQ_ENDING_FULL = 64, XQ_ENDING_LIKELY = 40, XQ_ENDING_HARD = 20, XQ_ENDING_DRAWN = 4 };
// With more men than this, a side that is ahead has more than two attackers.
enum { XQ_ENDING_PHASE = 128 };

// One side's men by kind.
typedef struct {
    int chariots, cannons, horses, pawns, elephants, advisors;
} xq_ending_men;

ALWAYS_INLINE xq_ending_men xq_ending_count(uint64_t counts, int side) {
    counts >>= side * 32;
    return (xq_ending_men){
        (int)(counts >> 4 * XQ_CHARIOT & 15),  (int)(counts >> 4 * XQ_CANNON & 15),
        (int)(counts >> 4 * XQ_HORSE & 15),    (int)(counts >> 4 * XQ_PAWN & 15),
        (int)(counts >> 4 * XQ_ELEPHANT & 15), (int)(counts >> 4 * XQ_ADVISOR & 15)};
}

// A cannon and nothing else to attack with: it needs an advisor of its own as a screen, and even
// then an elephant holds it off.
static inline int xq_ending_cannon(const xq_ending_men *own, const xq_ending_men *enemy) {
    if (own->advisors == 0)
        return own->elephants ? XQ_ENDING_DRAWN : 0;
    return enemy->elephants ? XQ_ENDING_DRAWN : XQ_ENDING_FULL;
}

// A horse alone beats a bare king and a single advisor.
static inline int xq_ending_horse(const xq_ending_men *enemy) {
    if (enemy->elephants + enemy->advisors == 0)
        return XQ_ENDING_FULL;
    if (enemy->elephants + enemy->advisors == 1)
        return enemy->advisors ? XQ_ENDING_LIKELY : XQ_ENDING_HARD;
    return XQ_ENDING_DRAWN;
}

// Pawns alone: one on the last rank is lost for the attack, one beats only a bare king, two do not
// get through three guards.
static inline int xq_ending_pawns(const xq_pos *pos, int side, const xq_ending_men *enemy) {
    xq_set last = side == XQ_RED ? XQ_VIEW_RANK(9) : XQ_VIEW_RANK(0);
    int able = bits_wide_count(pos->men[xq_piece(XQ_PAWN, side)] & ~last);
    int guards = enemy->elephants + enemy->advisors;
    if (able == 0)
        return 0;
    if (able == 1)
        return guards ? XQ_ENDING_DRAWN : XQ_ENDING_FULL;
    return able == 2 && guards > 2 ? XQ_ENDING_HARD : XQ_ENDING_FULL;
}

// One chariot against a side without: the whole palace holds, and so do a pair of guards with a
// horse or a cannon.
static inline int xq_ending_chariot(const xq_ending_men *enemy) {
    int helpers = enemy->cannons + enemy->horses;
    if (enemy->chariots)
        return enemy->elephants + enemy->advisors ? XQ_ENDING_DRAWN : XQ_ENDING_HARD;
    if (helpers == 0)
        return enemy->advisors == 2 && enemy->elephants == 2 ? XQ_ENDING_DRAWN : XQ_ENDING_FULL;
    if (helpers == 1 && enemy->advisors < 2 && enemy->elephants < 2)
        return XQ_ENDING_LIKELY;
    return XQ_ENDING_DRAWN;
}

// A chariot and one more against a chariot.
static inline int xq_ending_chariots(const xq_ending_men *own, const xq_ending_men *enemy) {
    int guards = enemy->elephants + enemy->advisors;
    if (own->pawns)
        return guards > 2 ? XQ_ENDING_HARD : guards > 1 ? XQ_ENDING_LIKELY : XQ_ENDING_FULL;
    if (own->cannons && own->advisors == 0)
        return guards > 1 ? XQ_ENDING_HARD : XQ_ENDING_FULL;
    return guards > 3 ? XQ_ENDING_LIKELY : XQ_ENDING_FULL;
}

// Two lesser men against a palace without helpers.
static inline int xq_ending_two(const xq_ending_men *own, const xq_ending_men *enemy) {
    int guards = enemy->elephants + enemy->advisors;
    bool screens = own->advisors > 0;
    if (own->pawns == 1 && own->cannons == 1)
        return guards < 3 ? XQ_ENDING_FULL : screens ? XQ_ENDING_LIKELY : XQ_ENDING_HARD;
    if (own->pawns == 1 && own->horses == 1)
        return guards < 4 ? XQ_ENDING_FULL : XQ_ENDING_HARD;
    if (own->cannons == 2 && guards == 4)
        return screens ? XQ_ENDING_LIKELY : XQ_ENDING_HARD;
    return XQ_ENDING_FULL;
}

// How much of a lead in points a side can hope to win with, in 64ths.
static inline int xq_ending_scale(const xq_pos *pos, uint64_t counts, int side) {
    xq_ending_men own = xq_ending_count(counts, side), enemy = xq_ending_count(counts, !side);
    int lesser = own.cannons + own.horses, attackers = own.chariots + lesser + own.pawns;
    bool alone = enemy.chariots + enemy.cannons + enemy.horses == 0;
    if (attackers == 0)
        return 0;
    if (own.chariots == 0 && lesser == 0)
        return alone ? xq_ending_pawns(pos, side, &enemy) : XQ_ENDING_HARD;
    if (own.chariots == 1 && attackers == 1)
        return xq_ending_chariot(&enemy);
    if (own.chariots == 1 && attackers == 2 && enemy.chariots == 1)
        return xq_ending_chariots(&own, &enemy);
    if (attackers == 1 && !alone)
        return XQ_ENDING_DRAWN;
    if (attackers == 1)
        return own.cannons ? xq_ending_cannon(&own, &enemy) : xq_ending_horse(&enemy);
    if (own.chariots == 0 && attackers == 2)
        return xq_ending_two(&own, &enemy);
    return XQ_ENDING_FULL;
}

#endif
