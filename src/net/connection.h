// A TCP connection, with TLS or without. Bytes to send are queued and go out after the turn's
// commit (turns.h). The queue is bounded: a peer that does not read is dropped, with a reason.
//
// A connection frees itself after on_gone, which is called exactly once for every connection, and
// never from inside one of the functions below. For the loop's thread only.
#ifndef KRATON_NET_CONNECTION_H
#define KRATON_NET_CONNECTION_H

#include "base/buffer.h"
#include "base/minmax.h"
#include "net/address.h"
#include "net/tls.h"
#include "net/turns.h"

enum {
    CONNECTION_QUEUE =
        256 * 1024,            // bytes unread before a reader counts as slow, unless told otherwise
    CONNECTION_SMALL = 32768,  // bytes at once that are never too many for a peer that reads
    CONNECTION_TURN = 8 << 20, // bytes queued in one turn: a whole answer, a replay of many games
    CONNECTION_LITTLE = 256,   // bytes of input that are read at once even in a long turn
    CONNECTION_LINGER_MS = 5000,  // while closing: how long the peer may read nothing
    CONNECTION_LEAST_RATE = 4096, // while closing: bytes a second it must read on average
    CONNECTION_ADDRESS = ADDRESS_SIZE
};

typedef struct {
    // Bytes have come in; `now` is the monotonic clock when they were read, less what they may have
    // waited (turns_stamp). They are gone after the call. Not called once the connection is
    // closing.
    void (*on_bytes)(connection *c, text bytes, int64_t now);
    // It is over. `why`: "closed", "slow reader", or what the owner or the system said.
    void (*on_gone)(connection *c, const char *why);
} connection_events;

typedef struct listener listener;

// Processor time that the input of a visitor has cost.
typedef struct {
    int64_t forgotten_at; // of clock_us
    uint64_t turn;        // of the loop, when it last cost something
    int64_t in_turn;      // us in that turn
} connection_use;

// When a connection's bytes are sent after the commit: with the first, or after them, in slices.
// SEALED: some of them wait for a commit that is pending.
typedef enum { RANK_NONE, RANK_FIRST, RANK_LAST, RANK_SEALED, RANK_SEALED_LAST } connection_rank;

struct connection {
    uv_tcp_t tcp;
    uv_connect_t connect; // of a call
    loop_turns *turns;
    const connection_events *events;
    void *owner;
    tls *tls;             // NULL: plain
    list_link link;       // in the loop's list of all connections
    list_link dirty;      // in one of its lists of connections with something to send
    connection_rank rank; // which of them
    list_link urgent;     // in turns.urgent
    bool is_urgent;
    int64_t linger_until; // while closing: cut off then, unless the peer goes on reading
    int64_t linger_most;  // and then in any case
    size_t unread;        // what the peer had to read, when it was last looked at
    size_t limit;         // of the queue
    size_t in_flight;     // handed to libuv, not yet taken by the system
    int64_t written;      // when something was last handed to the system
    int64_t heard;        // when something was last read
    uint64_t bytes_in, bytes_out;
    buffer out;    // to be sent after a commit
    size_t sealed; // bytes of it that wait for the commit that is pending
    buffer now;    // to be sent after this turn in any case
    bool reading, closing, closed, is_calling;
    bool wants_input;    // its owner's wish; it is read when nothing is held
    list_link held_link; // in turns.held, while input waits
    bool is_held;
    buffer held;                      // bytes from the socket that wait
    buffer rest;                      // bytes given to the owner, which has kept them for later
    int64_t held_stamp;               // when they came in
    int64_t slice_until;              // of turns_cpu_us: then the owner is to keep the rest
    connection_use use;               // unless it has an address of its own
    struct address_use *visitor;      // what its address used; NULL: none of its own
    bool sends_last;                  // what is queued now may wait for other connections
    bool sends_now;                   // what is queued now tells nothing that is stored
    const char *why;                  // static text
    const listener *from;             // NULL: not accepted by one
    const trusted_proxies *proxies;   // the peer is one of them; NULL: it is not
    bool awaits_preamble;             // the header of the PROXY protocol may come first
    bool is_secure;                   // it came by TLS, as a trusted proxy says
    buffer preamble;                  // the beginning of that header
    char address[CONNECTION_ADDRESS]; // the client's, where a proxy has told it
};

