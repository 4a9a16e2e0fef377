// The terms of the evaluation, each for one side: what its men gain it, or what it suffers. Scores
// hold the opening's value in the lower and the ending's in the upper 16 bits; sums and multiples
// of such words are again such words.
#ifndef KRATON_GAMES_XIANGQI_TERMS_H
#define KRATON_GAMES_XIANGQI_TERMS_H

#include "base/minmax.h"
#include "games/trace.h"
#include "rules/xiangqi/generate.h"

// --- sets of points -----------------------------------------------------------------------------

// What the men of a side attack, without loops or branches where possible. An attack includes own
// men, who are protected that way. A cannon attacks what lies behind its screen up to the next man.

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

// --- the terms ----------------------------------------------------------------------------------

// What the evaluation looks at: groups of parameters, in the order of weights.h, which `kraton
// tune` writes. G(name, parameters, what it is)
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

typedef struct {
    int32_t weight[XQ_F_COUNT];
    int32_t place[16][XQ_POINTS]; // material and place by piece, Black's negative; 0 for none
} xq_eval_tables;

// Written before main from weights.h.
extern xq_eval_tables xq_eval_table;

// What a side's men do.
typedef struct {
    xq_set by[XQ_TYPES];   // attacked by the men of a kind
    xq_set goals[XQ_PAWN]; // where chariots, cannons, horses may go
    xq_set lesser;         // attacked by pawns and guards
    xq_set all;            // by any
    int attackers;         // how many attack the enemy's palace or may go there
} xq_eval_view;

// The position as the terms see it.
typedef struct {
    const xq_pos *pos;
    xq_set everybody;
    uint16_t ranks[XQ_RANKS], files[XQ_RANKS]; // the same line by line
    uint64_t counts;                           // four bits a piece
    xq_eval_view view[2];
    eval_trace *trace;
} xq_eval_scene;

ALWAYS_INLINE int xq_eval_count(uint64_t counts, int type, int side) {
    return (int)(counts >> 4 * xq_piece(type, side) & 15);
}

ALWAYS_INLINE void xq_eval_set_scene(xq_eval_scene *s, const xq_pos *pos, uint64_t counts,
                                     eval_trace *trace) {
    s->pos = pos, s->counts = counts, s->trace = trace;
    s->everybody = pos->men[0] | pos->men[8];
    for (int i = 0; i < XQ_RANKS; i++) {
        s->ranks[i] = pos->ranks[0][i] | pos->ranks[1][i];
        s->files[i] = pos->files[0][i] | pos->files[1][i];
    }
}

// All men on a point's lines.
ALWAYS_INLINE uint32_t xq_eval_lines(const xq_eval_scene *s, int point) {
    return s->ranks[xq_rank(point)] | (uint32_t)s->files[xq_file(point)] << 16;
}

// A parameter's worth to a side, so many times.
ALWAYS_INLINE int32_t xq_eval_take(const xq_eval_scene *s, int side, int feature, int times) {
    trace_add(s->trace, feature, side == XQ_RED ? times : -times);
    return xq_eval_table.weight[feature] * times;
}

// Pawns, guards and the king: what they attack.
ALWAYS_INLINE void xq_eval_look(xq_eval_scene *s, int side) {
    const xq_set *own = &s->pos->men[side << 3];
    xq_eval_view *view = &s->view[side];
    view->by[XQ_PAWN] = xq_view_pawns(own[XQ_PAWN], side);
    view->by[XQ_ELEPHANT] = xq_view_elephants(own[XQ_ELEPHANT], s->everybody, side);
    view->by[XQ_ADVISOR] = xq_view_advisors(own[XQ_ADVISOR]);
    view->by[XQ_KING] = xq_attack.king[s->pos->king[side]];
    view->lesser = view->by[XQ_PAWN] | view->by[XQ_ELEPHANT] | view->by[XQ_ADVISOR];
    view->all = view->lesser | view->by[XQ_KING];
    view->attackers = 0;
}

