// The search of one node: principal variation search. Compiled per processor level.
#ifndef KRATON_SEARCH_NODE_H
#define KRATON_SEARCH_NODE_H

#include "base/isa.h"
#include "search/walk.h"

// What the steps of a node share.
typedef struct {
    worker *w;
    frame *f;
    int32_t alpha, beta;
    int32_t best; // the best score so far
    int depth;
    bool is_pv;
    bool is_cut;    // expected to fail high
    bool was_pv;    // is or was part of a principal variation
    bool improving; // the static evaluation is better than two plies ago
    bool worsening; // the opponent's evaluation is worse than before its move
    probe table;    // what the transposition table knows
    int32_t eval;   // the static evaluation, corrected by the table's score
} node;

#define search_node ISA_NAME(search_node)
#define search_move ISA_NAME(search_move)
#define search_fill_reductions ISA_NAME(search_fill_reductions)

// Fills the table of reductions; done before main, and again where the parameters are variables.
void search_fill_reductions(void);

// The score of the frame's position, within the window or as a bound on it. 0 when the search
// stops.
int32_t search_node(worker *w, frame *f, int32_t alpha, int32_t beta, int depth, bool is_cut);

// Steps 12 and 13: the score of the move just made from the node, for node and root. `count` is its
// number in the move order, from 1; `depth` what is left after it.
int32_t search_move(node *n, bool noisy, int count, int history, int depth);

#endif
