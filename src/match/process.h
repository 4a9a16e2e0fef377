// A child process on a libuv loop, with lines as input and output. It is started under the guard
// (match/program.h), in the session of the manager: the system shares processor time between
// sessions, so that a session for each would slow all of them down. Its output is split into lines
// of limited length with the time they arrived. Writing to it never blocks. The caller owns the
// struct, and may reuse it after on_end.
#ifndef KRATON_MATCH_PROCESS_H
#define KRATON_MATCH_PROCESS_H

#include "base/text.h"
#include "os/file.h"
#include "os/process.h"

#include <uv.h>

enum {
    PROCESS_LINE_MAX = 32768,      // longer lines are cut; on_line says so
    PROCESS_PENDING_MAX = 1 << 20, // unread input kept for a child before it counts as stuck
    PROCESS_READ = 65536
};

typedef struct process process;

typedef struct {
    // A whole line, without its end. `now` is when the bytes that completed it were read; `cut`:
    // it was longer than PROCESS_LINE_MAX and this is its beginning.
    void (*on_line)(process *p, text line, int64_t now, bool cut);
    // The first bytes after the last write have come in.
    void (*on_first_byte)(process *p, int64_t now);
    // The output is closed; the process may still run. on_end follows when it is gone.
    void (*on_closed)(process *p);
    // The child closed its input. What it wrote before that may still wait in its output.
    void (*on_input_closed)(process *p);
    // It is gone and everything is released. signal 0: it exited with `status`.
    void (*on_end)(process *p, int64_t status, int signal);
} process_events;

struct process {
    uv_process_t child;
    uv_pipe_t input, output;
    uv_poll_t listener;  // tells when nobody can read the input any more
    os_file listener_fd; // another descriptor of the input's pipe: libuv watches each only once
    os_family family;    // what it has started
    const process_events *events;
    void *owner;
    bool running; // from process_start to on_end
    bool first_byte_due;
    bool has_spoken;
    bool output_open;
    size_t pending; // bytes written but not yet taken by the child
    size_t held;    // bytes of an unfinished line
    bool skipping;  // the rest of a cut line is dropped
    int open_handles;
    bool spawned; // child is a handle of libuv's
    bool listens; // so is listener
    bool exited;
    int64_t exit_status;
    int exit_signal;
    char *line; // PROCESS_LINE_MAX bytes
    char *read_buffer;
};

typedef struct {
    char *const *command;  // NULL-terminated
    const char *directory; // NULL: the manager's
    const char *kraton;    // path of kraton, which has the guard beside it
    int processor;         // the one it is kept on; -1: any
    bool in_session;       // in a session of its own instead of a process group: for measurements
    int error_fd;          // where its standard error goes; -1: nowhere
    char *read_buffer;     // PROCESS_READ bytes; all processes of one loop may share them
} process_plan;

// Starts the child. False, with the reason, when not even the guard could be started.
bool process_start(process *p, uv_loop_t *loop, const process_plan *plan,
                   const process_events *events, void *owner, fault *why)
    __attribute__((warn_unused_result));
// Reads what waits in the pipe now, without waiting for more.
void process_drain(process *p);
// What became of bytes sent to the child.
typedef enum { WRITE_OK, WRITE_STUCK, WRITE_CLOSED } process_written; // it does not read; it cannot
// Sends bytes and says when they were handed to the system. Never calls back.
process_written process_write(process *p, text bytes, text more, int64_t *written);
// Closes its input and has the guard end it and all it started. on_end comes later. With `hard`,
// the guard itself is killed, should it not listen.
void process_kill(process *p, bool hard);
// Closes its input only, so that it can leave on its own.
void process_close_input(process *p);

#endif
