// The archive: finished games found by player, opponent, opening, result or position, and given out
// as a list or as records. Finding them and writing them down is another thread's work.
#ifndef KRATON_SERVER_ARCHIVE_H
#define KRATON_SERVER_ARCHIVE_H

#include "server/game.h"

// Names the opening of a game that is over.
void archive_on_over(const game *g);

#endif
