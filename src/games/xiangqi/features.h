// What the evaluation of Xiangqi looks at: one parameter a case, in groups. The order is that of
// weights.h, which `kraton tune` writes.
#ifndef KRATON_GAMES_XIANGQI_FEATURES_H
#define KRATON_GAMES_XIANGQI_FEATURES_H

// G(name, parameters, what it is)
#define XQ_FEATURES(G)                                                                             \
    G(MATERIAL, 7, "a man, by kind")                                                               \
    G(PLACE, 350, "a man's place: kind, rank from home, file from the edge to the middle")         \
    G(CHARIOT_MOBILITY, 18, "points a chariot reaches safe from lesser men")                       \
    G(CANNON_MOBILITY, 18, "points a cannon may go to, the same")                                  \
    G(HORSE_MOBILITY, 9, "points a horse reaches, the same")                                       \
    G(MAJORS, 27, "own chariots, cannons, horses left together")                                   \
    G(MEN, 3, "a chariot, cannon, horse for each man on the board above 16")                       \
    G(GUARDS, 9, "own advisors and elephants left together")                                       \
    G(BARE, 27, "an enemy chariot, cannon, horse against advisors and elephants gone")             \
    G(LINKED, 4, "own chariots, horses, elephants, advisors that protect each other")              \
    G(PAWNS, 3, "past the river: side by side, protected, not the only one")                       \
    G(HORSE, 3, "its way ahead blocked; past the river and protected; where it checks, blocked")   \
    G(CHARIOT_LINE, 8, "towards the king on its file, rank: nothing, theirs, ours, two between")   \
    G(CANNON_LINE, 12, "the same: 0, 1, 2 of which 0, 1, 2 theirs, 3 between")                     \
    G(KING_LINE, 1, "an enemy is the only man between the kings")                                  \
    G(PINNED, 7, "an enemy that covers its king, by kind")                                         \
    G(RING, 4, "a point beside the king attacked by chariot, cannon, horse, pawn")                 \
    G(ATTACKERS, 30, "men that attack the palace, against its guards left")                        \
    G(CHECK, 6, "a chariot, cannon, horse may check, safely, or where it can be taken")            \
    G(HANGING, 14, "an attacked enemy nobody protects, by kind: not to move, to move")             \
    G(THREAT, 8, "a protected chariot, cannon, horse, guard attacked by less, the same")           \
    G(KING_STEPS, 5, "safe steps of the king")                                                     \
    G(TEMPO, 1, "to move")

enum {
#define XQ_FEATURE(name, count, about) XQ_F_##name, XQ_F_##name##_LAST = XQ_F_##name + (count)-1,
    XQ_FEATURES(XQ_FEATURE)
#undef XQ_FEATURE
        XQ_F_COUNT
};

#endif
