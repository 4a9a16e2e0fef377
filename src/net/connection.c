#include "net/connection.h"

#include "base/minmax.h"
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

// --- addresses ----------------------------------------------------------------------------------

// Kept while it has connections, and until what it used is forgotten.
struct address_use {
    int64_t key;
    uint32_t count; // of connections
    connection_use use;
};

static void forget(loop_turns *turns, struct address_use *use) {
    table_remove(&turns->addresses, use->key);
    free(use);
}

// Looks at a few addresses, so that those of long ago do not pile up.
static void forget_some(loop_turns *turns) {
    int64_t now = clock_us();
    for (int i = 0; i < 4; i++) {
        struct address_use *use = table_next(&turns->addresses, &turns->addresses_at);
        if (!use)
            turns->addresses_at = 0;
        else if (use->count == 0 && use->use.forgotten_at <= now)
            forget(turns, use);
    }
}

static void uncount(connection *c) {
    if (c->visitor)
        c->visitor->count--;
    c->visitor = NULL;
}

bool connection_count_in(connection *c, uint32_t most) {
    uncount(c);
    if (most == 0 || address_is_loopback(c->address))
        return true;
    forget_some(c->turns);
    int64_t key = address_key(c->address);
    struct address_use *use = table_find(&c->turns->addresses, key);
    if (!use &&
        ((use = calloc(1, sizeof *use)) == NULL || !table_add(&c->turns->addresses, key, use))) {
        free(use);
        return false;
    }
    use->key = key;
    c->visitor = use;
    return ++use->count <= most;
}

bool connection_set_address(connection *c, const char *address) {
    if (strcmp(address, c->address) == 0)
        return true;
    writer w = writer_on(c->address, sizeof c->address);
    write_string(&w, address);
    return !c->from || connection_count_in(c, c->from->most_per_address);
}

bool connection_is_secure(const connection *c) { return c->tls || c->is_secure; }

void connection_forget_addresses(loop_turns *turns) {
    uint32_t at = 0;
    for (struct address_use *use; (use = table_next(&turns->addresses, &at));)
        free(use);
    table_free(&turns->addresses);
}

// --- the end ------------------------------------------------------------------------------------

static void drop_held(connection *c) {
    if (c->is_held)
        list_remove(&c->turns->held, &c->held_link);
    c->is_held = false;
    buffer_free(&c->held);
    buffer_free(&c->rest);
}

static void on_closed(uv_handle_t *handle) {
    connection *c = handle->data;
    loop_turns *turns = c->turns;
    list_remove(&turns->connections, &c->link);
    turns_unmark(turns, c);
    uncount(c);
    drop_held(c);
    if (turns->count == 1 && !turns->open)
        connection_forget_addresses(turns);
    turns->count--;
    if (c->events)
        c->events->on_gone(c, c->why ? c->why : "closed");
    tls_free(c->tls);
    buffer_free(&c->out);
    buffer_free(&c->now);
    buffer_free(&c->preamble);
    free(c);
}

void connection_cut(connection *c) {
    if (c->closed)
        return;
    c->closing = c->closed = true;
    uncount(c);
    uv_close((uv_handle_t *)&c->tcp, on_closed);
}

static void mark_dirty(connection *c) {
    if (!c->closed)
        turns_mark(c->turns, c, c->sends_last);
}

void connection_close(connection *c, const char *why) {
    if (c->closing)
        return;
    c->closing = true;
    c->why = why;
    uncount(c);
    int64_t now = clock_us();
    c->linger_until = now + CONNECTION_LINGER_MS * 1000;
    c->linger_most =
        c->linger_until + (int64_t)connection_pending(c) * 1000000 / CONNECTION_LEAST_RATE;
    c->unread = SIZE_MAX;
    mark_dirty(c);
    turns_linger(c->turns);
    drop_held(c);
    connection_resume(c); // to see the peer hang up
}

// All is written: tell the peer, and close when it does. Closing at once would lose the last bytes
// when the peer has sent something that was not read.
static void hang_up(connection *c) {
    uv_os_fd_t fd;
    if (uv_fileno((uv_handle_t *)&c->tcp, &fd) == 0)
        os_socket_end_sending((intptr_t)fd);
}

// Bytes that the peer has not read: queued here, or in the system.
static size_t unread_of(const connection *c) {
    uv_os_fd_t fd;
    bool known = uv_fileno((const uv_handle_t *)&c->tcp, &fd) == 0;
    return c->out.len + c->now.len + uv_stream_get_write_queue_size((const uv_stream_t *)&c->tcp) +
           (known ? os_socket_unsent((intptr_t)fd) : 0);
}

