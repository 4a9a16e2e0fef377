// The hot path of the search: node.c, quiescence.c, root.c and think.c, compiled as one unit
// (hotpath.c) per game and processor level (base/isa.h). Only search_think is called from outside.
#ifndef KRATON_SEARCH_INTERNAL_H
#define KRATON_SEARCH_INTERNAL_H

#include "base/isa.h"
#include "search/worker.h"

// Iterative deepening, the entry: a worker searches deeper and deeper until the search stops or its
// depth limit is reached.
void search_think_baseline(worker *w);
void search_think_v3(worker *w);

#ifdef ISA_LEVEL
#include "search/walk.h"

#define quiesce ISA_NAME(quiesce)
#define root_begin_frames ISA_NAME(root_begin_frames)
#define root_begin_moves ISA_NAME(root_begin_moves)
#define root_dismiss_helpers ISA_NAME(root_dismiss_helpers)
#define root_help ISA_NAME(root_help)
#define root_search ISA_NAME(root_search)
#define root_sort ISA_NAME(root_sort)
#define search_fill_reductions ISA_NAME(search_fill_reductions)
#define search_move ISA_NAME(search_move)
#define search_node ISA_NAME(search_node)

// --- a node: principal variation search ---------------------------------------------------------

// What the steps of a node share.
typedef struct {
    worker *w;
    frame *f;
    int32_t alpha, beta;
    int32_t best;         // the best score so far
    rules_move best_move; // the move that raised alpha; MOVE_NONE: none has
    int depth;
    bool is_pv;
    bool is_cut;    // a cut node: expected to fail high
    bool was_pv;    // is or was part of a principal variation
    bool improving; // the static evaluation is better than two plies ago
    bool worsening; // the opponent's evaluation is worse than before its move
    probe table;    // what the transposition table knows
    int32_t eval;   // the static evaluation, corrected by the table's score
} node;

// Fills the table of reductions; done before main, and again where the parameters are variables.
void search_fill_reductions(void);

// The score of the frame's position, within the window or as a bound on it. 0 when the search
// stops.
int32_t search_node(worker *w, frame *f, int32_t alpha, int32_t beta, int depth, bool is_cut);

// Steps 12 and 13: the score of the move just made from the node, for node and root. `count` is its
// number in the move order, from 1; `depth` what is left after it.
int32_t search_move(node *n, bool noisy, int count, int history, int depth);

// --- quiescence: captures only, at the end of every line ----------------------------------------

// The score of the frame's position when only captures are searched, and all moves in check.
int32_t quiesce(worker *w, frame *f, int32_t alpha, int32_t beta);

// --- the root -----------------------------------------------------------------------------------

// Sets up a worker's frames and path for the position of the search.
void root_begin_frames(worker *w);
// Fills a worker's list with the root moves that may be chosen.
void root_begin_moves(worker *w);
// Sorts the list from `first` on, best first. Stable, so that one thread always does the same.
void root_sort(worker *w, int first);
// Searches the moves from the current variation on; the best score, or 0 when the search stops.
int32_t root_search(worker *w, int32_t alpha, int32_t beta, int depth);

// Root splitting, as in paper 3. A helper takes moves from the owner's list until it is dismissed.
void root_help(worker *owner, worker *w);
void root_dismiss_helpers(worker *owner);
#endif

#endif
