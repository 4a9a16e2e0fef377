// A position judged for whoever draws boards: legal moves with the routes of captures, how the game
// stands, the position as FEN. Nothing is kept. And the position of a request, for other routes.
#ifndef KRATON_FEATURES_POSITION_H
#define KRATON_FEATURES_POSITION_H

#include "rules/rules.h"
#include "server/api.h"

// The game the first part of the path names; NULL: refused.
const rules_game *position_game(api_call *c);
// What `fen`, `moves` and `rules` of the query say; to be freed. The moves are added to `played`
// (may be NULL) in the game's own notation. NULL: refused.
rules_state *position_read(api_call *c, const rules_game *rules, json_t *played);

#endif
