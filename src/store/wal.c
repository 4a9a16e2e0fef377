#include "store/wal.h"

#include "base/text.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/thread.h"
#include "store/pages.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>

// A thread that does one thing each time it is wanted, with a pause after each time.
typedef struct {
    wal *owner;
    void (*run)(wal *w);
    int64_t pause_us;
    bool is_started;
    os_thread thread;
    os_mutex mutex; // guards the two
    os_condition wake;
    bool is_due, ends;
} chore;

struct wal {
    chore sync, checkpoint;
    _Atomic int error;            // the first
    _Atomic bool is_checkpointed; // since the owner last asked
    _Atomic uint64_t syncs, took_us;
    _Atomic uint64_t committed, synced; // commits, and how many of them a sync has followed
    os_event ended;                     // a sync
    char database[4096], log[4096];     // paths
};

// --- chores -------------------------------------------------------------------------------------

static void run_chore(void *argument) {
    chore *c = argument;
    os_mutex_lock(&c->mutex);
    while (!c->ends) {
        if (!c->is_due) {
            os_condition_wait(&c->wake, &c->mutex);
            continue;
        }
        c->is_due = false; // what is committed from here on wants it again
        os_mutex_unlock(&c->mutex);
        c->run(c->owner);
        int64_t until = clock_us() + c->pause_us;
        os_mutex_lock(&c->mutex);
        for (int64_t left; !c->ends && (left = until - clock_us()) > 0;)
            os_condition_wait_us(&c->wake, &c->mutex, left);
    }
    os_mutex_unlock(&c->mutex);
}

static bool start_chore(wal *w, chore *c, void (*run)(wal *w), int64_t pause_us) {
    c->owner = w;
    c->run = run;
    c->pause_us = pause_us;
    os_mutex_init(&c->mutex);
    os_condition_init(&c->wake);
    c->is_started = os_thread_start(&c->thread, run_chore, c);
    if (c->is_started)
        return true;
    os_condition_destroy(&c->wake);
    os_mutex_destroy(&c->mutex);
    return false;
}

static void want_chore(chore *c) {
    if (!c->is_started)
        return;
    os_mutex_lock(&c->mutex);
    if (!c->is_due)
        os_condition_signal(&c->wake);
    c->is_due = true;
    os_mutex_unlock(&c->mutex);
}

static void end_chore(chore *c) {
    if (!c->is_started)
        return;
    os_mutex_lock(&c->mutex);
    c->ends = true;
    os_condition_signal(&c->wake);
    os_mutex_unlock(&c->mutex);
    os_thread_join(&c->thread);
    os_condition_destroy(&c->wake);
    os_mutex_destroy(&c->mutex);
}

// --- what they do -------------------------------------------------------------------------------

// Without a log file there is nothing to sync.
static void sync_log(wal *w) {
    int64_t before = clock_us();
    uint64_t committed = w->committed;
    os_file file;
    if (os_file_open(&file, w->log, OS_FILE_READ)) {
        if (!os_file_sync_data(&file) && !w->error)
            w->error = errno;
        os_file_close(&file);
        w->syncs++;
        w->took_us += (uint64_t)(clock_us() - before);
    }
    uint64_t synced = w->synced; // by the thread and by wal_sync: the later one counts
    while (synced < committed && !atomic_compare_exchange_weak(&w->synced, &synced, committed)) {
    }
    os_event_set(&w->ended);
}

static void move_log(wal *w) {
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(w->database, &db, SQLITE_OPEN_READWRITE, pages_layer()) == SQLITE_OK) {
        sqlite3_exec(db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
        sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    }
    sqlite3_close(db);
    w->is_checkpointed = true;
}

// --- for the owner ------------------------------------------------------------------------------

wal *wal_start(const char *database, int64_t pause_us) {
    wal *w = calloc(1, sizeof *w);
    if (!w || !os_event_open(&w->ended)) {
        free(w);
        return NULL;
    }
    writer out = writer_on(w->database, sizeof w->database);
    write_string(&out, database);
    writer log = writer_on(w->log, sizeof w->log);
    write_format(&log, "%s-wal", database);
    if (!log.overflow && start_chore(w, &w->checkpoint, move_log, WAL_CHECKPOINT_PAUSE_US) &&
        start_chore(w, &w->sync, sync_log, pause_us))
        return w;
    wal_stop(w);
    return NULL;
}

void wal_stop(wal *w) {
    if (!w)
        return;
    end_chore(&w->checkpoint);
    end_chore(&w->sync);
    if (w->sync.is_started)
        sync_log(w);
    os_event_close(&w->ended);
    free(w);
}

bool wal_committed(wal *w, int pages) {
    w->committed++;
    want_chore(&w->sync);
    if (pages < WAL_PAGES)
        return false;
    want_chore(&w->checkpoint);
    return pages > WAL_PAGES_MOST && atomic_exchange(&w->is_checkpointed, false);
}

bool wal_is_synced(wal *w) {
    os_event_clear(&w->ended);
    return w->synced == w->committed;
}

intptr_t wal_handle(const wal *w) { return w->ended.handle; }

void wal_sync(wal *w) { sync_log(w); }

void wal_figures(const wal *w, uint64_t *syncs, uint64_t *took_us) {
    *syncs = w ? w->syncs : 0;
    *took_us = w ? w->took_us : 0;
}

int wal_error(const wal *w) { return w ? w->error : 0; }
