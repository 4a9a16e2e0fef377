// What an engine says, in words for people: scores by the side that stands better, lines of play in
// the notation they read. The state is walked along and left as it was.
#ifndef KRATON_CLI_LINES_H
#define KRATON_CLI_LINES_H

#include "match/thinker.h"

// "Red +0.35", "even", "Black wins in 3", "Black wins" where it is not said when; the score is that
// of the side to move.
void lines_write_score(const rules_game *game, int mover, const dialect_info *info, writer *out);
// The moves, as many as fit into so many bytes but at least one.
void lines_write_moves(rules_state *state, const rules_move *moves, int count,
                       rules_notation notation, size_t bytes, writer *out);

#endif
