// What the explorer and the archive keep of finished games besides their moves.
#ifndef KRATON_FEATURES_EXPLORER_H
#define KRATON_FEATURES_EXPLORER_H

#include "rules/rules.h"
#include "store/games.h"

// Keeps the keys of a game's positions and counts its moves. Once a game.
void explorer_take_in(store *s, const stored_game *row, const stored_move *moves, int plies);
// Takes a game out of the figures again, before it is forgotten.
void explorer_take_out(store *s, int64_t id);
// Keeps the name of a game's opening, where it has one; `end` is its last position.
void explorer_name_opening(store *s, int64_t id, const rules_state *end);

#endif
