// A port somebody listens on. New connections become connections; too many of them, in all or from
// one address, are turned away at the door. Loop's thread only.
#ifndef KRATON_NET_LISTENER_H
#define KRATON_NET_LISTENER_H

#include "net/connection.h"

typedef struct listener listener;

struct listener {
    uv_tcp_t tcp;
    loop_turns *turns;
    tls_context *tls;
    uint32_t most_connections; // in all
    uint32_t most_per_address; // 0: no such limit; loopback has none
    uint64_t accepted, refused;
    // Gives the connection its events and owner, or returns false: it is closed.
    bool (*on_connection)(listener *l, connection *w);
    void *owner;
};

// Listens on address:port (port 0: any). False with the reason.
MUST_USE bool listener_open(listener *l, loop_turns *p, const char *address, int port, fault *why);
int listener_port(const listener *l);
void listener_close(listener *l); // connections live on

#endif
