// kraton-guard [@CPU] PATH NAME [ARGUMENT...]: the guard of a program that may misbehave.
//
// Runs the program at PATH under the name NAME as a child, with @CPU on that processor alone, in a
// process group of its own, and ends when it has ended. All its descendants end with it, whatever
// group or session they are in. They also end when the guard receives SIGTERM, or when its own
// parent ends, for whatever reason. SIGINT and SIGHUP are ignored. A script that does not say which
// program runs it is run by the shell. Standard input and output are given up here, so that the
// other end sees when the program closes them.
//
// It ends as the program ended: with its status or by its signal; by OS_GUARD_ENDED if the guard
// has ended it on SIGTERM. 127: the program could not be started, and the reason is on standard
// error.
//
// One of these runs beside every engine of a match. So it calls the system directly and is linked
// without a library: 8 kB of memory each instead of 53 with a static one.
#include "os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/signal.h>
#include <linux/time_types.h>
#include <linux/wait.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

enum { NOT_STARTED = 127, USAGE = 2, STDERR = 2, AT_CWD = -100, KILL_ROUNDS = 1000 };

typedef uint64_t signals; // a set: signal n is bit n - 1

// --- the system ---------------------------------------------------------------------------------

// A system call: its result, or -errno.
static long call(long number, long a, long b, long c, long d) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
#else
#error "system calls of this processor are not known here"
#endif
}

static long address(const void *pointer) { return (long)(intptr_t)pointer; }

static _Noreturn void leave(int status) {
    for (;;)
        call(SYS_exit_group, status, 0, 0, 0);
}

static long self(void) { return call(SYS_getpid, 0, 0, 0, 0); }
static long parent_of_self(void) { return call(SYS_getppid, 0, 0, 0, 0); }
static void end(long pid, int number) { call(SYS_kill, pid, number, 0, 0); }

// Any child that has ended; 0 if there is none.
static long take_ended(int *status) {
    long pid = call(SYS_wait4, -1, address(status), WNOHANG, 0);
    return pid > 0 ? pid : 0;
}

static signals set_of(int number) { return UINT64_C(1) << (number - 1); }

static void set_mask(signals mask, signals *before) {
    call(SYS_rt_sigprocmask, SIG_SETMASK, address(&mask), address(before), sizeof mask);
}

static size_t length_of(const char *words) {
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

// --- starting the program -----------------------------------------------------------------------

static void print(const char *words) {
    call(SYS_write, STDERR, address(words), (long)length_of(words), 0);
}

static int complain_not_started(const char *path, long error) {
    print("kraton-guard: cannot start ");
    print(path);
    print(error == -ENOENT                       ? ": no such file\n"
          : error == -EACCES                     ? ": permission denied\n"
          : error == -ENOEXEC                    ? ": the system cannot run this kind of file\n"
          : error == -EAGAIN || error == -ENOMEM ? ": no more processes or memory\n"
                                                 : ": the system refuses it\n");
    return NOT_STARTED;
}

// Becomes the program. A script without a first line #! is run by the shell, as execvp does it:
// arguments[-1] and arguments[0] are the places of its name and path.
static int become(const char *path, char **arguments, char **environment) {
    long error = call(SYS_execve, address(path), address(arguments), address(environment), 0);
    if (error == -ENOEXEC) {
        arguments[-1] = (char *)(uintptr_t) "sh";
        arguments[0] = (char *)(uintptr_t)path;
        call(SYS_execve, address("/bin/sh"), address(arguments - 1), address(environment), 0);
    }
    return complain_not_started(path, error);
}

static long start(const char *path, char **arguments, char **environment, signals mask) {
    long guard = self(), pid = call(SYS_clone, SIGCHLD, 0, 0, 0);
    if (pid != 0)
        return pid;
    call(SYS_setpgid, 0, 0, 0, 0);
    call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0); // in case the guard itself is killed
    if (parent_of_self() != guard)
        leave(NOT_STARTED);
    set_mask(mask, NULL);
    leave(become(path, arguments, environment));
}

static void give_up_streams(void) {
    long null = call(SYS_openat, AT_CWD, address("/dev/null"), O_RDWR, 0);
    if (null < 0)
        return;
    call(SYS_dup3, null, 0, 0, 0);
    call(SYS_dup3, null, 1, 0, 0);
    if (null > STDERR)
        call(SYS_close, null, 0, 0, 0);
}

// --- ending it ----------------------------------------------------------------------------------

// Kills the children of this process. False if there are none.
static bool kill_children(void) {
    char bytes[512];
    long pid = 0, file = call(SYS_openat, AT_CWD, address("/proc/thread-self/children"),
                              O_RDONLY | O_CLOEXEC, 0);
    bool any = false;
    for (long n; file >= 0 && (n = call(SYS_read, file, address(bytes), sizeof bytes, 0)) > 0;)
        for (long i = 0; i < n; i++) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                pid = pid * 10 + (bytes[i] - '0');
                continue;
            }
            if (pid > 0) {
                end(pid, SIGKILL);
                any = true;
            }
            pid = 0;
        }
    if (file >= 0)
        call(SYS_close, file, 0, 0, 0);
    return any;
}

// Kills all descendants. As a subreaper, the guard becomes the parent of those whose own parent has
// ended, whatever session or group they are in. So it takes some rounds.
static void kill_descendants(void) {
    for (int round = 0; round < KILL_ROUNDS; round++) {
        int status;
        bool any = kill_children();
        while (take_ended(&status))
            ;
        if (!any)
            return;
        struct __kernel_timespec half_millisecond = {0, 500000};
        call(SYS_nanosleep, address(&half_millisecond), 0, 0, 0);
    }
}

