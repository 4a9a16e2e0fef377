// Levels of play for people: how deep the search may look, and which of the moves it has found is
// played. A low level plays a somewhat worse move than the best, never an illegal one; from
// LEVEL_SAFE on it does not leave a piece to be captured for nothing. The choice depends only on
// the seed, the position and the move number.
#ifndef KRATON_ENGINE_LEVEL_H
#define KRATON_ENGINE_LEVEL_H

#include "engine/thought.h"
#include "games/levels.h"

enum { LEVEL_FULL = 0, LEVEL_MAX = LEVELS, LEVEL_SAFE = 4 };

// Narrows the limits to what the level may see in the state, which is left as it was; LEVEL_FULL
// leaves them as they are. From LEVEL_SAFE on there are enough variations for one of them to keep
// all men that can be kept, as far as SEARCH_MAX_VARIATIONS goes.
void level_limit(rules_state *state, int level, search_limits *limits);

// The line to play among the last ones of a finished search at this level: an index below
// t->line_count, which is not 0. The state is that of the search and is left as it was.
int level_choose(int level, uint64_t seed, rules_state *state, const thoughts *t);

// How much a move loses at most to captures alone, both sides free to stop: 0 where nothing is
// lost, else the value of the men lost in tenths of a pawn, captures by the move itself counted in.
int level_loss(rules_state *state, rules_move move);

#endif
