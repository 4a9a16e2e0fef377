// A TCP connection, with TLS or without. Bytes to send are queued and go out after the turn's
// commit (pump.h). The queue is bounded: a peer that does not read is dropped, with a reason.
//
// A wire frees itself after on_gone, which is called exactly once for every wire, and never from
// inside one of the functions below. For the loop's thread only.
#ifndef KRATON_NET_WIRE_H
#define KRATON_NET_WIRE_H

#include "base/buffer.h"
#include "net/pump.h"
#include "net/tls.h"

enum {
    WIRE_QUEUE = 256 * 1024, // bytes unread before a reader counts as slow, unless told otherwise
    WIRE_SMALL = 32768,      // bytes at once that are never too many for a peer that reads
    WIRE_TURN = 8 << 20,     // bytes queued in one turn: a whole answer, a replay of many games
    WIRE_LINGER_MS = 5000,   // while closing: how long the peer may read nothing
    WIRE_LEAST_RATE = 4096,  // while closing: bytes a second it must read on average
    WIRE_ADDRESS = 64
};

typedef struct {
    // Bytes have come in; `now` is the monotonic clock when they were read, less what they may have
    // waited (pump_stamp). They are gone after the call. Not called once the wire is closing.
    void (*on_bytes)(wire *w, text bytes, int64_t now);
    // It is over. `why`: "closed", "slow reader", or what the owner or the system said.
    void (*on_gone)(wire *w, const char *why);
} wire_events;

struct wire {
    uv_tcp_t tcp;
    uv_connect_t connect; // of a call
    pump *pump;
    const wire_events *events;
    void *owner;
    tls *tls;             // NULL: plain
    list_link link;       // in the pump's list of all wires
    list_link dirty;      // in its list of wires with something to send
    int64_t linger_until; // while closing: cut off then, unless the peer goes on reading
    int64_t linger_most;  // and then in any case
    size_t unread;        // what the peer had to read, when it was last looked at
    size_t limit;         // of the queue
    size_t in_flight;     // handed to libuv, not yet taken by the system
    int64_t written;      // when something was last handed to the system
    int64_t heard;        // when something was last read
    uint64_t bytes_in, bytes_out;
    buffer out; // to be sent after this turn
    bool reading, closing, closed, is_calling;
    const char *why; // static text
    char address[WIRE_ADDRESS];
};

// Accepts a connection; NULL without memory or when the peer has gone. The caller sets events and
// owner and lets it read (wire_resume).
wire *wire_accept(pump *p, uv_stream_t *server, tls_context *tls);
// The same for a socket that is connected already; the wire owns it then.
wire *wire_adopt(pump *p, int fd);
// Connects to an address; on_gone follows where nobody answers. NULL without memory.
wire *wire_call(pump *p, const struct sockaddr *at, tls_context *tls, const char *host,
                const wire_events *events, void *owner);
// Queues bytes. Nothing happens on a closing wire.
void wire_send(wire *w, text bytes);
// No more on_bytes until wire_resume; the sender waits.
void wire_pause(wire *w);
void wire_resume(wire *w);
// Sends what is queued, then closes. `why` is static text.
void wire_close(wire *w, const char *why);
// Closes at once; what is queued is lost.
void wire_cut(wire *w);
// Hands what is queued to the system. For pump.c.
void wire_flush(wire *w);
// Round-trip time as the kernel measures it (TCP_INFO), in microseconds; -1: not known.
int64_t wire_round_trip(const wire *w);
// Cuts a closing wire whose time is over. For pump.c.
void wire_linger(wire *w, int64_t now);
// Bytes queued, or handed to the system and not yet taken.
size_t wire_pending(const wire *w);

#endif
