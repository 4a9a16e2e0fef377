// The slow, obviously right solver: values and distances of small endgames by going over all
// positions again and again with the forward generator until nothing changes. It is the second
// opinion on whatever builds tables fast, and small enough to be checked by reading.
//
// Values. Play that never captures again, and a side without a legal move, end in the waiting
// value: under `traditional` a draw, under `count` a win of the side with more pieces (equal
// numbers draw). A position has another value only where a side can force it by captures, its own
// or the other side's.
//
// Distances are plies to the next capture, which counts 1, along moves that keep the value: the
// side that forces it takes the shortest way, the other one the longest. They are 0 where the value
// is the waiting value or the game is over. So under `traditional` wins and losses have distances;
// under `count` so they do between equal sides, and between unequal ones the weaker side's wins and
// the draws it can force, for whichever side is to move.
//
// The caller owns a solution and frees it. tb_index_prepare must have been called.
#ifndef KRATON_TABLEBASE_SOLVE_H
#define KRATON_TABLEBASE_SOLVE_H

#include "tablebase/index.h"

typedef enum { TB_TRADITIONAL, TB_COUNT } tb_rules;

enum { TB_LOSS = -1, TB_DRAW, TB_WIN };

typedef struct {
    int8_t value; // for the side to move
    uint8_t distance;
} tb_entry;

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
typedef struct {
    uint64_t win, draw, loss;
    int longest_win, longest_loss; // distances
} tb_tally;

tb_tally tb_solution_tally(const tb_solution *solution, int movers, int others);

#endif