// The men of a kind: what they attack, and how many points each may go to where no lesser enemy
// takes it.
ALWAYS_INLINE int32_t xq_eval_mobility(xq_eval_scene *s, int side, int type, int feature,
                                       xq_set lesser) {
    xq_eval_view *view = &s->view[side];
    xq_set attacks = 0, goals = 0, palace = xq_view_palace(!side);
    int32_t score = 0;
    for (xq_set men = s->pos->men[xq_piece(type, side)]; men;) {
        int point = bits_wide_pop(&men);
        xq_view_man man = xq_view_major(s->pos, side, type, point, xq_eval_lines(s, point));
        attacks |= man.attacks;
        goals |= man.goals;
        view->attackers += ((man.attacks | man.goals) & palace) != 0;
        score += xq_eval_take(s, side, feature + bits_wide_count(man.goals & ~lesser), 1);
    }
    view->by[type] = attacks;
    view->goals[type] = goals;
    view->all |= attacks;
    return score;
}

ALWAYS_INLINE int32_t xq_eval_lesser_majors(xq_eval_scene *s, int side) {
    xq_set lesser = s->view[!side].lesser;
    return xq_eval_mobility(s, side, XQ_CANNON, XQ_F_CANNON_MOBILITY, lesser) +
           xq_eval_mobility(s, side, XQ_HORSE, XQ_F_HORSE_MOBILITY, lesser);
}

// To be called when both sides' cannons and horses are known.
ALWAYS_INLINE int32_t xq_eval_chariots(xq_eval_scene *s, int side) {
    const xq_eval_view *enemy = &s->view[!side];
    return xq_eval_mobility(s, side, XQ_CHARIOT, XQ_F_CHARIOT_MOBILITY,
                            enemy->lesser | enemy->by[XQ_CANNON] | enemy->by[XQ_HORSE]);
}

// Which men are left matters beyond their sum: pairs, screens, guards against kinds of attackers.
ALWAYS_INLINE int32_t xq_eval_material(const xq_eval_scene *s, int side) {
    int chariots = xq_eval_count(s->counts, XQ_CHARIOT, side);
    int cannons = xq_eval_count(s->counts, XQ_CANNON, side);
    int horses = xq_eval_count(s->counts, XQ_HORSE, side);
    int advisors = xq_eval_count(s->counts, XQ_ADVISOR, !side);
    int elephants = xq_eval_count(s->counts, XQ_ELEPHANT, !side);
    int men = bits_wide_count(s->everybody) - 16;
    int bare = XQ_F_BARE + 3 * (2 - advisors) + 2 - elephants;
    return xq_eval_take(s, side, XQ_F_MAJORS + 9 * chariots + 3 * cannons + horses, 1) +
           xq_eval_take(s, side, XQ_F_MEN + 0, chariots * men) +
           xq_eval_take(s, side, XQ_F_MEN + 1, cannons * men) +
           xq_eval_take(s, side, XQ_F_MEN + 2, horses * men) +
           xq_eval_take(s, side, bare, chariots) + xq_eval_take(s, side, bare + 9, cannons) +
           xq_eval_take(s, side, bare + 18, horses) -
           xq_eval_take(s, !side, XQ_F_GUARDS + 3 * advisors + elephants, 1);
}

// Men that stand well together, pawns past the river, horses.
ALWAYS_INLINE int32_t xq_eval_structure(const xq_eval_scene *s, int side) {
    static const int kinds[4] = {XQ_CHARIOT, XQ_HORSE, XQ_ELEPHANT, XQ_ADVISOR};
    const xq_set *own = &s->pos->men[side << 3];
    const xq_eval_view *view = &s->view[side];
    int32_t score = 0;
    for (int i = 0; i < 4; i++)
        if (view->by[kinds[i]] & own[kinds[i]])
            score += xq_eval_take(s, side, XQ_F_LINKED + i, 1);
    xq_set pawns = own[XQ_PAWN] & xq_view_beyond(side), horses = own[XQ_HORSE];
    if (pawns) {
        int count = bits_wide_count(pawns);
        int linked = bits_wide_count(pawns & xq_view_aside(pawns));
        int guarded = bits_wide_count(pawns & view->all);
        score += xq_eval_take(s, side, XQ_F_PAWNS + 0, linked) +
                 xq_eval_take(s, side, XQ_F_PAWNS + 1, guarded) +
                 xq_eval_take(s, side, XQ_F_PAWNS + 2, count - 1);
    }
    int blocked = bits_wide_count(xq_view_ahead(horses, side) & s->everybody);
    int posted = bits_wide_count(horses & xq_view_beyond(side) & view->all);
    return score + xq_eval_take(s, side, XQ_F_HORSE + 0, blocked) +
           xq_eval_take(s, side, XQ_F_HORSE + 1, posted);
}

