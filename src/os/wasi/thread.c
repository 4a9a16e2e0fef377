// A system without threads: everything happens in one, so nobody ever waits for another.
#include "os/thread.h"

#include "os/clock.h"

bool os_thread_start(os_thread *thread, void (*run)(void *argument), void *argument) {
    (void)thread;
    (void)run;
    (void)argument;
    return false;
}

void os_thread_join(os_thread *thread) { (void)thread; }

void os_thread_go_first(void) {}

void os_sleep_us(int64_t microseconds) {
    for (int64_t end = clock_us() + microseconds; clock_us() < end;)
        continue;
}

void os_mutex_init(os_mutex *m) { (void)m; }

void os_mutex_destroy(os_mutex *m) { (void)m; }

void os_mutex_lock(os_mutex *m) { (void)m; }

void os_mutex_unlock(os_mutex *m) { (void)m; }

void os_condition_init(os_condition *c) { (void)c; }

void os_condition_destroy(os_condition *c) { (void)c; }

void os_condition_wait(os_condition *c, os_mutex *m) {
    (void)c;
    (void)m;
}

bool os_condition_wait_us(os_condition *c, os_mutex *m, int64_t microseconds) {
    (void)c;
    (void)m;
    (void)microseconds;
    return false;
}

void os_condition_signal(os_condition *c) { (void)c; }

void os_condition_broadcast(os_condition *c) { (void)c; }

void os_once_run(os_once *once, void (*run)(void)) {
    if (!once->once)
        run();
    once->once = true;
}

// --- events -------------------------------------------------------------------------------------

bool os_event_open(os_event *event) {
    event->handle = 0;
    return true;
}

void os_event_close(os_event *event) { (void)event; }

void os_event_set(os_event *event) { event->handle = 1; }

void os_event_clear(os_event *event) { event->handle = 0; }

bool os_event_wait(const os_event *event, int64_t microseconds) {
    (void)microseconds;
    return event->handle != 0;
}

bool os_event_wait_input(const os_event *event, const os_file *input, int64_t microseconds) {
    (void)input;
    (void)microseconds;
    return !event || !event->handle; // reading waits itself
}
