// Ratings: Glicko-2 after every rated game, by game, people and programs apart (rated games are
// between people or between programs), with their history.
#ifndef KRATON_FEATURES_RATING_H
#define KRATON_FEATURES_RATING_H

#include "server/game.h"
#include "store/players.h"

// What is shown of a player: 1500 and unsure where it has not played.
stored_rating rating_of(server *srv, int64_t player, const char *name_of_game);

#endif
