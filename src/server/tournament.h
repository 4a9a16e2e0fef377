// Tournaments: round robin, gauntlet, Swiss, knockout, played out by themselves. The schedule is
// the contest room's; what has happened is in the store, and a restarted server makes the same
// schedule from it. Who has withdrawn loses what is still to be played; who is not here loses on
// time.
#ifndef KRATON_SERVER_TOURNAMENT_H
#define KRATON_SERVER_TOURNAMENT_H

#include "contest/schedule.h"
#include "server/game.h"
#include "store/tournaments.h"

enum {
    TOURNAMENT_PLAYERS = SCHEDULE_MAX_PLAYERS,
    TOURNAMENT_OF_ONE = 5 // not over, of one owner
};

typedef struct tournament tournament;
struct tournament {
    world *world;
    stored_tournament row;
    int count;
    struct {
        int64_t player;
        bool has_withdrawn;
        char name[PLAYER_NAME_SIZE];
    } entrants[TOURNAMENT_PLAYERS];
    schedule *schedule; // NULL until it starts
    stored_pairing *pairings;
    int pairing_count, pairing_capacity, live;
    bool has_pending; // a game that could not begin yet
    schedule_game pending;
};

tournaments *tournaments_new(world *w);
void tournaments_free(tournaments *t);
// Takes up those that run; after the games.
MUST_USE bool tournaments_recover(world *w, fault *why);
void tournaments_on_over(game *g);
void tournaments_every_second(world *w); // games that could not begin are tried again

// One by its number: from memory while it runs, else read for the caller, who gives it back.
tournament *tournament_get(world *w, int64_t id);
void tournament_release(tournament *t);

// What may be done to it. False with the reason.
MUST_USE bool tournament_enter(tournament *t, const member *m, fault *why);
MUST_USE bool tournament_withdraw(tournament *t, const member *m, fault *why);
MUST_USE bool tournament_start(tournament *t, fault *why);
MUST_USE bool tournament_pause(tournament *t, bool pause, fault *why);
MUST_USE bool tournament_call_off(tournament *t, fault *why);

#endif
