#define _GNU_SOURCE // syscall
#include "os/thread.h"

#include "os/clock.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void *start(void *data) {
    const os_thread *thread = data;
    thread->run(thread->argument);
    return NULL;
}

bool os_thread_start(os_thread *thread, void (*run)(void *argument), void *argument) {
    thread->run = run;
    thread->argument = argument;
    return pthread_create(&thread->id, NULL, start, thread) == 0;
}

void os_thread_join(os_thread *thread) { pthread_join(thread->id, NULL); }

#ifdef __linux__

// As sched_getattr(2) has it; the C library has no name for it.
typedef struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice_ns, deadline_ns, period_ns;
} scheduling;

enum { NOT_INHERITED = 1, SHORT_SLICE_NS = 100000 };

// Who is to run next is decided by when a slice would end: short slices come first. A priority that
// somebody raised stays as it is: NOT_INHERITED would take it from all other threads.
void os_thread_go_first(void) {
    scheduling s = {.size = sizeof s};
    if (syscall(SYS_sched_getattr, 0, &s, sizeof s, 0) != 0 || s.policy != SCHED_OTHER ||
        s.nice < 0)
        return;
    s.flags |= NOT_INHERITED;
    s.slice_ns = SHORT_SLICE_NS;
    syscall(SYS_sched_setattr, 0, &s, 0);
}

#else

void os_thread_go_first(void) {}

#endif

void os_sleep_us(int64_t microseconds) {
    struct timespec left = {microseconds / 1000000, microseconds % 1000000 * 1000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

void os_mutex_init(os_mutex *m) { pthread_mutex_init(&m->mutex, NULL); }

void os_mutex_destroy(os_mutex *m) { pthread_mutex_destroy(&m->mutex); }

void os_mutex_lock(os_mutex *m) { pthread_mutex_lock(&m->mutex); }

void os_mutex_unlock(os_mutex *m) { pthread_mutex_unlock(&m->mutex); }

void os_condition_init(os_condition *c) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&c->condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void os_condition_destroy(os_condition *c) { pthread_cond_destroy(&c->condition); }

void os_condition_wait(os_condition *c, os_mutex *m) {
    pthread_cond_wait(&c->condition, &m->mutex);
}

bool os_condition_wait_us(os_condition *c, os_mutex *m, int64_t microseconds) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    int64_t ns = end.tv_nsec + microseconds % 1000000 * 1000;
    end.tv_sec += microseconds / 1000000 + ns / 1000000000;
    end.tv_nsec = ns % 1000000000;
    return pthread_cond_timedwait(&c->condition, &m->mutex, &end) == 0;
}

void os_condition_signal(os_condition *c) { pthread_cond_signal(&c->condition); }

void os_condition_broadcast(os_condition *c) { pthread_cond_broadcast(&c->condition); }

void os_once_run(os_once *once, void (*run)(void)) { pthread_once(&once->once, run); }

// --- events -------------------------------------------------------------------------------------

bool os_event_open(os_event *event) {
    event->handle = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return event->handle >= 0;
}

void os_event_close(os_event *event) {
    close((int)event->handle);
    event->handle = -1;
}

void os_event_set(os_event *event) {
    ssize_t n = write((int)event->handle, &(uint64_t){1}, sizeof(uint64_t));
    (void)n; // fails only after 2^64 - 1 calls, and is set then
}

void os_event_clear(os_event *event) {
    uint64_t count;
    ssize_t n = read((int)event->handle, &count, sizeof count);
    (void)n; // fails where it was not set
}

// poll counts in milliseconds; rounding up never ends a wait too early.
static int to_poll(int64_t microseconds) {
    return microseconds < 0 ? -1 : (int)((microseconds + 999) / 1000);
}

bool os_event_wait(const os_event *event, int64_t microseconds) {
    struct pollfd file = {.fd = (int)event->handle, .events = POLLIN};
    int64_t end = clock_us() + microseconds, left = microseconds;
    for (;;) {
        int ready = poll(&file, 1, to_poll(left));
        if (ready > 0)
            return true;
        if (ready == 0 || errno != EINTR)
            return false;
        left = microseconds < 0 ? -1 : end - clock_us();
        if (microseconds >= 0 && left <= 0)
            return false;
    }
}

bool os_event_wait_input(const os_event *event, const os_file *input, int64_t microseconds) {
    struct pollfd files[2] = {{.fd = (int)input->handle, .events = POLLIN},
                              {.fd = event ? (int)event->handle : -1, .events = POLLIN}};
    return poll(files, 2, to_poll(microseconds)) > 0 && files[0].revents != 0;
}
