#include "match/process.h"

#include "base/minmax.h"
#include "match/program.h"
#include "os/clock.h"
#include "os/process.h"

#include <stdio.h>
#include <stdlib.h>

// --- the end ------------------------------------------------------------------------------------

static void finish_when_quiet(process *p) {
    if (!p->exited || p->open_handles)
        return;
    free(p->line);
    p->line = NULL;
    p->running = false;
    p->events->on_end(p, p->exit_status, p->exit_signal);
}

static void on_handle_closed(uv_handle_t *handle) {
    process *p = handle->data;
    p->open_handles--;
    finish_when_quiet(p);
}

static void close_handle(uv_handle_t *handle) {
    if (!uv_is_closing(handle))
        uv_close(handle, on_handle_closed);
}

static void close_output(process *p) {
    if (!p->output_open)
        return;
    p->output_open = false;
    close_handle((uv_handle_t *)&p->output);
}

static void close_input(process *p) {
    if (p->listens && !uv_is_closing((uv_handle_t *)&p->listener)) {
        close_handle((uv_handle_t *)&p->listener);
        os_file_close(&p->listener_fd);
    }
    close_handle((uv_handle_t *)&p->input);
}

static void on_exit_status(uv_process_t *child, int64_t status, int signal_number) {
    process *p = child->data;
    p->exited = true;
    p->exit_status = status;
    // Without a guard it is libuv that tells who ended it.
    p->exit_signal = !OS_HAS_GUARD && signal_number == SIGTERM ? OS_GUARD_ENDED : signal_number;
    if (!OS_HAS_GUARD || signal_number == SIGKILL) // else the guard has done it
        os_family_end(&p->family);
    close_handle((uv_handle_t *)&p->child);
    close_input(p);
    // What it wrote before it ended is still in the pipe: reading goes on to the end of it. A child
    // of the engine's may keep the pipe open; the guard has ended those.
}

// --- its output ---------------------------------------------------------------------------------

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
    (void)suggested;
    process *p = handle->data;
    *buffer = uv_buf_init(p->read_buffer, PROCESS_READ);
}

static void take_line(process *p, text line, int64_t now, bool cut) {
    if (line.len && line.at[line.len - 1] == '\r')
        line.len--;
    p->events->on_line(p, line, now, cut);
}

// Keeps the unfinished end of the output; what exceeds the limit is reported once and dropped.
static void hold(process *p, text rest, int64_t now) {
    if (p->skipping)
        return;
    size_t room = PROCESS_LINE_MAX - p->held;
    size_t taken = min_size(rest.len, room);
    memcpy(p->line + p->held, rest.at, taken);
    p->held += taken;
    if (taken < rest.len) {
        p->skipping = true;
        take_line(p, (text){p->line, p->held}, now, true);
        p->held = 0;
    }
}

static void take_bytes(process *p, text bytes, int64_t now) {
    while (bytes.len && p->output_open) {
        const char *end = memchr(bytes.at, '\n', bytes.len);
        if (!end) {
            hold(p, bytes, now);
            return;
        }
        text line = {bytes.at, (size_t)(end - bytes.at)};
        bytes = text_skip(bytes, line.len + 1);
        if (p->skipping) {
            p->skipping = false;
        } else if (p->held) {
            hold(p, line, now);
            if (!p->skipping)
                take_line(p, (text){p->line, p->held}, now, false);
            p->skipping = false;
            p->held = 0;
        } else {
            bool cut = line.len > PROCESS_LINE_MAX;
            take_line(p, (text){line.at, min_size(line.len, PROCESS_LINE_MAX)}, now, cut);
        }
    }
}

static void take_output(process *p, text bytes) {
    int64_t now = clock_us();
    if (!p->has_spoken && !p->exited)
        os_family_learn(&p->family, uv_process_get_pid(&p->child));
    p->has_spoken = true;
    if (p->first_byte_due) {
        p->first_byte_due = false;
        p->events->on_first_byte(p, now);
    }
    take_bytes(p, bytes, now);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    process *p = stream->data;
    if (count == 0)
        return;
    if (count < 0) {
        close_output(p);
        p->events->on_closed(p);
        finish_when_quiet(p);
        return;
    }
    take_output(p, (text){buffer->base, (size_t)count});
}

