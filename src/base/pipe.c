#include "base/pipe.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void pipe_init(line_pipe *p) {
    p->begin = p->end = p->scanned = 0;
    p->is_skipping = p->is_closed = false;
    p->bell = -1;
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

// Whether there is something to read before the time is over.
static bool is_input_due(const line_pipe *p, int64_t microseconds) {
    struct pollfd files[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                              {.fd = p->bell, .events = POLLIN}};
    int timeout = microseconds < 0 ? -1 : (int)((microseconds + 999) / 1000);
    return poll(files, p->bell < 0 ? 1 : 2, timeout) > 0 && files[0].revents != 0;
}

bool pipe_wait(line_pipe *p, int64_t microseconds) {
    if ((microseconds >= 0 || p->bell >= 0) && !is_input_due(p, microseconds))
        return false;
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

void pipe_flush(line_pipe *p) {
    pipe_send((text){p->out.buffer, p->out.used});
    p->out.used = 0;
}
