#include "net/pump.h"

#include "base/minmax.h"
#include "net/wire.h"
#include "os/clock.h"

enum { LINGER_SWEEP_MS = 500 };

// Closing wires wait for the peer to close too, but not without end.
static void on_linger(uv_timer_t *timer) {
    pump *p = timer->data;
    int64_t now = clock_us();
    bool some = false;
    for (list_link *l = p->wires.first, *next; l; l = next) {
        wire *w = LIST_ITEM(l, wire, link);
        next = l->next;
        if (!w->closing || w->closed)
            continue;
        some = true;
        wire_linger(w, now);
    }
    if (!some)
        uv_timer_stop(timer);
}

void pump_linger(pump *p) {
    if (!uv_is_active((uv_handle_t *)&p->linger) && p->open)
        uv_timer_start(&p->linger, on_linger, LINGER_SWEEP_MS, LINGER_SWEEP_MS);
}

static void on_idle(uv_idle_t *idle) { (void)idle; }

void pump_say_last(pump *p) {
    for (list_link *l; (l = list_take_first(&p->dirty));)
        wire_flush(LIST_ITEM(l, wire, dirty));
}

void pump_turn(pump *p) {
    if ((list_is_empty(&p->dirty) && !p->due) || p->failed)
        return;
    p->due = false;
    if (!p->events.commit(p->events.context)) {
        p->failed = true;
        return;
    }
    pump_say_last(p);
    p->events.after(p->events.context);
}

void pump_forget_turn(pump *p) {
    for (list_link *l = p->wires.first; l; l = l->next)
        buffer_clear(&LIST_ITEM(l, wire, link)->out);
}

// Whatever is queued now must not wait until something comes in.
static void stay_awake(pump *p) {
    if ((!list_is_empty(&p->dirty) || p->due || p->wants_drained) && !p->failed)
        uv_idle_start(&p->again, on_idle);
    else
        uv_idle_stop(&p->again);
}

// --- lateness -----------------------------------------------------------------------------------

// Tells the owner of a long delay; returns what is left for the stamps.
static int64_t tell_late(pump *p, int64_t us) {
    if (us < PUMP_LATE_US || !p->events.late)
        return max_i64(us, 0);
    p->events.late(p->events.context, us);
    return 0;
}

static void fall_asleep(pump *p) {
    int timeout = uv_backend_timeout(p->loop);
    p->slept = clock_us();
    p->due_back = timeout < 0 ? INT64_MAX : p->slept + timeout * 1000LL;
    p->drains = p->wants_drained;
    p->is_asleep = true;
}

// The first to call it after the loop has listened, be it a read or the check hook, measures.
static void wake(pump *p) {
    if (!p->is_asleep)
        return;
    int64_t now = clock_us();
    p->is_asleep = false;
    p->woke = now;
    int64_t overslept = tell_late(p, now - p->due_back);
    // Who slept was not called meanwhile: nothing had waited.
    bool has_slept = now - overslept - p->slept >= 1000;
    p->waited = overslept + (has_slept ? 0 : p->worked);
}

int64_t pump_stamp(pump *p) {
    wake(p);
    return clock_us() - p->waited;
}

void pump_want_drained(pump *p) { p->wants_drained = true; }

static void on_pace(uv_timer_t *timer) { (void)timer; }

void pump_keep_pace(pump *p, bool on) {
    if (on == uv_is_active((uv_handle_t *)&p->pace) || !p->open)
        return;
    if (on)
        uv_timer_start(&p->pace, on_pace, PUMP_PACE_MS, PUMP_PACE_MS);
    else
        uv_timer_stop(&p->pace);
}

// --- the hooks ----------------------------------------------------------------------------------

static void on_prepare(uv_prepare_t *handle) {
    pump *p = handle->data;
    pump_turn(p);
    p->worked = p->woke ? tell_late(p, clock_us() - p->woke) : 0;
    stay_awake(p);
    fall_asleep(p);
}

static void on_check(uv_check_t *handle) {
    pump *p = handle->data;
    wake(p);
    if (p->drains) {
        p->drains = p->wants_drained = false;
        p->events.drained(p->events.context, p->slept);
    }
    pump_turn(p);
    stay_awake(p);
}

void pump_open(pump *p, uv_loop_t *loop, const pump_events *events) {
    p->loop = loop;
    p->events = *events;
    p->open = true;
    uv_prepare_init(loop, &p->prepare);
    uv_check_init(loop, &p->check);
    uv_idle_init(loop, &p->again);
    uv_timer_init(loop, &p->linger);
    uv_timer_init(loop, &p->pace);
    p->prepare.data = p->check.data = p->again.data = p->linger.data = p;
    uv_prepare_start(&p->prepare, on_prepare);
    uv_check_start(&p->check, on_check);
}

void pump_want_turn(pump *p) { p->due = true; }

void pump_close(pump *p) {
    p->open = false;
    for (list_link *l = p->wires.first; l; l = l->next)
        wire_cut(LIST_ITEM(l, wire, link));
    uv_close((uv_handle_t *)&p->prepare, NULL);
    uv_close((uv_handle_t *)&p->check, NULL);
    uv_close((uv_handle_t *)&p->again, NULL);
    uv_close((uv_handle_t *)&p->linger, NULL);
    uv_close((uv_handle_t *)&p->pace, NULL);
}
