// Standard input and output of the stub, as few system calls as can be: everything there is to read
// at once, everything there is to say in one write.
#ifndef KRATON_STUB_PIPE_H
#define KRATON_STUB_PIPE_H

#include "base/text.h"

enum { PIPE_INPUT_MAX = 1 << 20, PIPE_OUTPUT_MAX = 1 << 17 };

typedef struct {
    char input[PIPE_INPUT_MAX];
    size_t begin, end; // what is read and not handed out yet
    size_t scanned;    // of that, looked through for the end of a line
    bool is_closed;
    char output_memory[PIPE_OUTPUT_MAX];
    writer out;
} stub_pipe;

void pipe_init(stub_pipe *p);
// The next whole line that is there already; valid until more is read.
bool pipe_next_line(stub_pipe *p, text *line);
// Waits for input, at most so long (-1: for ever), and reads it. False when the time is over. A
// line longer than the buffer is dropped.
bool pipe_wait(stub_pipe *p, int64_t microseconds);
// Sends what is in p->out.
void pipe_flush(stub_pipe *p);
// Sends bytes at once, whatever they are; leaves the program when nobody reads them.
void pipe_send(text bytes);

#endif
