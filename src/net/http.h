// The server's end of HTTP/1.1 on a connection: requests with bounded headers and bodies in,
// answers out, one at a time, connections kept. Knows nothing of what is asked for. A request may
// be answered at once or later; until then nothing more is read. Frees itself with its connection.
#ifndef KRATON_NET_HTTP_H
#define KRATON_NET_HTTP_H

#include "net/connection.h"

enum {
    HTTP_HEAD_MAX = 16384, // request line and headers
    HTTP_BODY_MAX = 65536, // where body_max says nothing else
    HTTP_HEADERS = 64
};

typedef struct http http;

typedef struct {
    text name, value;
} http_header;

// All slices live until the answer.
typedef struct {
    text method; // GET, HEAD, POST, PUT, DELETE
    text path;   // without the query
    text query;
    text body;
    int header_count;
    http_header headers[HTTP_HEADERS];
    bool wants_websocket;
    int64_t now; // when its last byte was read
} http_request;

typedef struct {
    // A whole request; answer with http_answer now or later, or http_upgrade now.
    void (*on_request)(http *h, const http_request *r);
    // The connection is over; h->data is to be let go. Not called after an upgrade.
    void (*on_gone)(http *h, const char *why);
    // The most bytes that the body of a request may have, once its head was read. NULL:
    // HTTP_BODY_MAX.
    size_t (*body_max)(http *h, text path);
} http_events;

struct http {
    connection *connection;
    const http_events *events;
    void *owner;              // of the events, as given to http_new
    void *data;               // whatever the owner keeps with it
    struct http_state *state; // the parser's; only while a request is being read or answered
    bool is_answering;        // on_request was called, the answer is due
    bool keep;                // the connection lives on after it
    bool is_head;
    bool is_feeding;            // inside its own reading
    struct websocket *upgraded; // what has taken the connection over
    int64_t since;              // when the present request began, or the last answer went
};

// Takes over a fresh connection. NULL where memory is short.
http *http_new(connection *c, const http_events *events, void *owner);
// The value of a header (name in lower case), empty where there is none.
text http_header_of(const http_request *r, const char *name);
// The value of a cookie.
text http_cookie_of(const http_request *r, const char *name);
// Decodes a part of a path or a query: %41 and + for a blank.
void http_decode(text t, writer *out);
// The decoded value of a query field into buffer; false where there is none or it is too long.
MUST_USE bool http_query_of(const http_request *r, const char *name, writer *out);

typedef struct {
    int status;
    const char *type;  // content type
    const char *extra; // further header lines, each ended by CR LF; may be NULL
    text body;
} http_reply;
// Answers the request under way.
void http_answer(http *h, const http_reply *reply);
// Refuses what is no HTTP, or too much of it, and ends the connection.
void http_refuse(http *h, int status);
// Since when it owes us a whole request, 0 where it owes none: for those who sweep out the slow.
int64_t http_waiting_since(const http *h);

#endif
