#include "rules/xiangqi/attacks.h"

xq_attack_tables xq_attack;

// Walks from a place to one end of a line.
static uint16_t reach_towards(int place, int step, int length, unsigned men, bool cannon) {
    unsigned reach = 0;
    bool screened = false;
    for (int i = place + step; i >= 0 && i < length; i += step) {
        if (!(men >> i & 1)) {
            reach |= screened ? 0 : 1u << i;
        } else if (cannon && !screened) {
            screened = true;
        } else {
            reach |= 1u << i;
            break;
        }
    }
    return (uint16_t)reach;
}

static uint16_t reach_on_line(int place, int length, unsigned men, bool cannon) {
    return reach_towards(place, -1, length, men, cannon) |
           reach_towards(place, 1, length, men, cannon);
}

static void fill_lines(void) {
    for (int place = 0; place < XQ_FILES; place++)
        for (unsigned men = 0; men < 512; men++) {
            xq_attack.chariot_rank[place][men] = reach_on_line(place, XQ_FILES, men, false);
            xq_attack.cannon_rank[place][men] = reach_on_line(place, XQ_FILES, men, true);
        }
    for (int place = 0; place < XQ_RANKS; place++)
        for (unsigned men = 0; men < 1024; men++) {
            xq_attack.chariot_file[place][men] = reach_on_line(place, XQ_RANKS, men, false);
            xq_attack.cannon_file[place][men] = reach_on_line(place, XQ_RANKS, men, true);
        }
    for (int a = 0; a < XQ_RANKS; a++)
        for (int b = 0; b < XQ_RANKS; b++)
            for (int i = 0; i < XQ_RANKS; i++)
                if ((a < i && i < b) || (b < i && i < a))
                    xq_attack.between[a][b] |= (uint16_t)(1 << i);
}

static bool on_board(int file, int rank) {
    return file >= 0 && file < XQ_FILES && rank >= 0 && rank < XQ_RANKS;
}

static bool in_palace(int file, int rank) {
    return file >= 3 && file <= 5 && (rank <= 2 || rank >= 7);
}

// The points a step away in the four turns of (files, ranks); palace: only inside one, and only
// from inside, so that the way back is the same.
static xq_set steps_from(int point, int files, int ranks, bool palace) {
    xq_set set = 0;
    if (palace && !in_palace(xq_file(point), xq_rank(point)))
        return 0;
    for (int turn = 0; turn < 4; turn++) {
        int file = xq_file(point) + files, rank = xq_rank(point) + ranks;
        if (on_board(file, rank) && (!palace || in_palace(file, rank)))
            set |= bits_wide(rank * XQ_FILES + file);
        int turned = -files;
        files = ranks;
        ranks = turned;
    }
    return set;
}

static void fill_horse(int point) {
    static const int legs[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (int men = 0; men < 16; men++)
        for (int i = 0; i < 4; i++)
            for (int aside = -1; aside <= 1; aside += 2) {
                int file = xq_file(point) + 2 * legs[i][0] + (legs[i][0] ? 0 : aside);
                int rank = xq_rank(point) + 2 * legs[i][1] + (legs[i][1] ? 0 : aside);
                if (!(men >> i & 1) && on_board(file, rank))
                    xq_attack.horse[point][men] |= bits_wide(rank * XQ_FILES + file);
            }
    xq_attack.horses_to[point] = xq_attack.horse[point][0]; // the way back is as long
}

static void fill_pawn(int side, int point) {
    int file = xq_file(point), rank = xq_rank(point), ahead = rank + (side == XQ_RED ? 1 : -1);
    bool crossed = (rank >= 5) == (side == XQ_RED);
    xq_set set = on_board(file, ahead) ? bits_wide(ahead * XQ_FILES + file) : 0;
    if (crossed && on_board(file - 1, rank))
        set |= bits_wide(point - 1);
    if (crossed && on_board(file + 1, rank))
        set |= bits_wide(point + 1);
    xq_attack.pawn[side][point] = set;
    while (set)
        xq_attack.pawns_to[side][bits_wide_pop(&set)] |= bits_wide(point);
}

AT_START static void fill_tables(void) {
    const xq_set red_half = bits_wide(45) - 1;
    fill_lines();
    for (int point = 0; point < XQ_POINTS; point++) {
        xq_attack.cross[point] = xq_points_of(point, 511 | 1023u << 16) & ~bits_wide(point);
        fill_horse(point);
        xq_attack.elephant[point] =
            steps_from(point, 2, 2, false) & (point < 45 ? red_half : ~red_half);
        xq_attack.elephant_eyes[point] = steps_from(point, 1, 1, false);
        xq_attack.advisor[point] = steps_from(point, 1, 1, true);
        xq_attack.king[point] = steps_from(point, 1, 0, true);
        fill_pawn(XQ_RED, point);
        fill_pawn(XQ_BLACK, point);
    }
}
