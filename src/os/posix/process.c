#define _GNU_SOURCE
#include "os/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
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

void os_process_begin(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    // Else the next file or pipe would become a standard stream. The least free number is taken;
    // reading and writing fail as before.
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

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
    execvp(path, arguments); // unlike execv it runs scripts without a first line #!
    return false;
}

static bool wait_for(pid_t pid, int *status) {
    pid_t ended;
    do
        ended = waitpid(pid, status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == pid;
}

static bool start(pid_t *pid, const char *path, char *const arguments[]) {
    int error = posix_spawn(pid, path, NULL, NULL, arguments, environ);
    errno = error;
    return error == 0;
}

bool os_process_start(const char *path, char *const arguments[]) {
    pid_t pid;
    return start(&pid, path, arguments);
}

bool os_process_run(const char *path, char *const arguments[], int *status) {
    pid_t pid;
    int how;
    if (!start(&pid, path, arguments) || !wait_for(pid, &how))
        return false;
    *status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
    return true;
}

bool os_family_take(os_family *family, int process, int processor) {
    (void)process;
    (void)processor;
    family->handle = 0;
    return true;
}

// The program is the eldest child of its guard and leads a group of its own.
void os_family_learn(os_family *family, int process) {
    char path[64];
    int program;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, process);
    FILE *children = fopen(path, "re");
    if (!children)
        return;
    if (fscanf(children, "%d", &program) == 1 && program > 1)
        family->handle = program;
    fclose(children);
}

void os_family_end(os_family *family) {
    if (family->handle)
        kill(-(pid_t)family->handle, SIGKILL);
    family->handle = 0;
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

// --- limits -------------------------------------------------------------------------------------

static bool set_limit(__rlimit_resource_t what, uint64_t most) {
    struct rlimit limit = {(rlim_t)most, (rlim_t)most};
    return setrlimit(what, &limit) == 0;
}

bool os_limit_memory(uint64_t bytes) { return set_limit(RLIMIT_AS, bytes); }

bool os_limit_cpu(int64_t seconds) { return set_limit(RLIMIT_CPU, (uint64_t)seconds); }

bool os_limit_no_core(void) { return set_limit(RLIMIT_CORE, 0); }

bool os_limit_to_idle_time(void) {
    struct sched_param none = {0};
    return sched_setscheduler(0, SCHED_IDLE, &none) == 0;
}

void os_prefer_to_end(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)!write(file, "500", 3);
        close(file);
    }
}

// --- children -----------------------------------------------------------------------------------

static int spawn_on(pid_t *pid, const char *program, char *const arguments[], int in, int out) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawnp(pid, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static void close_pipe(const int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

bool os_child_start(os_child *child, const char *program, char *const arguments[]) {
    int in[2], out[2];
    pid_t pid;
    if (pipe2(in, O_CLOEXEC) != 0)
        return false;
    if (pipe2(out, O_CLOEXEC) != 0) {
        close_pipe(in);
        return false;
    }
    int error = spawn_on(&pid, program, arguments, in[0], out[1]);
    if (error != 0) {
        close_pipe(in);
        close_pipe(out);
        errno = error;
        return false;
    }
    close(in[0]);
    close(out[1]);
    os_process_ignore_broken_pipes();
    *child = (os_child){.process = pid, .input = {in[1]}, .output = {out[0]}};
    return true;
}

bool os_child_write(const os_child *child, const void *bytes, size_t size) {
    return os_file_write(&child->input, bytes, size);
}

bool os_child_read(const os_child *child, void *bytes, size_t size, int64_t microseconds,
                   size_t *got) {
    *got = 0;
    if (microseconds >= 0) {
        struct pollfd file = {.fd = (int)child->output.handle, .events = POLLIN};
        int ready;
        do
            ready = poll(&file, 1, (int)((microseconds + 999) / 1000));
        while (ready < 0 && errno == EINTR);
        if (ready <= 0)
            return false;
    }
    return os_file_read(&child->output, bytes, size, got);
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
    os_file_close(&child->input);
    os_file_close(&child->output);
}

// --- the machine --------------------------------------------------------------------------------

int os_processor_count(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

int os_processors_allowed(int numbers[OS_PROCESSORS]) {
    cpu_set_t set;
    int count = 0;
    _Static_assert((int)CPU_SETSIZE == (int)OS_PROCESSORS, "");
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    for (int i = 0; i < OS_PROCESSORS; i++)
        if (CPU_ISSET((size_t)i, &set))
            numbers[count++] = i;
    return count;
}

os_processors os_processors_use_one(void) {
    cpu_set_t all, one;
    CPU_ZERO(&all);
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
    os_processors before;
    _Static_assert(sizeof before.bits == sizeof all, "");
    memcpy(before.bits, &all, sizeof all);
    return before;
}

void os_processors_use(const os_processors *processors) {
    cpu_set_t set;
    memcpy(&set, processors->bits, sizeof set);
    sched_setaffinity(0, sizeof set, &set);
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

// --- shared libraries ---------------------------------------------------------------------------

void *os_library_open(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

void (*os_library_find(void *library, const char *name))(void) {
    // ISO C has no conversion from an object pointer to a function pointer.
    void *symbol = dlsym(library, name);
    void (*function)(void);
    _Static_assert(sizeof symbol == sizeof function, "a function's address is like any other");
    memcpy(&function, &symbol, sizeof function);
    return function;
}
