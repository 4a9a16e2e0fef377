#include "search/timer.h"

#include "contract/contract.h"

static int64_t at_least(int64_t value, int64_t least) { return value > least ? value : least; }
static int64_t at_most(int64_t value, int64_t most) { return value < most ? value : most; }

enum { SHORTEST_US = 500, RESERVED_MOVES = 8 };

timer_spans timer_plan(const search_limits *limits, int horizon) {
    timer_spans t = {0};
    if (limits->move_time_us > 0) {
        int64_t span = at_least(limits->move_time_us - limits->overhead_us, SHORTEST_US);
        return (timer_spans){true, true, span, span};
    }
    if (limits->clock_us < 0 || limits->is_infinite)
        return t;
    // What may be used at all. The way to the manager is kept back for some moves to come: where a
    // busy machine makes it longer than anybody said, the clock shrinks to that reserve and no
    // further, since from there on answers come at once.
    int moves = limits->moves_to_go > 0 ? (int)at_most(limits->moves_to_go, horizon) : horizon;
    int64_t left = at_least(limits->clock_us - RESERVED_MOVES * limits->overhead_us, 0);
    int64_t gain = limits->increment_us - limits->overhead_us;
    int64_t share = (left + (moves - 1) * (gain > 0 ? gain : gain / 4)) / moves;
    // One move takes at most a part of the clock, so that no surprise loses the game on time; the
    // last move before a new period may take nearly all of it.
    int64_t most = moves == 1 ? left / 100 * PARAM_TIME_MOST_LAST : left / 100 * PARAM_TIME_MOST;
    t.is_limited = true;
    t.soft_us = at_least(at_most(share, most), SHORTEST_US);
    t.hard_us = at_least(at_most(PARAM_TIME_HARD * share, most), SHORTEST_US);
    return t;
}

bool timer_is_enough(const timer_spans *t, int64_t elapsed_us, const timer_mood *mood) {
    if (!t->is_limited || t->is_fixed)
        return false;
    int64_t stable = at_most(mood->stable, PARAM_TIME_STABLE_MAX);
    int64_t drop = at_most(at_least(mood->drop, 0), PARAM_TIME_FALLING_MAX);
    double stability = (double)(PARAM_TIME_UNSTABLE - PARAM_TIME_STABLE * stable) / 100;
    double falling = (double)(PARAM_TIME_FALLING + drop) / 100;
    double effort =
        mood->effort > 0 ? (PARAM_TIME_EFFORT - PARAM_TIME_EFFORT_LESS * mood->effort) / 100 : 1.0;
    double span = PARAM_TIME_USUAL / 100.0 * (double)t->soft_us * stability * falling * effort;
    return (double)elapsed_us >= span || elapsed_us >= t->hard_us;
}
