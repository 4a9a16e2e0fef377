// Standard input and output of an engine, in lines. To save system calls it reads all input that is
// there at once and sends all output in one write. For one thread.
#ifndef KRATON_BASE_PIPE_H
#define KRATON_BASE_PIPE_H

#include "base/text.h"
#include "os/thread.h"

enum { PIPE_INPUT_MAX = 1 << 20, PIPE_OUTPUT_MAX = 1 << 17 };

typedef struct {
    char input[PIPE_INPUT_MAX];
    size_t begin, end; // input that is read but not handed out yet
    size_t scanned;    // bytes of it that hold no end of a line
    bool is_skipping;  // the rest of a line that was too long is still to come
    bool is_closed;
    const os_event *wake; // ends the waiting for input too, when set; NULL: none
    char output_memory[PIPE_OUTPUT_MAX];
    writer out;
} line_pipe;

void pipe_init(line_pipe *p);
// The next whole line that was read; valid until more is read. A line longer than the buffer is
// skipped. The last line of the input needs no end.
bool pipe_next_line(line_pipe *p, text *line);
// Waits for input, for at most so long (-1: without end), and reads it. False when there was none.
bool pipe_wait(line_pipe *p, int64_t microseconds);
// Sends what is in p->out.
void pipe_flush(line_pipe *p);
// Sends bytes at once. Ends the program when nobody reads them.
void pipe_send(text bytes);

#endif
