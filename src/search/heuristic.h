// The names of the search's heuristics. An ablation build leaves one of them out
// (-DKRATON_ABLATE=NULL_MOVE to CMake); tools/ablate.sh plays it against the full engine to measure
// what the heuristic is worth. In a normal build uses() is always true and costs nothing.
#ifndef KRATON_SEARCH_HEURISTIC_H
#define KRATON_SEARCH_HEURISTIC_H

#include <stdbool.h>

typedef enum {
    HEURISTIC_NONE,
    HEURISTIC_ASPIRATION,           // without: every iteration begins with the whole window
    HEURISTIC_FIXED_WINDOW,         // without: paper 3's window, wider the larger the score
    HEURISTIC_KILLERS,              // quiet moves that caused a cut-off at the same ply
    HEURISTIC_COUNTER_MOVE,         // the reply that refuted the move before
    HEURISTIC_CONTINUATION_HISTORY, // without: the butterfly history alone
    HEURISTIC_CAPTURE_HISTORY,
    HEURISTIC_RAZORING,
    HEURISTIC_REVERSE_FUTILITY,
    HEURISTIC_NULL_MOVE,
    HEURISTIC_NULL_VERIFICATION,
    HEURISTIC_PROBCUT,
    HEURISTIC_IIR, // internal iterative reduction: shallower without a table move
    HEURISTIC_LMP, // late-move pruning
    HEURISTIC_FUTILITY,
    HEURISTIC_HISTORY_PRUNING,
    HEURISTIC_SEE_PRUNING, // of moves that lose the exchange
    HEURISTIC_SINGULAR,    // singular extension; without: no multi-cut either
    HEURISTIC_MULTI_CUT,
    HEURISTIC_CHECK_EXTENSION,
    HEURISTIC_LMR,           // late-move reductions
    HEURISTIC_DELTA_PRUNING, // of captures in quiescence
    HEURISTIC_CORRECTION,    // correction history: how wrong the evaluation was in like positions
    HEURISTIC_CHECK_ORDER,   // quiet checks that lose nothing come first among quiet moves
    HEURISTIC_CUTOFF_COUNT,  // a late move is reduced more if its siblings' replies refute easily
    HEURISTIC_NEW_DEPTH,     // the search after a reduced one may be deeper or shallower
    HEURISTIC_EVAL_HISTORY,  // a quiet move learns from what the evaluation says after it
    HEURISTIC_FAIL_LOW,      // a move after which everything fails low learns from that
    HEURISTIC_WORSENING,     // reverse futility: less margin if the opponent's move was bad
} heuristic;

#ifndef KRATON_ABLATE
#define KRATON_ABLATE NONE
#endif
#define HEURISTIC_PASTE(name) HEURISTIC_##name
#define HEURISTIC_NAMED(name) HEURISTIC_PASTE(name)

// Whether the heuristic takes part in this build.
static inline bool uses(heuristic h) { return h != HEURISTIC_NAMED(KRATON_ABLATE); }

#endif
