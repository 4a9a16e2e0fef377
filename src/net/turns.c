#include "net/turns.h"

#include "base/minmax.h"
#include "net/connection.h"
#include "os/clock.h"

enum { LINGER_SWEEP_MS = 500 };

// Closing connections wait for the peer to close too, but not without end.
static void on_linger(uv_timer_t *timer) {
    loop_turns *p = timer->data;
    int64_t now = clock_us();
    bool some = false;
    for (list_link *l = p->connections.first, *next; l; l = next) {
        connection *w = LIST_ITEM(l, connection, link);
        next = l->next;
        if (!w->closing || w->closed)
            continue;
        some = true;
        connection_linger(w, now);
    }
    if (!some)
        uv_timer_stop(timer);
}

void turns_linger(loop_turns *p) {
    if (!uv_is_active((uv_handle_t *)&p->linger) && p->open)
        uv_timer_start(&p->linger, on_linger, LINGER_SWEEP_MS, LINGER_SWEEP_MS);
}

static void on_idle(uv_idle_t *idle) { (void)idle; }

void turns_send_last(loop_turns *p) {
    for (list_link *l; (l = list_take_first(&p->dirty));)
        connection_flush(LIST_ITEM(l, connection, dirty));
}

void turns_commit(loop_turns *p) {
    if ((list_is_empty(&p->dirty) && !p->due) || p->failed)
        return;
    p->due = false;
    if (!p->events.commit(p->events.context)) {
        p->failed = true;
        return;
    }
    turns_send_last(p);
    p->events.after(p->events.context);
}

void turns_forget(loop_turns *p) {
    for (list_link *l = p->connections.first; l; l = l->next)
        buffer_clear(&LIST_ITEM(l, connection, link)->out);
}

// Whatever is queued now must not wait until something comes in.
static void stay_awake(loop_turns *p) {
    if ((!list_is_empty(&p->dirty) || p->due || p->wants_drained) && !p->failed)
        uv_idle_start(&p->again, on_idle);
    else
        uv_idle_stop(&p->again);
}

// --- lateness -----------------------------------------------------------------------------------

// Tells the owner of a long delay; returns what is left for the stamps.
static int64_t tell_late(loop_turns *p, int64_t us) {
    if (us < TURNS_LATE_US || !p->events.late)
        return max_i64(us, 0);
    p->events.late(p->events.context, us);
    return 0;
}

static void fall_asleep(loop_turns *p) {
    int timeout = uv_backend_timeout(p->loop);
    p->slept = clock_us();
    p->due_back = timeout < 0 ? INT64_MAX : p->slept + timeout * 1000LL;
    p->drains = p->wants_drained;
    p->is_asleep = true;
}

// The first to call it after the loop has listened, be it a read or the check hook, measures.
static void wake(loop_turns *p) {
    if (!p->is_asleep)
        return;
    int64_t now = clock_us();
    p->is_asleep = false;
    p->woke = now;
    int64_t overslept = tell_late(p, now - p->due_back);
    // If the loop really slept, no input was waiting, so the work before delayed nothing.
    bool has_slept = now - overslept - p->slept >= 1000;
    p->waited = overslept + (has_slept ? 0 : p->worked);
}

int64_t turns_stamp(loop_turns *p) {
    wake(p);
    return p->woke - p->waited;
}

void turns_want_drained(loop_turns *p) { p->wants_drained = true; }

static void on_pace(uv_timer_t *timer) { (void)timer; }

void turns_keep_pace(loop_turns *p, bool on) {
    if (on == uv_is_active((uv_handle_t *)&p->pace) || !p->open)
        return;
    if (on)
        uv_timer_start(&p->pace, on_pace, TURNS_PACE_MS, TURNS_PACE_MS);
    else
        uv_timer_stop(&p->pace);
}

// --- the hooks ----------------------------------------------------------------------------------

static void on_prepare(uv_prepare_t *handle) {
    loop_turns *p = handle->data;
    turns_commit(p);
    p->worked = p->woke ? tell_late(p, clock_us() - p->woke) : 0;
    stay_awake(p);
    fall_asleep(p);
}

static void on_check(uv_check_t *handle) {
    loop_turns *p = handle->data;
    wake(p);
    if (p->drains) {
        p->drains = p->wants_drained = false;
        p->events.drained(p->events.context, p->slept);
    }
    turns_commit(p);
    stay_awake(p);
}

void turns_open(loop_turns *p, uv_loop_t *loop, const turns_events *events) {
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

void turns_want(loop_turns *p) { p->due = true; }

void turns_close(loop_turns *p) {
    p->open = false;
    for (list_link *l = p->connections.first; l; l = l->next)
        connection_cut(LIST_ITEM(l, connection, link));
    uv_close((uv_handle_t *)&p->prepare, NULL);
    uv_close((uv_handle_t *)&p->check, NULL);
    uv_close((uv_handle_t *)&p->again, NULL);
    uv_close((uv_handle_t *)&p->linger, NULL);
    uv_close((uv_handle_t *)&p->pace, NULL);
}
