#include "games/surakarta/evaluate.h"

#include <assert.h>

const uint8_t sk_point_class[SK_POINTS] = {
    0, 1, 2, 2, 1, 0, //
    1, 3, 4, 4, 3, 1, //
    2, 4, 5, 5, 4, 2, //
    2, 4, 5, 5, 4, 2, //
    1, 3, 4, 4, 3, 1, //
    0, 1, 2, 2, 1, 0,
};

sk_score sk_loop_value[SK_CIRCUITS][2][16];
int8_t sk_loop_parameter[SK_CIRCUITS][2][16];
sk_score sk_point_value[SK_POINTS];
uint16_t sk_base_3[64];
int16_t sk_pattern_of[SK_BOARDS_OF_6];
sk_score sk_line_value[SK_CIRCUITS][SK_BOARDS_OF_6];
int16_t sk_mover_pattern_of[2][SK_BOARDS_OF_6];
sk_score sk_bend_value[SK_CIRCUITS][2][SK_BOARDS_OF_6];

// The parameter of a loop with these four pieces about it, negative less one where it counts
// against Black.
static int8_t judge_loop(int circuit, int stm, int about) {
    int before = about >> 3 & 1, last = about >> 2 & 1, first = about >> 1 & 1, behind = about & 1;
    if (last == first) {
        int backing = (before == last) + (behind == first);
        int parameter = SK_OWNED + circuit * SK_OWNED_CASES + backing;
        return (int8_t)(last ? parameter : ~parameter);
    }
    int mover = stm == SK_BLACK; // the bit of the mover's pieces
    bool mover_backed = last == mover ? before == mover : behind == mover;
    bool other_backed = last == mover ? behind != mover : before != mover;
    int parameter = SK_CONTESTED + circuit * SK_CONTESTED_CASES + mover_backed * 2 + other_backed;
    return (int8_t)(mover ? parameter : ~parameter);
}

// A board of six turned round, and with the colours swapped.
static int turn_board(int board) {
    int turned = 0;
    for (int i = 0; i < 6; i++, board /= 3)
        turned = turned * 3 + board % 3;
    return turned;
}

static int swap_board(int board) {
    int swapped = 0;
    for (int i = 0, unit = 1; i < 6; i++, board /= 3, unit *= 3)
        swapped += (3 - board % 3) % 3 * unit;
    return swapped;
}

// Numbers the patterns in the order of their lowest board. A board that is its own opposite turned
// round is worth nothing.
static void number_patterns(void) {
    int patterns = 0;
    for (int board = 0; board < SK_BOARDS_OF_6; board++) {
        int turned = turn_board(board), swapped = swap_board(board), both = swap_board(turned);
        if (turned < board)
            sk_pattern_of[board] = sk_pattern_of[turned];
        else if (board == both || board == swapped)
            sk_pattern_of[board] = SK_PATTERNS;
        else if (swapped < board || both < board)
            sk_pattern_of[board] = (int16_t)~sk_pattern_of[swapped < board ? swapped : both];
        else
            sk_pattern_of[board] = (int16_t)patterns++;
    }
    assert(patterns == SK_PATTERNS);
}

// The same as the mover sees them. A board of digits 1 is all Black's: the mover's where Black is
// to move.
static void number_mover_patterns(void) {
    int patterns = 0;
    int16_t *black = sk_mover_pattern_of[SK_BLACK], *white = sk_mover_pattern_of[SK_WHITE];
    black[0] = -1;
    for (int board = 1; board < SK_BOARDS_OF_6; board++) {
        int turned = turn_board(board);
        black[board] = (int16_t)(turned < board ? black[turned] : patterns++);
    }
    for (int board = 0; board < SK_BOARDS_OF_6; board++)
        white[board] = black[swap_board(board)];
    assert(patterns == SK_MOVER_PATTERNS);
}

static sk_score bend_value(int circuit, int stm, int board) {
    int pattern = sk_mover_pattern_of[stm][board];
    if (pattern < 0)
        return 0;
    sk_score value = sk_pack(sk_weights[SK_BEND + circuit * SK_MOVER_PATTERNS + pattern]);
    return stm == SK_BLACK ? value : -value;
}

static sk_score pattern_value(int first, int board) {
    int pattern = sk_pattern_of[board];
    if (pattern == SK_PATTERNS)
        return 0;
    return pattern < 0 ? -sk_pack(sk_weights[first + ~pattern])
                       : sk_pack(sk_weights[first + pattern]);
}

