// The database: one SQLite file in WAL mode, its schema brought forward by version, and queries as
// prepared statements. A transaction begins with the first write of a turn of the loop and ends
// with store_commit, before anybody is told. One thread owns a store; others open their own.
//
// A query:   query q = query_begin(s, "SELECT name FROM players WHERE id = ?1");
//            query_bind(&q, 1, id);
//            while (query_row(&q)) ... query_text(&q, 0) ...
//            if (!query_end(&q)) ...
//
// SQL is a literal: statements are prepared once and found again by its address, and values only
// ever come in by binding. A failed statement makes the store fail: store_commit then says no, and
// the process is to end and start anew from what was kept.
#ifndef KRATON_STORE_STORE_H
#define KRATON_STORE_STORE_H

#include "base/bits.h"
#include "base/text.h"

#include <sqlite3.h>

typedef struct store store;

// Opens or makes the file and brings its schema forward. durable: every commit is on the disk
// before it is told. NULL with the reason.
store *store_open(const char *path, bool durable, fault *why);
// Commits what is open, lets the file go.
void store_close(store *s);
// From now on queries may take so long, all together; what takes longer makes the store fail. For
// those who search with a store of their own.
void store_limit_time(store *s, int64_t us);
// Ends the turn's transaction; true where there was none. False with the reason.
MUST_USE bool store_commit(store *s, fault *why);
bool store_has_failed(const store *s);
// Whether something waits for store_commit.
bool store_is_dirty(const store *s);
// Pages in the write-ahead log. Nobody but the functions below moves them into the database: that
// waits for the disk, and the loop must not.
int store_log_pages(const store *s);
// Moves them, as far as nobody needs them, from any thread: it opens the file for itself.
void store_checkpoint(const char *path);
// The same in this thread, so that the log begins anew: quick where the other has just run.
void store_restart_log(store *s);
// Writes a whole copy of a database, which may be in use, to a new file. No store is needed.
MUST_USE bool store_backup(const char *path, const char *to, fault *why);
// The schema's version this program writes, and the one a file has.
int store_schema_version(void);

typedef struct {
    store *store;
    sqlite3_stmt *statement;
    int status;
} query;

query query_begin(store *s, const char *literal); // reads
query query_write(store *s, const char *literal); // writes: opens the turn's transaction
void query_bind(query *q, int at, int64_t value); // parameters count from 1
void query_bind_null(query *q, int at);
void query_bind_real(query *q, int at, double value);
void query_bind_text(query *q, int at, text value); // copied
void query_bind_blob(query *q, int at, text value); // copied
// The next row; false at the end or on failure.
bool query_row(query *q);
bool query_is_null(const query *q, int column); // columns count from 0
int64_t query_int(const query *q, int column);
double query_real(const query *q, int column);
text query_text(const query *q, int column); // valid until the next row
text query_blob(const query *q, int column);
// Done with it. False where anything failed.
bool query_end(query *q);
// Runs it to its end: for writes. False where it failed.
bool query_run(query *q);
int64_t store_last_id(const store *s); // of the last row inserted

#endif
