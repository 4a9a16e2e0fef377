// Time management: how long to think about a move. Pure arithmetic on the limits of a search; no
// clock is read here. This is not the game's clock, which is the referee's. Used between searches,
// and by the first thread while one runs.
#ifndef KRATON_SEARCH_TIMEMAN_H
#define KRATON_SEARCH_TIMEMAN_H

#include "search/types.h"

// --- one move -----------------------------------------------------------------------------------

// Both spans count from the start of the search.
typedef struct {
    bool is_limited;
    bool is_fixed;   // a fixed time per move: used up in any case
    int64_t soft_us; // no new iteration after this, stretched or shrunk by timeman_progress
    int64_t hard_us; // the search is stopped here
} timeman_spans;

// `horizon`: how many more moves the game is expected to last if the limits do not say.
timeman_spans timeman_plan(const search_limits *limits, int horizon);

// The state of the search at the end of an iteration.
typedef struct {
    int stable;    // iterations for which the best move has been the same
    int32_t drop;  // how far the score is below that of the last move and of earlier iterations
    double effort; // share of the nodes spent on the best move
} timeman_progress;

// Whether to start no further iteration.
bool timeman_is_enough(const timeman_spans *t, int64_t elapsed_us,
                       const timeman_progress *progress);

// --- from move to move --------------------------------------------------------------------------

// What is carried from one move of a game to the next.
typedef struct {
    int64_t clock_left_us; // our clock after the last answer; 0: unknown
    int64_t answered_us;   // when that answer was given
    int64_t lag_us;        // clock time that a move costs beyond our own; decays
    int32_t score;         // of the last answer; SCORE_NONE: unknown
    int32_t last_score;    // of the answer before the current search
} timeman_game;

timeman_game timeman_game_new(void);

// A search starts that was asked for at start_us. If that was before the last answer, the same move
// is asked for again after an interruption, and nothing changes.
void timeman_begin_move(timeman_game *g, const search_limits *limits, int64_t start_us);

// How a search ended.
typedef struct {
    int64_t start_us, end_us; // our clock ran in between
    bool is_missed;           // a ponder search without a hit: our clock did not run
    int32_t score;            // SCORE_NONE: nothing was searched
} timeman_answer;

void timeman_end_move(timeman_game *g, const search_limits *limits, const timeman_answer *answer);

#endif
