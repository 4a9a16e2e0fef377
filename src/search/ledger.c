#include "search/ledger.h"

enum { LAG_MAX_US = 1000000 }; // more is no lag but another game

ledger ledger_new(void) { return (ledger){.score = SCORE_NONE, .last_score = SCORE_NONE}; }

// Analysis is nobody's move, whatever the clocks say.
static bool is_on_clock(const search_limits *limits) {
    return limits->clock_us >= 0 && !limits->is_infinite;
}

// Time goes by on the way to and from the manager that no one tells of, and on a busy machine much
// of it. How much shows in the clock: what it has lost beyond what was used, and beyond what it is
// rounded to.
void ledger_open(ledger *l, const search_limits *limits, int64_t start_us) {
    if (!is_on_clock(limits) || start_us < l->answered_us)
        return;
    int64_t lag = l->clock_left_us + limits->increment_us - limits->clock_us;
    bool is_known = l->clock_left_us > 0 && lag > limits->clock_grain_us && lag < LAG_MAX_US;
    int64_t fading = l->lag_us * 3 / 4; // a moment's trouble is forgotten in some moves
    l->lag_us = is_known && lag > fading ? lag : fading;
    l->last_score = l->score;
}

void ledger_close(ledger *l, const search_limits *limits, const ledger_entry *entry) {
    if (!is_on_clock(limits))
        return;
    l->answered_us = entry->end_us;
    // The time of a ponder that was missed is the opponent's: the next clock tells nothing of lag.
    l->clock_left_us = 0;
    if (entry->is_missed)
        return;
    l->clock_left_us = limits->clock_us - (entry->end_us - entry->start_us);
    // The best of some moves is not what the next move's score is to be held against.
    l->score = limits->allowed_count > 0 ? SCORE_NONE : entry->score;
}
