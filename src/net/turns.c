#include "net/turns.h"

#include "base/minmax.h"
#include "net/connection.h"
#include "os/clock.h"
#include "os/thread.h"

enum { LINGER_SWEEP_MS = 500 };

// Closing connections wait for the peer to close too, but not without end.
static void on_linger(uv_timer_t *timer) {
    loop_turns *t = timer->data;
    int64_t now = clock_us();
    bool some = false;
    for (list_link *l = t->connections.first, *next; l; l = next) {
        connection *c = LIST_ITEM(l, connection, link);
        next = l->next;
        if (!c->closing || c->closed)
            continue;
        some = true;
        connection_linger(c, now);
    }
    if (!some)
        uv_timer_stop(timer);
}

void turns_linger(loop_turns *t) {
    if (!uv_is_active((uv_handle_t *)&t->linger) && t->open)
        uv_timer_start(&t->linger, on_linger, LINGER_SWEEP_MS, LINGER_SWEEP_MS);
}

static void on_idle(uv_idle_t *idle) { (void)idle; }

// --- sending ------------------------------------------------------------------------------------

void turns_unmark(loop_turns *t, connection *c) {
    if (c->rank != RANK_NONE)
        list_remove(c->rank == RANK_FIRST ? &t->dirty : &t->dirty_last, &c->dirty);
    c->rank = RANK_NONE;
}

void turns_mark(loop_turns *t, connection *c, bool last) {
    if (c->rank == RANK_FIRST || (last && c->rank == RANK_LAST))
        return;
    turns_unmark(t, c);
    c->rank = last ? RANK_LAST : RANK_FIRST;
    list_append(last ? &t->dirty_last : &t->dirty, &c->dirty);
}

static bool flush_one(loop_turns *t, linked_list *from) {
    connection *c = LIST_ITEM(from->first, connection, dirty);
    if (!c)
        return false;
    turns_unmark(t, c);
    connection_flush(c);
    return true;
}

static bool has_output(const loop_turns *t) {
    return !list_is_empty(&t->dirty) || !list_is_empty(&t->dirty_last);
}

void turns_send_all(loop_turns *t) {
    while (flush_one(t, &t->dirty) || flush_one(t, &t->dirty_last)) {
    }
}

// Thousands of spectators must not delay the players: the loop listens again in between.
static void send_slice(loop_turns *t) {
    while (flush_one(t, &t->dirty)) {
    }
    if (t->sent_last_in == t->number) // a turn may commit twice
        return;
    t->sent_last_in = t->number;
    int64_t until = clock_us() + TURNS_LAST_US;
    while (flush_one(t, &t->dirty_last) && clock_us() < until) {
    }
}

void turns_note_commit(loop_turns *t) {
    int64_t now = clock_us();
    t->gathers = now - t->committed < TURNS_GATHER_US;
    t->committed = now;
}

void turns_commit(loop_turns *t) {
    if ((!has_output(t) && !t->due) || t->failed)
        return;
    t->due = false;
    if (!t->events.commit(t->events.context)) {
        t->failed = true;
        return;
    }
    send_slice(t);
    t->events.after(t->events.context);
}

void turns_forget(loop_turns *t) {
    for (list_link *l = t->connections.first; l; l = l->next)
        buffer_clear(&LIST_ITEM(l, connection, link)->out);
}

// Whatever is queued now must not wait until something comes in.
static bool is_busy(const loop_turns *t) {
    return (has_output(t) || t->held.first || t->due || t->wants_drained) && !t->failed;
}

static void stay_awake(loop_turns *t) {
    if (is_busy(t))
        uv_idle_start(&t->again, on_idle);
    else
        uv_idle_stop(&t->again);
}

// --- processor time -----------------------------------------------------------------------------

int64_t turns_cpu_us(loop_turns *t) {
    int64_t now = clock_us();
    if (!t->cpu_at || now - t->cpu_at > TURNS_CLOCK_US) {
        t->cpu = clock_thread_us();
        t->cpu_at = now;
    }
    return t->cpu + now - t->cpu_at;
}

// --- lateness -----------------------------------------------------------------------------------

// Tells the owner of a long delay; returns what is left for the stamps.
static int64_t tell_late(loop_turns *t, int64_t us) {
    if (us < TURNS_LATE_US || !t->events.late)
        return max_i64(us, 0);
    t->events.late(t->events.context, us);
    return 0;
}

