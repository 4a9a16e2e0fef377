// Ratings and their history, by player and game.
#ifndef KRATON_STORE_RATINGS_H
#define KRATON_STORE_RATINGS_H

#include "store/players.h"

typedef struct {
    int64_t player;
    char game[16];
    double rating, deviation, volatility;
    int games;
    int64_t updated; // since 1970
} stored_rating;

typedef struct {
    int64_t at, played; // the game that changed it
    double rating, deviation;
} stored_rating_point;

// False where the player has none in that game yet.
MUST_USE bool store_find_rating(store *s, int64_t player, const char *game, stored_rating *r);
// Keeps it, with a line of history for the game just played.
void store_set_rating(store *s, const stored_rating *r, int64_t played);
// The point before the game brought its own, `at` 0 where it was the player's first. False where
// the game brought none.
MUST_USE bool store_rating_before(store *s, int64_t player, const char *game, int64_t played,
                                  stored_rating_point *p);
// The best players of a kind in a game, those with at least so many games.
void store_each_rating(store *s, const char *game, player_kind kind, int least_games, int limit,
                       void (*take)(void *context, const stored_rating *r, text name),
                       void *context);
// A player's ratings in all games.
void store_each_rating_of(store *s, int64_t player,
                          void (*take)(void *context, const stored_rating *r, text name),
                          void *context);
// The history, oldest first, the last `limit` points of it.
void store_each_rating_point(store *s, int64_t player, const char *game, int limit,
                             void (*take)(void *context, const stored_rating_point *p),
                             void *context);

#endif
