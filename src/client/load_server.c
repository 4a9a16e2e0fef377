#include "client/load_server.h"

#include "os/process.h"
#include "store/players.h"

#include <stdio.h>
#include <stdlib.h>

// --- the process --------------------------------------------------------------------------------

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *into) {
    (void)suggested;
    load_server *s = handle->data;
    *into = uv_buf_init(s->ready + s->ready_len, (unsigned)(sizeof s->ready - 1 - s->ready_len));
}

static void on_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *into) {
    (void)into;
    load_server *s = stream->data;
    if (got < 0) {
        s->on_ended(s->context, "the server did not start");
        return;
    }
    s->ready_len += (size_t)got;
    const char *port = strstr(s->ready, " to programs");
    while (port && port > s->ready && port[-1] != ':')
        port--;
    if (port)
        s->port = (int)strtol(port, NULL, 10);
    if (s->port) {
        uv_read_stop(stream);
        uv_stop(s->loop);
    }
}

static void on_exit_of_server(uv_process_t *process, int64_t status, int signal_number) {
    load_server *s = process->data;
    (void)status;
    (void)signal_number;
    uv_close((uv_handle_t *)process, NULL);
    s->on_ended(s->context, "the server ended");
}

bool load_server_start(load_server *s, fault *why) {
    char *command[] = {(char *)(uintptr_t)s->program,
                       "serve",
                       "--port",
                       "0",
                       "--bot-port",
                       "0",
                       "--data",
                       s->data,
                       "--bots",
                       "0",
                       NULL};
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&s->output},
        {.flags = UV_IGNORE}};
    uv_process_options_t options = {.file = s->program,
                                    .args = command,
                                    .stdio = stdio,
                                    .stdio_count = 3,
                                    .exit_cb = on_exit_of_server};
    uv_pipe_init(s->loop, &s->output, 0);
    s->output.data = s->process.data = s;
    int error = uv_spawn(s->loop, &s->process, &options);
    if (error)
        return fault_set(why, "cannot start the server: %s", uv_strerror(error));
    uv_read_start((uv_stream_t *)&s->output, on_alloc, on_output);
    uv_run(s->loop, UV_RUN_DEFAULT);
    return s->port || fault_set(why, "the server did not start");
}

void load_server_stop(load_server *s) {
    if (uv_is_active((uv_handle_t *)&s->process))
        uv_process_kill(&s->process, SIGTERM);
    uv_close((uv_handle_t *)&s->output, NULL);
}

// --- what the system says of it -----------------------------------------------------------------

double load_server_cpu_us(const load_server *s) {
    os_child child = {.process = s->process.pid};
    return (double)os_child_cpu_us(&child);
}

double load_server_memory_mb(const load_server *s) {
    char path[64], line[256];
    long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)s->process.pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmRSS: %ld", &kb) == 1)
            break;
    if (f)
        fclose(f);
    return (double)kb / 1024;
}

// --- its folder ---------------------------------------------------------------------------------

static bool make_folder(load_server *s) {
    uv_fs_t made;
    bool good = uv_fs_mkdtemp(NULL, &made, "/tmp/kraton-bench-XXXXXX", NULL) == 0;
    snprintf(s->folder, sizeof s->folder, "%s", good ? made.path : "");
    snprintf(s->data, sizeof s->data, "%s/data", s->folder);
    uv_fs_req_cleanup(&made);
    return good;
}

static bool add_programs(load_server *s, int count, fault *why) {
    store *kept = store_open(s->data, 0, why);
    for (int i = 0; kept && i < count; i++) {
        stored_player p = {.kind = PLAYER_PROGRAM, .created = 1};
        snprintf(p.name, sizeof p.name, "bench-%d", i);
        stored_token t = {.kind = TOKEN_PROGRAM, .label = "bench"};
        snprintf(s->tokens[i], ACCOUNT_TOKEN_SIZE, "krt_%043d", i);
        account_hash_token(text_of(s->tokens[i]), t.hash);
        if (!store_add_player(kept, &p))
            break;
        t.player = p.id;
        store_add_token(kept, &t);
    }
    bool good = kept && store_commit(kept, why);
    store_close(kept);
    return good;
}

bool load_server_make(load_server *s, int programs, fault *why) {
    s->tokens = calloc((size_t)programs, sizeof *s->tokens);
    if (!s->tokens || !make_folder(s))
        return fault_set(why, "out of memory, or no folder for it");
    return add_programs(s, programs, why);
}

static void remove_folder(const char *path) {
    uv_fs_t removed;
    uv_fs_rmdir(NULL, &removed, path, NULL);
    uv_fs_req_cleanup(&removed);
}

void load_server_remove(load_server *s) {
    if (s->folder[0]) {
        store_remove(s->data);
        remove_folder(s->data);
        remove_folder(s->folder);
    }
    free(s->tokens);
}
