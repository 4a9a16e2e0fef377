// The moves of a position by what the tables say of them, best first: what `kraton tb probe` shows
// and what an engine plays by.
//
// Pure functions on open tables; threads as probe.h says.
#ifndef KRATON_TABLEBASE_SURAKARTA_MOVES_H
#define KRATON_TABLEBASE_SURAKARTA_MOVES_H

#include "rules/rules.h"
#include "rules/surakarta/surakarta.h"
#include "tablebase/surakarta/entry.h"
#include "tablebase/surakarta/index.h"
#include "tablebase/surakarta/probe.h"

typedef struct {
    rules_move move;
    bool captures;
    int8_t value;     // for the side that plays it
    int16_t distance; // from before the move: 1 where it captures; KRATON_TB_NO_DISTANCE: unknown
} tb_move;

// Who knows the values and distances of positions: false where a position is unknown. A distance
// may be KRATON_TB_NO_DISTANCE. A side without pieces has lost and is not asked about.
typedef struct {
    void *context;
    bool (*look_up)(void *context, tb_placement p, int *value, int *distance);
} tb_oracle;

// As tb_rank_moves, with any oracle instead of tables.
int tb_rank_moves_by(const tb_oracle *oracle, tb_rules rules, const sk_pos *pos,
                     tb_move moves[SK_MAX_MOVES]);

// Writes the moves from a position to the end, both sides playing as well as they can: up to the
// last piece, or to where the value is kept by waiting. Moves stand `per_line` in a line; 0: all in
// one. Ends early where the oracle does not know a distance. Returns how many moves they are.
int tb_write_line(const tb_oracle *oracle, tb_rules rules, const sk_pos *from, int per_line,
                  writer *out);

// What open tables know.
tb_oracle tb_oracle_of(kraton_tb *tables);

// All legal moves: by value; among those that force more than waiting brings, the shortest way
// first; among those that bring less, the longest; among those that wait, captures first. A capture
// is the shortest way, an unknown distance longer than any other. Moves of the same worth stay in
// the generator's order. Returns how many, or -1 where a table is missing.
int tb_rank_moves(kraton_tb *tables, tb_rules rules, const sk_pos *pos,
                  tb_move moves[SK_MAX_MOVES]);

// --- a game in progress instead of two bit boards -----------------------------------------------

// The game that the tables are of. The states below are states of it.
const rules_game *tb_game(void);

// As kraton_tb_value and kraton_tb_distance.
int tb_state_value(kraton_tb *tables, const rules_state *s);
int tb_state_distance(kraton_tb *tables, const rules_state *s);
// As tb_rank_moves.
int tb_state_moves(kraton_tb *tables, tb_rules rules, const rules_state *s,
                   tb_move moves[RULES_MAX_MOVES]);

// As tb_write_line.
int tb_state_line(kraton_tb *tables, tb_rules rules, const rules_state *s, int per_line,
                  writer *out);

// The position in which the side with these pieces is to move, as FEN.
void tb_write_fen(uint64_t movers, uint64_t others, writer *out);

#endif
