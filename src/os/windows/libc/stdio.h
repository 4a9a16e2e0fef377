// <stdio.h> with what the C library of Windows lacks.
#include_next <stdio.h>

#ifndef KRATON_OS_WINDOWS_STDIO_H
#define KRATON_OS_WINDOWS_STDIO_H

#include <sys/types.h>

// Paths are UTF-8 as everywhere, bytes are read and written as they are, and "e" is known.
FILE *os_windows_fopen(const char *path, const char *mode);
#define fopen os_windows_fopen

ssize_t getline(char **line, size_t *size, FILE *file);

#endif
