#include "bench/child.h"

#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool spawn_on(child *c, const char *program, int end) {
    char *arguments[] = {(char *)(uintptr_t)program, NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool ok = posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO) == 0 &&
              posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO) == 0 &&
              posix_spawnp(&c->pid, program, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

bool child_start(child *c, const char *program) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    bool started = spawn_on(c, program, ends[1]);
    close(ends[1]);
    c->socket = ends[0];
    c->lines = started ? fdopen(ends[0], "r") : NULL;
    if (!c->lines) {
        close(ends[0]);
        return false;
    }
    const struct timeval patience = {.tv_sec = 60};
    setsockopt(c->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return true;
}

bool child_send(const child *c, const char *text) {
    size_t length = strlen(text);
    return send(c->socket, text, length, MSG_NOSIGNAL) == (ssize_t)length;
}

bool child_await(child *c, const char *prefix, char *line, size_t size) {
    while (fgets(line, (int)size, c->lines))
        if (strncmp(line, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

void child_stop(child *c) {
    kill(c->pid, SIGTERM);
    waitpid(c->pid, NULL, 0);
    fclose(c->lines);
}
