// The programs beside this one, in the same folder: the papers' players, and the lab that makes
// games for the tuner.
#ifndef KRATON_ENGINE_SIBLING_H
#define KRATON_ENGINE_SIBLING_H

#include "base/text.h"

// Runs kraton-NAME in the place of this program, with these arguments; arguments[0] is replaced by
// its path. Returns only when that fails, with the reason.
void sibling_become(const char *name, char **arguments, fault *why);

#endif
