#include "net/wire.h"

#include "os/clock.h"
#include "os/socket.h"

#include <stdlib.h>

// Bytes the system did not take at once.
typedef struct {
    uv_write_t request;
    wire *wire;
    size_t len;
    char bytes[];
} tail;

enum { PLAIN = 16384 };

static void on_tail_written(uv_write_t *request, int status);

// --- the end ------------------------------------------------------------------------------------

static void on_closed(uv_handle_t *handle) {
    wire *w = handle->data;
    pump *p = w->pump;
    list_remove(&p->wires, &w->link);
    if (list_has(&p->dirty, &w->dirty))
        list_remove(&p->dirty, &w->dirty);
    p->count--;
    if (w->events)
        w->events->on_gone(w, w->why ? w->why : "closed");
    tls_free(w->tls);
    buffer_free(&w->out);
    free(w);
}

void wire_cut(wire *w) {
    if (w->closed)
        return;
    w->closing = w->closed = true;
    uv_close((uv_handle_t *)&w->tcp, on_closed);
}

static void mark_dirty(wire *w) {
    if (!list_has(&w->pump->dirty, &w->dirty) && !w->closed)
        list_prepend(&w->pump->dirty, &w->dirty);
}

void wire_close(wire *w, const char *why) {
    if (w->closing)
        return;
    w->closing = true;
    w->why = why;
    int64_t now = clock_us();
    w->linger_until = now + WIRE_LINGER_MS * 1000;
    w->linger_most = w->linger_until + (int64_t)wire_pending(w) * 1000000 / WIRE_LEAST_RATE;
    w->unread = SIZE_MAX;
    mark_dirty(w);
    pump_linger(w->pump);
    wire_resume(w); // to see the peer hang up
}

// All is written: tell the peer, and close when it does. Closing at once would lose the last bytes
// when the peer has sent something that was not read.
static void hang_up(wire *w) {
    uv_os_fd_t fd;
    if (uv_fileno((uv_handle_t *)&w->tcp, &fd) == 0)
        os_socket_end_sending(fd);
}

// Bytes that the peer has not read: queued here, or in the system.
static size_t unread_of(const wire *w) {
    uv_os_fd_t fd;
    bool known = uv_fileno((const uv_handle_t *)&w->tcp, &fd) == 0;
    return w->out.len + uv_stream_get_write_queue_size((const uv_stream_t *)&w->tcp) +
           (known ? os_socket_unsent(fd) : 0);
}

void wire_linger(wire *w, int64_t now) {
    size_t unread = unread_of(w);
    if (unread && unread < w->unread && now < w->linger_most)
        w->linger_until = now + WIRE_LINGER_MS * 1000;
    w->unread = unread;
    if (now >= w->linger_until)
        wire_cut(w);
}

// --- out ----------------------------------------------------------------------------------------

size_t wire_pending(const wire *w) { return w->out.len + w->in_flight; }

static bool append(wire *w, text bytes) {
    buffer_add(&w->out, bytes);
    return !w->out.failed;
}

void wire_send(wire *w, text bytes) {
    if (w->closing || bytes.len == 0)
        return;
    // Where all together have too much unread, who reads is not to blame.
    bool adds = w->pump->in_flight > PUMP_IN_FLIGHT && (w->in_flight || bytes.len > WIRE_SMALL);
    if (w->in_flight > w->limit || w->out.len + bytes.len > WIRE_TURN || adds) {
        w->why = "slow reader";
        w->pump->dropped++;
        wire_cut(w);
        return;
    }
    if (!append(w, bytes)) {
        w->why = "out of memory";
        wire_cut(w);
        return;
    }
    mark_dirty(w);
}

// Replaces the plain words by what TLS makes of them. False where the wire had to be cut.
static bool encrypt(wire *w) {
    buffer plain = w->out;
    w->out = (buffer){0};
    bool good = tls_write(w->tls, buffer_text(&plain));
    buffer_free(&plain);
    if (w->closing)
        tls_close(w->tls);
    char cipher[PLAIN];
    int got;
    while (good && (got = tls_cipher(w->tls, cipher, sizeof cipher)) > 0)
        good = append(w, (text){cipher, (size_t)got});
    if (!good) {
        w->why = "out of memory";
        wire_cut(w);
    }
    return good;
}

static void write_tail(wire *w, text rest) {
    tail *t = malloc(sizeof *t + rest.len);
    if (!t) {
        w->why = "out of memory";
        wire_cut(w);
        return;
    }
    t->wire = w;
    t->len = rest.len;
    memcpy(t->bytes, rest.at, rest.len);
    uv_buf_t bytes = uv_buf_init(t->bytes, (unsigned)rest.len);
    if (uv_write(&t->request, (uv_stream_t *)&w->tcp, &bytes, 1, on_tail_written) != 0) {
        free(t);
        wire_cut(w);
        return;
    }
    w->in_flight += rest.len;
    w->pump->in_flight += rest.len;
}

static void on_tail_written(uv_write_t *request, int status) {
    tail *t = (tail *)request;
    wire *w = t->wire;
    w->in_flight -= t->len;
    w->pump->in_flight -= t->len;
    free(t);
    if (status < 0)
        wire_cut(w);
    else if (w->closing && !w->closed && w->in_flight == 0)
        hang_up(w);
}

