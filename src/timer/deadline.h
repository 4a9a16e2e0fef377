// A timer for a deadline that moves often, mostly to later: libuv's timer is left alone then, and
// when it goes off too early it is set again. Times are microseconds of any clock that goes at the
// usual speed; the caller passes the present moment. libuv counts milliseconds, so on_timer comes
// up to one late; where it comes before the deadline, deadline_has_passed says no. Loop's thread
// only.
#ifndef KRATON_TIMER_DEADLINE_H
#define KRATON_TIMER_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

typedef struct deadline deadline;
struct deadline {
    uv_timer_t timer;
    void *owner;
    void (*on_timer)(deadline *d); // asks deadline_has_passed first
    void (*on_closed)(void *owner);
    int64_t at;  // the deadline
    int64_t due; // when the timer goes off; INT64_MAX: it does not run
};

void deadline_init(deadline *d, uv_loop_t *loop, void (*on_timer)(deadline *d), void *owner);
// INT64_MAX: there is none.
void deadline_set(deadline *d, int64_t at, int64_t now);
// For on_timer: whether the moment is later than the deadline. Else the timer is set again.
bool deadline_has_passed(deadline *d, int64_t now);
// Stops the timer, so that the next deadline may be earlier or later.
void deadline_stop(deadline *d);
// Closes the timer, unless it is closing already. on_closed may be NULL; it may free the owner.
void deadline_close(deadline *d, void (*on_closed)(void *owner));

#endif