void connection_linger(connection *c, int64_t now) {
    size_t unread = unread_of(c);
    if (unread && unread < c->unread && now < c->linger_most)
        c->linger_until = now + CONNECTION_LINGER_MS * 1000;
    c->unread = unread;
    if (now >= c->linger_until)
        connection_cut(c);
}

// --- out ----------------------------------------------------------------------------------------

size_t connection_pending(const connection *c) { return c->out.len + c->now.len + c->in_flight; }

static void cut_for(connection *c, const char *why) {
    c->why = why;
    connection_cut(c);
}

// Adds to one of the queues. False where the peer had to be cut off.
static bool queue(connection *c, buffer *to, text bytes) {
    if (c->closing || bytes.len == 0)
        return false;
    // Where all together have too much unread, who reads is not to blame.
    bool adds =
        c->turns->in_flight > TURNS_IN_FLIGHT && (c->in_flight || bytes.len > CONNECTION_SMALL);
    if (c->in_flight > c->limit || to->len + bytes.len > CONNECTION_TURN || adds) {
        c->turns->dropped++;
        cut_for(c, "slow reader");
        return false;
    }
    buffer_add(to, bytes);
    if (to->failed)
        cut_for(c, "out of memory");
    return !to->failed;
}

void connection_send(connection *c, text bytes) {
    bool waits = !c->sends_now || (c->out.len && !c->turns->is_pending);
    if (!queue(c, waits ? &c->out : &c->now, bytes))
        return;
    if (waits)
        mark_dirty(c);
    else
        turns_mark_urgent(c->turns, c);
}

// Replaces the plain words by what TLS makes of them, with what it has to say itself. False where
// the connection had to be cut.
static bool encrypt(connection *c, buffer *words) {
    bool good = tls_write(c->tls, buffer_text(words));
    buffer_clear(words);
    if (c->closing && c->out.len == 0)
        tls_close(c->tls);
    char cipher[PLAIN];
    int got;
    while (good && (got = tls_cipher(c->tls, cipher, sizeof cipher)) > 0) {
        buffer_add(words, (text){cipher, (size_t)got});
        good = !words->failed;
    }
    if (!good)
        cut_for(c, "out of memory");
    return good;
}

static void write_tail(connection *c, text rest) {
    tail *t = malloc(sizeof *t + rest.len);
    if (!t) {
        c->why = "out of memory";
        connection_cut(c);
        return;
    }
    t->connection = c;
    t->len = rest.len;
    memcpy(t->bytes, rest.at, rest.len);
    uv_buf_t bytes = uv_buf_init(t->bytes, (unsigned)rest.len);
    if (uv_write(&t->request, (uv_stream_t *)&c->tcp, &bytes, 1, on_tail_written) != 0) {
        free(t);
        connection_cut(c);
        return;
    }
    c->in_flight += rest.len;
    c->turns->in_flight += rest.len;
}

static void on_tail_written(uv_write_t *request, int status) {
    tail *t = (tail *)request;
    connection *c = t->connection;
    c->in_flight -= t->len;
    c->turns->in_flight -= t->len;
    free(t);
    if (status < 0)
        connection_cut(c);
    else if (c->closing && !c->closed && c->in_flight == 0)
        hang_up(c);
}

// Hands bytes to the system, and frees them: idle connections hold no memory.
static void hand_over(connection *c, buffer *words) {
    if (c->closed || (c->tls && !encrypt(c, words))) {
        buffer_free(words);
        return;
    }
    size_t done = 0;
    c->bytes_out += words->len;
    if (words->len && c->in_flight == 0) {
        uv_buf_t bytes = uv_buf_init(words->bytes, (unsigned)words->len);
        int wrote = uv_try_write((uv_stream_t *)&c->tcp, &bytes, 1);
        if (wrote < 0 && wrote != UV_EAGAIN)
            connection_cut(c);
        done = wrote > 0 ? (size_t)wrote : 0;
    }
    if (done < words->len && !c->closed)
        write_tail(c, (text){words->bytes + done, words->len - done});
    buffer_free(words);
    if (c->closing && !c->closed && c->in_flight == 0 && c->out.len == 0)
        hang_up(c);
}

void connection_flush(connection *c, size_t count) {
    if (c->closed || c->is_calling)
        return;
    buffer words = c->out;
    c->out = (buffer){0};
    c->sealed = 0;
    if (count < words.len) {
        buffer_add(&c->out, text_skip(buffer_text(&words), count));
        words.len = count;
        if (c->out.failed)
            cut_for(c, "out of memory");
        mark_dirty(c);
    }
    hand_over(c, &words);
    c->written = clock_us();
}

void connection_flush_now(connection *c) {
    if (c->closed || c->is_calling)
        return;
    buffer words = c->now;
    c->now = (buffer){0};
    hand_over(c, &words);
}

// --- in -----------------------------------------------------------------------------------------

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *room) {
    (void)suggested;
    connection *c = handle->data;
    *room = uv_buf_init(c->turns->read_buffer, TURNS_READ);
}

