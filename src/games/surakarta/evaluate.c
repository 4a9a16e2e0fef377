#include "games/surakarta/evaluate.h"

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

AT_START static void fill_tables(void) {
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

void sk_eval_refresh(sk_eval *e, const sk_pos *pos) {
    e->points = 0;
    for (int side = 0; side < 2; side++)
        for (uint64_t b = pos->pieces[side]; b;) {
            sk_score value = sk_point_value[bits_pop(&b)];
            e->points += side == SK_BLACK ? value : -value;
        }
}

void sk_name_parameter(int parameter, writer *out) {
    static const char *const points[SK_POINT_CLASSES] = {"corner", "b6", "c6", "b5", "c5", "c4"};
    static const char *const circuits[SK_CIRCUITS] = {"inner", "outer"};
    if (parameter >= SK_CONTESTED) {
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
