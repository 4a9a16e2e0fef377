#define _GNU_SOURCE // SCHED_IDLE
#include "match/limit.h"

#include "match/program.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NICENESS = 5, FAILED = 127 };

static bool set_limit(__rlimit_resource_t what, int64_t most) {
    struct rlimit limit = {(rlim_t)most, (rlim_t)most};
    return setrlimit(what, &limit) == 0;
}

static bool set_manners(text manners) {
    struct sched_param none = {0};
    if (text_is(manners, "idle"))
        return sched_setscheduler(0, SCHED_IDLE, &none) == 0;
    errno = 0;
    return text_is(manners, "nice") && (nice(NICENESS) != -1 || errno == 0);
}

// Where memory runs out, better an engine than the server.
static void go_first(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)!write(file, "500", 3);
        close(file);
    }
}

int limit_main(int count, char *const words[]) {
    int64_t megabytes, seconds;
    if (count < 4 || !text_to_int(text_of(words[0]), 0, 1 << 20, &megabytes) ||
        !text_to_int(text_of(words[1]), 0, INT32_MAX, &seconds)) {
        fprintf(stderr, "usage: kraton limit MEGABYTES SECONDS nice|idle CMD...\n");
        return FAILED;
    }
    go_first();
    bool good = set_limit(RLIMIT_CORE, 0) &&
                (!megabytes || set_limit(RLIMIT_AS, megabytes << 20)) &&
                (!seconds || set_limit(RLIMIT_CPU, seconds)) && set_manners(text_of(words[2]));
    fault why;
    if (good)
        program_become(words + 3, &why);
    else
        fault_set(&why, "no limits: %s", strerror(errno));
    fprintf(stderr, "kraton: cannot start %s: %s\n", words[3], why.line);
    return FAILED;
}
