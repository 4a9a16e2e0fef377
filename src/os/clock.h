// The monotonic clock and the processor time, in microseconds. Any thread.
#ifndef KRATON_OS_CLOCK_H
#define KRATON_OS_CLOCK_H

#include <stdint.h>
#include <time.h>

#ifdef _WIN32
// Time since some moment in the past. It never goes back and ignores changes of the date.
int64_t clock_us(void);
// Processor time that all threads of this process have used.
int64_t clock_cpu_us(void);
// Processor time that the calling thread has used.
int64_t clock_thread_us(void);
#elif defined __wasi__
// There are no processes and threads to tell apart.
static inline int64_t clock_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static inline int64_t clock_cpu_us(void) { return clock_us(); }

static inline int64_t clock_thread_us(void) { return clock_us(); }
#else
static inline int64_t clock_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static inline int64_t clock_cpu_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static inline int64_t clock_thread_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}
#endif

#endif
