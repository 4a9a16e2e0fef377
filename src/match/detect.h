// Finds out what an engine is: whether it can be started, and which protocol it speaks.
#ifndef KRATON_MATCH_DETECT_H
#define KRATON_MATCH_DETECT_H

#include "match/player.h"

// Sets the engine's dialect where it is not known. False, with the reason, where its folder or its
// program is not found (match/program.h) or it answers in no dialect; `remedy` is how people name
// one: "dialect=" or "--dialect".
MUST_USE bool match_detect(match_engine *engine, const rules_game *game, const char *kraton,
                           const char *remedy, fault *why);

// Whether it can start games from any position, as it says in its greeting; its dialect is known.
bool match_can_set_up(const match_engine *engine, const rules_game *game, const char *kraton);

#endif
