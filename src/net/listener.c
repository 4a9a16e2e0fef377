#include "net/listener.h"

enum { BACKLOG = 1024 };

static uint32_t connections_from(const listener *l, const char *address) {
    uint32_t count = 0;
    for (list_link *at = l->turns->connections.first; at; at = at->next) {
        const connection *w = LIST_ITEM(at, connection, link);
        count += !w->closing && strcmp(w->address, address) == 0;
    }
    return count;
}

static bool is_loopback(const char *address) {
    return text_starts(text_of(address), "127.") || strcmp(address, "::1") == 0 ||
           text_starts(text_of(address), "::ffff:127.");
}

static bool is_too_many(const listener *l, const connection *w) {
    if (l->turns->count > l->most_connections)
        return true;
    return l->most_per_address && !is_loopback(w->address) &&
           connections_from(l, w->address) > l->most_per_address;
}

static void on_connection(uv_stream_t *server, int status) {
    listener *l = server->data;
    if (status < 0)
        return;
    connection *w = connection_accept(l->turns, server, l->tls);
    if (!w)
        return;
    if (is_too_many(l, w) || !l->on_connection(l, w)) {
        l->refused++;
        w->why = "too many connections";
        connection_cut(w);
        return;
    }
    l->accepted++;
    connection_resume(w);
}

bool listener_open(listener *l, loop_turns *p, const char *address, int port, fault *why) {
    struct sockaddr_storage at;
    int error;
    l->turns = p;
    l->tcp.data = l;
    if (uv_ip4_addr(address, port, (struct sockaddr_in *)&at) != 0 &&
        uv_ip6_addr(address, port, (struct sockaddr_in6 *)&at) != 0)
        return fault_set(why, "%s is no address to listen on", fault_quote(text_of(address)).shown);
    if ((error = uv_tcp_init(p->loop, &l->tcp)) != 0)
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
