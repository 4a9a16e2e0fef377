// The heuristics of the search, each with a name so that an ablation build can leave one out:
// -DKRATON_ABLATE=NULL_MOVE to CMake, and tools/ablate.sh plays that build against the whole one.
// In any other build all take part, and asking costs nothing: the answer is known to the compiler.
#ifndef KRATON_SEARCH_HEURISTIC_H
#define KRATON_SEARCH_HEURISTIC_H

#include <stdbool.h>

typedef enum {
    HEURISTIC_NONE,
    HEURISTIC_ASPIRATION,           // without: every iteration begins with the whole window
    HEURISTIC_FIXED_WINDOW,         // without: paper 3's window, wider the larger the score
    HEURISTIC_KILLERS,              // moves that cut at the same ply
    HEURISTIC_COUNTER_MOVE,         // the answer that refuted the move before
    HEURISTIC_CONTINUATION_HISTORY, // without: moves are known by themselves alone
    HEURISTIC_CAPTURE_HISTORY,
    HEURISTIC_RAZORING,
    HEURISTIC_REVERSE_FUTILITY,
    HEURISTIC_NULL_MOVE,
    HEURISTIC_NULL_VERIFICATION,
    HEURISTIC_PROBCUT,
    HEURISTIC_IIR, // shallower without a move from the table
    HEURISTIC_LMP, // late-move pruning
    HEURISTIC_FUTILITY,
    HEURISTIC_HISTORY_PRUNING,
    HEURISTIC_SEE_PRUNING, // of moves that lose the exchange
    HEURISTIC_SINGULAR,    // with what hangs on it: multi-cut
    HEURISTIC_MULTI_CUT,
    HEURISTIC_CHECK_EXTENSION,
    HEURISTIC_LMR,           // late-move reductions
    HEURISTIC_DELTA_PRUNING, // of captures in quiescence that cannot raise alpha
} heuristic;

#ifndef KRATON_ABLATE
#define KRATON_ABLATE NONE
#endif
#define HEURISTIC_PASTE(name) HEURISTIC_##name
#define HEURISTIC_NAMED(name) HEURISTIC_PASTE(name)

// Whether the heuristic takes part in this build.
static inline bool uses(heuristic h) { return h != HEURISTIC_NAMED(KRATON_ABLATE); }

#endif
