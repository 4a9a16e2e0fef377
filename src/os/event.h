// A flag that one thread sets and another waits for, alone or together with input.
#ifndef KRATON_OS_EVENT_H
#define KRATON_OS_EVENT_H

#include "os/file.h"

#include <stdbool.h>
#include <stdint.h>

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
