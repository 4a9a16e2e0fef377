// The turn of the loop. Whatever one turn wants to say is queued, the turn's work is committed, and
// only then does it go out: nobody hears of a thing that is not kept. The pump owns the loop's
// prepare and check hooks and one read buffer for all wires. Loop's thread only.
#ifndef KRATON_NET_PUMP_H
#define KRATON_NET_PUMP_H

#include "base/bits.h"
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
} pump_events;

enum {
    PUMP_READ = 65536,
    PUMP_IN_FLIGHT = 512 << 20 // bytes unread by all peers together; who adds to them is slow
};

struct pump {
    uv_loop_t *loop;
    pump_events events;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t again;   // keeps the loop from sleeping while something waits to go out
    uv_timer_t linger; // runs while wires are closing
    wire *dirty;       // wires with something to say, linked by their next_dirty
    wire *wires;       // all of them
    uint32_t count;    // wires open
    uint64_t dropped;  // for reading too slowly, in all
    size_t in_flight;  // of all wires
    bool due;          // commit even if nobody is told
    bool failed;       // a commit failed
    bool open;
    char read_buffer[PUMP_READ];
};

// Starts the hooks. No commit is asked for before the first turn.
void pump_open(pump *p, uv_loop_t *loop, const pump_events *events);
// Something is to be committed in this turn whether or not anybody is told.
void pump_want_turn(pump *p);
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
