// Tournaments in the database: their terms, who takes part, who met whom and how it went.
#ifndef KRATON_STORE_TOURNAMENTS_H
#define KRATON_STORE_TOURNAMENTS_H

#include "store/store.h"

typedef enum {
    TOURNAMENT_OPEN, // players may enter
    TOURNAMENT_RUNNING,
    TOURNAMENT_PAUSED,
    TOURNAMENT_OVER,
    TOURNAMENT_CALLED_OFF
} tournament_state;

typedef struct {
    int64_t id;
    char name[64];
    char game[16], rules[192], control[160];
    int kind; // schedule_kind
    int rounds, games;
    bool rated;
    int concurrency; // games at once; 0: as many as there are
    tournament_state state;
    int64_t owner, created, started, ended; // moments since 1970; 0: not yet
} stored_tournament;

typedef struct {
    int number; // from 0: its place in the schedule
    int64_t player;
    bool has_withdrawn;
} stored_entrant;

typedef struct {
    int number, round, first, second; // entrants' numbers
    int64_t game;                     // 0: decided without one
    int half_points;                  // of `first`; -1: not known yet
} stored_pairing;

void store_add_tournament(store *s, stored_tournament *t);       // fills in its id
void store_set_tournament(store *s, const stored_tournament *t); // state, started, ended
MUST_USE bool store_find_tournament(store *s, int64_t id, stored_tournament *t);
// The latest before that id, newest first; live: only those that run or are paused.
void store_each_tournament(store *s, int64_t before, int limit, bool live,
                           void (*take)(void *context, const stored_tournament *t), void *context);

void store_add_entrant(store *s, int64_t tournament, const stored_entrant *e);
void store_clear_entrants(store *s, int64_t tournament);
void store_withdraw_entrant(store *s, int64_t tournament, int number, int64_t at);
// By number.
void store_each_entrant(store *s, int64_t tournament,
                        void (*take)(void *context, const stored_entrant *e), void *context);

void store_add_pairing(store *s, int64_t tournament, const stored_pairing *p);
// Its game, and its half points (-1: not known).
void store_set_pairing(store *s, int64_t tournament, const stored_pairing *p);
void store_each_pairing(store *s, int64_t tournament,
                        void (*take)(void *context, const stored_pairing *p), void *context);

#endif
