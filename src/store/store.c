#include "store/backend.h"

#include <stdlib.h>

// --- opening ------------------------------------------------------------------------------------

static bool is_postgres(const char *place) {
    text t = text_of(place);
    return text_starts(t, "postgresql:") || text_starts(t, "postgres:");
}

bool store_is_place(const char *place) {
    return !place || is_postgres(place) ||
           (text_starts(text_of(place), "sqlite:") && place[strlen("sqlite:")]);
}

const char *store_folder(const char *place) {
    if (!place || is_postgres(place))
        return NULL;
    return text_starts(text_of(place), "sqlite:") ? place + strlen("sqlite:") : place;
}

store *store_new(const backend *b, fault *why) {
    store *s = calloc(1, sizeof *s);
    if (s)
        s->backend = b;
    else
        fault_set(why, "out of memory");
    return s;
}

static store *close_unless(bool is_open, store *s) {
    if (is_open)
        return s;
    store_close(s);
    return NULL;
}

store *store_open(const char *place, int flags, fault *why) {
    bool elsewhere = place && is_postgres(place);
    store *s = store_new(elsewhere ? &postgres_backend : &sqlite_backend, why);
    return close_unless(s && (elsewhere ? postgres_open(s, place, flags, why)
                                        : sqlite_open(s, store_folder(place), flags, why)),
                        s);
}

store *store_open_second(const char *place, fault *why) {
    bool elsewhere = is_postgres(place);
    store *s = store_new(elsewhere ? &postgres_backend : &sqlite_backend, why);
    return close_unless(s && (elsewhere ? postgres_open_second(s, place, why)
                                        : sqlite_open_second(s, store_folder(place), why)),
                        s);
}

void store_close(store *s) {
    if (!s)
        return;
    fault why;
    if (!store_commit(s, &why))
        s->in_transaction = false;
    for (int i = 0; i < STORE_STATEMENTS; i++)
        s->backend->forget(s->cache[i].statement);
    s->backend->close(s);
    free(s);
}

void store_limit_time(store *s, int64_t us) { s->backend->limit_time(s, us); }

const char *store_damage(const store *s, int n) {
    return n >= 0 && n < STORE_DAMAGE && s->damage[n].line[0] ? s->damage[n].line : NULL;
}

// --- transactions -------------------------------------------------------------------------------

void store_fail(store *s, const char *what, const char *reason) {
    if (!s->failed)
        fault_set(&s->why, "the database: %s: %s", what, reason);
    s->failed = true;
}

bool store_has_failed(const store *s) { return s->failed; }

bool store_is_dirty(const store *s) { return s->in_transaction || s->failed; }

static void end_transaction(store *s) {
    if (!s->in_transaction || s->failed)
        return;
    s->in_transaction = !s->backend->commit(s);
    s->is_pending = true;
}

static commit_state get_state(const store *s, fault *why) {
    if (s->failed)
        *why = s->why;
    return s->failed ? COMMIT_FAILED : s->is_pending ? COMMIT_PENDING : COMMIT_DONE;
}

commit_state store_push(store *s, fault *why) {
    if (!s->is_pending)
        end_transaction(s);
    if (s->is_pending && !s->failed)
        s->is_pending = !s->backend->is_through(s, false);
    return get_state(s, why);
}

bool store_commit(store *s, fault *why) {
    end_transaction(s);
    if (s->is_pending && !s->failed)
        s->is_pending = !s->backend->is_through(s, true);
    return get_state(s, why) == COMMIT_DONE;
}

intptr_t store_watch(const store *s, bool *wants_write) {
    return s->backend->watch(s, wants_write);
}

bool store_is_sound(const store *s, fault *why) { return s->backend->is_sound(s, why); }

store_figures store_get_figures(const store *s) { return s->backend->get_figures(s); }
