// Random Surakarta positions for the tests: games played at random to their end, greedy in
// different degrees so that endgames are reached, and few pieces set up on the circuits, where the
// mover so often meets itself.
#ifndef KRATON_TESTS_SURAKARTA_RANDOM_H
#define KRATON_TESTS_SURAKARTA_RANDOM_H

#include "base/rng.h"
#include "rules/surakarta/surakarta.h"

typedef struct {
    rng dice;
    sk_pos pos;
    int plies, greed; // of eight moves where something can be captured, `greed` capture
} random_game;

// Goes to the next position of a random game, or of a new one from the start.
static inline void random_step(random_game *g) {
    rules_move moves[SK_MAX_MOVES];
    int captures = 0, n = 0;
    if (g->plies) {
        captures = sk_generate_captures(&g->pos, moves);
        n = captures + sk_generate_quiets(&g->pos, moves + captures);
    }
    if (n == 0 || g->plies > 400) {
        g->pos = sk_start();
        g->plies = 1;
        g->greed = (int)rng_below(&g->dice, 9);
        return;
    }
    bool greedy = captures && (int)rng_below(&g->dice, 8) < g->greed;
    sk_make(&g->pos, moves[rng_below(&g->dice, (uint32_t)(greedy ? captures : n))]);
    g->plies++;
}

// One to five pieces a side, mostly where a circuit crosses itself.
static inline sk_pos random_endgame(rng *dice) {
    static const uint8_t crossings[8] = {7, 10, 25, 28, 14, 15, 20, 21};
    uint64_t boards[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        for (int n = 1 + (int)rng_below(dice, 5); n;) {
            int point = rng_below(dice, 3) ? crossings[rng_below(dice, 8)]
                                           : (int)rng_below(dice, SK_POINTS);
            if ((boards[0] | boards[1]) >> point & 1) {
                n -= rng_below(dice, 4) == 0;
                continue;
            }
            boards[side] |= sk_bit(point);
            n--;
        }
    return sk_set_up(boards[0], boards[1], (int)rng_below(dice, 2));
}

#endif
