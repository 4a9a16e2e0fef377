// Finds the protocol of an engine: tries each one with a new process.
#ifndef KRATON_MATCH_PROBE_H
#define KRATON_MATCH_PROBE_H

#include "match/player.h"

// Sets the engine's dialect where it is not known. False, with the reason, where its program is not
// found (match/program.h) or it answers in no dialect.
MUST_USE bool match_probe(match_engine *engine, const rules_game *game, const char *guard,
                          fault *why);

// Whether it can start games from any position, as it says in its greeting; its dialect is known.
bool match_can_set_up(const match_engine *engine, const rules_game *game, const char *guard);

#endif
