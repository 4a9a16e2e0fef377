// The program of an engine: how it is found, guarded and limited.
//
// A manager starts `kraton-guard PATH NAME ARGUMENT...`, a program beside kraton. The guard starts
// the engine and ends everything that the engine has started when the engine ends, when it receives
// SIGTERM, or when the manager is gone (see os/posix/guard.c). Engines that belong to a server run
// under a guard as `kraton limit ... CMD...`.
#ifndef KRATON_MATCH_PROGRAM_H
#define KRATON_MATCH_PROGRAM_H

#include "base/text.h"

enum { PROGRAM_PATH_SIZE = 4096 };

// Writes the path of the program `name`:
//   1. A name with a slash is a path, and is taken as it is.
//   2. The folder of kraton itself, where its own engines are.
//   3. The folders of PATH.
//   4. /usr/games, where Debian puts engines and which the PATH of root does not contain.
// `kraton` is the path of kraton. A relative path counts from `directory`, where the program will
// run (NULL: the current one). False, with the folders searched in `why`, if there is no executable
// file of that name.
bool program_find(const char *name, const char *directory, const char *kraton,
                  char path[PROGRAM_PATH_SIZE], fault *why) __attribute__((warn_unused_result));

// Writes the path of the guard, which is in the folder of kraton.
bool program_find_guard(const char *kraton, char path[PROGRAM_PATH_SIZE], fault *why)
    __attribute__((warn_unused_result));

// The command `kraton limit MEGABYTES SECONDS PRIORITY CMD...`: limits itself, then becomes CMD.
//   MEGABYTES  address space, mapped files included; 0: no limit
//   SECONDS    processor time, after which the system ends it; 0: no limit
//   PRIORITY   `nice`: lower than normal; `idle`: only time that no other process wants
// It also writes no core file, and the system ends it first when memory runs out. Returns 127, with
// the reason on standard error, only when it fails.
int program_limit_main(int count, char *const words[]);

#endif
