#include "match/guard.h"

#include "match/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// The guard must not keep an end of the engine's pipes open: its closing them would go unseen.
static void leave_pipes(void) {
    int null = open("/dev/null", O_RDWR);
    if (null < 0)
        return;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    if (null > STDERR_FILENO)
        close(null);
}

static pid_t start(char *const command[], const sigset_t *mask) {
    pid_t guard = getpid(), pid = fork();
    if (pid != 0)
        return pid;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // should the guard itself be killed
    if (getppid() != guard)
        _exit(127);
    sigprocmask(SIG_SETMASK, mask, NULL);
    fault why;
    program_become(command, &why);
    fprintf(stderr, "kraton: cannot start %s: %s\n", command[0], why.line);
    _exit(127);
}

// Kills whatever is still there: the engine's children come to the guard when their parents die,
// whatever session or group they are in.
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

// Ends as the engine ended, without a core file of the guard's own.
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

int guard_main(char *const command[]) {
    pid_t manager = getppid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1); // what the engine leaves behind comes to us
    sigset_t wanted, before;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGHUP);
    sigprocmask(SIG_BLOCK, &wanted, &before);
    sigset_t clean = before;
    sigdelset(&clean, SIGCHLD);
    sigdelset(&clean, SIGTERM);
    sigdelset(&clean, SIGINT);
    pid_t engine = start(command, &clean);
    if (engine < 0) {
        fprintf(stderr, "kraton: cannot start %s: %s\n", command[0], strerror(errno));
        return 127;
    }
    setpgid(engine, engine); // both sides do it: whoever comes first
    leave_pipes();
    if (getppid() != manager)
        kill(-engine, SIGKILL);
    for (;;) {
        int signal_number;
        if (sigwait(&wanted, &signal_number) != 0)
            continue;
        if (signal_number == SIGINT || signal_number == SIGHUP)
            continue; // the manager decides what an interrupt means
        if (signal_number == SIGTERM)
            kill(-engine, SIGKILL);
        int status;
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
            if (ended == engine) {
                kill(-engine, SIGKILL); // its children, at one blow
                kill_descendants();
                return end_alike(status);
            }
    }
}
