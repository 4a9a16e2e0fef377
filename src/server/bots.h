// House bots: House-1 to House-10, our engines at their levels, there for whoever wants a game.
// They take up challenges at once, grant takebacks and rematches, and play by way of the pool of
// engines.
#ifndef KRATON_SERVER_BOTS_H
#define KRATON_SERVER_BOTS_H

#include "dialect/dialect.h"
#include "server/lobby.h"

enum {
    BOTS_MOST_GAMES = 500, // at once,
    BOTS_MOST_OF_ONE = 4,  // with one player
    BOTS_FREE_MS = 2000    // a move where nothing else limits it
};

// Makes their members. NULL when memory runs out.
bots *bots_new(world *w);
void bots_free(bots *b);

void bots_on_asked(game *g);
void bots_on_over(game *g);
void bots_on_challenge(const offer *o);
// An offer was made to a bot by the side.
void bots_on_offer(game *g, const char *kind, int side);
// The pool's answer for a game.
void bots_on_answer(world *w, int64_t id, rules_move move, const dialect_info *info,
                    const char *why);

#endif
