#include "net/pump.h"

#include "net/wire.h"
#include "os/clock.h"

enum { LINGER_SWEEP_MS = 500 };

// Wires that have said their last words and wait for the peer to hang up do not wait for ever.
static void on_linger(uv_timer_t *timer) {
    pump *p = timer->data;
    int64_t now = clock_us();
    bool some = false;
    for (wire *w = p->wires, *next; w; w = next) {
        next = w->next;
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
    wire *w = p->dirty;
    p->dirty = NULL;
    while (w) {
        wire *next = w->next_dirty;
        w->next_dirty = NULL;
        w->is_dirty = false;
        wire_flush(w);
        w = next;
    }
}

void pump_turn(pump *p) {
    if ((!p->dirty && !p->due) || p->failed)
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
    for (wire *w = p->wires; w; w = w->next)
        w->out_len = 0;
}

// Whatever is queued now must not wait until something comes in.
static void stay_awake(pump *p) {
    if ((p->dirty || p->due) && !p->failed)
        uv_idle_start(&p->again, on_idle);
    else
        uv_idle_stop(&p->again);
}

static void on_prepare(uv_prepare_t *handle) {
    pump *p = handle->data;
    pump_turn(p);
    stay_awake(p);
}

static void on_check(uv_check_t *handle) {
    pump *p = handle->data;
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
    p->prepare.data = p->check.data = p->again.data = p->linger.data = p;
    uv_prepare_start(&p->prepare, on_prepare);
    uv_check_start(&p->check, on_check);
}

void pump_want_turn(pump *p) { p->due = true; }

void pump_close(pump *p) {
    p->open = false;
    for (wire *w = p->wires; w; w = w->next)
        wire_cut(w);
    uv_close((uv_handle_t *)&p->prepare, NULL);
    uv_close((uv_handle_t *)&p->check, NULL);
    uv_close((uv_handle_t *)&p->again, NULL);
    uv_close((uv_handle_t *)&p->linger, NULL);
}
