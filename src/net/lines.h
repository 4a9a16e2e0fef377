// Cuts incoming bytes into lines of bounded length. Holds memory only while a line is unfinished.
#ifndef KRATON_NET_LINES_H
#define KRATON_NET_LINES_H

#include "base/buffer.h"

// The longest lines, their ends not counted: a client's, and a server's, which may hold a whole
// game.
enum { LINES_MAX = 4096, LINES_SERVER_MAX = 32768 };

typedef struct {
    buffer held; // the beginning of an unfinished line
    size_t most; // 0: LINES_MAX
} lines;

typedef enum { LINES_ONE, LINES_NONE, LINES_TOO_LONG } lines_status;

// Takes the next whole line out of what is held and *bytes, without LF or CR LF. LINES_NONE: all
// bytes are taken, the rest is held. The line is valid until the next call. No calls after
// LINES_TOO_LONG.
lines_status lines_next(lines *l, text *bytes, text *line);
void lines_free(lines *l);

#endif
