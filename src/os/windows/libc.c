// What the headers in libc/ add to the C library.
#include "os/windows/wide.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef fopen
FILE *os_windows_fopen(const char *path, const char *mode) {
    wchar_t wide[WIDE_PATH], how[8] = {0};
    size_t n = 0;
    for (const char *c = mode; *c && n < 4; c++)
        if (*c != 'e' && *c != 'b')
            how[n++] = (wchar_t)*c;
    how[n++] = L'b';
    how[n] = L'N'; // not for child processes, as "e" has it
    return wide_path(path, wide) ? _wfopen(wide, how) : NULL;
}

ssize_t getline(char **line, size_t *size, FILE *file) {
    size_t len = 0;
    for (;;) {
        if (*size - len < 2 || !*line) {
            size_t more = *size < 64 ? 128 : *size * 2;
            char *bytes = realloc(*line, more);
            if (!bytes)
                return -1;
            *line = bytes;
            *size = more;
        }
        int c = getc(file);
        if (c == EOF && (len == 0 || ferror(file)))
            return -1;
        if (c != EOF)
            (*line)[len++] = (char)c;
        if (c == EOF || c == '\n') {
            (*line)[len] = '\0';
            return (ssize_t)len;
        }
    }
}
