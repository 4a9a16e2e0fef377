// Endgame tables as an engine uses them: opened once for all rule sets, asked by the search right
// after captures, and for advice on the move to play, where the history of the game counts.
//
// The owner opens and closes; in between any thread may ask.
#ifndef KRATON_GAMES_TABLES_H
#define KRATON_GAMES_TABLES_H

#include "rules/rules.h"
#include "tablebase/tablebase.h"

typedef struct game_tables game_tables;

// The tables of a folder, NULL where there are none for this game. Files that are refused, or a
// folder that cannot be read, are told in a line each; tell may be NULL.
game_tables *game_tables_open(const rules_game *game, const char *folder, kraton_tb_listener *tell,
                              void *context);
void game_tables_close(game_tables *tables); // NULL is allowed

// The most pieces of which there is a table.
int game_tables_pieces(const game_tables *tables);

// The tables that hold right after a capture under a rule set; NULL: none do, or the rule set ends
// games before the longest of their forced lines is played out. `tables` may be NULL.
kraton_tb *game_tables_for(const game_tables *tables, const rules_set *set);

// How the game ends by the tables, for a referee (its referee_probe): right after a capture only.
bool game_tables_judge(void *tables, const rules_state *state, rules_outcome *outcome);

// The moves to choose from where the tables know the position: those that keep its value, shortest
// way first where it is forced by the mover, longest where by the other side; all of them where
// there are values without distances. Repetitions and the no-capture limit are regarded. Returns
// how many; 0: the tables have nothing to say. Plays and takes back moves on the state.
int game_tables_advise(const game_tables *tables, rules_state *state,
                       rules_move moves[RULES_MAX_MOVES]);

#endif