static void take_cipher(connection *c, text bytes, int64_t now) {
    bool good = bytes.len == 0 || tls_feed(c->tls, bytes);
    turns_mark_urgent(c->turns, c); // the handshake may have something to say
    char plain[PLAIN];
    int got;
    while (!c->closing && !c->is_held && (got = tls_plain(c->tls, plain, sizeof plain)) != 0) {
        if (got < 0) {
            connection_close(c, "closed");
            return;
        }
        c->events->on_bytes(c, (text){plain, (size_t)got}, now);
    }
    if (!good)
        connection_close(c, "no TLS");
}

// Takes the header of the PROXY protocol off the bytes, if there is one. False: nothing is left of
// them, or the connection is over.
static bool take_preamble(connection *c, text *bytes) {
    preamble found;
    buffer_add(&c->preamble, *bytes);
    preamble_status status = preamble_read(buffer_text(&c->preamble), &found);
    if (status == PREAMBLE_MORE && !c->preamble.failed)
        return false;
    c->awaits_preamble = false;
    *bytes = text_skip(buffer_text(&c->preamble), found.len);
    if (status == PREAMBLE_BAD || c->preamble.failed) {
        c->why = "bad PROXY header";
        connection_cut(c);
        return false;
    }
    c->is_secure = found.is_secure;
    if (!found.address[0])
        return bytes->len > 0;
    if (!proxies_trust(c->proxies, found.address))
        c->proxies = NULL; // what its requests say of others is not believed
    if (!connection_set_address(c, found.address)) {
        c->why = "too many connections";
        connection_cut(c);
        return false;
    }
    return bytes->len > 0;
}

static void set_reading(connection *c);

// Work is charged tenfold to the clock, so a visitor may go on using a tenth of the processor.
enum { CHARGE = 10, ALLOWED_US = 2000, ALLOWED_HERE_US = 200 };

static connection_use *use_of(connection *c) { return c->visitor ? &c->visitor->use : &c->use; }

static bool is_heavy(connection *c) {
    const connection_use *use = use_of(c);
    int64_t allowed = c->visitor ? ALLOWED_US : ALLOWED_HERE_US;
    return (use->turn == c->turns->number && use->in_turn > 2 * TURNS_SLICE_US) ||
           use->forgotten_at - clock_us() > allowed * CHARGE;
}

// Charges the work since a moment of turns_cpu_us.
static void charge(connection *c, int64_t from) {
    connection_use *use = use_of(c);
    int64_t us = max_i64(turns_cpu_us(c->turns) - from, 0);
    use->forgotten_at = max_i64(use->forgotten_at, clock_us()) + us * CHARGE;
    use->in_turn = (use->turn == c->turns->number ? use->in_turn : 0) + us;
    use->turn = c->turns->number;
}

static bool is_long(const loop_turns *turns, int64_t cpu) {
    return cpu - turns->cpu_from > TURNS_LONG_US;
}

// In a long turn only a line or two are read at once: many who send much together wait, whoever
// they are, and somebody who moves does not.
static bool waits(connection *c, text bytes) {
    return is_heavy(c) ||
           (bytes.len > CONNECTION_LITTLE && is_long(c->turns, turns_cpu_us(c->turns)));
}

// Begins a slice; returns turns_cpu_us.
static int64_t begin_slice(connection *c) {
    int64_t now = turns_cpu_us(c->turns);
    c->slice_until = now + (is_long(c->turns, now) ? TURNS_SMALL_US : TURNS_SLICE_US);
    return now;
}

static void hold(connection *c, buffer *in, text bytes, int64_t now) {
    buffer_add(in, bytes);
    if (in->failed) {
        c->why = "out of memory";
        connection_cut(c);
        return;
    }
    if (c->is_held)
        return;
    c->is_held = true;
    c->held_stamp = now;
    list_append(&c->turns->held, &c->held_link);
    set_reading(c);
}

bool connection_is_spent(const connection *c) { return turns_cpu_us(c->turns) > c->slice_until; }

void connection_keep(connection *c, text rest) {
    if (!c->closing && rest.len)
        hold(c, &c->rest, rest, c->held_stamp);
}

bool connection_holds_input(const connection *c, int64_t by) {
    return c->is_held && c->held_stamp <= by;
}

// Gives bytes of the socket to the owner and charges what it does with them.
static void give(connection *c, text bytes, int64_t now) {
    int64_t from = begin_slice(c);
    c->held_stamp = now;
    if (c->tls)
        take_cipher(c, bytes, now);
    else
        c->events->on_bytes(c, bytes, now);
    charge(c, from);
}