static void fall_asleep(loop_turns *t) {
    int timeout = uv_backend_timeout(t->loop);
    t->slept = clock_us();
    t->due_back = timeout < 0 ? INT64_MAX : t->slept + timeout * 1000LL;
    t->drains = t->wants_drained;
    t->is_asleep = true;
}

// The first to call it after the loop has listened, be it a read or the check hook, measures.
static void wake(loop_turns *t) {
    if (!t->is_asleep)
        return;
    int64_t now = clock_us();
    t->is_asleep = false;
    t->cpu_from = turns_cpu_us(t);
    t->number++;
    t->woke = now;
    int64_t overslept = tell_late(t, now - t->due_back);
    // If the loop really slept, no input was waiting, so the work before delayed nothing.
    bool has_slept = now - overslept - t->slept >= 1000;
    t->waited = overslept + (has_slept ? 0 : t->worked);
}

int64_t turns_stamp(loop_turns *t) {
    wake(t);
    return t->woke - t->waited;
}

void turns_want_drained(loop_turns *t) { t->wants_drained = true; }

static void on_pace(uv_timer_t *timer) { (void)timer; }

void turns_keep_pace(loop_turns *t, bool on) {
    if (on == uv_is_active((uv_handle_t *)&t->pace) || !t->open)
        return;
    if (on)
        uv_timer_start(&t->pace, on_pace, TURNS_PACE_MS, TURNS_PACE_MS);
    else
        uv_timer_stop(&t->pace);
}

// --- work ---------------------------------------------------------------------------------------

// Input that was held is read on, slice by slice, until the turn's share is used up.
static void read_held(loop_turns *t) {
    int64_t until = turns_cpu_us(t) + TURNS_HELD_US;
    while (t->held.first && turns_cpu_us(t) < until)
        connection_read_on(LIST_ITEM(t->held.first, connection, held_link));
}

const int64_t turns_cost_bounds[] = {500, 1000, 2000, 5000, 10000, 20000, 50000};

static void count_cost(loop_turns *t) {
    int64_t cost = max_i64(turns_cpu_us(t) - t->cpu_from, 0);
    int i = 0;
    while (i < TURNS_COSTS - 1 && cost > turns_cost_bounds[i])
        i++;
    t->costs[i]++;
    t->cost_sum += cost;
    t->cost_most = max_i64(t->cost_most, cost);
}

// --- the hooks ----------------------------------------------------------------------------------

// Where turns follow each other closely, what comes in meanwhile shares the next one: a commit
// costs as much as some moves do.
static void gather(loop_turns *t) {
    int64_t left = t->committed + TURNS_GATHER_US - clock_us();
    if (t->gathers && left > 0 && !is_busy(t))
        os_sleep_us(left);
    t->gathers = false;
}

static void on_prepare(uv_prepare_t *handle) {
    loop_turns *t = handle->data;
    turns_commit(t);
    count_cost(t);
    gather(t);
    t->worked = t->woke ? tell_late(t, clock_us() - t->woke) : 0;
    stay_awake(t);
    fall_asleep(t);
}

static void on_check(uv_check_t *handle) {
    loop_turns *t = handle->data;
    wake(t);
    if (t->drains) {
        t->drains = t->wants_drained = false;
        t->events.drained(t->events.context, t->slept);
    }
    read_held(t);
    turns_commit(t);
    stay_awake(t);
}

void turns_open(loop_turns *t, uv_loop_t *loop, const turns_events *events) {
    t->loop = loop;
    t->events = *events;
    t->open = true;
    uv_prepare_init(loop, &t->prepare);
    uv_check_init(loop, &t->check);
    uv_idle_init(loop, &t->again);
    uv_timer_init(loop, &t->linger);
    uv_timer_init(loop, &t->pace);
    t->prepare.data = t->check.data = t->again.data = t->linger.data = t;
    uv_prepare_start(&t->prepare, on_prepare);
    uv_check_start(&t->check, on_check);
}

void turns_want(loop_turns *t) { t->due = true; }

void turns_close(loop_turns *t) {
    t->open = false;
    for (list_link *l = t->connections.first; l; l = l->next)
        connection_cut(LIST_ITEM(l, connection, link));
    if (t->count == 0)
        connection_forget_addresses(t);
    uv_close((uv_handle_t *)&t->prepare, NULL);
    uv_close((uv_handle_t *)&t->check, NULL);
    uv_close((uv_handle_t *)&t->again, NULL);
    uv_close((uv_handle_t *)&t->linger, NULL);
    uv_close((uv_handle_t *)&t->pace, NULL);
}
