#include "os/thread.h"

#include "os/clock.h"
#include "os/windows/input.h"
#include "os/windows/wide.h"

#include <process.h>

enum { STACK = 8 << 20 }; // what Linux gives; Windows gives 1 MB

static unsigned __stdcall start(void *data) {
    const os_thread *thread = data;
    thread->run(thread->argument);
    return 0;
}

bool os_thread_start(os_thread *thread, void (*run)(void *argument), void *argument) {
    thread->run = run;
    thread->argument = argument;
    uintptr_t handle =
        _beginthreadex(NULL, STACK, start, thread, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    thread->id = (void *)handle;
    return handle != 0;
}

void os_thread_join(os_thread *thread) {
    WaitForSingleObject(thread->id, INFINITE);
    CloseHandle(thread->id);
}

// Windows waits in milliseconds; rounding up never ends a wait too early.
static DWORD to_ms(int64_t microseconds) {
    int64_t ms = (microseconds + 999) / 1000;
    return microseconds < 0 ? INFINITE : ms < INT32_MAX ? (DWORD)ms : (DWORD)INT32_MAX;
}

void os_thread_go_first(void) {
    SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_ABOVE_NORMAL);
}

void os_sleep_us(int64_t microseconds) {
    for (int64_t end = clock_us() + microseconds, left; (left = end - clock_us()) > 0;)
        Sleep(to_ms(left));
}

_Static_assert(sizeof(os_mutex) == sizeof(SRWLOCK), "");
_Static_assert(sizeof(os_condition) == sizeof(CONDITION_VARIABLE), "");
_Static_assert(sizeof(os_once) == sizeof(INIT_ONCE), "");

static SRWLOCK *lock_of(os_mutex *m) { return (SRWLOCK *)&m->mutex; }

static CONDITION_VARIABLE *variable_of(os_condition *c) {
    return (CONDITION_VARIABLE *)&c->condition;
}

void os_mutex_init(os_mutex *m) { InitializeSRWLock(lock_of(m)); }

void os_mutex_destroy(os_mutex *m) { (void)m; }

void os_mutex_lock(os_mutex *m) { AcquireSRWLockExclusive(lock_of(m)); }

void os_mutex_unlock(os_mutex *m) { ReleaseSRWLockExclusive(lock_of(m)); }

void os_condition_init(os_condition *c) { InitializeConditionVariable(variable_of(c)); }

void os_condition_destroy(os_condition *c) { (void)c; }

void os_condition_wait(os_condition *c, os_mutex *m) {
    SleepConditionVariableSRW(variable_of(c), lock_of(m), INFINITE, 0);
}

bool os_condition_wait_us(os_condition *c, os_mutex *m, int64_t microseconds) {
    // Windows may end a wait up to a tick early.
    for (int64_t end = clock_us() + microseconds, left = microseconds; left > 0;
         left = end - clock_us())
        if (SleepConditionVariableSRW(variable_of(c), lock_of(m), to_ms(left), 0))
            return true;
    return false;
}

void os_condition_signal(os_condition *c) { WakeConditionVariable(variable_of(c)); }

void os_condition_broadcast(os_condition *c) { WakeAllConditionVariable(variable_of(c)); }

typedef struct {
    void (*run)(void);
} once_call;

static BOOL CALLBACK call_once(INIT_ONCE *once, void *call, void **context) {
    (void)once;
    (void)context;
    ((const once_call *)call)->run();
    return TRUE;
}

void os_once_run(os_once *once, void (*run)(void)) {
    once_call call = {run};
    InitOnceExecuteOnce((INIT_ONCE *)&once->once, call_once, &call, NULL);
}

// --- events -------------------------------------------------------------------------------------

static HANDLE handle_of(const os_event *event) { return (HANDLE)event->handle; }

bool os_event_open(os_event *event) {
    event->handle = (intptr_t)CreateEventW(NULL, TRUE, FALSE, NULL);
    return event->handle != 0;
}

void os_event_close(os_event *event) {
    CloseHandle(handle_of(event));
    event->handle = -1;
}

void os_event_set(os_event *event) { SetEvent(handle_of(event)); }

void os_event_clear(os_event *event) { ResetEvent(handle_of(event)); }

bool os_event_wait(const os_event *event, int64_t microseconds) {
    int64_t end = clock_us() + microseconds;
    for (int64_t left = microseconds;; left = end - clock_us()) {
        if (WaitForSingleObject(handle_of(event), left > 0 || microseconds < 0 ? to_ms(left) : 0) ==
            WAIT_OBJECT_0)
            return true;
        if (microseconds >= 0 && left <= 0)
            return false;
    }
}

bool os_event_wait_input(const os_event *event, const os_file *input, int64_t microseconds) {
    HANDLE waits[2] = {input_readable(input), event ? handle_of(event) : NULL};
    if (waits[0]) {
        WaitForMultipleObjects(event ? 2 : 1, waits, FALSE, to_ms(microseconds));
        return WaitForSingleObject(waits[0], 0) == WAIT_OBJECT_0;
    }
    // Other pipes than the standard input have nothing to wait for: they are looked at.
    int64_t end = clock_us() + microseconds;
    for (;;) {
        if (input_is_ready(input))
            return true;
        bool is_over = microseconds >= 0 && clock_us() >= end;
        if (is_over || (event && WaitForSingleObject(waits[1], 1) == WAIT_OBJECT_0))
            return false;
        if (!event)
            Sleep(1);
    }
}
