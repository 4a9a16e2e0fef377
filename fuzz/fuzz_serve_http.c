// A connection to the web port: bytes in any pieces through a real connection, answered by a
// stand-in for the API; an upgrade leads on to WebSocket frames. A path with an L in it is answered
// some turns later, whatever comes meanwhile. The first byte says in which pieces the others come
// and, by its highest bit, whether they come as out of TLS: also while nobody wants to read.
// Whatever comes, all memory is given back.
#include "net/connection.h"
#include "net/websocket.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The one request that waits for its answer.
static struct {
    http *http;
    int turns;
} later;
static bool is_gone; // the connection

static void on_message(websocket *s, text message, int64_t now) {
    (void)now;
    websocket_send(s, message);
}

static void on_socket_gone(websocket *s, const char *why) {
    (void)s;
    (void)why;
    is_gone = true;
}

static const websocket_events socket_events = {on_message, on_socket_gone};

static void on_request(http *h, const http_request *r) {
    fault why;
    char value[64];
    writer w = writer_on(value, sizeof value);
    (void)!http_query_of(r, "a", &w);
    (void)http_cookie_of(r, "kraton");
    if (r->wants_websocket && websocket_may_open(r, &why)) {
        (void)websocket_open(h, r, &socket_events, NULL);
        return;
    }
    if (r->path.len && memchr(r->path.at, 'L', r->path.len)) {
        if (later.http)
            abort(); // one at a time
        later.http = h;
        later.turns = 3;
        return;
    }
    http_reply reply = {.status = 200, .type = "text/plain", .body = r->body};
    http_answer(h, &reply);
}

static void on_gone(http *h, const char *why) {
    (void)why;
    is_gone = true;
    if (later.http == h)
        later.http = NULL;
}

static void answer_later(void) {
    if (!later.http || --later.turns > 0)
        return;
    http *h = later.http;
    http_reply reply = {.status = 200, .type = "text/plain", .body = text_of("later")};
    later.http = NULL;
    http_answer(h, &reply);
}

static const http_events handlers = {.on_request = on_request, .on_gone = on_gone};

static bool on_connection(listener *l, connection *w) { return http_new(w, &handlers, l) != NULL; }

static turn_state commit(void *context, bool waits) {
    (void)context;
    (void)waits;
    return TURN_STORED;
}

static void after(void *context) { (void)context; }

// A connection over one end of a pair of sockets, as if it had been accepted.
static void run_one(uv_loop_t *loop, loop_turns *p, const uint8_t *data, size_t size) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return;
    connection *w = connection_adopt(p, pair[0]);
    listener l = {.on_connection = on_connection};
    if (w && on_connection(&l, w))
        connection_resume(w);
    size_t step = size ? (size_t)(data[0] & 0x7f) * 16 + 1 : 1;
    bool as_tls = size && data[0] & 0x80;
    is_gone = false;
    for (size_t from = 1; from < size; from += step) {
        text piece = {(const char *)data + from, size - from < step ? size - from : step};
        if (!as_tls && send(pair[1], piece.at, piece.len, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
            break;
        if (as_tls && (is_gone || w->closing))
            break;
        if (as_tls)
            w->events->on_bytes(w, piece, 1);
        uv_run(loop, UV_RUN_NOWAIT);
        answer_later();
        char sink[65536];
        while (recv(pair[1], sink, sizeof sink, MSG_DONTWAIT) > 0) {
        }
    }
    close(pair[1]);
    for (int i = 0; i < 8; i++)
        uv_run(loop, UV_RUN_NOWAIT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uv_loop_t loop;
    static loop_turns p;
    turns_events events = {.commit = commit, .after = after};
    memset(&p, 0, sizeof p);
    signal(SIGPIPE, SIG_IGN); // as the server does
    uv_loop_init(&loop);
    turns_open(&p, &loop, &events);
    run_one(&loop, &p, data, size);
    turns_close(&p);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return 0;
}
