// The tables asked about a game in progress instead of two bit boards.
#ifndef KRATON_TABLEBASE_SURAKARTA_STATE_H
#define KRATON_TABLEBASE_SURAKARTA_STATE_H

#include "rules/rules.h"
#include "tablebase/surakarta/moves.h"

// The game that the tables are of. The states below are states of it.
const rules_game *tb_game(void);

// As kraton_tb_value and kraton_tb_distance.
int tb_state_value(kraton_tb *tables, const rules_state *s);
int tb_state_distance(kraton_tb *tables, const rules_state *s);
// As tb_rank_moves.
int tb_state_moves(kraton_tb *tables, tb_rules rules, const rules_state *s,
                   tb_move moves[RULES_MAX_MOVES]);

// The position in which the side with these pieces is to move, as FEN.
void tb_write_fen(uint64_t movers, uint64_t others, writer *out);

#endif
