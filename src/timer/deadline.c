#include "timer/deadline.h"

static void on_uv_timer(uv_timer_t *timer) {
    deadline *d = timer->data;
    d->due = INT64_MAX;
    d->on_timer(d);
}

void deadline_init(deadline *d, uv_loop_t *loop, void (*on_timer)(deadline *d), void *owner) {
    *d = (deadline){.owner = owner, .on_timer = on_timer, .at = INT64_MAX, .due = INT64_MAX};
    uv_timer_init(loop, &d->timer);
    d->timer.data = d;
}

void deadline_set(deadline *d, int64_t at, int64_t now) {
    d->at = at;
    if (d->due <= at || at == INT64_MAX)
        return;
    d->due = at;
    uv_update_time(d->timer.loop);
    uv_timer_start(&d->timer, on_uv_timer, at > now ? (uint64_t)((at - now) / 1000 + 1) : 0, 0);
}

bool deadline_has_passed(deadline *d, int64_t now) {
    if (now > d->at)
        return true;
    deadline_set(d, d->at, now);
    return false;
}

void deadline_stop(deadline *d) {
    uv_timer_stop(&d->timer);
    d->due = INT64_MAX;
}

static void on_uv_closed(uv_handle_t *handle) {
    deadline *d = handle->data;
    if (d->on_closed)
        d->on_closed(d->owner);
}

void deadline_close(deadline *d, void (*on_closed)(void *owner)) {
    if (uv_is_closing((uv_handle_t *)&d->timer))
        return;
    d->on_closed = on_closed;
    uv_close((uv_handle_t *)&d->timer, on_uv_closed);
}
