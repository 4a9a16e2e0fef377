// Ratings: Glicko-2 after every rated game, by game, people and programs apart (rated games are
// between people or between programs), with their history.
#ifndef KRATON_SERVER_RATING_H
#define KRATON_SERVER_RATING_H

#include "server/game.h"
#include "store/ratings.h"

// Both ratings after a game; nothing where it was not rated or had no result.
void rating_on_over(const game *g);
// Whether the two may play a rated game.
MUST_USE bool rating_may_play(const member *a, const member *b, fault *why);
// What is shown of a player: 1500 and unsure where it has not played.
stored_rating rating_of(world *w, int64_t player, const char *name_of_game);

#endif
