// The programs beside this one: the engines and the stub.
#ifndef KRATON_CLI_SIBLING_H
#define KRATON_CLI_SIBLING_H

#include "match/spec.h"

enum { SIBLING_PATH_SIZE = 4096 };

// This program's own file.
MUST_USE bool sibling_self(char path[SIBLING_PATH_SIZE], fault *why);
// The program of that name in the same folder; it must be there.
MUST_USE bool sibling_find(const char *name, char path[SIBLING_PATH_SIZE], fault *why);
// Becomes kraton-lab with the command of that name and its arguments. Returns only when that fails:
// the status after a complaint.
int sibling_become_lab(const char *name, int argc, char **argv);
// The engine a user wants, or Kraton's own for the game where `program` is NULL: with the endgame
// tables of the folder KRATON_TABLES names, if it names one.
MUST_USE bool sibling_engine(match_engine *e, const rules_game *game, const char *program,
                             fault *why);

#endif
