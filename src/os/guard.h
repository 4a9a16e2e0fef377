// Running programs that may misbehave: a parent process that ends everything they start.
#ifndef KRATON_OS_GUARD_H
#define KRATON_OS_GUARD_H

#include <stdbool.h>
#include <stdint.h>

// --- the guard ----------------------------------------------------------------------------------

// Runs a program as a child, in a process group of its own, and returns when it has ended. All its
// descendants end with it. They also end when this process receives SIGTERM, or when its own parent
// ends, for whatever reason. SIGINT and SIGHUP are ignored.
//
// become(context) is called in the child and replaces it by the program. If it returns, the child
// exits with status 127. Standard input and output are given up here, so that the other end sees
// when the program closes them.
//
// Returns the exit status. Ends this process by the same signal if the program was ended by one.
// Returns -1, with the reason in errno, if no child could be started.
int os_guard_run(void (*become)(void *context), void *context);

#endif
