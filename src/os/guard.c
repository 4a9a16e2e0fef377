#include "os/guard.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// --- the guard ----------------------------------------------------------------------------------

static void give_up_streams(void) {
    int null = open("/dev/null", O_RDWR);
    if (null < 0)
        return;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    if (null > STDERR_FILENO)
        close(null);
}

static pid_t start(void (*become)(void *context), void *context, const sigset_t *mask) {
    pid_t guard = getpid(), pid = fork();
    if (pid != 0)
        return pid;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // in case the guard itself is killed
    if (getppid() != guard)
        _exit(127);
    sigprocmask(SIG_SETMASK, mask, NULL);
    become(context);
    _exit(127);
}

// Kills all descendants. As a subreaper, the guard becomes the parent of those whose own parent has
// ended, whatever session or group they are in. So it takes some rounds.
static void kill_descendants(void) {
    for (int round = 0; round < 1000; round++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
        FILE *children = fopen(path, "re");
        bool any = false;
        for (int pid; children && fscanf(children, "%d", &pid) == 1; any = true)
            kill(pid, SIGKILL);
        if (children)
            fclose(children);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (!any)
            return;
        usleep(500);
    }
}

// Ends as the program ended, without a core file of the guard itself.
static int end_alike(int status) {
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    sigset_t all;
    sigfillset(&all);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    return 128 + WTERMSIG(status);
}

static int wait_for_end(pid_t program, const sigset_t *wanted) {
    for (;;) {
        int number, status;
        if (sigwait(wanted, &number) != 0)
            continue;
        if (number == SIGINT || number == SIGHUP)
            continue; // the parent decides what an interrupt means
        if (number == SIGTERM)
            kill(-program, SIGKILL);
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
            if (ended == program) {
                kill(-program, SIGKILL); // its whole group at once
                kill_descendants();
                return end_alike(status);
            }
    }
}

int os_guard_run(void (*become)(void *context), void *context) {
    pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t wanted, before;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGHUP);
    sigprocmask(SIG_BLOCK, &wanted, &before);
    sigset_t mask = before; // of the program
    sigdelset(&mask, SIGCHLD);
    sigdelset(&mask, SIGTERM);
    sigdelset(&mask, SIGINT);
    pid_t program = start(become, context, &mask);
    if (program < 0)
        return -1;
    setpgid(program, program); // the child does it too: whichever runs first
    give_up_streams();
    if (getppid() != parent)
        kill(-program, SIGKILL);
    return wait_for_end(program, &wanted);
}
