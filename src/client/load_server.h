// The server that `kraton bench serve` measures: a process of its own on a free port, with a data
// folder of its own in which programs with tokens are waiting.
#ifndef KRATON_CLIENT_LOAD_SERVER_H
#define KRATON_CLIENT_LOAD_SERVER_H

#include "base/text.h"
#include "server/account.h"

#include <uv.h>

typedef struct {
    uv_loop_t *loop;
    const char *program;
    void (*on_ended)(void *context, const char *words); // it did not start, or has ended
    void *context;
    // For the others to read.
    int port; // for programs; 0: not known yet
    char data[96];
    char (*tokens)[ACCOUNT_TOKEN_SIZE];
    // For load_server.c.
    uv_process_t process;
    uv_pipe_t output;
    char ready[512]; // its first line
    size_t ready_len;
    char folder[64];
} load_server;

// Makes the folder with so many programs in it. What is made is removed by load_server_remove.
MUST_USE bool load_server_make(load_server *s, int programs, fault *why);
// Runs the loop until the server listens, or on_ended was called.
MUST_USE bool load_server_start(load_server *s, fault *why);
// Asks it to stop; the loop ends when it has.
void load_server_stop(load_server *s);
void load_server_remove(load_server *s);

double load_server_cpu_us(const load_server *s);
double load_server_memory_mb(const load_server *s);

#endif
