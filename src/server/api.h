// The REST API: /api/v1/..., /metrics, and the page's files. Routes come from the modules' tables.
// Answers are JSON unless a route says otherwise; docs/api.md lists them.
#ifndef KRATON_SERVER_API_H
#define KRATON_SERVER_API_H

#include "net/http.h"
#include "server/member.h"

#include <jansson.h>

enum { API_PARTS = 3 };

// A request being answered. Whoever answers later keeps the call (api_keep).
typedef struct api_call {
    world *world;
    http *http; // NULL: the client has gone meanwhile
    const http_request *request;
    member *member;             // who asks; NULL: nobody known
    text parts[API_PARTS];      // what stood for the stars of the pattern
    int64_t numbers[API_PARTS]; // the same where they are numbers, else -1
    bool answered, kept;
} api_call;

typedef struct {
    const char *method;  // GET, POST, DELETE
    const char *pattern; // "/api/v1/games/*/record": a star stands for one part
    void (*run)(api_call *c);
    bool needs_login;
} api_route;
extern const api_route account_routes[], game_routes[], lobby_routes[], arbiter_routes[],
    tournament_routes[], rating_routes[], archive_routes[], position_routes[];

// Takes a connection over.
bool api_accept(world *w, wire *wire);
// Once a second: ends connections that are too slow or idle.
void api_sweep(world *w, int64_t now);

// Answers; takes the JSON.
void api_json(api_call *c, int status, json_t *body);
void api_text(api_call *c, int status, const char *type, text body);
// Answers {"error":CODE,"words":...} with the status.
void api_refuse(api_call *c, int status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The answer comes later: the call is kept until then.
void api_keep(api_call *c);
// The body's fields, or an answer has been given.
MUST_USE bool api_body(api_call *c, request *r);
// A number of the query: `otherwise` where there is none or it is out of range.
int64_t api_query_number(const api_call *c, const char *name, int64_t low, int64_t high,
                         int64_t otherwise);

#endif
