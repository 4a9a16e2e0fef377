#include "stub/pipe.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void pipe_init(stub_pipe *p) {
    p->begin = p->end = p->scanned = 0;
    p->is_closed = false;
    p->out = writer_on(p->output_memory, sizeof p->output_memory);
}

bool pipe_next_line(stub_pipe *p, text *line) {
    const char *from = p->input + p->begin;
    size_t there = p->end - p->begin;
    const char *end = memchr(from + p->scanned, '\n', there - p->scanned);
    if (!end) {
        p->scanned = there;
        return false;
    }
    *line = (text){from, (size_t)(end - from)};
    p->begin += line->len + 1;
    p->scanned = 0;
    return true;
}

static void make_room(stub_pipe *p) {
    if (p->begin == p->end || p->end - p->begin == sizeof p->input) {
        p->begin = p->end = p->scanned = 0;
    } else if (p->end == sizeof p->input) {
        memmove(p->input, p->input + p->begin, p->end - p->begin);
        p->end -= p->begin;
        p->begin = 0;
    }
}

bool pipe_wait(stub_pipe *p, int64_t microseconds) {
    if (microseconds >= 0) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (poll(&input, 1, (int)((microseconds + 999) / 1000)) <= 0)
            return false;
    }
    make_room(p);
    ssize_t n;
    do
        n = read(STDIN_FILENO, p->input + p->end, sizeof p->input - p->end);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        p->is_closed = true;
    else
        p->end += (size_t)n;
    return true;
}

void pipe_send(text bytes) {
    while (bytes.len) {
        ssize_t n = write(STDOUT_FILENO, bytes.at, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            _exit(0);
        bytes = text_skip(bytes, (size_t)n);
    }
}

void pipe_flush(stub_pipe *p) {
    pipe_send((text){p->out.buffer, p->out.used});
    p->out.used = 0;
}
