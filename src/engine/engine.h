// The engine: reads the manager's lines, runs the search, writes the answers. It joins the protocol
// (dialect/engine), the options (settings), the search and the levels of play. Compiled once per
// game, as the search is.
//
// Everything runs on one thread except the search, whose threads only write to `thoughts`.
#ifndef KRATON_ENGINE_ENGINE_H
#define KRATON_ENGINE_ENGINE_H

#include "base/text.h"
#include "rules/rules.h"

typedef struct engine engine;

typedef struct {
    const rules_game *game;
    const char *name;
    const char *rules;    // a rule set; NULL: the game's default
    int depth;            // looks no further; 0: as far as it gets
    int64_t game_time_us; // for all of its moves where the protocol tells no clock (SAU)
} engine_terms;

// NULL, with the reason, when out of memory or when the rules are not valid.
engine *engine_new(const engine_terms *terms, fault *why);
void engine_free(engine *e);

// Sets an option before the manager does.
MUST_USE bool engine_set(engine *e, text name, text value, fault *why);

// Understands one line and answers it; false: the manager wants the engine to leave. Answers are
// written by engine_send.
MUST_USE bool engine_hear(engine *e, text line);
// Writes answers, and what the search has found, to standard output.
void engine_send(engine *e);
// Serves standard input until it ends or the manager says so.
void engine_serve(engine *e);

#endif
