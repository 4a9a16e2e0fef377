// What a search is asked for: when to stop, which moves to choose from.
#ifndef KRATON_SEARCH_LIMITS_H
#define KRATON_SEARCH_LIMITS_H

#include "rules/move.h"

#include <stdbool.h>

// 0 or false: not set. Times are in microseconds of the monotonic clock.
typedef struct {
    int32_t depth;
    uint64_t nodes; // exact with one thread
    int64_t move_time_us;
    int64_t clock_us, increment_us; // clock_us -1: no clock
    int64_t clock_grain_us;         // the clock is rounded to this; less than that is no lag
    int32_t moves_to_go;
    int64_t overhead_us;       // kept back from the clock for the way to the manager
    int64_t start_us;          // when the request was read
    bool is_infinite;          // only search_stop ends it
    bool is_ponder;            // the clock starts at search_ponder_hit
    int32_t mate;              // a mate in this many moves ends the search
    int variations;            // MultiPV; 0 is 1
    const rules_move *allowed; // the root moves to choose from; NULL: all
    int allowed_count;
} search_limits;

#endif
