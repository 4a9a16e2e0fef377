// Another player in this program's place: `--player paper4` has kraton-paper4, which lies beside
// it, read the rest of the command line.
#ifndef KRATON_ENGINE_PLAYER_H
#define KRATON_ENGINE_PLAYER_H

#include "base/text.h"

// Becomes that player where the arguments name one, and does not come back then. True where they
// name none; false, with the reason, where that player cannot be had.
bool player_take_over(char **arguments, fault *why);

#endif
