#include "base/pipe.h"

#include "os/file.h"

#include <stdlib.h>

void pipe_init(line_pipe *p) {
    p->begin = p->end = p->scanned = 0;
    p->is_skipping = p->is_closed = false;
    p->wake = NULL;
    p->out = writer_on(p->output_memory, sizeof p->output_memory);
}

bool pipe_next_line(line_pipe *p, text *line) {
    for (;;) {
        const char *from = p->input + p->begin;
        size_t there = p->end - p->begin;
        const char *end = memchr(from + p->scanned, '\n', there - p->scanned);
        if (!end && p->is_closed && there && !p->is_skipping) {
            *line = (text){from, there};
            p->begin = p->end;
            p->scanned = 0;
            return true;
        }
        if (!end) {
            p->scanned = there;
            return false;
        }
        bool is_whole = !p->is_skipping;
        *line = (text){from, (size_t)(end - from)};
        p->begin += line->len + 1;
        p->scanned = 0;
        p->is_skipping = false;
        if (is_whole)
            return true;
    }
}

static void make_room(line_pipe *p) {
    if (p->end - p->begin == sizeof p->input) {
        p->is_skipping = true;
        p->begin = p->end;
    }
    if (p->begin == p->end) {
        p->begin = p->end = p->scanned = 0;
    } else if (p->end == sizeof p->input) {
        memmove(p->input, p->input + p->begin, p->end - p->begin);
        p->end -= p->begin;
        p->begin = 0;
    }
}

bool pipe_wait(line_pipe *p, int64_t microseconds) {
    os_file input = os_standard_input();
    size_t got;
    if ((microseconds >= 0 || p->wake) && !os_event_wait_input(p->wake, &input, microseconds))
        return false;
    make_room(p);
    if (!os_file_read(&input, p->input + p->end, sizeof p->input - p->end, &got) || got == 0)
        p->is_closed = true;
    p->end += got;
    return true;
}

void pipe_send(text bytes) {
    os_file output = os_standard_output();
    if (!os_file_write(&output, bytes.at, bytes.len))
        _Exit(0);
}

void pipe_flush(line_pipe *p) {
    pipe_send((text){p->out.buffer, p->out.used});
    p->out.used = 0;
}
