// Another program, spoken to line by line over a socket that is its standard input and output.
#ifndef KRATON_BENCH_CHILD_H
#define KRATON_BENCH_CHILD_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct {
    pid_t pid;
    int socket;
    FILE *lines; // what it says
} child;

// Starts a program from the path; false where there is none.
MUST_USE bool child_start(child *c, const char *program);
// Sends text as it is. False once the child is gone.
bool child_send(const child *c, const char *text);
// Reads up to the first line that begins with a prefix and leaves it in line. False when the child
// has ended or been silent for a minute.
bool child_await(child *c, const char *prefix, char *line, size_t size);
// Ends the child, which must have been started.
void child_stop(child *c);

#endif
