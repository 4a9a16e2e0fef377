// This process, the programs it starts, and what the machine has.
//
// What fails returns false and leaves the reason in errno.
#ifndef KRATON_OS_PROCESS_H
#define KRATON_OS_PROCESS_H

#include "os/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// To be called first in main. On Windows it makes the arguments UTF-8, lets the standard streams
// pass bytes as they are and shows UTF-8 on the console; elsewhere the numbers of
// standard streams that are closed are taken, so that no other file gets them.
void os_process_begin(int *count, char ***arguments);

// The path of the file that this process was started from, with slashes.
bool os_self_path(char *path, size_t size) __attribute__((warn_unused_result));

// Runs another program in the place of this one, with the same streams. arguments[0] is its name,
// NULL ends them. A script that does not say which program runs it is run by the shell. Returns
// only when that fails.
bool os_process_become(const char *path, char *const arguments[]);
// Runs a program beside this one, with the same streams, and waits for its end. False when it could
// not be started; *status is what it exits with, or 128 and the number of the signal that ended it.
bool os_process_run(const char *path, char *const arguments[], int *status)
    __attribute__((warn_unused_result));

// Starts a program beside this one, with the same streams, and does not wait for its end.
bool os_process_start(const char *path, char *const arguments[])
    __attribute__((warn_unused_result));

// A program that this one talks to through its standard input and output. The one who starts it
// ends it. Not for the match runner, whose engines run under a guard and on the event loop.
typedef struct {
    intptr_t process;
    os_file input, output; // the ends of its pipes
} os_child;

// Starts a program found along the PATH. From then on this process ignores broken pipes.
bool os_child_start(os_child *child, const char *program, char *const arguments[])
    __attribute__((warn_unused_result));
// Sends all of it. False when the child is gone.
bool os_child_write(const os_child *child, const void *bytes, size_t size)
    __attribute__((warn_unused_result));
// Reads at most `size` bytes as soon as there are some, waiting for at most so long (-1: without
// end); *got is 0 when the child has closed its output. False when the time is over.
bool os_child_read(const os_child *child, void *bytes, size_t size, int64_t microseconds,
                   size_t *got) __attribute__((warn_unused_result));
// Processor time that the child has used so far.
int64_t os_child_cpu_us(const os_child *child);
// Asks the child to end and waits until it has.
void os_child_end(os_child *child);

// Programs that end with the one who started them: on Windows a job object takes a process and all
// that it will start, and ends them with os_family_end or when this process ends, however it ends.
// Elsewhere kraton-guard does that (OS_HAS_GUARD); should the guard itself be killed, os_family_end
// ends the group of the program that it ran, if os_family_learn could see it.
typedef struct {
    intptr_t handle;
} os_family;

#ifdef _WIN32
enum { OS_HAS_GUARD = 0 };
#else
enum { OS_HAS_GUARD = 1 };
#endif

// Takes the process with that number, for one processor alone unless that is -1.
bool os_family_take(os_family *family, int process, int processor);
// To be called once the program that guard `process` runs has shown itself.
void os_family_learn(os_family *family, int process);
void os_family_end(os_family *family);

// Lets this process give way to others; 0 changes nothing, 19 is the most.
bool os_process_nice(int level);
// Writing to a closed pipe or socket fails instead of ending the process.
void os_process_ignore_broken_pipes(void);
// Writing beyond the largest size a file may have fails instead of ending the process.
void os_process_ignore_file_limit(void);
// As many open files and connections as the system allows this process.
void os_process_raise_open_files(void);
// Gives up the rights of root for those of a user, for good. False with ENOENT when there is no
// such user.
bool os_process_become_user(const char *name) __attribute__((warn_unused_result));
// Calls on_interrupt, on any thread and between any two instructions, when the user asks the
// process to end. It may only set a flag. What waits for input or output meanwhile fails with
// EINTR. NULL: from now on such a signal ends the process at once.
void os_process_on_interrupt(void (*on_interrupt)(int number));

// Limits of this process, kept by a program that it becomes.
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

int os_processor_count(void); // at least 1

enum { OS_PROCESSORS = 1024 }; // the most that a machine has here

// The numbers of the processors that this process may use, ascending; returns how many.
int os_processors_allowed(int numbers[OS_PROCESSORS]);

// A set of processors.
typedef struct {
    uint64_t bits[16];
} os_processors;

// Keeps this process, and those that it starts, on one processor. Returns the processors that it
// could use before, for os_processors_use.
os_processors os_processors_use_one(void);
void os_processors_use(const os_processors *processors);

// Memory of the machine in bytes, and what of it could be used without pushing others out. 0 where
// the system does not tell.
uint64_t os_memory_total(void);
uint64_t os_memory_available(void);

// A shared library by its file name, looked up at run time so that a program works without it. NULL
// where there is none that can be loaded. It stays loaded until the program ends. Any thread.
void *os_library_open(const char *name);
// A function of the library; NULL where it has none of that name.
void (*os_library_find(void *library, const char *name))(void);

// The signal by which the guard of a program (os/posix/guard.c) ends when it has ended one that was
// still running. No program ends by it: SIGPWR, from the system's power supply to init.
enum { OS_GUARD_ENDED = 30 };

#endif