void wire_flush(wire *w) {
    if (w->closed || w->is_calling || (w->tls && !encrypt(w)))
        return;
    size_t done = 0;
    w->bytes_out += w->out.len;
    if (w->out.len && w->in_flight == 0) {
        uv_buf_t bytes = uv_buf_init(w->out.bytes, (unsigned)w->out.len);
        int wrote = uv_try_write((uv_stream_t *)&w->tcp, &bytes, 1);
        if (wrote < 0 && wrote != UV_EAGAIN) {
            wire_cut(w);
            return;
        }
        done = wrote > 0 ? (size_t)wrote : 0;
    }
    w->written = clock_us();
    if (done < w->out.len)
        write_tail(w, (text){w->out.bytes + done, w->out.len - done});
    buffer_free(&w->out); // idle connections hold no memory
    if (w->closing && !w->closed && w->in_flight == 0)
        hang_up(w);
}

// --- in -----------------------------------------------------------------------------------------

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *room) {
    (void)suggested;
    wire *w = handle->data;
    *room = uv_buf_init(w->pump->read_buffer, PUMP_READ);
}

static void take_cipher(wire *w, text bytes, int64_t now) {
    bool good = tls_feed(w->tls, bytes);
    mark_dirty(w); // the handshake may have something to say
    char plain[PLAIN];
    int got;
    while (!w->closing && (got = tls_plain(w->tls, plain, sizeof plain)) != 0) {
        if (got < 0) {
            wire_close(w, "closed");
            return;
        }
        w->events->on_bytes(w, (text){plain, (size_t)got}, now);
    }
    if (!good)
        wire_close(w, "no TLS");
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *read) {
    wire *w = stream->data;
    if (got == 0)
        return;
    if (got < 0) {
        wire_cut(w);
        return;
    }
    if (w->closing)
        return;
    int64_t now = pump_stamp(w->pump);
    w->heard = now;
    w->bytes_in += (uint64_t)got;
    text bytes = {read->base, (size_t)got};
    if (w->tls)
        take_cipher(w, bytes, now);
    else
        w->events->on_bytes(w, bytes, now);
}

void wire_pause(wire *w) {
    if (w->reading && !w->closing)
        uv_read_stop((uv_stream_t *)&w->tcp);
    w->reading = w->closing && w->reading;
}

void wire_resume(wire *w) {
    if (w->reading || w->closed)
        return;
    w->reading = uv_read_start((uv_stream_t *)&w->tcp, on_alloc, on_read) == 0;
    if (!w->reading)
        wire_cut(w);
}

// --- the beginning ------------------------------------------------------------------------------

static void note_address(wire *w) {
    struct sockaddr_storage peer;
    int len = sizeof peer;
    if (uv_tcp_getpeername(&w->tcp, (struct sockaddr *)&peer, &len) == 0)
        uv_ip_name((const struct sockaddr *)&peer, w->address, sizeof w->address);
}

static wire *new_wire(pump *p) {
    wire *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->pump = p;
    w->limit = WIRE_QUEUE;
    w->tcp.data = w;
    if (uv_tcp_init(p->loop, &w->tcp) != 0) {
        free(w);
        return NULL;
    }
    list_prepend(&p->wires, &w->link);
    p->count++;
    return w;
}

wire *wire_accept(pump *p, uv_stream_t *server, tls_context *context) {
    wire *w = new_wire(p);
    if (!w)
        return NULL;
    if (context)
        w->tls = tls_accept(context);
    if (uv_accept(server, (uv_stream_t *)&w->tcp) != 0 || (context && !w->tls)) {
        wire_cut(w);
        return NULL;
    }
    uv_tcp_nodelay(&w->tcp, 1);
    note_address(w);
    w->heard = clock_us();
    return w;
}

wire *wire_adopt(pump *p, int fd) {
    wire *w = new_wire(p);
    if (!w)
        return NULL;
    if (uv_tcp_open(&w->tcp, fd) != 0) {
        wire_cut(w);
        return NULL;
    }
    note_address(w);
    w->heard = clock_us();
    return w;
}

static void on_connected(uv_connect_t *connect, int status) {
    wire *w = connect->data;
    w->is_calling = false;
    if (w->closed)
        return;
    if (status < 0) {
        w->why = uv_strerror(status);
        wire_cut(w);
        return;
    }
    note_address(w);
    w->heard = clock_us();
    wire_resume(w);
    mark_dirty(w); // TLS speaks first
}

wire *wire_call(pump *p, const struct sockaddr *at, tls_context *context, const char *host,
                const wire_events *events, void *owner) {
    wire *w = new_wire(p);
    if (!w)
        return NULL;
    w->events = events;
    w->owner = owner;
    w->connect.data = w;
    if (context)
        w->tls = tls_call(context, host);
    uv_tcp_nodelay(&w->tcp, 1);
    w->is_calling = true;
    int error =
        context && !w->tls ? UV_ENOMEM : uv_tcp_connect(&w->connect, &w->tcp, at, on_connected);
    if (error) {
        w->why = uv_strerror(error);
        wire_cut(w);
    }
    return w;
}

int64_t wire_round_trip(const wire *w) {
    uv_os_fd_t fd;
    if (w->closed || uv_fileno((const uv_handle_t *)&w->tcp, &fd) != 0)
        return -1;
    return os_socket_round_trip_us(fd);
}
