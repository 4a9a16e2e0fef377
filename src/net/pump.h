// A turn of the event loop: everything to be sent in a turn is queued, the turn's work is
// committed, and only then are the bytes sent. So nobody is told of what is not stored. The pump
// owns the loop's prepare and check hooks and one read buffer for all wires. For the loop's thread
// only.
//
// The pump measures how late the loop is: how long it worked instead of listening, and how long it
// slept beyond its timeout (the process was stopped, or got no processor). Bytes that arrived
// meanwhile waited in the system. A short delay is subtracted from the time stamp of what is read
// next; a long one (PUMP_LATE_US) is reported to the owner.
#ifndef KRATON_NET_PUMP_H
#define KRATON_NET_PUMP_H

#include "base/bits.h"
#include "base/list.h"
#include "base/text.h"

#include <uv.h>

typedef struct pump pump;
typedef struct wire wire;

typedef struct {
    // Makes the turn's work last. False: it could not; nothing of the turn goes out, and the owner
    // is to stop the loop.
    bool (*commit)(void *context);
    // Everything has been handed to the system; wires know when (wire_written). May queue more:
    // that goes out with the next turn.
    void (*after)(void *context);
    void *context;
    // The loop has been late by so many us until now. Told before anything that waited meanwhile is
    // read. May queue more. NULL: nobody asks.
    void (*late)(void *context, int64_t us);
    // Answers pump_want_drained: whatever had come in by then (clock_us) has been read.
    void (*drained)(void *context, int64_t then);
} pump_events;

enum {
    PUMP_READ = 65536,
    PUMP_PACE_MS = 20,         // the longest sleep while the pace is kept
    PUMP_LATE_US = 20000,      // from here on the owner is told
    PUMP_IN_FLIGHT = 512 << 20 // bytes unread by all peers together; who adds to them is slow
};

struct pump {
    uv_loop_t *loop;
    pump_events events;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t again;   // keeps the loop from sleeping while something waits to go out
    uv_timer_t linger; // runs while wires are closing
    uv_timer_t pace;   // runs while the owner wants lateness measured closely
    int64_t woke;      // clock_us when the loop last came back from listening; 0: not yet
    int64_t slept;     // when it began to listen
    int64_t due_back;  // and when it was to come back at the latest
    int64_t worked;    // us of work before it, as far as nobody was told
    int64_t waited;    // us that what is read now may have waited at most
    bool is_asleep;
    bool wants_drained, drains; // asked for; the present sleep is the answer
    linked_list dirty;          // wires with something to send
    linked_list wires;          // all wires
    uint32_t count;             // wires open
    uint64_t dropped;           // wires dropped so far because the peer read too slowly
    size_t in_flight;           // of all wires
    bool due;                   // commit even if nothing is to be sent
    bool failed;                // a commit failed
    bool open;
    char read_buffer[PUMP_READ];
};

// Starts the hooks. No commit is asked for before the first turn.
void pump_open(pump *p, uv_loop_t *loop, const pump_events *events);
// Something is to be committed in this turn whether or not anybody is told.
void pump_want_turn(pump *p);
// The moment to judge what is being read by: now, less what it may have waited.
int64_t pump_stamp(pump *p);
// Calls `drained` as soon as everything that has come in by then is read. For flags: a move that is
// here already counts.
void pump_want_drained(pump *p);
// Whether the loop wakes often, so that a process that was stopped is noticed to within
// PUMP_PACE_MS.
void pump_keep_pace(pump *p, bool on);
// Commits and lets out now; for the last words before the loop stops.
void pump_turn(pump *p);
// Nothing of this turn could be made to last: its words are forgotten. What is queued after this
// goes out with pump_say_last, committed or not.
void pump_forget_turn(pump *p);
void pump_say_last(pump *p);
// Stops the hooks and cuts every wire.
void pump_close(pump *p);
// Some wire waits for its peer to hang up: for wire.c.
void pump_linger(pump *p);

#endif