// Accepts a connection; NULL without memory or when the peer has gone. The caller sets events and
// owner and lets it read (connection_resume).
connection *connection_accept(loop_turns *turns, uv_stream_t *server, tls_context *tls);
// The same for a socket that is connected already; the connection owns it then.
connection *connection_adopt(loop_turns *turns, int fd);
// Connects to an address; on_gone follows where nobody answers. NULL without memory.
connection *connection_call(loop_turns *turns, const struct sockaddr *at, tls_context *tls,
                            const char *host, const connection_events *events, void *owner);
// For on_bytes, between two requests: whether the connection has had its share of this turn. The
// owner then gives the bytes it has not looked at to connection_keep and gets them later.
bool connection_is_spent(const connection *c);
void connection_keep(connection *c, text rest);
// Whether bytes wait that came in by that moment (clock_us).
bool connection_holds_input(const connection *c, int64_t by);
// Frees what is known of addresses, after the last connection. For turns.c.
void connection_forget_addresses(loop_turns *turns);
// Reads on what was held. For turns.c.
void connection_read_on(connection *c);
// Queues bytes. Nothing happens on a closing connection.
void connection_send(connection *c, text bytes);
// No more on_bytes until connection_resume; the sender waits.
void connection_pause(connection *c);
void connection_resume(connection *c);
// Sends what is queued, then closes. `why` is static text.
void connection_close(connection *c, const char *why);
// Closes at once; what is queued is lost.
void connection_cut(connection *c);
// Hands so many of the bytes that are queued to the system, or those that wait for no commit. For
// turns.c.
void connection_flush(connection *c, size_t count);
void connection_flush_now(connection *c);
// The client behind a trusted proxy has that address. False: it has too many connections.
MUST_USE bool connection_set_address(connection *c, const char *address);
// Counts it under its address; false: that address has too many. Those of this machine have no
// address of their own. For listener.c.
MUST_USE bool connection_count_in(connection *c, uint32_t most);
// Whether the client's bytes are encrypted on their way, here or by a trusted proxy.
bool connection_is_secure(const connection *c);
// Round-trip time as the kernel measures it (TCP_INFO), in microseconds; -1: not known.
int64_t connection_round_trip(const connection *c);
// Cuts a closing connection whose time is over. For turns.c.
void connection_linger(connection *c, int64_t now);
// Bytes queued, or handed to the system and not yet taken.
size_t connection_pending(const connection *c);

// --- ports ---------------------------------------------------------------------------------------

// A port somebody listens on. Too many connections, in all or from one address, are refused.

struct listener {
    uv_tcp_t tcp;
    loop_turns *turns;
    tls_context *tls;
    uint32_t most_connections;      // in all
    uint32_t most_per_address;      // 0: no such limit; loopback has none
    const trusted_proxies *proxies; // NULL: none
    uint64_t accepted, refused;
    // Gives the connection its events and owner, or returns false: it is closed.
    bool (*on_connection)(listener *l, connection *c);
    void *owner;
};

// Listens on address:port (port 0: any). False with the reason.
MUST_USE bool listener_open(listener *l, loop_turns *turns, const char *address, int port,
                            fault *why);
int listener_port(const listener *l);
void listener_close(listener *l); // connections live on

// --- rates ---------------------------------------------------------------------------------------

// A token bucket: so many at once, so many a second.
typedef struct {
    int64_t debt_until; // the moment all tokens are back; microseconds of any monotonic clock
} bucket;

// Takes one token from a bucket of `burst` that gains one `every` so many microseconds. False:
// there is none.
static inline bool bucket_take_every(bucket *b, int64_t burst, int64_t every, int64_t now) {
    int64_t full = max_i64(b->debt_until, now);
    if (full + every - now > burst * every)
        return false;
    b->debt_until = full + every;
    return true;
}

// Takes `count` of them afterwards, there or not: the next ones are the later for it.
static inline void bucket_owe(bucket *b, int64_t count, int64_t every, int64_t now) {
    b->debt_until = max_i64(b->debt_until, now) + count * every;
}

// As bucket_take_every, for one that gains `rate` a second.
static inline bool bucket_take(bucket *b, int64_t burst, int64_t rate, int64_t now) {
    return bucket_take_every(b, burst, 1000000 / rate, now);
}

#endif
