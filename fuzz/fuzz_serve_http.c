// A connection to the web port: bytes in any pieces through a real wire, answered by a stand-in for
// the API; an upgrade leads on to WebSocket frames. Whatever comes, all memory is given back.
#include "net/listener.h"
#include "net/websocket.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_message(websocket *s, text message, int64_t now) {
    (void)now;
    websocket_send(s, message);
}

static void on_socket_gone(websocket *s, const char *why) {
    (void)s;
    (void)why;
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
    http_reply reply = {.status = 200, .type = "text/plain", .body = r->body};
    http_answer(h, &reply);
}

static void on_gone(http *h) { (void)h; }

static const http_events handlers = {on_request, on_gone};

static bool on_wire(listener *l, wire *w) { return http_new(w, &handlers, l) != NULL; }

static bool commit(void *context) {
    (void)context;
    return true;
}

static void after(void *context) { (void)context; }

// A wire over one end of a pair of sockets, as if it had been accepted.
static void run_one(uv_loop_t *loop, pump *p, const uint8_t *data, size_t size) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return;
    wire *w = wire_adopt(p, pair[0]);
    listener l = {.on_wire = on_wire};
    if (w && on_wire(&l, w))
        wire_resume(w);
    size_t step = size ? (size_t)data[0] * 16 + 1 : 1;
    for (size_t from = 1; from < size; from += step) {
        size_t len = size - from < step ? size - from : step;
        if (send(pair[1], data + from, len, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
            break;
        uv_run(loop, UV_RUN_NOWAIT);
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
    static pump p;
    pump_events events = {commit, after, NULL};
    memset(&p, 0, sizeof p);
    uv_loop_init(&loop);
    pump_open(&p, &loop, &events);
    run_one(&loop, &p, data, size);
    pump_close(&p);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return 0;
}
