#include "search/timeman.h"

#include "base/minmax.h"
#include "contract/contract.h"

enum {
    SHORTEST_US = 500,
    RESERVED_MOVES = 8,   // overheads kept back, so that a slow connection does not lose on time
    LAG_MAX_US = 1000000, // a larger gap is another game's clock, not lag
    KEPT_SHARE = 20,      // of a fixed time a move, at most a twentieth is kept back
};

// --- one move -----------------------------------------------------------------------------------

timeman_spans timeman_plan(const search_limits *limits, int horizon) {
    timeman_spans t = {0};
    if (limits->move_time_us > 0) {
        int64_t kept = min_i64(limits->overhead_us, limits->move_time_us / KEPT_SHARE);
        int64_t span = max_i64(limits->move_time_us - kept, SHORTEST_US);
        return (timeman_spans){true, true, span, span};
    }
    if (limits->clock_us < 0 || limits->is_infinite)
        return t;
    // The overhead of several moves is kept back. If the real overhead is larger than configured,
    // the clock sinks to this reserve and no further: from there on answers come at once.
    int moves = limits->moves_to_go > 0 ? (int)min_i64(limits->moves_to_go, horizon) : horizon;
    int64_t left = max_i64(limits->clock_us - RESERVED_MOVES * limits->overhead_us, 0);
    int64_t gain = limits->increment_us - limits->overhead_us;
    int64_t share = (left + (moves - 1) * (gain > 0 ? gain : gain / 4)) / moves;
    // One move may use only a part of the clock; the last move before a new period nearly all.
    int64_t most = moves == 1 ? left / 100 * PARAM_TIME_MOST_LAST : left / 100 * PARAM_TIME_MOST;
    t.is_limited = true;
    t.soft_us = max_i64(min_i64(share, most), SHORTEST_US);
    t.hard_us = max_i64(min_i64(PARAM_TIME_HARD * share, most), SHORTEST_US);
    return t;
}

bool timeman_is_enough(const timeman_spans *t, int64_t elapsed_us,
                       const timeman_progress *progress) {
    if (!t->is_limited || t->is_fixed)
        return false;
    int64_t stable = min_i64(progress->stable, PARAM_TIME_STABLE_MAX);
    int64_t drop = min_i64(max_i64(progress->drop, 0), PARAM_TIME_FALLING_MAX);
    double stability = (double)(PARAM_TIME_UNSTABLE - PARAM_TIME_STABLE * stable) / 100;
    double falling = (double)(PARAM_TIME_FALLING + drop) / 100;
    double effort = progress->effort > 0
                        ? (PARAM_TIME_EFFORT - PARAM_TIME_EFFORT_LESS * progress->effort) / 100
                        : 1.0;
    double span = PARAM_TIME_USUAL / 100.0 * (double)t->soft_us * stability * falling * effort;
    return (double)elapsed_us >= span || elapsed_us >= t->hard_us;
}

// --- from move to move --------------------------------------------------------------------------

timeman_game timeman_game_new(void) {
    return (timeman_game){.score = SCORE_NONE, .last_score = SCORE_NONE};
}

// Analysis is no move of a game, even if the request comes with clocks.
static bool is_on_clock(const search_limits *limits) {
    return limits->clock_us >= 0 && !limits->is_infinite;
}

// Lag is clock time lost on the way to the manager and back. It shows in the next clock: what is
// missing beyond the time used and beyond the clock's rounding.
void timeman_begin_move(timeman_game *g, const search_limits *limits, int64_t start_us) {
    if (!is_on_clock(limits) || start_us < g->answered_us)
        return;
    int64_t lag = g->clock_left_us + limits->increment_us - limits->clock_us;
    bool is_known = g->clock_left_us > 0 && lag > limits->clock_grain_us && lag < LAG_MAX_US;
    int64_t decayed = g->lag_us * 3 / 4;
    g->lag_us = is_known && lag > decayed ? lag : decayed;
    g->last_score = g->score;
}

void timeman_end_move(timeman_game *g, const search_limits *limits, const timeman_answer *answer) {
    if (!is_on_clock(limits))
        return;
    g->answered_us = answer->end_us;
    // After a ponder miss the next clock says nothing about lag: the opponent's clock ran.
    g->clock_left_us = 0;
    if (answer->is_missed)
        return;
    g->clock_left_us = limits->clock_us - (answer->end_us - answer->start_us);
    // A score over some of the root moves cannot be compared with the next one.
    g->score = limits->allowed_count > 0 ? SCORE_NONE : answer->score;
}
