// Time controls: how long a side may think, and their text form. Parts are joined by commas, the
// order does not matter, seconds may have six decimals:
//
//   40/60+0.6     60 s for every 40 moves, 0.6 s added after each move
//   10+0.1        10 s for the whole game and 0.1 s after each move
//   st=0.5        half a second for each move
//   depth=6       search six plies      nodes=10000     search ten thousand nodes
//   margin=0.05   the flag falls 0.05 s late
//   inf           no clock at all
//
// Plain values; any thread may call this.
#ifndef KRATON_REFEREE_CONTROL_H
#define KRATON_REFEREE_CONTROL_H

#include "base/bits.h"
#include "base/text.h"

typedef struct {
    bool has_clock;       // base, increment and moves mean something
    int32_t moves;        // the base is given anew after so many; 0: it is for the whole game
    int64_t base_us;      // on the clock at first
    int64_t increment_us; // after each move
    int64_t move_time_us; // for one move; 0: no such limit
    int32_t depth;        // what the engine is told; the referee cannot see to it
    int64_t nodes;
    int64_t margin_us; // the flag falls so much late: for the way between the processes
} referee_control;

enum {
    REFEREE_CONTROL_SIZE = 160, // bytes for any control as text
    REFEREE_MAX_PERIOD = 10000  // moves for which the base can be
};

MUST_USE bool referee_control_parse(text spec, referee_control *control, fault *why);
// Whether a time control has a setting of that name: st, depth, nodes, margin.
bool referee_control_has(text name);
// Writes what referee_control_parse reads.
void referee_control_format(const referee_control *control, writer *out);

// Whether a side with this control can lose by time at all.
static inline bool referee_control_has_limit(const referee_control *c) {
    return c->has_clock || c->move_time_us;
}

// Whether a side with this control loses by time sooner or later, however fast it moves.
static inline bool referee_control_runs_out(const referee_control *c) {
    return c->has_clock && c->moves == 0 && c->increment_us == 0;
}

#endif
