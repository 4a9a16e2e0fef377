// History tables: how often a move caused a cut-off or failed to, by itself (butterfly), as a reply
// to earlier moves (continuation), and for captures. Each thread has its own.
#ifndef KRATON_SEARCH_HISTORY_H
#define KRATON_SEARCH_HISTORY_H

#include "base/minmax.h"
#include "contract/contract.h"

enum {
    HISTORY_MAX = 16384,
    HISTORY_BACK = 2,        // earlier moves a reply is learnt for
    CORRECTION_SIZE = 16384, // a power of two
    CORRECTION_MAX = 1024
};

typedef int16_t history_line[GAME_SLOTS];

typedef struct {
    int16_t butterfly[2][GAME_POINTS * GAME_POINTS]; // by side, from, to
    int16_t capture[GAME_SLOTS][GAME_VICTIMS];
    rules_move counter[GAME_SLOTS];          // the counter move: the reply that refuted a move
    history_line continuation[GAME_BEFORES]; // by the earlier move, of either side
    history_line unknown;                    // after a null move or before the root; stays zero
    // Correction history: how much better than its evaluation a position was, by side and by a key
    // of a part of it, and by the move that led to it.
    int16_t correction[GAME_PARTS][2][CORRECTION_SIZE];
    int16_t correction_after[GAME_SLOTS];
} history_tables;

// Adds a bonus with gravity: the nearer a value is to its limit, the less it moves.
ALWAYS_INLINE void history_bump(int16_t *value, int bonus) {
    int size = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * size / HISTORY_MAX);
}

ALWAYS_INLINE void history_correct(int16_t *value, int bonus) {
    int size = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * size / CORRECTION_MAX);
}

ALWAYS_INLINE int16_t *history_correction(history_tables *h, const game_pos *pos, int part) {
    uint64_t key = game_part_key(pos, part) >> 32;
    return &h->correction[part][game_stm(pos)][key & (CORRECTION_SIZE - 1)];
}

ALWAYS_INLINE int history_bonus(int depth) {
    int bonus = (PARAM_BONUS_SQUARE * depth + PARAM_BONUS_LINE) * depth - PARAM_BONUS_LESS;
    return min_int(bonus, PARAM_BONUS_MAX);
}

ALWAYS_INLINE int16_t *history_butterfly(history_tables *h, const game_pos *pos, rules_move move) {
    return &h->butterfly[game_stm(pos)][move_from(move) * GAME_POINTS + move_to(move)];
}

ALWAYS_INLINE int16_t *history_capture(history_tables *h, const game_pos *pos, rules_move move) {
    return &h->capture[game_slot(pos, move)][game_victim(pos, move)];
}

#endif