void process_drain(process *p) {
    enum { READS = 16 }; // as much as the largest pipe holds; one that floods it is left at that
    uv_os_fd_t file;
    for (int i = 0; i < READS; i++) {
        size_t count;
        if (!p->output_open || uv_fileno((uv_handle_t *)&p->output, &file) != 0)
            return;
        os_file output = {(intptr_t)file};
        if (!os_pipe_read_now(&output, p->read_buffer, PROCESS_READ, &count) || count == 0)
            return; // empty; libuv will notice an end
        take_output(p, (text){p->read_buffer, count});
    }
}

// --- its input ----------------------------------------------------------------------------------

typedef struct {
    uv_write_t request;
    size_t len;
    char bytes[];
} late_write;

static void on_written(uv_write_t *request, int status) {
    (void)status; // on_input_closed tells of a closed input
    late_write *late = (late_write *)request;
    process *p = request->handle->data;
    p->pending -= late->len;
    free(late);
}

// The child is slow to read: the rest waits in memory, up to a limit.
static bool write_later(process *p, text bytes, text more) {
    size_t len = bytes.len + more.len;
    if (p->pending + len > PROCESS_PENDING_MAX)
        return false;
    late_write *late = malloc(sizeof *late + len);
    if (!late)
        return false;
    late->len = len;
    memcpy(late->bytes, bytes.at, bytes.len);
    if (more.len)
        memcpy(late->bytes + bytes.len, more.at, more.len);
    uv_buf_t buffer = uv_buf_init(late->bytes, (unsigned)len);
    if (uv_write(&late->request, (uv_stream_t *)&p->input, &buffer, 1, on_written) != 0) {
        free(late);
        return false;
    }
    p->pending += len;
    return true;
}

process_written process_write(process *p, text bytes, text more, int64_t *written) {
    if (!p->running || p->exited || uv_is_closing((uv_handle_t *)&p->input)) {
        *written = clock_us();
        return WRITE_CLOSED;
    }
    // One buffer is cheaper to write than two, even after copying.
    char joined[4096];
    if (more.len && bytes.len + more.len <= sizeof joined) {
        memcpy(joined, bytes.at, bytes.len);
        memcpy(joined + bytes.len, more.at, more.len);
        bytes = (text){joined, bytes.len + more.len};
        more.len = 0;
    }
    p->first_byte_due = true;
    size_t done = 0;
    int n = 0;
    if (p->pending == 0) {
        uv_buf_t buffers[2] = {uv_buf_init((char *)(uintptr_t)bytes.at, (unsigned)bytes.len),
                               uv_buf_init((char *)(uintptr_t)more.at, (unsigned)more.len)};
        n = uv_try_write((uv_stream_t *)&p->input, buffers, more.len ? 2 : 1);
        done = n < 0 ? 0 : (size_t)n;
    }
    *written = clock_us();
    if (n < 0 && n != UV_EAGAIN)
        return WRITE_CLOSED;
    if (done == bytes.len + more.len)
        return WRITE_OK;
    size_t first = min_size(done, bytes.len);
    bool kept = write_later(p, text_skip(bytes, first), text_skip(more, done - first));
    return kept ? WRITE_OK : WRITE_STUCK;
}

// The system reports an error on a pipe that nobody can read.
static void on_nobody_reads(uv_poll_t *listener, int status, int events) {
    process *p = listener->data;
    if (status < 0 || events & UV_DISCONNECT)
        p->events->on_input_closed(p);
}

// Without it a closed input is noticed with the next line.
static void listen_for_close(process *p, uv_loop_t *loop) {
    uv_os_fd_t pipe;
    if (uv_fileno((uv_handle_t *)&p->input, &pipe) != 0 ||
        !os_file_duplicate(&(os_file){(intptr_t)pipe}, &p->listener_fd))
        return;
    p->listens = uv_poll_init(loop, &p->listener, (int)p->listener_fd.handle) == 0;
    if (!p->listens) {
        os_file_close(&p->listener_fd);
        return;
    }
    p->open_handles++;
    p->listener.data = p;
    uv_poll_start(&p->listener, UV_DISCONNECT, on_nobody_reads);
}

// --- start and stop -----------------------------------------------------------------------------

enum { COMMAND_MAX = 256 };

static void close_file(uv_file file) {
    uv_fs_t request;
    uv_fs_close(NULL, &request, file, NULL);
    uv_fs_req_cleanup(&request);
}

