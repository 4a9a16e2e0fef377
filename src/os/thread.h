// Threads, mutexes, condition variables, run-once and events, over the threads of the system.
//
// Where the system has no threads, os_thread_start fails and the caller does the work itself; the
// rest does nothing there. Initialised objects must not be moved.
#ifndef KRATON_OS_THREAD_H
#define KRATON_OS_THREAD_H

#include "os/file.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef _WIN32
// As large as a thread's handle, an SRWLOCK, a CONDITION_VARIABLE and an INIT_ONCE, whose zeroes
// are their initial state; windows.h stays out of the way.
typedef void *os_thread_id, *os_mutex_state, *os_condition_state, *os_once_state;
#define OS_MUTEX_STATE NULL
#define OS_ONCE_STATE NULL
#elif defined __wasi__
typedef char os_thread_id, os_mutex_state, os_condition_state;
typedef bool os_once_state; // whether it has run
#define OS_MUTEX_STATE 0
#define OS_ONCE_STATE false
#else
#include <pthread.h>
typedef pthread_t os_thread_id;
typedef pthread_mutex_t os_mutex_state;
typedef pthread_cond_t os_condition_state;
typedef pthread_once_t os_once_state;
#define OS_MUTEX_STATE PTHREAD_MUTEX_INITIALIZER
#define OS_ONCE_STATE PTHREAD_ONCE_INIT
#endif

#ifdef __wasi__
enum { OS_HAS_THREADS = 0 };
#else
enum { OS_HAS_THREADS = 1 };
#endif

typedef struct {
    os_thread_id id;
    void (*run)(void *argument);
    void *argument;
} os_thread;

// Starts a thread that calls run(argument). The os_thread stays where it is until it is joined.
bool os_thread_start(os_thread *thread, void (*run)(void *argument), void *argument)
    __attribute__((warn_unused_result));
void os_thread_join(os_thread *thread);

// Lets the calling thread, whose work is always short, begin it before others of the same priority
// go on with theirs; it gets no larger share for that. Threads and programs that it starts do not
// inherit it. Where the system cannot (Linux before 6.12), or the process has a raised priority,
// nothing changes.
void os_thread_go_first(void);

// Lets the calling thread sleep for at least so long; signals do not cut it short.
void os_sleep_us(int64_t microseconds);

typedef struct {
    os_mutex_state mutex;
} os_mutex;

// For mutexes with static storage; others are initialised by os_mutex_init.
#define OS_MUTEX_INIT                                                                              \
    { OS_MUTEX_STATE }

void os_mutex_init(os_mutex *m);
void os_mutex_destroy(os_mutex *m);
void os_mutex_lock(os_mutex *m);
void os_mutex_unlock(os_mutex *m);

typedef struct {
    os_condition_state condition;
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
    os_once_state once;
} os_once;

#define OS_ONCE_INIT                                                                               \
    { OS_ONCE_STATE }

// Calls run the first time, whichever thread comes first; the others wait until it has returned.
void os_once_run(os_once *once, void (*run)(void));

// A flag that one thread sets and another waits for, alone or together with input.
typedef struct {
    intptr_t handle;
} os_event;

// False when the system has no more of them.
bool os_event_open(os_event *event) __attribute__((warn_unused_result));
void os_event_close(os_event *event);

// Any thread. The event stays set until it is cleared.
void os_event_set(os_event *event);
void os_event_clear(os_event *event);

// Waits until the event is set, for at most so long (-1: without end). False when the time is over
// first. Signals do not end it. It leaves the event set.
bool os_event_wait(const os_event *event, int64_t microseconds);

// Waits until `input` can be read (or is at its end) or the event is set, whichever comes first,
// for at most so long (-1: without end). `event` may be NULL. True when there is input. A signal
// may end it early, without input.
bool os_event_wait_input(const os_event *event, const os_file *input, int64_t microseconds);

#endif
