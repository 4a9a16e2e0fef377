#include "net/connection.h"

#include "os/clock.h"
#include "os/socket.h"

#include <stdlib.h>

// Bytes the system did not take at once.
typedef struct {
    uv_write_t request;
    connection *connection;
    size_t len;
    char bytes[];
} tail;

enum { PLAIN = 16384 };

static void on_tail_written(uv_write_t *request, int status);

// --- the end ------------------------------------------------------------------------------------

static void on_closed(uv_handle_t *handle) {
    connection *w = handle->data;
    loop_turns *p = w->turns;
    list_remove(&p->connections, &w->link);
    if (list_has(&p->dirty, &w->dirty))
        list_remove(&p->dirty, &w->dirty);
    p->count--;
    if (w->events)
        w->events->on_gone(w, w->why ? w->why : "closed");
    tls_free(w->tls);
    buffer_free(&w->out);
    free(w);
}

void connection_cut(connection *w) {
    if (w->closed)
        return;
    w->closing = w->closed = true;
    uv_close((uv_handle_t *)&w->tcp, on_closed);
}

static void mark_dirty(connection *w) {
    if (!list_has(&w->turns->dirty, &w->dirty) && !w->closed)
        list_prepend(&w->turns->dirty, &w->dirty);
}

void connection_close(connection *w, const char *why) {
    if (w->closing)
        return;
    w->closing = true;
    w->why = why;
    int64_t now = clock_us();
    w->linger_until = now + CONNECTION_LINGER_MS * 1000;
    w->linger_most =
        w->linger_until + (int64_t)connection_pending(w) * 1000000 / CONNECTION_LEAST_RATE;
    w->unread = SIZE_MAX;
    mark_dirty(w);
    turns_linger(w->turns);
    connection_resume(w); // to see the peer hang up
}

// All is written: tell the peer, and close when it does. Closing at once would lose the last bytes
// when the peer has sent something that was not read.
static void hang_up(connection *w) {
    uv_os_fd_t fd;
    if (uv_fileno((uv_handle_t *)&w->tcp, &fd) == 0)
        os_socket_end_sending(fd);
}

// Bytes that the peer has not read: queued here, or in the system.
static size_t unread_of(const connection *w) {
    uv_os_fd_t fd;
    bool known = uv_fileno((const uv_handle_t *)&w->tcp, &fd) == 0;
    return w->out.len + uv_stream_get_write_queue_size((const uv_stream_t *)&w->tcp) +
           (known ? os_socket_unsent(fd) : 0);
}

void connection_linger(connection *w, int64_t now) {
    size_t unread = unread_of(w);
    if (unread && unread < w->unread && now < w->linger_most)
        w->linger_until = now + CONNECTION_LINGER_MS * 1000;
    w->unread = unread;
    if (now >= w->linger_until)
        connection_cut(w);
}

// --- out ----------------------------------------------------------------------------------------

size_t connection_pending(const connection *w) { return w->out.len + w->in_flight; }

static bool append(connection *w, text bytes) {
    buffer_add(&w->out, bytes);
    return !w->out.failed;
}

void connection_send(connection *w, text bytes) {
    if (w->closing || bytes.len == 0)
        return;
    // Where all together have too much unread, who reads is not to blame.
    bool adds =
        w->turns->in_flight > TURNS_IN_FLIGHT && (w->in_flight || bytes.len > CONNECTION_SMALL);
    if (w->in_flight > w->limit || w->out.len + bytes.len > CONNECTION_TURN || adds) {
        w->why = "slow reader";
        w->turns->dropped++;
        connection_cut(w);
        return;
    }
    if (!append(w, bytes)) {
        w->why = "out of memory";
        connection_cut(w);
        return;
    }
    mark_dirty(w);
}

// Replaces the plain words by what TLS makes of them. False where the connection had to be cut.
static bool encrypt(connection *w) {
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
        connection_cut(w);
    }
    return good;
}

static void write_tail(connection *w, text rest) {
    tail *t = malloc(sizeof *t + rest.len);
    if (!t) {
        w->why = "out of memory";
        connection_cut(w);
        return;
    }
    t->connection = w;
    t->len = rest.len;
    memcpy(t->bytes, rest.at, rest.len);
    uv_buf_t bytes = uv_buf_init(t->bytes, (unsigned)rest.len);
    if (uv_write(&t->request, (uv_stream_t *)&w->tcp, &bytes, 1, on_tail_written) != 0) {
        free(t);
        connection_cut(w);
        return;
    }
    w->in_flight += rest.len;
    w->turns->in_flight += rest.len;
}

