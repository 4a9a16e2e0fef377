#include "net/websocket.h"

#include "base/minmax.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <wslay/wslay.h>

enum { KEY_LEN = 24 };

// --- opening ------------------------------------------------------------------------------------

// Pages of other sites must not act for a user who is logged in here.
static bool is_same_origin(const http_request *r) {
    text origin = http_header_of(r, "origin"), host = http_header_of(r, "host");
    if (origin.len == 0)
        return true; // no browser
    size_t slashes = text_find(origin, "://");
    return slashes < origin.len && text_equal(text_skip(origin, slashes + 3), host);
}

bool websocket_may_open(const http_request *r, fault *why) {
    if (!text_is(r->method, "GET") || !text_is(http_header_of(r, "sec-websocket-version"), "13") ||
        http_header_of(r, "sec-websocket-key").len != KEY_LEN)
        return fault_set(why, "no WebSocket handshake of version 13");
    if (!is_same_origin(r))
        return fault_set(why, "a page of another site");
    return true;
}

static void write_accept(text key, writer *out) {
    char joined[KEY_LEN + 36];
    memcpy(joined, key.at, KEY_LEN);
    memcpy(joined + KEY_LEN, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", 36);
    unsigned char digest[EVP_MAX_MD_SIZE], encoded[32];
    unsigned len = 0;
    EVP_Digest(joined, sizeof joined, digest, &len, EVP_sha1(), NULL);
    EVP_EncodeBlock(encoded, digest, (int)len);
    write_string(out, (const char *)encoded);
}

// wslay reads all frames of what it was given, so it is given a little at a time.
enum { CHUNK = 512 };

// --- what wslay asks for ------------------------------------------------------------------------

static ssize_t on_recv(wslay_event_context_ptr c, uint8_t *bytes, size_t len, int flags,
                       void *data) {
    (void)flags;
    websocket *s = data;
    if (s->input.len == 0 || connection_is_spent(s->connection)) {
        wslay_event_set_error(c, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    len = min_size(min_size(len, CHUNK), s->input.len);
    memcpy(bytes, s->input.at, len);
    s->input = text_skip(s->input, len);
    return (ssize_t)len;
}

static ssize_t on_send(wslay_event_context_ptr c, const uint8_t *bytes, size_t len, int flags,
                       void *data) {
    (void)c;
    (void)flags;
    websocket *s = data;
    connection_send(s->connection, (text){(const char *)bytes, len});
    return (ssize_t)len;
}

static void on_message(wslay_event_context_ptr c, const struct wslay_event_on_msg_recv_arg *arg,
                       void *data) {
    (void)c;
    websocket *s = data;
    if (s->ended)
        return;
    if (arg->opcode == WSLAY_TEXT_FRAME)
        s->events->on_message(s, (text){(const char *)arg->msg, arg->msg_length}, s->now);
    else if (arg->opcode == WSLAY_BINARY_FRAME)
        websocket_close(s, WSLAY_CODE_UNSUPPORTED_DATA, "binary message");
    else if (!wslay_is_ctrl_frame(arg->opcode) || arg->opcode == WSLAY_CONNECTION_CLOSE)
        return;
    else if (!bucket_take(&s->pings, WEBSOCKET_PINGS, WEBSOCKET_PING_RATE, s->now))
        websocket_close(s, WSLAY_CODE_POLICY_VIOLATION, "flood");
}

static const struct wslay_event_callbacks callbacks = {
    .recv_callback = on_recv, .send_callback = on_send, .on_msg_recv_callback = on_message};

// --- the connection -----------------------------------------------------------------------------

static void let_out(websocket *s) {
    while (wslay_event_want_write(s->context))
        if (wslay_event_send(s->context) != 0)
            break;
}

static void on_bytes(connection *c, text bytes, int64_t now) {
    websocket *s = c->owner;
    s->input = bytes;
    s->now = now;
    int result = wslay_event_recv(s->context);
    text rest = s->input;
    s->input = (text){NULL, 0};
    c->sends_now = !wslay_event_get_close_received(s->context); // pongs, not the close's echo
    let_out(s);
    c->sends_now = false;
    if (s->ended)
        return;
    connection_keep(c, rest);
    if (result != 0 || wslay_event_get_close_received(s->context) ||
        wslay_event_get_close_sent(s->context))
        connection_close(c, result != 0 ? "bad frame" : "closed");
}

static void on_gone(connection *c, const char *why) {
    websocket *s = c->owner;
    s->events->on_gone(s, why);
    wslay_event_context_free(s->context);
    free(s);
}

static const connection_events handlers = {on_bytes, on_gone};

websocket *websocket_open(http *h, const http_request *r, const websocket_events *events,
                          void *owner) {
    websocket *s = calloc(1, sizeof *s);
    if (!s || wslay_event_context_server_init(&s->context, &callbacks, s) != 0) {
        free(s);
        http_refuse(h, 503);
        return NULL;
    }
    *s = (websocket){
        .connection = h->connection, .events = events, .owner = owner, .context = s->context};
    wslay_event_config_set_max_recv_msg_length(s->context, WEBSOCKET_MESSAGE_MAX);
    char head[256];
    writer w = writer_on(head, sizeof head);
    write_string(&w, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                     "Connection: Upgrade\r\nSec-WebSocket-Accept: ");
    write_accept(http_header_of(r, "sec-websocket-key"), &w);
    write_string(&w, "\r\n\r\n");
    connection_send(h->connection, (text){head, w.used});
    h->upgraded = s;
    h->connection->events = &handlers;
    h->connection->owner = s;
    return s;
}

void websocket_send(websocket *s, text message) {
    struct wslay_event_msg frame = {WSLAY_TEXT_FRAME, (const uint8_t *)message.at, message.len};
    if (!s->ended && wslay_event_queue_msg(s->context, &frame) == 0)
        let_out(s);
}

void websocket_ping(websocket *s) {
    struct wslay_event_msg frame = {WSLAY_PING, NULL, 0};
    if (!s->ended && wslay_event_queue_msg(s->context, &frame) == 0)
        let_out(s);
}

void websocket_close(websocket *s, int code, const char *why) {
    if (s->ended)
        return;
    s->ended = true;
    size_t len = strlen(why);
    if (wslay_event_queue_close(s->context, (uint16_t)code, (const uint8_t *)why,
                                min_size(len, 123)) == 0)
        let_out(s);
    connection_close(s->connection, why);
}
