// The slow, obviously right solver: values and distances of small endgames by going over all
// positions again and again with the forward generator until nothing changes. It is the second
// opinion on whatever builds tables fast, and small enough to be checked by reading.
//
// What values and distances mean is in entry.h.
//
// The caller owns a solution and frees it. tb_index_prepare must have been called.
#ifndef KRATON_TABLEBASE_SURAKARTA_SOLVE_H
#define KRATON_TABLEBASE_SURAKARTA_SOLVE_H

#include "tablebase/surakarta/entry.h"
#include "tablebase/surakarta/index.h"

typedef struct {
    tb_rules rules;
    tb_split split[TB_MAX_PIECES][TB_MAX_PIECES]; // [movers][others]
    tb_entry *table[TB_MAX_PIECES][TB_MAX_PIECES];
} tb_solution;

// All splits of up to so many pieces, smaller ones first. False when memory runs out; the solution
// is to be freed in either case.
MUST_USE bool tb_solve(tb_solution *solution, tb_rules rules, int pieces);
void tb_solution_free(tb_solution *solution);

// A position of at most the solved number of pieces; a side may be wiped out, not both.
tb_entry tb_solution_look_up(const tb_solution *solution, const sk_pos *pos);

// A split counted over all placements.
tb_tally tb_solution_tally(const tb_solution *solution, int movers, int others);

#endif
