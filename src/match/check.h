// Checks that an engine follows its protocol: starts it, asks it for moves in many ways, and
// reports what it does wrong.
#ifndef KRATON_MATCH_CHECK_H
#define KRATON_MATCH_CHECK_H

#include "match/player.h"

#include <stdio.h>

// Prints a line for each check, and for each that could not be made. Returns how many went wrong.
int match_check(const match_engine *engine, const rules_game *game, const char *kraton, FILE *out);

#endif
