// `kraton join`: puts an engine online. Connects to a battle server, logs in by token, and plays
// whatever games come (challenges, seeks of its own, a tournament's). There are never more engine
// processes than at_once; if there are more games, an engine goes from one to the other between
// moves. A lost connection is made again by itself, and the games go on.
#ifndef KRATON_CLIENT_JOIN_H
#define KRATON_CLIENT_JOIN_H

#include "match/player.h"

typedef struct {
    const char *host;
    int port;
    const char *token;
    match_engine *engine; // complete, its dialect known
    const char *seek;     // fields of a seek kept open, "game=NAME tc=60+1"; NULL: none
    int64_t tournament;   // to enter; 0: none
    int at_once;          // games
    int games;            // ends after so many; 0: never
    bool tls;
    const char *authorities; // NULL: the system's
    const char *guard;       // this program
} join_plan;

// Runs until the games are played, or SIGINT or SIGTERM. False, with the reason, where it is
// refused.
MUST_USE bool join_run(const join_plan *plan, fault *why);

#endif
