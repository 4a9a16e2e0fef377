#include "games/surakarta/network.h"
#include "games/surakarta/network_weights.h"

_Alignas(32) int16_t sk_network_row[2][SK_POINTS][SK_UNITS];
_Alignas(32) int16_t sk_network_output[2][SK_UNITS];

const int32_t sk_network_constant = SK_NETWORK_CONSTANT;

int sk_turn_point(int point, int n) {
    int row = point / 6, column = point % 6;
    if (n & 1)
        column = 5 - column;
    if (n & 2)
        row = 5 - row;
    return n & 4 ? column * 6 + row : row * 6 + column;
}

AT_START static void turn_groups(void) {
    for (int i = 0; i < SK_UNITS; i++) {
        const sk_group *group = &sk_groups[i / 8];
        for (int whose = 0; whose < 2; whose++) {
            sk_network_output[whose][i] = group->output[whose];
            for (int point = 0; point < SK_POINTS; point++)
                sk_network_row[whose][point][i] = group->piece[whose][sk_turn_point(point, i % 8)];
        }
    }
}

void sk_network_refresh(sk_network *net, const sk_pos *pos) {
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < SK_UNITS; i++)
            net->unit[side][i] = sk_groups[i / 8].bias;
        for (int other = 0; other < 2; other++)
            for (uint64_t b = pos->pieces[side ^ other]; b;) {
                const int16_t *row = sk_network_row[other][bits_pop(&b)];
                for (int i = 0; i < SK_UNITS; i++)
                    net->unit[side][i] = (int16_t)(net->unit[side][i] + row[i]);
            }
    }
}
