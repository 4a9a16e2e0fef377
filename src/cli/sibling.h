// The programs beside this one, the engines and the stub, and the page of the server.
#ifndef KRATON_CLI_SIBLING_H
#define KRATON_CLI_SIBLING_H

#include "match/spec.h"

enum { SIBLING_PATH_SIZE = 4096 };

// This program's own file.
MUST_USE bool sibling_self(char path[SIBLING_PATH_SIZE], fault *why);
// The program of that name in the same folder; it must be there.
MUST_USE bool sibling_find(const char *name, char path[SIBLING_PATH_SIZE], fault *why);
// Whether a folder holds the page.
bool sibling_holds_page(const char *folder);
// The page's folder: where it is installed, or beside the program, as in a build folder.
MUST_USE bool sibling_find_page(char folder[SIBLING_PATH_SIZE]);
// Becomes kraton-lab with the command of that name and its arguments. Returns only when that fails:
// the status after a complaint.
int sibling_become_lab(const char *name, int argc, char **argv);
// The engine a user wants, or Kraton's own for the game where `program` is NULL: with the endgame
// tables of the folder KRATON_TABLES names, if it names one.
MUST_USE bool sibling_engine(match_engine *e, const rules_game *game, const char *program,
                             fault *why);

#endif
