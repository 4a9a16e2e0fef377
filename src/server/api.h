// The REST API: /api/v1/..., /metrics, and the page's files. Routes come from the features.
// Answers are JSON unless a route says otherwise; docs/api.md lists them.
#ifndef KRATON_SERVER_API_H
#define KRATON_SERVER_API_H

#include "net/http.h"
#include "server/feature.h"
#include "server/member.h"

#include <jansson.h>

enum { API_PARTS = 3, API_PART_SIZE = 256 };
#define API_COOKIE "kraton"

// A request being answered. Whoever answers later does so with the copy from api_keep.
typedef struct api_call {
    server *server;
    http *http; // NULL: the client has gone meanwhile
    const http_request *request;
    member *member;        // who asks; NULL: nobody known
    text parts[API_PARTS]; // what stood for the stars of the pattern
    char decoded[API_PARTS][API_PART_SIZE];
    int64_t numbers[API_PARTS]; // the same where they are numbers, else -1
    char agent[64];             // the browser, as it calls itself
    bool answered, kept;
} api_call;

// Takes a connection over.
bool api_accept(server *srv, connection *line);
// Once a second: ends connections that are too slow or idle.
void api_sweep(server *srv, int64_t now);

// Answers; takes the JSON.
void api_json(api_call *c, int status, json_t *body);
void api_text(api_call *c, int status, const char *type, text body);
// Answers {"error":CODE,"words":...} with the status.
void api_refuse(api_call *c, int status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Refuses a name of a game: `before`, then the names there are.
void api_refuse_game(api_call *c, int status, const char *before);
// The same with header lines of one's own (Cache-Control among them), each ended by CR LF.
void api_send(api_call *c, int status, const char *type, const char *extra, text body);
void api_json_with(api_call *c, int status, json_t *body, const char *extra);
// The answer comes later, to the call returned, which is freed by it; its request is gone by then,
// and where the client has gone too, the answer goes nowhere. NULL: an answer has been given.
api_call *api_keep(api_call *c);
// The body's fields, or an answer has been given.
MUST_USE bool api_body(api_call *c, request *r);
// The token a request comes with, in its header or as the browser's cookie; empty: none.
text api_token_of(const http_request *r);
// A number of the query: `otherwise` where there is none or it is out of range.
int64_t api_query_number(const api_call *c, const char *name, int64_t low, int64_t high,
                         int64_t otherwise);

#endif
