// Threads, mutexes, condition variables and run-once, over the threads of the system.
//
// Where the system has no threads, os_thread_start fails and the caller does the work itself; the
// rest does nothing there. Initialised objects must not be moved.
#ifndef KRATON_OS_THREAD_H
#define KRATON_OS_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    pthread_t id;
    void (*run)(void *argument);
    void *argument;
} os_thread;

// Starts a thread that calls run(argument). The os_thread stays where it is until it is joined.
bool os_thread_start(os_thread *thread, void (*run)(void *argument), void *argument)
    __attribute__((warn_unused_result));
void os_thread_join(os_thread *thread);

// Lets the calling thread sleep for at least so long; signals do not cut it short.
void os_sleep_us(int64_t microseconds);

typedef struct {
    pthread_mutex_t mutex;
} os_mutex;

// For mutexes with static storage; others are initialised by os_mutex_init.
#define OS_MUTEX_INIT                                                                              \
    { PTHREAD_MUTEX_INITIALIZER }

void os_mutex_init(os_mutex *m);
void os_mutex_destroy(os_mutex *m);
void os_mutex_lock(os_mutex *m);
void os_mutex_unlock(os_mutex *m);

typedef struct {
    pthread_cond_t condition;
} os_condition;

// Waiting may end without a signal: the caller tests its condition in a loop.
void os_condition_init(os_condition *c);
void os_condition_destroy(os_condition *c);
void os_condition_wait(os_condition *c, os_mutex *m);
// Waits for at most so long, by the monotonic clock. False when the time is over.
bool os_condition_wait_us(os_condition *c, os_mutex *m, int64_t microseconds);
void os_condition_signal(os_condition *c);    // wakes one thread that waits
void os_condition_broadcast(os_condition *c); // wakes all of them

typedef struct {
    pthread_once_t once;
} os_once;

#define OS_ONCE_INIT                                                                               \
    { PTHREAD_ONCE_INIT }

// Calls run the first time, whichever thread comes first; the others wait until it has returned.
void os_once_run(os_once *once, void (*run)(void));

#endif
