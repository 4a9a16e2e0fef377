// The write-ahead log of SQLite, looked after by threads, so that the loop never waits for the
// disk.
//
// One thread syncs: a commit survives the end of the process at once, and a loss of power once the
// log has been synced. There is one sync at a time. With a pause after each, at most the commits of
// the last WAL_SYNC_PAUSE_US and of the time two syncs take can be lost; without one, the owner
// asks wal_is_synced before it tells anybody of a commit. The other thread moves a long log into
// the database (a checkpoint).
//
// wal_figures and wal_error are for any thread, the rest for the one that started it.
#ifndef KRATON_STORE_WAL_H
#define KRATON_STORE_WAL_H

#include "base/bits.h"
#include "os/thread.h"

enum {
    WAL_SYNC_PAUSE_US = 20000,
    WAL_CHECKPOINT_PAUSE_US = 1000000,
    WAL_PAGES = 1000,      // from here on the log is moved
    WAL_PAGES_MOST = 32768 // from here on it must begin anew
};

typedef struct wal wal;

// Starts the threads for a database's log; pause_us: between two syncs. NULL where they cannot be
// started.
wal *wal_start(const char *database, int64_t pause_us);
// Syncs once more, ends the threads.
void wal_stop(wal *w);
// Something has been committed, and the log has so many pages now. Returns true when the log should
// begin anew: a checkpoint has just moved all but its latest pages, and the caller, who has the
// database open for writing, is to do one more.
MUST_USE bool wal_committed(wal *w, int pages);
// Whether everything committed so far has been synced.
bool wal_is_synced(wal *w);
// The handle of an event (os/thread.h) that is set when a sync has ended; wal_is_synced clears it.
intptr_t wal_handle(const wal *w);
// Syncs now, and returns when it is done.
void wal_sync(wal *w);
// Syncs so far and the microseconds they took.
void wal_figures(const wal *w, uint64_t *syncs, uint64_t *took_us);
// 0, or errno of the first sync that failed: what was committed may not be on the disk.
int wal_error(const wal *w);

#endif