// A chariot or a cannon on the enemy king's lines.
ALWAYS_INLINE int32_t xq_eval_line(const xq_eval_scene *s, int side, int from, uint32_t lines,
                                   bool cannon) {
    int king = s->pos->king[!side];
    bool on_rank = xq_file(king) != xq_file(from);
    uint32_t men = xq_men_between(king, lines, from), theirs;
    theirs = men & (xq_lines(s->pos, !side, king) >> (on_rank ? 0 : 16));
    int count = xq_count_few(men), enemies = xq_count_few(theirs);
    int32_t score = 0;
    if (cannon) {
        int shape = count < 2 ? count : count == 2 ? 2 + enemies : 5;
        score = xq_eval_take(s, side, XQ_F_CANNON_LINE + 6 * on_rank + shape, 1);
    } else if (count < 3) {
        int shape = count == 0 ? 0 : count == 2 ? 3 : enemies ? 1 : 2;
        score = xq_eval_take(s, side, XQ_F_CHARIOT_LINE + 4 * on_rank + shape, 1);
    }
    if (count != 1 + cannon)
        return score;
    for (uint64_t held = theirs; held;) {
        int place = bits_pop(&held);
        int point = on_rank ? king - xq_file(king) + place : XQ_FILES * place + xq_file(king);
        score += xq_eval_take(s, side, XQ_F_PINNED + xq_type(s->pos->board[point]) - 1, 1);
    }
    return score;
}

// Where a horse attacks a king from: its legs are the points diagonally beside the king.
ALWAYS_INLINE xq_set xq_eval_horse_checks(const xq_eval_scene *s, int king) {
    xq_set legs = xq_attack.elephant_eyes[king] & ~s->everybody;
    return xq_attack.horses_to[king] & (xq_view_aside(legs) | legs << 9 | legs >> 9);
}

// What points at the enemy king: along lines, its own king included, and as a horse.
ALWAYS_INLINE int32_t xq_eval_king_lines(const xq_eval_scene *s, int side) {
    const xq_pos *pos = s->pos;
    const xq_set *own = &pos->men[side << 3];
    int king = pos->king[!side], face = pos->king[side];
    uint32_t lines = xq_eval_lines(s, king);
    int32_t score = 0;
    for (xq_set men = (own[XQ_CHARIOT] | own[XQ_CANNON]) & xq_attack.cross[king]; men;) {
        int from = bits_wide_pop(&men);
        score += xq_eval_line(s, side, from, lines, own[XQ_CANNON] >> from & 1);
    }
    if (xq_file(king) == xq_file(face)) {
        uint32_t men = xq_men_between(king, lines, face);
        if (xq_count_few(men) == 1 && men & xq_lines(pos, !side, king) >> 16)
            score += xq_eval_take(s, side, XQ_F_KING_LINE, 1);
    }
    xq_set lamed = own[XQ_HORSE] & xq_attack.horses_to[king] & ~xq_eval_horse_checks(s, king);
    return score + xq_eval_take(s, side, XQ_F_HORSE + 2, bits_wide_count(lamed));
}

