// Turns of the event loop: everything to be sent in a turn is queued, the turn's work is committed,
// and only then are the bytes sent, so that nobody is told of what is not stored. This owns the
// loop's prepare and check hooks and one read buffer for all connections. For the loop's thread
// only.
//
// A commit may take a while (a slow disk, a database elsewhere). The loop goes on meanwhile: what
// the turn has queued is sealed until the commit is done, what later turns queue waits for the next
// one, which all of them share. What tells nothing that is stored, an answer to a ping, goes out at
// the end of its own turn (sends_now); with other output for the same connection only while nothing
// is pending.
//
// Whoever makes much work waits for the others. What each visitor's input costs is measured in
// processor time; a visitor is an IP address, or one connection from this machine. Beyond a small
// allowance its input is held and read on in slices, a little in each turn, connection after
// connection (connection.h). So the loop comes back to everybody else soon, and nobody is refused.
//
// It also measures how late the loop is: how long it worked instead of listening, and how long it
// slept beyond its timeout (the process was stopped, or got no processor). Bytes that arrived
// meanwhile waited in the system. A short delay is subtracted from the time stamp of what is read
// next; a long one (TURNS_LATE_US) is reported to the owner.
#ifndef KRATON_NET_TURNS_H
#define KRATON_NET_TURNS_H

#include "base/bits.h"
#include "base/list.h"
#include "base/table.h"
#include "base/text.h"

#include <uv.h>

typedef struct loop_turns loop_turns;
typedef struct connection connection;

typedef enum { TURN_STORED, TURN_PENDING, TURN_FAILED } turn_state;

typedef struct {
    // Stores the turn's work. TURN_PENDING: not yet; it is called again at the end of each turn
    // until it is, and the owner wakes the loop for that. TURN_FAILED: nothing of the turn is sent,
    // and the owner stops the loop. Where it is told to wait, it is never pending.
    turn_state (*commit)(void *context, bool waits);
    // The commit is pending, and what was queued is sealed. May be NULL where it never is.
    void (*sealed)(void *context);
    // Everything has been handed to the system. May queue more, for the next turn.
    void (*after)(void *context);
    void *context;
    // The loop was late by so many us until now. Called before anything that waited meanwhile is
    // read. May queue more. May be NULL.
    void (*late)(void *context, int64_t us);
    // Answers turns_want_drained: whatever had come in by then (clock_us) has been read.
    void (*drained)(void *context, int64_t then);
} turns_events;

enum {
    TURNS_READ = 65536,
    TURNS_PACE_MS = 20,     // the longest sleep while the pace is kept
    TURNS_LATE_US = 20000,  // from here on the owner is told
    TURNS_LAST_US = 1000,   // in one turn, for connections that are sent last
    TURNS_GATHER_US = 1000, // between two turns that commit, where more than one falls into it
    TURNS_HELD_US = 1000,   // in one turn, for input that was held
    TURNS_SLICE_US = 250,   // of it, for one connection
    TURNS_LONG_US = 2000,   // a turn that took so long already goes on in smaller slices
    TURNS_SMALL_US = 20,
    TURNS_CLOCK_US = 50,        // how far turns_cpu_us may be off
    TURNS_COSTS = 8,            // classes of turns by their cost
    TURNS_IN_FLIGHT = 512 << 20 // bytes unread by all peers together; who adds to them is slow
};

struct loop_turns {
    uv_loop_t *loop;
    turns_events events;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t again;   // keeps the loop from sleeping while something waits to go out
    uv_timer_t linger; // runs while connections are closing
    uv_timer_t pace;   // runs while the owner wants lateness measured closely
    int64_t woke;      // clock_us when the loop last came back from listening; 0: not yet
    int64_t slept;     // when it began to listen
    int64_t due_back;  // and when it was to come back at the latest
    int64_t worked;    // us of work before it that `late` was not told of
    int64_t waited;    // us that what is read now may have waited at most
    bool is_asleep;
    bool wants_drained, drains; // requested; this poll reads all sockets, then `drained` is called
    linked_list dirty;          // connections with something to send
    linked_list dirty_last;     // those that are sent after them, some in each turn
    linked_list sealed;         // those whose bytes wait for the commit that is pending
    linked_list sealed_last;
    linked_list urgent;          // those with something that waits for no commit
    linked_list held;            // connections whose input waits, in order
    linked_list connections;     // all connections
    uint32_t count;              // connections open
    table addresses;             // what is known of each address, by address_key
    uint32_t addresses_at;       // where looking for addresses to forget goes on
    int64_t cpu, cpu_at;         // clock_thread_us as last read, and clock_us then
    int64_t cpu_from;            // turns_cpu_us at the beginning of the turn
    int64_t committed;           // clock_us of the last commit
    bool gathers;                // there was another shortly before it
    uint64_t number;             // of the turn
    uint64_t sent_last_in;       // the turn in which some of dirty_last were sent
    uint64_t costs[TURNS_COSTS]; // turns by their processor time, see turns_cost_bounds
    int64_t cost_most, cost_sum; // of one turn, of all
    uint64_t dropped;            // connections dropped so far because the peer read too slowly
    size_t in_flight;            // of all connections
    bool due;                    // commit even if nothing is to be sent
    bool is_pending;             // a commit
    bool failed;                 // a commit failed
    bool open;
    char read_buffer[TURNS_READ];
};

// Upper bounds of the classes of turns, in us; the last class has none.
extern const int64_t turns_cost_bounds[TURNS_COSTS - 1];

// Starts the hooks. No commit is asked for before the first turn.
void turns_open(loop_turns *t, uv_loop_t *loop, const turns_events *events);
// Something is to be committed in this turn even if nothing is sent.
void turns_want(loop_turns *t);
// The time stamp of what is being read: when the loop woke, minus how long the input may have
// waited by then. All that is read in one poll had arrived by the time the loop woke, or was read
// at once, so nobody is charged for the work on what others sent.
int64_t turns_stamp(loop_turns *t);
// Something was written in this turn, which costs: where turns that write follow each other
// closely, the loop lets TURNS_GATHER_US pass between them.
void turns_note_commit(loop_turns *t);
// Processor time of the loop's thread, TURNS_CLOCK_US too much at most. Asking the system for it
// costs more than reading many a line; so between two readings the thread is taken to run.
int64_t turns_cpu_us(loop_turns *t);
// Calls `drained` as soon as everything that has arrived by then is read. For the fall of a flag: a
// move that has arrived in time counts.
void turns_want_drained(loop_turns *t);
// Whether the loop wakes often, so that a process that was stopped is noticed to within
// TURNS_PACE_MS.
void turns_keep_pace(loop_turns *t, bool on);
// Commits and sends now, before the loop stops, and waits for it.
void turns_commit(loop_turns *t);
// The commit failed: drops what this turn has queued. What is queued from now on is sent by
// turns_send_all, without a commit.
void turns_forget(loop_turns *t);
void turns_send_all(loop_turns *t);
// Stops the hooks and cuts every connection; what is left is freed with the last of them.
void turns_close(loop_turns *t);
// A connection has something to send, or no longer. Those marked as last wait until all others are
// sent, and longer if they are many. For connection.c.
void turns_mark(loop_turns *t, connection *c, bool last);
void turns_unmark(loop_turns *t, connection *c);
// A connection has something to send that waits for no commit. For connection.c.
void turns_mark_urgent(loop_turns *t, connection *c);
// Some connection waits for its peer to close. For connection.c.
void turns_linger(loop_turns *t);

#endif
