// How long things took, as a line: so many of a hundred within so many milliseconds.
#ifndef KRATON_CLIENT_LATENCY_H
#define KRATON_CLIENT_LATENCY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Sorts the times, which are in microseconds. Nothing is printed where there are none.
void latency_print(FILE *out, const char *what, int64_t *took, size_t count);

#endif
