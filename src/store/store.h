// The database of a server: SQLite in its data folder, or PostgreSQL. This header and those of its
// tables (games.h, players.h, ...) say nothing about the database behind them: the queries of the
// tables are written once for query.h, and sqlite.c and postgres.c are the backends (backend.h).
//
// A place names a store: a folder, "sqlite:FOLDER", or "postgresql://..." as libpq reads it.
//
// A transaction begins with the first write of a turn of the loop and ends with store_push, before
// anybody is told. One thread owns a store; other threads and programs open another on the
// same place with store_open_second.
//
// What fails makes the store fail: store_push and store_commit then say so, and the process is to
// end and start again from what was kept.
#ifndef KRATON_STORE_STORE_H
#define KRATON_STORE_STORE_H

#include "base/bits.h"
#include "base/text.h"

typedef struct store store;

// A data folder has an identity, a number in the database and in the file `identity` beside it. A
// database that is missing, empty, damaged or another server's is never replaced by an empty one:
// opening is refused, unless the folder itself is new or STORE_NEW says so.
enum { STORE_DURABLE = 1, STORE_NEW = 2 };

// Opens a place for a server, or makes the folder, and brings its schema forward. The place is
// locked until the store is closed: two servers on one place would both take up its games.
// STORE_DURABLE: a commit counts as kept when it is on the disk; else, with SQLite, it gets there
// within some 20 ms, by a thread of the store. NULL: in memory, for tests. NULL with the reason.
store *store_open(const char *place, int flags, fault *why);
// Opens the database of a place once more, whether or not a server is using it. NULL with the
// reason; there must be one.
store *store_open_second(const char *place, fault *why);
// Whether it is the place of a store with the kind of database named. NULL is allowed.
bool store_is_place(const char *place);
// The folder of a place; NULL where it is no folder of this machine.
const char *store_folder(const char *place);
// Commits what is open, then closes it.
void store_close(store *s);
// From now on all queries together may take so long; what takes longer makes the store fail. For
// searches in a store of their own.
void store_limit_time(store *s, int64_t us);

// What was found damaged when the folder was opened, and does not keep a server from running: the
// nth line about it, NULL behind the last.
enum { STORE_DAMAGE = 8 };
const char *store_damage(const store *s, int n);

typedef enum { COMMIT_DONE, COMMIT_PENDING, COMMIT_FAILED } commit_state;
// Ends the turn's transaction, and never waits for a disk or a network. Where one is pending, it
// asks whether that is kept by now; what is written meanwhile belongs to the next one. COMMIT_DONE:
// everything that was ended is kept. COMMIT_FAILED with the reason.
commit_state store_push(store *s, fault *why);
// What a loop listens on while a commit is pending, to call store_push again: a descriptor that can
// be read, or written. -1: commits are never pending.
intptr_t store_watch(const store *s, bool *wants_write);
// Ends the transaction and waits until everything is kept: for tools, tests and the last one. False
// with the reason.
MUST_USE bool store_commit(store *s, fault *why);
bool store_has_failed(const store *s);
// Whether something waits for a commit.
bool store_is_dirty(const store *s);

// Whether commits reach the disk. False with the reason: what was committed may be lost.
MUST_USE bool store_is_sound(const store *s, fault *why);
typedef struct {
    uint64_t syncs, took_us; // of the disk, in the background
} store_figures;
store_figures store_get_figures(const store *s);

// Writes a whole copy of a folder's database, which may be in use, to a new file.
MUST_USE bool store_backup(const char *place, const char *to, fault *why);
// Removes the store's files from a folder that nobody uses.
void store_remove(const char *folder);
// The schema's version this program writes.
int store_schema_version(void);

#endif
