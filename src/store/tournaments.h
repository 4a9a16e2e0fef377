// Tournaments in the database: their terms, who takes part, who met whom and how it went.
#ifndef KRATON_STORE_TOURNAMENTS_H
#define KRATON_STORE_TOURNAMENTS_H

#include "store/store.h"

#define OPENING_LIST "list"

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
    int concurrency;   // games at once; 0: as many as there are
    int per_player;    // of one player; 0: as many as there are
    int delay;         // seconds until spectators see a move
    char openings[24]; // empty: the start position; "random:SEED"; OPENING_LIST: store_openings
    char sprt[96];     // empty: none; else as contest_sprt_format writes it
    int verdict;       // contest_sprt_verdict
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
    int opening;                      // the same for both games of a pair
    int64_t game;                     // 0: not begun, or decided without one
    int half_points;                  // of `first`, or SCHEDULE_BOTH_LOST; -1: not known yet
} stored_pairing;

typedef enum { LOG_WITHDRAWN, LOG_RESULT } tournament_log_kind;

// Something besides the results in their turn: what a schedule must be told to come out the same.
typedef struct {
    int number;   // from 0, in order
    int pairings; // that there were by then
    tournament_log_kind kind;
    int subject;     // an entrant's number, or a pairing's
    int before, now; // half points as in stored_pairing, of a result
} stored_tournament_entry;

// Fills in its id. list: where openings says so, FENs separated by commas.
void store_add_tournament(store *s, stored_tournament *t, text list);
void store_set_tournament(store *s, const stored_tournament *t); // state, started, ended, verdict
// The list of openings (malloc, len without the final 0); NULL where there is none.
char *store_openings(store *s, int64_t tournament, size_t *len);
MUST_USE bool store_find_tournament(store *s, int64_t id, stored_tournament *t);
// The latest before that id, newest first; live: only those that run or are paused.
void store_each_tournament(store *s, int64_t before, int limit, bool live,
                           void (*take)(void *context, const stored_tournament *t), void *context);

// Of an owner, that have not ended.
int store_count_open_tournaments(store *s, int64_t owner);

void store_add_entrant(store *s, int64_t tournament, const stored_entrant *e);
void store_clear_entrants(store *s, int64_t tournament);
void store_withdraw_entrant(store *s, int64_t tournament, int number, int64_t at);
// By number.
void store_each_entrant(store *s, int64_t tournament,
                        void (*take)(void *context, const stored_entrant *e), void *context);

void store_add_tournament_entry(store *s, int64_t tournament, const stored_tournament_entry *e);
void store_each_tournament_entry(store *s, int64_t tournament,
                                 void (*take)(void *context, const stored_tournament_entry *e),
                                 void *context);

void store_add_pairing(store *s, int64_t tournament, const stored_pairing *p);
// Its game, and its half points (-1: not known).
void store_set_pairing(store *s, int64_t tournament, const stored_pairing *p);
void store_each_pairing(store *s, int64_t tournament,
                        void (*take)(void *context, const stored_pairing *p), void *context);

#endif
