// Surakarta's endgame tables for whoever asks: a position's value and distance, and every move's,
// as `kraton tb probe` prints them. They are those of the data folder (`tables`), opened when first
// asked for and again when the folder changes; looking up is another thread's work.
#ifndef KRATON_SERVER_ENDGAME_H
#define KRATON_SERVER_ENDGAME_H

#include "server/world.h"

endgames *endgames_new(const world *w);
void endgames_free(endgames *t);

#endif
