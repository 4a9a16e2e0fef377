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

static linked_list *list_of(loop_turns *t, connection_rank rank) {
    switch (rank) {
    case RANK_FIRST:
        return &t->dirty;
    case RANK_LAST:
        return &t->dirty_last;
    case RANK_SEALED:
        return &t->sealed;
    default:
        return &t->sealed_last;
    }
}

static void set_rank(loop_turns *t, connection *c, connection_rank rank) {
    if (c->rank != RANK_NONE)
        list_remove(list_of(t, c->rank), &c->dirty);
    c->rank = rank;
    if (rank != RANK_NONE)
        list_append(list_of(t, rank), &c->dirty);
}

void turns_unmark(loop_turns *t, connection *c) {
    set_rank(t, c, RANK_NONE);
    if (c->is_urgent)
        list_remove(&t->urgent, &c->urgent);
    c->is_urgent = false;
}

// A sealed one is marked again when its sealed bytes are gone.
void turns_mark(loop_turns *t, connection *c, bool last) {
    if (c->rank == RANK_NONE || (!last && c->rank == RANK_LAST))
        set_rank(t, c, last ? RANK_LAST : RANK_FIRST);
}

void turns_mark_urgent(loop_turns *t, connection *c) {
    if (!c->is_urgent)
        list_append(&t->urgent, &c->urgent);
    c->is_urgent = true;
}

static bool flush_one(loop_turns *t, linked_list *from) {
    connection *c = LIST_ITEM(from->first, connection, dirty);
    if (!c)
        return false;
    bool is_sealed = c->rank == RANK_SEALED || c->rank == RANK_SEALED_LAST;
    set_rank(t, c, RANK_NONE);
    connection_flush(c, is_sealed ? c->sealed : c->out.len);
    return true;
}

static void flush_urgent(loop_turns *t) {
    for (list_link *l; (l = t->urgent.first);) {
        connection *c = LIST_ITEM(l, connection, urgent);
        list_remove(&t->urgent, l);
        c->is_urgent = false;
        connection_flush_now(c);
    }
}

static bool has_output(const loop_turns *t) {
    return !list_is_empty(&t->dirty) || !list_is_empty(&t->dirty_last) ||
           !list_is_empty(&t->sealed_last);
}

void turns_send_all(loop_turns *t) {
    flush_urgent(t);
    while (flush_one(t, &t->sealed) || flush_one(t, &t->sealed_last) || flush_one(t, &t->dirty) ||
           flush_one(t, &t->dirty_last)) {
    }
}

// Sends what is stored: what was sealed, and where no commit was pending everything. Thousands of
// spectators must not delay the players: the loop listens again in between.
static void send_slice(loop_turns *t, bool only_sealed) {
    while (flush_one(t, &t->sealed) || (!only_sealed && flush_one(t, &t->dirty))) {
    }
    if (t->sent_last_in == t->number) // a turn may commit twice
        return;
    t->sent_last_in = t->number;
    int64_t until = clock_us() + TURNS_LAST_US;
    while ((flush_one(t, &t->sealed_last) || (!only_sealed && flush_one(t, &t->dirty_last))) &&
           clock_us() < until) {
    }
}

void turns_note_commit(loop_turns *t) {
    int64_t now = clock_us();
    t->gathers = now - t->committed < TURNS_GATHER_US;
    t->committed = now;
}

static void seal_list(loop_turns *t, linked_list *from, connection_rank rank) {
    for (list_link *l; (l = from->first);) {
        connection *c = LIST_ITEM(l, connection, dirty);
        set_rank(t, c, rank);
        c->sealed = c->out.len;
    }
}

static void seal(loop_turns *t) {
    t->is_pending = true;
    seal_list(t, &t->dirty, RANK_SEALED);
    seal_list(t, &t->dirty_last, RANK_SEALED_LAST);
    if (t->events.sealed)
        t->events.sealed(t->events.context);
}

static void send_stored(loop_turns *t) {
    bool was_pending = t->is_pending;
    t->is_pending = false;
    send_slice(t, was_pending);
    t->events.after(t->events.context);
}

static void commit(loop_turns *t, bool waits) {
    bool was_pending = t->is_pending;
    if (!was_pending)
        t->due = false;
    switch (t->events.commit(t->events.context, waits)) {
    case TURN_PENDING:
        if (!was_pending)
            seal(t);
        break;
    case TURN_FAILED:
        t->failed = true;
        break;
    case TURN_STORED:
        send_stored(t);
        break;
    }
}

static bool has_work(const loop_turns *t) { return has_output(t) || t->due; }

static void end_turn(loop_turns *t) {
    bool was_pending = t->is_pending;
    if ((was_pending || has_work(t)) && !t->failed)
        commit(t, false);
    if (was_pending && !t->is_pending && has_work(t) && !t->failed)
        commit(t, false); // what came meanwhile
    flush_urgent(t);
}

void turns_commit(loop_turns *t) {
    if (t->is_pending && !t->failed)
        commit(t, true);
    if (has_work(t) && !t->failed)
        commit(t, true);
}

void turns_forget(loop_turns *t) {
    for (list_link *l = t->connections.first; l; l = l->next) {
        connection *c = LIST_ITEM(l, connection, link);
        buffer_clear(&c->out);
        c->sealed = 0;
    }
}

// Whatever is queued now must not wait until something comes in.
static bool is_busy(const loop_turns *t) {
    bool has_more = (has_work(t) && !t->is_pending) || t->held.first || t->wants_drained;
    return has_more && !t->failed;
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
    if (!t->woke)
        return; // what came before the first turn
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
    end_turn(t);
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
    end_turn(t);
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
