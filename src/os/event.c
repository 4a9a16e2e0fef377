#include "os/event.h"

#include "os/clock.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

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
