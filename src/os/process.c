#define _GNU_SOURCE
#include "os/process.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// --- this process and programs beside it --------------------------------------------------------

bool os_self_path(char *path, size_t size) {
    ssize_t len = readlink("/proc/self/exe", path, size);
    if (len >= 0 && (size_t)len < size) {
        path[len] = '\0';
        return true;
    }
    if (len >= 0)
        errno = ENAMETOOLONG;
    return false;
}

bool os_process_become(const char *path, char *const arguments[]) {
    execv(path, arguments);
    return false;
}

static bool wait_for(pid_t pid, int *status) {
    pid_t ended;
    do
        ended = waitpid(pid, status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == pid;
}

bool os_process_run(const char *path, char *const arguments[], int *status) {
    pid_t pid;
    int how, error = posix_spawn(&pid, path, NULL, NULL, arguments, environ);
    if (error != 0) {
        errno = error;
        return false;
    }
    if (!wait_for(pid, &how))
        return false;
    *status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
    return true;
}

bool os_process_nice(int level) {
    errno = 0;
    return nice(level) != -1 || errno == 0;
}

void os_process_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

void os_process_ignore_file_limit(void) { signal(SIGXFSZ, SIG_IGN); }

void os_process_raise_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

bool os_process_become_user(const char *name) {
    const struct passwd *user = getpwnam(name);
    if (!user) {
        errno = ENOENT;
        return false;
    }
    return setgroups(0, NULL) == 0 && setgid(user->pw_gid) == 0 && setuid(user->pw_uid) == 0;
}

void os_process_on_interrupt(void (*on_interrupt)(int number)) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

// --- children -----------------------------------------------------------------------------------

static int spawn_on(pid_t *pid, const char *program, char *const arguments[], int end) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawnp(pid, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool os_child_start(os_child *child, const char *program, char *const arguments[]) {
    int ends[2];
    pid_t pid;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    int error = spawn_on(&pid, program, arguments, ends[1]);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        errno = error;
        return false;
    }
    *child = (os_child){.process = pid, .stream = ends[0]};
    return true;
}

bool os_child_write(const os_child *child, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        ssize_t n = send((int)child->stream, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool os_child_read(const os_child *child, void *bytes, size_t size, int64_t microseconds,
                   size_t *got) {
    struct pollfd file = {.fd = (int)child->stream, .events = POLLIN};
    int ready;
    *got = 0;
    do
        ready = poll(&file, 1, microseconds < 0 ? -1 : (int)((microseconds + 999) / 1000));
    while (ready < 0 && errno == EINTR);
    if (ready <= 0)
        return false;
    ssize_t n = recv((int)child->stream, bytes, size, 0);
    *got = n > 0 ? (size_t)n : 0;
    return true;
}

int64_t os_child_cpu_us(const os_child *child) {
    clockid_t clock;
    struct timespec t = {0};
    if (clock_getcpuclockid((pid_t)child->process, &clock) == 0)
        clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void os_child_end(os_child *child) {
    int status;
    kill((pid_t)child->process, SIGTERM);
    (void)wait_for((pid_t)child->process, &status);
    close((int)child->stream);
}

// --- the machine --------------------------------------------------------------------------------

int os_processor_count(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

uint64_t os_memory_total(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

uint64_t os_memory_available(void) {
    char line[256];
    FILE *info = fopen("/proc/meminfo", "re");
    uint64_t kib = 0;
    while (info && kib == 0 && fgets(line, sizeof line, info))
        if (strncmp(line, "MemAvailable:", 13) == 0 && sscanf(line + 13, "%" SCNu64, &kib) != 1)
            kib = 0;
    if (info)
        fclose(info);
    return kib ? kib << 10 : os_memory_total();
}