// Plain pipes cost half as much for each line as the socket pairs that uv_spawn would make.
static bool open_pipes(process *p, uv_file child[2]) {
    uv_file in[2], out[2];
    if (uv_pipe(in, 0, UV_NONBLOCK_PIPE) != 0)
        return false;
    if (uv_pipe(out, UV_NONBLOCK_PIPE, 0) != 0) {
        close_file(in[0]);
        close_file(in[1]);
        return false;
    }
    child[0] = in[0];
    child[1] = out[1];
    // A handle that was not opened does not own its descriptor.
    bool input = uv_pipe_open(&p->input, in[1]) == 0,
         output = uv_pipe_open(&p->output, out[0]) == 0;
    if (!input)
        close_file(in[1]);
    if (!output)
        close_file(out[0]);
    return input && output;
}

static bool spawn(process *p, uv_loop_t *loop, const process_plan *plan, fault *why) {
    char guard[PROGRAM_PATH_SIZE], path[PROGRAM_PATH_SIZE];
    char processor[16];
    char *arguments[COMMAND_MAX + 4] = {"kraton-guard"};
    int n = OS_HAS_GUARD ? 1 : 0, ends[2] = {-1, -1};
    if (OS_HAS_GUARD && plan->processor >= 0) {
        snprintf(processor, sizeof processor, "@%d", plan->processor);
        arguments[n++] = processor;
    }
    if (OS_HAS_GUARD && !program_find_guard(plan->kraton, guard, why))
        return false;
    bool is_found = program_find(plan->command[0], plan->directory, plan->kraton, path, NULL);
    if (OS_HAS_GUARD)
        arguments[n++] = is_found ? path : plan->command[0]; // if not, the guard says why
    for (char *const *word = plan->command; *word; word++) {
        if (n > COMMAND_MAX + 1)
            return fault_set(why, "the command has more than %d words", COMMAND_MAX);
        arguments[n++] = *word;
    }
    bool piped = open_pipes(p, ends);
    uv_stdio_container_t stdio[3] = {{.flags = UV_INHERIT_FD, .data.fd = ends[0]},
                                     {.flags = UV_INHERIT_FD, .data.fd = ends[1]},
                                     {.flags = UV_IGNORE}};
    if (plan->error_fd >= 0) {
        stdio[2].flags = UV_INHERIT_FD;
        stdio[2].data.fd = plan->error_fd;
    }
    uv_process_options_t options = {.file = OS_HAS_GUARD ? guard
                                            : is_found   ? path
                                                         : plan->command[0],
                                    .args = arguments,
                                    .cwd = plan->directory,
                                    .stdio_count = 3,
                                    .stdio = stdio,
                                    .flags = plan->in_session ? UV_PROCESS_DETACHED : 0,
                                    .exit_cb = on_exit_status};
    p->spawned = piped;
    int error = piped ? uv_spawn(loop, &p->child, &options) : UV_EMFILE;
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close_file(ends[i]);
    if (error)
        return fault_set(why, "cannot start %s: %s", plan->command[0], uv_strerror(error));
    (void)os_family_take(&p->family, uv_process_get_pid(&p->child), plan->processor);
    return true;
}

bool process_start(process *p, uv_loop_t *loop, const process_plan *plan,
                   const process_events *events, void *owner, fault *why) {
    os_process_ignore_broken_pipes(); // writing to a child that is gone fails instead
    memset(p, 0, sizeof *p);
    p->events = events;
    p->owner = owner;
    p->read_buffer = plan->read_buffer;
    p->line = malloc(PROCESS_LINE_MAX);
    if (!p->line)
        return fault_set(why, "out of memory");
    uv_pipe_init(loop, &p->input, 0);
    uv_pipe_init(loop, &p->output, 0);
    p->input.data = p->output.data = p->child.data = p;
    p->running = true;
    bool started = spawn(p, loop, plan, why);
    p->open_handles = p->spawned ? 3 : 2;
    if (!started || uv_read_start((uv_stream_t *)&p->output, on_allocate, on_read) != 0) {
        // The handles close in the background; on_end tells when the struct is free again.
        p->exited = !started;
        p->exit_status = 127;
        if (p->spawned)
            close_handle((uv_handle_t *)&p->child);
        close_input(p);
        close_handle((uv_handle_t *)&p->output);
        return started ? fault_set(why, "cannot read from %s", plan->command[0]) : false;
    }
    p->output_open = true;
    listen_for_close(p, loop);
    return true;
}

void process_close_input(process *p) {
    if (p->running)
        close_input(p);
}

void process_kill(process *p, bool hard) {
    if (!p->running)
        return;
    process_close_input(p);
    if (!p->exited)
        uv_process_kill(&p->child, hard ? SIGKILL : SIGTERM); // SIGTERM is the guard's cue
    close_output(p);
}
