// What one move of a game leaves behind for the next: how much of our clock goes by on the way to
// the manager and back, and the score. Pure arithmetic; written between searches only.
#ifndef KRATON_SEARCH_LEDGER_H
#define KRATON_SEARCH_LEDGER_H

#include "search/search.h"

typedef struct {
    int64_t clock_left_us; // ours after the last answer; 0: not known
    int64_t answered_us;   // when that was
    int64_t lag_us;        // what a move loses beyond what is used; fades
    int32_t score;         // of the last answer; SCORE_NONE: not known
    int32_t last_score;    // of the answer before the question now open
} ledger;

ledger ledger_new(void);

// A question that was read at start_us. One older than the last answer is no new one: it was
// interrupted and is asked again.
void ledger_open(ledger *l, const search_limits *limits, int64_t start_us);

// How a question ended.
typedef struct {
    int64_t start_us, end_us; // our clock ran from here to there
    bool is_missed;           // it did not run at all: a ponder nobody hit
    int32_t score;            // SCORE_NONE: nothing was looked at
} ledger_entry;

void ledger_close(ledger *l, const search_limits *limits, const ledger_entry *entry);

#endif
