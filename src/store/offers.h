// Offers that wait for somebody: challenges, and seeks given to a friend by number.
#ifndef KRATON_STORE_OFFERS_H
#define KRATON_STORE_OFFERS_H

#include "store/store.h"

typedef struct {
    int64_t id;
    int64_t player, opponent; // opponent 0: whoever has the number
    int side;                 // the player's; -1: either
    char game[16], rules[192], control[160], fen[128];
    bool rated;
    int64_t made; // since 1970
} stored_offer;

void store_add_offer(store *s, const stored_offer *o);
void store_remove_offer(store *s, int64_t id);
// In the order they were made. The callback must not write.
void store_each_offer(store *s, void (*take)(void *context, const stored_offer *o), void *context);

#endif
