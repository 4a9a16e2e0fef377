// What a search is asked for and what it answers with.
#ifndef KRATON_SEARCH_TYPES_H
#define KRATON_SEARCH_TYPES_H

#include "rules/move.h"
#include "search/score.h"

#include <stdbool.h>
#include <stdint.h>

enum { SEARCH_MAX_PLY = 128, SEARCH_MAX_VARIATIONS = 64, SEARCH_MAX_THREADS = 256 };

typedef struct search search; // search/search.h

// What a search is asked for. 0 or false: not set. Times are in microseconds of the monotonic
// clock.
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

// One line of the search, best first if there are several.
typedef struct {
    int depth, seldepth;
    int variation; // from 1
    int32_t score;
    score_bound bound;
    uint64_t nodes, table_hits;
    int64_t time_us;
    int hash_full; // per mille
    const rules_move *pv;
    int pv_count;
} search_report;

typedef struct {
    rules_move best, ponder; // MOVE_NONE: none
    int32_t score;
    int depth;
    uint64_t nodes;
} search_result;

typedef struct {
    void (*on_report)(void *context, const search_report *report); // may be NULL
    void (*on_done)(void *context, const search_result *result);   // may be NULL
    void *context;
} search_listener;

#endif
