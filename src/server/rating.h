// Ratings: Glicko-2 after every rated game, by game, people and programs apart (rated games are
// between people or between programs), with their history.
#ifndef KRATON_SERVER_RATING_H
#define KRATON_SERVER_RATING_H

#include "server/game.h"
#include "store/ratings.h"

// Both ratings after a game; nothing where it was not rated or had no result.
void rating_on_over(const game *g);
// The same made good after an arbiter's correction: what the game has brought is taken back, what
// the new result would have brought is added, both as the ratings were when it was played. Games
// in between are not counted again.
void rating_on_corrected(world *w, const stored_game *now, int outcome_before);
// Whether the two may play a rated game: two people, or two programs that are not of one owner,
// since points could be passed from one to the other.
MUST_USE bool rating_may_play(const member *a, const member *b, fault *why);
// What is shown of a player: 1500 and unsure where it has not played.
stored_rating rating_of(world *w, int64_t player, const char *name_of_game);

#endif
