// A position from a command's arguments: a FEN, in one argument or several, and moves, which may
// follow one or stand alone. `rnbakabnr/... b`, `h2e2 h9g7`, `C2=5 H8+7`.
#ifndef KRATON_CLI_PLACE_H
#define KRATON_CLI_PLACE_H

#include "rules/rules.h"

// The game after them, to be given back with free(); NULL after a complaint. Without any it is at
// the start position.
rules_state *place_of_arguments(const rules_game *game, int argc, char **argv);

#endif
