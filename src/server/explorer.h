// The opening explorer: what an opening is called, and how often and how well each move did in the
// games of this server. Games are taken in when they end, up to mirror images; those that ended
// before there was an explorer a few a second, once.
#ifndef KRATON_SERVER_EXPLORER_H
#define KRATON_SERVER_EXPLORER_H

#include "server/game.h"

enum { EXPLORER_PLIES = 30 }; // of each game are counted

void explorer_on_over(const game *g);
void explorer_on_corrected(world *w, int64_t id);
void explorer_every_second(world *w);

#endif
