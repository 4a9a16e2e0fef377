// Saving a game in progress as a record.
#ifndef KRATON_CLI_SAVE_H
#define KRATON_CLI_SAVE_H

#include "rules/rules.h"

// Writes a game that began at the FEN `start` to a file, with the players' names, its rules and how
// it ended, which may have been agreed.
// The name's end chooses the format: .pgn, .json, .moves; anything else is the
// format that records keep for the game, see record_format_for.
MUST_USE bool save_game(const rules_state *state, const char *start, const char *const names[2],
                        const rules_verdict *end, const char *path, fault *why);

#endif