// Attackers of the palace against its guards, and of the points beside the king.
ALWAYS_INLINE int32_t xq_eval_attack(const xq_eval_scene *s, int side) {
    static const int kinds[4] = {XQ_CHARIOT, XQ_CANNON, XQ_HORSE, XQ_PAWN};
    const xq_eval_view *own = &s->view[side];
    int king = s->pos->king[!side];
    xq_set ring = xq_attack.king[king] | bits_wide(king), palace = xq_view_palace(!side);
    xq_set pawns = s->pos->men[xq_piece(XQ_PAWN, side)];
    xq_set near = palace | xq_view_aside(palace) | xq_view_ahead(palace, !side);
    int attackers = own->attackers + bits_wide_count(pawns & near);
    int guards =
        xq_eval_count(s->counts, XQ_ADVISOR, !side) + xq_eval_count(s->counts, XQ_ELEPHANT, !side);
    int32_t score = 0;
    for (int i = 0; i < 4; i++)
        score += xq_eval_take(s, side, XQ_F_RING + i, bits_wide_count(own->by[kinds[i]] & ring));
    attackers = min_int(attackers, 5);
    return score + xq_eval_take(s, side, XQ_F_ATTACKERS + 5 * attackers + guards, 1);
}

// Checks a side may give, and where its own king may still go.
ALWAYS_INLINE int32_t xq_eval_checks(const xq_eval_scene *s, int side) {
    const xq_pos *pos = s->pos;
    const xq_eval_view *own = &s->view[side], *enemy = &s->view[!side];
    int king = pos->king[!side];
    uint32_t lines = xq_eval_lines(s, king), direct = xq_chariot_reach(king, lines);
    uint32_t behind = xq_chariot_reach(king, lines & ~direct) & ~direct;
    xq_set from[XQ_PAWN] = {[XQ_CHARIOT] = xq_view_points(king, direct),
                            [XQ_CANNON] = xq_view_points(king, behind),
                            [XQ_HORSE] = xq_eval_horse_checks(s, king)};
    int32_t score = 0;
    for (int type = XQ_CHARIOT; type <= XQ_HORSE; type++) {
        xq_set checks = from[type] & own->goals[type];
        if (checks & ~enemy->all)
            score += xq_eval_take(s, side, XQ_F_CHECK + type - 1, 1);
        else if (checks)
            score += xq_eval_take(s, side, XQ_F_CHECK + 3 + type - 1, 1);
    }
    xq_set steps = xq_attack.king[king] & ~pos->men[!side << 3] & ~own->all;
    return score - xq_eval_take(s, !side, XQ_F_KING_STEPS + bits_wide_count(steps), 1);
}

// Enemies attacked by a side: unprotected ones, and dear ones attacked by cheap ones. Whether the
// attacker is to move makes all the difference.
ALWAYS_INLINE int32_t xq_eval_threats(const xq_eval_scene *s, int side) {
    const xq_eval_view *own = &s->view[side], *enemy = &s->view[!side];
    const xq_set *theirs = &s->pos->men[!side << 3];
    int to_move = s->pos->stm == side;
    int32_t score = 0;
    for (xq_set loose = theirs[0] & ~theirs[XQ_KING] & own->all & ~enemy->all; loose;) {
        int type = xq_type(s->pos->board[bits_wide_pop(&loose)]);
        score += xq_eval_take(s, side, XQ_F_HANGING + 7 * to_move + type - 1, 1);
    }
    xq_set cheap = own->lesser | own->by[XQ_CANNON] | own->by[XQ_HORSE];
    int feature = XQ_F_THREAT + 4 * to_move;
    xq_set threatened[4] = {theirs[XQ_CHARIOT] & cheap, theirs[XQ_CANNON] & own->lesser,
                            theirs[XQ_HORSE] & own->lesser,
                            (theirs[XQ_ADVISOR] | theirs[XQ_ELEPHANT]) & own->by[XQ_PAWN]};
    for (int i = 0; i < 4; i++)
        if (threatened[i] & enemy->all)
            score +=
                xq_eval_take(s, side, feature + i, bits_wide_count(threatened[i] & enemy->all));
    return score;
}

ALWAYS_INLINE int32_t xq_eval_side(const xq_eval_scene *s, int side) {
    return xq_eval_material(s, side) + xq_eval_structure(s, side) + xq_eval_king_lines(s, side) +
           xq_eval_attack(s, side) + xq_eval_checks(s, side) + xq_eval_threats(s, side);
}

#endif
