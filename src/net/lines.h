// Cuts incoming bytes into lines of bounded length. Holds memory only while a line is unfinished.
#ifndef KRATON_NET_LINES_H
#define KRATON_NET_LINES_H

#include "base/bits.h"
#include "base/text.h"

enum { LINES_MAX = 4096 }; // the longest line, its end not counted

typedef struct {
    char *held; // the beginning of an unfinished line; owned
    size_t len, capacity;
} lines;

typedef enum { LINES_ONE, LINES_NONE, LINES_TOO_LONG } lines_status;

// Takes the next whole line out of what is held and *bytes, without LF or CR LF. LINES_NONE: all
// bytes are taken, the rest is held. The line is valid until the next call.
lines_status lines_next(lines *l, text *bytes, text *line);
void lines_free(lines *l);

#endif
