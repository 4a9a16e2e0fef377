// Rate limits per IP address, over all its connections: requests, messages, new guests, passwords,
// positions to analyse. An IPv6 network of 64 bits counts as one address; loopback has no limits
// (a proxy may stand there). Passwords tried for one name from one address are limited too: the
// guesser is locked out, not the owner. Full buckets are dropped.
#ifndef KRATON_SERVER_RATELIMIT_H
#define KRATON_SERVER_RATELIMIT_H

#include "server/server.h"

enum { RATELIMIT_MOST = 65536 }; // those beyond share one allowance

typedef enum {
    LIMIT_REQUEST, // HTTP
    LIMIT_MESSAGE, // a line, a WebSocket message
    LIMIT_GUEST,
    LIMIT_PASSWORD,
    LIMIT_GUESS, // a password for one name
    LIMIT_ANALYSIS,
    LIMIT_OFFER, // a seek, a challenge
    LIMITS
} limit_kind;

ratelimit *ratelimit_new(void);
void ratelimit_free(ratelimit *v);
// Takes one of what the address may do; false: it has had too much. `now`: clock_us.
bool ratelimit_take(ratelimit *v, const char *address, limit_kind kind, int64_t now);
// Takes so many more of them, for what turned out to be much.
void ratelimit_charge(ratelimit *v, const char *address, limit_kind kind, int64_t count,
                      int64_t now);
// As ratelimit_take, for the password of a name, tried from that address; this machine is limited
// too.
bool ratelimit_take_guess(ratelimit *v, const char *address, text name, int64_t now);
// Once a second.
void ratelimit_sweep(ratelimit *v, int64_t now);
uint32_t ratelimit_count(const ratelimit *v);

#endif
