// Running programs that may misbehave: limits of what they may use, and a parent process that ends
// everything they start. What fails returns false and leaves the reason in errno.
#ifndef KRATON_OS_GUARD_H
#define KRATON_OS_GUARD_H

#include <stdbool.h>
#include <stdint.h>

// --- limits of this process, kept by a program that it becomes ----------------------------------

// Address space, mapped files included.
bool os_limit_memory(uint64_t bytes) __attribute__((warn_unused_result));
// Processor time; the system ends a process that uses more.
bool os_limit_cpu(int64_t seconds) __attribute__((warn_unused_result));
// A crash writes no core file.
bool os_limit_no_core(void) __attribute__((warn_unused_result));
// Runs only when no other process wants the processor.
bool os_limit_to_idle_time(void) __attribute__((warn_unused_result));
// Makes the system end this process before others when memory runs out. A hint.
void os_prefer_to_end(void);

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
