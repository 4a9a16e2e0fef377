// Judges openings by a search: Kraton's own engine, a process beside this one, looks at each for a
// fixed number of nodes, so the same program says the same every time.
//
// The caller owns what opening_judge_start returns. One thread.
#ifndef KRATON_CLI_OPENING_JUDGE_H
#define KRATON_CLI_OPENING_JUDGE_H

#include "rules/game.h"

typedef struct opening_judge opening_judge;

// NULL, with the reason, where the engine cannot be started.
opening_judge *opening_judge_start(const rules_game *game, fault *why);
void opening_judge_end(opening_judge *judge); // NULL is allowed

// An openings_judge (records/openings.h), with the judge as its context. An engine that does not
// answer calls everything even: ask opening_judge_is_well.
bool opening_judge_is_even(void *judge, const char *fen);
bool opening_judge_is_well(const opening_judge *judge);

#endif