static void fill_patterns(void) {
    for (int bits = 0; bits < 64; bits++)
        for (int i = 0, unit = 1; i < 6; i++, unit *= 3)
            sk_base_3[bits] = (uint16_t)(sk_base_3[bits] + (bits >> i & 1) * unit);
    number_patterns();
    number_mover_patterns();
    for (int circuit = 0; circuit < SK_CIRCUITS; circuit++)
        for (int board = 0; board < SK_BOARDS_OF_6; board++) {
            sk_line_value[circuit][board] = pattern_value(SK_LINE + circuit * SK_PATTERNS, board);
            for (int stm = 0; stm < 2; stm++)
                sk_bend_value[circuit][stm][board] = bend_value(circuit, stm, board);
        }
}

AT_START static void fill_tables(void) {
    fill_patterns();
    for (int point = 0; point < SK_POINTS; point++)
        sk_point_value[point] = sk_pack(sk_weights[SK_POINT + sk_point_class[point]]);
    for (int circuit = 0; circuit < SK_CIRCUITS; circuit++)
        for (int stm = 0; stm < 2; stm++)
            for (int about = 0; about < 16; about++) {
                int parameter = judge_loop(circuit, stm, about);
                sk_score value = sk_pack(sk_weights[parameter < 0 ? ~parameter : parameter]);
                sk_loop_parameter[circuit][stm][about] = (int8_t)parameter;
                sk_loop_value[circuit][stm][about] = parameter < 0 ? -value : value;
            }
}

bool sk_units_fit(const network *n) {
    return n->shape.inputs == SK_NETWORK_INPUTS && n->shape.king_buckets == 1;
}

void sk_eval_refresh(sk_eval *e, const sk_pos *pos, const network *n) {
    e->points = 0;
    accumulator_begin(&e->units, n);
    sk_network_refresh(&e->network, pos);
    for (int side = 0; side < 2; side++)
        for (uint64_t b = pos->pieces[side]; b;) {
            sk_score value = sk_point_value[bits_pop(&b)];
            e->points += side == SK_BLACK ? value : -value;
        }
}

// A board as "b..w..", or about a loop as "m..|o.." (the mover's and the other's).
static void name_board(int board, const char *letters, const char *middle, writer *out) {
    for (int i = 0; i < 6; i++, board /= 3) {
        write_string(out, i == 3 ? middle : "");
        write_char(out, letters[board % 3]);
    }
}

static int find_board(const int16_t pattern_of[SK_BOARDS_OF_6], int pattern) {
    int board = 0;
    while (pattern_of[board] != pattern)
        board++;
    return board;
}

void sk_name_parameter(int parameter, writer *out) {
    static const char *const points[SK_POINT_CLASSES] = {"corner", "b6", "c6", "b5", "c5", "c4"};
    static const char *const circuits[SK_CIRCUITS] = {"inner", "outer"};
    if (parameter >= SK_BEND) {
        int n = parameter - SK_BEND;
        write_format(out, "bend-%s-", circuits[n / SK_MOVER_PATTERNS]);
        name_board(find_board(sk_mover_pattern_of[SK_BLACK], n % SK_MOVER_PATTERNS), ".mo", "|",
                   out);
    } else if (parameter >= SK_LINE) {
        int n = parameter - SK_LINE;
        write_format(out, "line-%s-", circuits[n / SK_PATTERNS]);
        name_board(find_board(sk_pattern_of, n % SK_PATTERNS), ".bw", "", out);
    } else if (parameter >= SK_CONTESTED) {
        int n = parameter - SK_CONTESTED;
        write_format(out, "contested-%s-%d", circuits[n / SK_CONTESTED_CASES],
                     n % SK_CONTESTED_CASES);
    } else if (parameter >= SK_OWNED) {
        int n = parameter - SK_OWNED;
        write_format(out, "owned-%s-%d", circuits[n / SK_OWNED_CASES], n % SK_OWNED_CASES);
    } else if (parameter >= SK_STEPS) {
        static const char *const names[] = {"steps", "cluster", "tempo"};
        write_string(out, names[parameter - SK_STEPS]);
    } else if (parameter >= SK_POINT) {
        write_format(out, "point-%s", points[parameter - SK_POINT]);
    } else if (parameter >= SK_LEAD) {
        write_format(out, "lead-%d", parameter - SK_LEAD + 1);
    } else {
        write_string(out, "material");
    }
}
