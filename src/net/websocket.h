// WebSocket on a connection, server's end: whole text messages of bounded length in and out, pings
// answered, close handshakes completed. Frees itself with its connection.
#ifndef KRATON_NET_WEBSOCKET_H
#define KRATON_NET_WEBSOCKET_H

#include "net/connection.h"
#include "net/http.h"

enum {
    WEBSOCKET_MESSAGE_MAX = 8192,
    WEBSOCKET_PINGS = 30,    // at once,
    WEBSOCKET_PING_RATE = 2, // and a second: more are a flood
};

typedef struct websocket websocket;

typedef struct {
    void (*on_message)(websocket *s, text message, int64_t now);
    void (*on_gone)(websocket *s, const char *why);
} websocket_events;

struct websocket {
    connection *connection;
    const websocket_events *events;
    void *owner;
    struct wslay_event_context *context;
    text input;   // being read
    int64_t now;  // of the bytes being read
    bucket pings; // of the peer
    bool ended;
};

// Whether the request is an upgrade a server may accept, and comes from a page of this host (its
// Origin, where it has one, names the Host). Else the reason.
MUST_USE bool websocket_may_open(const http_request *r, fault *why);
// Answers the request with the upgrade and takes the connection over; h is gone. NULL where memory
// is short (the connection is closed).
websocket *websocket_open(http *h, const http_request *r, const websocket_events *events,
                          void *owner);
// Queues a text message.
void websocket_send(websocket *s, text message);
void websocket_ping(websocket *s);
// Closes with a status code and a reason (static text).
void websocket_close(websocket *s, int code, const char *why);

#endif
