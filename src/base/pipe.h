// Standard input and output of an engine, in lines and with as few system calls as can be:
// everything there is to read at once, everything there is to say in one write. One thread's.
#ifndef KRATON_BASE_PIPE_H
#define KRATON_BASE_PIPE_H

#include "base/text.h"

enum { PIPE_INPUT_MAX = 1 << 20, PIPE_OUTPUT_MAX = 1 << 17 };

typedef struct {
    char input[PIPE_INPUT_MAX];
    size_t begin, end; // what is read and not handed out yet
    size_t scanned;    // of that, looked through for the end of a line
    bool is_skipping;  // the rest of a line that was too long is still to come
    bool is_closed;
    int bell; // another file that ends the waiting when it can be read; -1: none
    char output_memory[PIPE_OUTPUT_MAX];
    writer out;
} line_pipe;

void pipe_init(line_pipe *p);
// The next whole line that is there already; valid until more is read. A line longer than the
// buffer is passed over; the last one needs no end.
bool pipe_next_line(line_pipe *p, text *line);
// Waits for input, at most so long (-1: for ever), and reads it. False when there was none.
bool pipe_wait(line_pipe *p, int64_t microseconds);
// Sends what is in p->out.
void pipe_flush(line_pipe *p);
// Sends bytes at once, whatever they are; leaves the program when nobody reads them.
void pipe_send(text bytes);

#endif
