// The moves of a position by what the tables say of them, best first: what `kraton tb probe` shows
// and what an engine plays by.
//
// Pure functions on open tables; threads as probe.h says.
#ifndef KRATON_TABLEBASE_SURAKARTA_MOVES_H
#define KRATON_TABLEBASE_SURAKARTA_MOVES_H

#include "rules/surakarta/surakarta.h"
#include "tablebase/surakarta/entry.h"
#include "tablebase/surakarta/probe.h"

typedef struct {
    rules_move move;
    bool captures;
    int8_t value;     // for the side that plays it
    int16_t distance; // from before the move: 1 where it captures; KRATON_TB_NO_DISTANCE: unknown
} tb_move;

// All legal moves: by value; among those that force more than waiting brings, the shortest way
// first; among those that bring less, the longest; among those that wait, captures first. Moves of
// the same worth stay in the generator's order. Returns how many, or -1 where a table is missing.
int tb_rank_moves(kraton_tb *tables, tb_rules rules, const sk_pos *pos,
                  tb_move moves[SK_MAX_MOVES]);

#endif