// Whether the program has begun to exit on its own: the flags of the process say so, even before
// its parent can wait for it.
static bool is_exiting(long pid) {
    enum { EXITING = 4, STATE_TO_FLAGS = 7 }; // PF_EXITING of the system; words between the two
    char path[32] = "/proc/", digits[20], bytes[512];
    size_t at = 6, n = 0;
    for (; pid > 0; pid /= 10)
        digits[n++] = (char)('0' + pid % 10);
    while (n > 0)
        path[at++] = digits[--n];
    for (const char *rest = "/stat"; *rest; rest++)
        path[at++] = *rest;
    path[at] = '\0';
    long file = call(SYS_openat, AT_CWD, address(path), O_RDONLY | O_CLOEXEC, 0);
    long size = file < 0 ? 0 : call(SYS_read, file, address(bytes), sizeof bytes, 0), i = size - 1;
    if (file >= 0)
        call(SYS_close, file, 0, 0, 0);
    while (i > 0 && bytes[i] != ')') // the name before it may have blanks
        i--;
    for (int words = 0; i >= 0 && i < size && words < STATE_TO_FLAGS; i++)
        words += bytes[i] == ' ';
    unsigned long flags = 0;
    for (; i >= 0 && i < size && bytes[i] >= '0' && bytes[i] <= '9'; i++)
        flags = flags * 10 + (unsigned long)(bytes[i] - '0');
    return flags & EXITING;
}

// Ends as the program ended, without a core file of the guard itself.
static _Noreturn void end_alike(int status, bool was_killed) {
    int number = status & 0x7f;
    if (was_killed && number == SIGKILL)
        number = OS_GUARD_ENDED;
    if (number == 0)
        leave(status >> 8 & 0xff);
    uint64_t no_core[2] = {0, 0};
    uint64_t by_default[4] = {0}; // the system's struct sigaction with SIG_DFL
    call(SYS_prlimit64, 0, RLIMIT_CORE, address(no_core), 0);
    call(SYS_rt_sigaction, number, address(by_default), 0, sizeof(signals));
    end(self(), number);
    set_mask(0, NULL);
    leave(128 + number);
}

static _Noreturn void wait_for_end(long program, signals wanted) {
    for (bool was_killed = false;;) {
        long number = call(SYS_rt_sigtimedwait, address(&wanted), 0, 0, sizeof wanted);
        if (number != SIGCHLD && number != SIGTERM)
            continue; // the parent decides what an interrupt means
        if (number == SIGTERM && !is_exiting(program)) {
            end(-program, SIGKILL);
            was_killed = true;
        }
        int status;
        for (long ended; (ended = take_ended(&status)) > 0;)
            if (ended == program) {
                end(-program, SIGKILL); // its whole group at once
                kill_descendants();
                end_alike(status, was_killed);
            }
    }
}

// --- the program --------------------------------------------------------------------------------

static _Noreturn void guard(const char *path, char **arguments, char **environment) {
    long parent = parent_of_self();
    call(SYS_setpgid, 0, 0, 0, 0); // the signals of the terminal are the manager's business
    call(SYS_prctl, PR_SET_PDEATHSIG, SIGTERM, 0, 0);
    call(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0);
    signals wanted = set_of(SIGCHLD) | set_of(SIGTERM) | set_of(SIGINT) | set_of(SIGHUP),
            before = 0;
    call(SYS_rt_sigprocmask, SIG_BLOCK, address(&wanted), address(&before), sizeof wanted);
    signals mask = before & ~(set_of(SIGCHLD) | set_of(SIGTERM) | set_of(SIGINT));
    long program = start(path, arguments, environment, mask);
    if (program < 0)
        leave(complain_not_started(path, program));
    call(SYS_setpgid, program, program, 0, 0); // the child does it too: whichever runs first
    give_up_streams();
    if (parent_of_self() != parent)
        end(-program, SIGKILL);
    wait_for_end(program, wanted);
}

static bool use_processor(const char *digits) {
    uint64_t set[16];
    unsigned long number = 0;
    for (; *digits >= '0' && *digits <= '9' && number < 1024; digits++)
        number = number * 10 + (unsigned long)(*digits - '0');
    for (unsigned long i = 0; i < 16; i++)
        set[i] = number / 64 == i ? UINT64_C(1) << number % 64 : 0;
    return call(SYS_sched_setaffinity, 0, sizeof set, address(set), 0) == 0;
}

// The stack as the system leaves it: the number of arguments, the arguments, NULL, the environment.
__attribute__((used)) _Noreturn void guard_begin(long *stack);
void guard_begin(long *stack) {
    long count = stack[0];
    char **arguments = (char **)(stack + 1);
    char **environment = arguments + count + 1;
    if (count > 1 && arguments[1][0] == '@') {
        if (!use_processor(arguments[1] + 1))
            print("kraton-guard: the program cannot be kept on one processor\n");
        arguments++;
        count--;
    }
    if (count < 3) {
        print("usage: kraton-guard [@CPU] PATH NAME [ARGUMENT...]\n");
        leave(USAGE);
    }
    guard(arguments[1], arguments + 2, environment);
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n"
        "\tcall guard_begin\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n_start:\n\tmov x0, sp\n\tbl guard_begin\n");
#endif
