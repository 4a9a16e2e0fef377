// What one address may do in a while, whatever number of connections it makes: requests, messages,
// new guests, passwords, positions to analyse. An IPv6 network of 64 bits counts as one address;
// this machine itself has no limits (a proxy may stand there). A name whose password is being
// guessed at counts, too, from wherever. Whoever owes nothing any more is forgotten.
#ifndef KRATON_SERVER_VISITOR_H
#define KRATON_SERVER_VISITOR_H

#include "server/world.h"

enum { VISITORS_MOST = 65536 }; // those beyond share one allowance

typedef enum {
    VISIT_REQUEST, // HTTP
    VISIT_MESSAGE, // a line, a WebSocket message
    VISIT_GUEST,
    VISIT_PASSWORD,
    VISIT_GUESS, // a password for one name
    VISIT_ANALYSIS,
    VISITS
} visit_kind;

visitors *visitors_new(void);
void visitors_free(visitors *v);
// Takes one of what the address may do; false: it has had too much. `now`: clock_us.
bool visitor_may(visitors *v, const char *address, visit_kind kind, int64_t now);
// Takes so many more of them, for what turned out to be much.
void visitor_owes(visitors *v, const char *address, visit_kind kind, int64_t count, int64_t now);
// As visitor_may, for the password of a name.
bool visitor_may_guess(visitors *v, text name, int64_t now);
// Once a second.
void visitors_sweep(visitors *v, int64_t now);
uint32_t visitors_count(const visitors *v);

#endif