void connection_read_on(connection *c) {
    buffer rest = c->rest, held = c->held;
    int64_t from = begin_slice(c), now = c->held_stamp;
    c->rest = c->held = (buffer){0};
    drop_held(c);
    if (rest.len && !c->closing)
        c->events->on_bytes(c, buffer_text(&rest), now);
    if (c->is_held && !c->closing)
        c->held = held; // the owner has had enough
    else if (!c->closing && c->tls)
        take_cipher(c, buffer_text(&held), now);
    else if (!c->closing && held.len)
        c->events->on_bytes(c, buffer_text(&held), now);
    if (c->held.bytes != held.bytes)
        buffer_free(&held);
    buffer_free(&rest);
    charge(c, from);
    set_reading(c);
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *read) {
    connection *c = stream->data;
    if (got == 0)
        return;
    if (got < 0) {
        connection_cut(c);
        return;
    }
    if (c->closing)
        return;
    int64_t now = turns_stamp(c->turns);
    c->heard = now;
    c->bytes_in += (uint64_t)got;
    text bytes = {read->base, (size_t)got};
    if (c->awaits_preamble && !take_preamble(c, &bytes))
        return;
    if (waits(c, bytes))
        hold(c, &c->held, bytes, now);
    else
        give(c, bytes, now);
    if (c->preamble.bytes && !c->awaits_preamble)
        buffer_free(&c->preamble);
}

static void set_reading(connection *c) {
    bool reads = (c->wants_input && !c->is_held) || c->closing;
    if (reads == c->reading || c->closed)
        return;
    c->reading = reads;
    if (!reads)
        uv_read_stop((uv_stream_t *)&c->tcp);
    else if (uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read) != 0)
        connection_cut(c);
}

void connection_pause(connection *c) {
    c->wants_input = false;
    set_reading(c);
}

void connection_resume(connection *c) {
    c->wants_input = true;
    set_reading(c);
}

// --- the beginning ------------------------------------------------------------------------------

static void note_address(connection *c) {
    struct sockaddr_storage peer;
    int len = sizeof peer;
    if (uv_tcp_getpeername(&c->tcp, (struct sockaddr *)&peer, &len) == 0)
        uv_ip_name((const struct sockaddr *)&peer, c->address, sizeof c->address);
}

static connection *new_connection(loop_turns *turns) {
    connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->turns = turns;
    c->limit = CONNECTION_QUEUE;
    c->tcp.data = c;
    if (uv_tcp_init(turns->loop, &c->tcp) != 0) {
        free(c);
        return NULL;
    }
    list_prepend(&turns->connections, &c->link);
    turns->count++;
    return c;
}

connection *connection_accept(loop_turns *turns, uv_stream_t *server, tls_context *context) {
    connection *c = new_connection(turns);
    if (!c)
        return NULL;
    if (context)
        c->tls = tls_accept(context);
    if (uv_accept(server, (uv_stream_t *)&c->tcp) != 0 || (context && !c->tls)) {
        connection_cut(c);
        return NULL;
    }
    uv_tcp_nodelay(&c->tcp, 1);
    note_address(c);
    c->heard = clock_us();
    return c;
}

connection *connection_adopt(loop_turns *turns, int fd) {
    connection *c = new_connection(turns);
    if (!c)
        return NULL;
    if (uv_tcp_open(&c->tcp, (uv_os_sock_t)fd) != 0) {
        connection_cut(c);
        return NULL;
    }
    note_address(c);
    c->heard = clock_us();
    return c;
}

static void on_connected(uv_connect_t *connect, int status) {
    connection *c = connect->data;
    c->is_calling = false;
    if (c->closed)
        return;
    if (status < 0) {
        c->why = uv_strerror(status);
        connection_cut(c);
        return;
    }
    note_address(c);
    c->heard = clock_us();
    connection_resume(c);
    turns_mark_urgent(c->turns, c); // TLS speaks first
    mark_dirty(c);
}

connection *connection_call(loop_turns *turns, const struct sockaddr *at, tls_context *context,
                            const char *host, const connection_events *events, void *owner) {
    connection *c = new_connection(turns);
    if (!c)
        return NULL;
    c->events = events;
    c->owner = owner;
    c->connect.data = c;
    if (context)
        c->tls = tls_call(context, host);
    uv_tcp_nodelay(&c->tcp, 1);
    c->is_calling = true;
    int error =
        context && !c->tls ? UV_ENOMEM : uv_tcp_connect(&c->connect, &c->tcp, at, on_connected);
    if (error) {
        c->why = uv_strerror(error);
        connection_cut(c);
    }
    return c;
}

int64_t connection_round_trip(const connection *c) {
    uv_os_fd_t fd;
    if (c->closed || uv_fileno((const uv_handle_t *)&c->tcp, &fd) != 0)
        return -1;
    return os_socket_round_trip_us((intptr_t)fd);
}
