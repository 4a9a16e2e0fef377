// Finished games by their positions: the keys of each game, how the moves of openings did. A key is
// of records/mirror.h, a move the number it has in the key's image.
#ifndef KRATON_STORE_EXPLORER_H
#define KRATON_STORE_EXPLORER_H

#include "store/store.h"

typedef struct {
    uint16_t move;
    int64_t first, draws, second; // games that went on so and ended so
} stored_opening_move;

// The keys of all positions of a game, the first included, and the outcome they are counted under.
void store_set_keys(store *s, int64_t game, int outcome, const uint64_t *keys, int count);
void store_set_keys_outcome(store *s, int64_t game, int outcome);
// The outcome a game is counted under; -1: its keys are not kept yet.
int store_keys_outcome(store *s, int64_t game);

// Counts a game that went on with the move: `by` is 1, or -1 to take it back. Outcomes as in
// rules_outcome; a game without result does not count.
void store_count_move(store *s, uint64_t key, uint16_t move, int outcome, int by);
// The moves played from a position, in no order.
void store_each_opening_move(store *s, uint64_t key,
                             void (*take)(void *context, const stored_opening_move *m),
                             void *context);

// Games that were over before keys were kept: the next below `unindexed`, which is moved down to
// it; 0: no more.
int64_t store_next_unindexed(store *s);

#endif
