// How long to think about a move: pure arithmetic on the limits of a search.
//
// Two spans count from the start: `soft`, which is stretched and shrunk by how settled the search
// is and asked between iterations, and `hard`, which nothing exceeds.
#ifndef KRATON_SEARCH_TIMER_H
#define KRATON_SEARCH_TIMER_H

#include "search/search.h"

typedef struct {
    bool is_limited;
    bool is_fixed; // a time per move: used up whatever the search thinks of it
    int64_t soft_us, hard_us;
} timer_spans;

// `horizon`: how many more moves a game is expected to last where nobody says.
timer_spans timer_plan(const search_limits *limits, int horizon);

// What the search knows about its own progress when an iteration ends.
typedef struct {
    int stable;    // iterations the best move has been the same
    int32_t drop;  // by how much the score is below that of the last move and iterations
    double effort; // share of the nodes that went into the best move
} timer_mood;

// Whether to begin no further iteration.
bool timer_is_enough(const timer_spans *t, int64_t elapsed_us, const timer_mood *mood);

#endif