static void on_tail_written(uv_write_t *request, int status) {
    tail *t = (tail *)request;
    connection *w = t->connection;
    w->in_flight -= t->len;
    w->turns->in_flight -= t->len;
    free(t);
    if (status < 0)
        connection_cut(w);
    else if (w->closing && !w->closed && w->in_flight == 0)
        hang_up(w);
}

void connection_flush(connection *w) {
    if (w->closed || w->is_calling || (w->tls && !encrypt(w)))
        return;
    size_t done = 0;
    w->bytes_out += w->out.len;
    if (w->out.len && w->in_flight == 0) {
        uv_buf_t bytes = uv_buf_init(w->out.bytes, (unsigned)w->out.len);
        int wrote = uv_try_write((uv_stream_t *)&w->tcp, &bytes, 1);
        if (wrote < 0 && wrote != UV_EAGAIN) {
            connection_cut(w);
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
    connection *w = handle->data;
    *room = uv_buf_init(w->turns->read_buffer, TURNS_READ);
}

static void take_cipher(connection *w, text bytes, int64_t now) {
    bool good = tls_feed(w->tls, bytes);
    mark_dirty(w); // the handshake may have something to say
    char plain[PLAIN];
    int got;
    while (!w->closing && (got = tls_plain(w->tls, plain, sizeof plain)) != 0) {
        if (got < 0) {
            connection_close(w, "closed");
            return;
        }
        w->events->on_bytes(w, (text){plain, (size_t)got}, now);
    }
    if (!good)
        connection_close(w, "no TLS");
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *read) {
    connection *w = stream->data;
    if (got == 0)
        return;
    if (got < 0) {
        connection_cut(w);
        return;
    }
    if (w->closing)
        return;
    int64_t now = turns_stamp(w->turns);
    w->heard = now;
    w->bytes_in += (uint64_t)got;
    text bytes = {read->base, (size_t)got};
    if (w->tls)
        take_cipher(w, bytes, now);
    else
        w->events->on_bytes(w, bytes, now);
}

void connection_pause(connection *w) {
    if (w->reading && !w->closing)
        uv_read_stop((uv_stream_t *)&w->tcp);
    w->reading = w->closing && w->reading;
}

void connection_resume(connection *w) {
    if (w->reading || w->closed)
        return;
    w->reading = uv_read_start((uv_stream_t *)&w->tcp, on_alloc, on_read) == 0;
    if (!w->reading)
        connection_cut(w);
}

// --- the beginning ------------------------------------------------------------------------------

static void note_address(connection *w) {
    struct sockaddr_storage peer;
    int len = sizeof peer;
    if (uv_tcp_getpeername(&w->tcp, (struct sockaddr *)&peer, &len) == 0)
        uv_ip_name((const struct sockaddr *)&peer, w->address, sizeof w->address);
}

static connection *new_connection(loop_turns *p) {
    connection *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->turns = p;
    w->limit = CONNECTION_QUEUE;
    w->tcp.data = w;
    if (uv_tcp_init(p->loop, &w->tcp) != 0) {
        free(w);
        return NULL;
    }
    list_prepend(&p->connections, &w->link);
    p->count++;
    return w;
}

connection *connection_accept(loop_turns *p, uv_stream_t *server, tls_context *context) {
    connection *w = new_connection(p);
    if (!w)
        return NULL;
    if (context)
        w->tls = tls_accept(context);
    if (uv_accept(server, (uv_stream_t *)&w->tcp) != 0 || (context && !w->tls)) {
        connection_cut(w);
        return NULL;
    }
    uv_tcp_nodelay(&w->tcp, 1);
    note_address(w);
    w->heard = clock_us();
    return w;
}

connection *connection_adopt(loop_turns *p, int fd) {
    connection *w = new_connection(p);
    if (!w)
        return NULL;
    if (uv_tcp_open(&w->tcp, fd) != 0) {
        connection_cut(w);
        return NULL;
    }
    note_address(w);
    w->heard = clock_us();
    return w;
}

static void on_connected(uv_connect_t *connect, int status) {
    connection *w = connect->data;
    w->is_calling = false;
    if (w->closed)
        return;
    if (status < 0) {
        w->why = uv_strerror(status);
        connection_cut(w);
        return;
    }
    note_address(w);
    w->heard = clock_us();
    connection_resume(w);
    mark_dirty(w); // TLS speaks first
}

connection *connection_call(loop_turns *p, const struct sockaddr *at, tls_context *context,
                            const char *host, const connection_events *events, void *owner) {
    connection *w = new_connection(p);
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
        connection_cut(w);
    }
    return w;
}

int64_t connection_round_trip(const connection *w) {
    uv_os_fd_t fd;
    if (w->closed || uv_fileno((const uv_handle_t *)&w->tcp, &fd) != 0)
        return -1;
    return os_socket_round_trip_us(fd);
}
