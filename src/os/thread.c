#include "os/thread.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

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
