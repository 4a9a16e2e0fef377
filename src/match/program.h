// Finds the program of an engine's command, for every command that starts engines.
//
//   1. a name with a slash is a path and is taken as it is
//   2. the folder of kraton itself, where its own engines are
//   3. the folders of PATH
//   4. /usr/games, where Debian puts engines and which root's PATH leaves out
#ifndef KRATON_MATCH_PROGRAM_H
#define KRATON_MATCH_PROGRAM_H

#include "base/text.h"

enum { PROGRAM_PATH_SIZE = 4096 };

// Writes the path of the program `name`. `kraton` is the path of kraton; a relative path counts
// from `directory` (NULL: from here), where the program will run. False, with the places that were
// searched, where none of them has an executable file of that name.
bool program_find(const char *name, const char *directory, const char *kraton,
                  char path[PROGRAM_PATH_SIZE], fault *why) __attribute__((warn_unused_result));

// Becomes the command (NULL-terminated), with the program found as above. Returns only where that
// cannot be, with the reason.
void program_become(char *const command[], fault *why);

#endif
