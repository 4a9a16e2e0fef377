// Ports: see the end of connection.h.
#include "net/connection.h"

enum { BACKLOG = 1024 };

// A trusted proxy has as many as it likes: those behind it are counted once they are known.
static bool is_too_many(const listener *l, connection *c) {
    c->from = l;
    if (proxies_trust(l->proxies, c->address)) {
        c->proxies = l->proxies;
        c->awaits_preamble = true;
    }
    if (l->turns->count > l->most_connections)
        return true;
    return !c->proxies && !connection_count_in(c, l->most_per_address);
}

static void on_connection(uv_stream_t *server, int status) {
    listener *l = server->data;
    if (status < 0)
        return;
    connection *c = connection_accept(l->turns, server, l->tls);
    if (!c)
        return;
    if (is_too_many(l, c) || !l->on_connection(l, c)) {
        l->refused++;
        c->why = "too many connections";
        connection_cut(c);
        return;
    }
    l->accepted++;
    connection_resume(c);
}

bool listener_open(listener *l, loop_turns *turns, const char *address, int port, fault *why) {
    struct sockaddr_storage at;
    int error;
    l->turns = turns;
    l->tcp.data = l;
    if (uv_ip4_addr(address, port, (struct sockaddr_in *)&at) != 0 &&
        uv_ip6_addr(address, port, (struct sockaddr_in6 *)&at) != 0)
        return fault_set(why, "%s is no address to listen on", fault_quote(text_of(address)).shown);
    if ((error = uv_tcp_init(turns->loop, &l->tcp)) != 0)
        return fault_set(why, "cannot listen: %s", uv_strerror(error));
    if ((error = uv_tcp_bind(&l->tcp, (const struct sockaddr *)&at, 0)) != 0 ||
        (error = uv_listen((uv_stream_t *)&l->tcp, BACKLOG, on_connection)) != 0) {
        uv_close((uv_handle_t *)&l->tcp, NULL);
        return fault_set(why, "cannot listen on %s, port %d: %s", address, port,
                         uv_strerror(error));
    }
    return true;
}

int listener_port(const listener *l) {
    struct sockaddr_storage at;
    int len = sizeof at;
    if (uv_tcp_getsockname(&l->tcp, (struct sockaddr *)&at, &len) != 0)
        return 0;
    in_port_t port = at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&at)->sin6_port
                                              : ((struct sockaddr_in *)&at)->sin_port;
    return ntohs(port);
}

void listener_close(listener *l) {
    if (!uv_is_closing((uv_handle_t *)&l->tcp))
        uv_close((uv_handle_t *)&l->tcp, NULL);
}
