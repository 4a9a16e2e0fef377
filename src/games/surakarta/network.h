// What the features miss: a small network that sees where all pieces stand and corrects their sum.
// SK_GROUPS groups of eight units; the units of a group have the same weights, turned and mirrored,
// so that the eight symmetries of the board change nothing. Each side looks at the board with the
// same units, its own pieces and the other's; the mover's look and the other's are added up with
// weights of their own.
//
// The sums of all units for both sides are kept in an accumulator and change with a move by the
// rows of the points it touches. Numbers are integers: a unit is full at SK_FULL, and an output
// weight of SK_OUTPUT_UNIT is a centipawn for a full unit. The rows are written once before main.
#ifndef KRATON_GAMES_SURAKARTA_NETWORK_H
#define KRATON_GAMES_SURAKARTA_NETWORK_H

#include "rules/surakarta/surakarta.h"

enum {
    SK_GROUPS = 16,
    SK_UNITS = 8 * SK_GROUPS,
    SK_FULL = 256,
    SK_OUTPUT_UNIT = 16,
};

// The weights of a group, as kraton tune --network writes them.
typedef struct {
    int16_t piece[2][SK_POINTS]; // own, the other's
    int16_t bias;
    int16_t output[2]; // of the mover's look, of the other's
} sk_group;

typedef struct {
    _Alignas(32) int16_t unit[2][SK_UNITS]; // by the side that looks
} sk_network;

extern _Alignas(32) int16_t sk_network_row[2][SK_POINTS][SK_UNITS]; // own, the other's
extern _Alignas(32) int16_t sk_network_output[2][SK_UNITS];         // mover's, the other's
extern const int32_t sk_network_constant;                           // centipawns

// The point that symmetry n (0 to 7) of the board takes a point to.
int sk_turn_point(int point, int n);

void sk_network_refresh(sk_network *net, const sk_pos *pos);

ALWAYS_INLINE void sk_network_update(sk_network *next, const sk_network *now, const sk_pos *before,
                                     rules_move move) {
    int from = move_from(move), to = move_to(move);
    bool captures = before->pieces[before->stm ^ 1] >> to & 1;
    for (int look = 0; look < 2; look++) { // the mover's, the other's
        int side = before->stm ^ look;
        const int16_t *restrict was = now->unit[side], *restrict gone = sk_network_row[look][from];
        const int16_t *restrict come = sk_network_row[look][to];
        const int16_t *restrict lost = sk_network_row[look ^ 1][to];
        int16_t *restrict is = next->unit[side];
        if (captures)
            for (int i = 0; i < SK_UNITS; i++)
                is[i] = (int16_t)(was[i] + come[i] - gone[i] - lost[i]);
        else
            for (int i = 0; i < SK_UNITS; i++)
                is[i] = (int16_t)(was[i] + come[i] - gone[i]);
    }
}

// Centipawns from the mover's point of view, to be added to the features'.
ALWAYS_INLINE int32_t sk_network_evaluate(const sk_network *net, int stm) {
    int32_t sum = sk_network_constant * (SK_FULL * SK_OUTPUT_UNIT);
    for (int look = 0; look < 2; look++) {
        const int16_t *restrict unit = net->unit[stm ^ look];
        const int16_t *restrict output = sk_network_output[look];
        for (int i = 0; i < SK_UNITS; i++) {
            int16_t full = unit[i] < 0 ? 0 : unit[i] > SK_FULL ? SK_FULL : unit[i];
            sum += full * output[i];
        }
    }
    return sum / (SK_FULL * SK_OUTPUT_UNIT);
}

#endif
