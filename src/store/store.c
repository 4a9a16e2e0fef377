#include "store/store.h"

#include "base/clock.h"
#include "store/schema.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { STATEMENTS = 256 }; // a power of two, more than there are literals

struct store {
    sqlite3 *db;
    bool in_transaction, failed;
    int log_pages;
    int64_t deadline; // of clock_us; see store_limit_time
    fault why;
    struct {
        const char *literal;
        sqlite3_stmt *statement;
    } cache[STATEMENTS];
};

static void fail(store *s, const char *what) {
    if (!s->failed)
        fault_set(&s->why, "the database: %s: %s", what, sqlite3_errmsg(s->db));
    s->failed = true;
}

// --- statements ---------------------------------------------------------------------------------

static sqlite3_stmt *find_statement(store *s, const char *literal) {
    size_t i = ((uintptr_t)literal >> 3) * 0x9e3779b97f4a7c15u >> 56 & (STATEMENTS - 1);
    while (s->cache[i].literal && s->cache[i].literal != literal)
        i = (i + 1) & (STATEMENTS - 1);
    if (!s->cache[i].literal) {
        if (sqlite3_prepare_v3(s->db, literal, -1, SQLITE_PREPARE_PERSISTENT,
                               &s->cache[i].statement, NULL) != SQLITE_OK) {
            fail(s, literal);
            return NULL;
        }
        s->cache[i].literal = literal;
    }
    return s->cache[i].statement;
}

query query_begin(store *s, const char *literal) {
    return (query){s, s->failed ? NULL : find_statement(s, literal), SQLITE_OK};
}

static bool run_plain(store *s, const char *literal) {
    query q = query_begin(s, literal);
    return query_run(&q);
}

query query_write(store *s, const char *literal) {
    if (!s->in_transaction && !s->failed)
        s->in_transaction = run_plain(s, "BEGIN IMMEDIATE");
    return query_begin(s, literal);
}

static void note(query *q, int status) {
    if (status != SQLITE_OK && q->status == SQLITE_OK)
        q->status = status;
}

void query_bind(query *q, int at, int64_t value) {
    if (q->statement)
        note(q, sqlite3_bind_int64(q->statement, at, value));
}

void query_bind_null(query *q, int at) {
    if (q->statement)
        note(q, sqlite3_bind_null(q->statement, at));
}

void query_bind_real(query *q, int at, double value) {
    if (q->statement)
        note(q, sqlite3_bind_double(q->statement, at, value));
}

void query_bind_text(query *q, int at, text value) {
    if (q->statement)
        note(q, sqlite3_bind_text(q->statement, at, value.at ? value.at : "", (int)value.len,
                                  SQLITE_TRANSIENT));
}

void query_bind_blob(query *q, int at, text value) {
    if (q->statement)
        note(q, sqlite3_bind_blob(q->statement, at, value.at ? value.at : "", (int)value.len,
                                  SQLITE_TRANSIENT));
}

bool query_row(query *q) {
    if (!q->statement || q->status != SQLITE_OK)
        return false;
    int status = sqlite3_step(q->statement);
    if (status == SQLITE_ROW)
        return true;
    if (status != SQLITE_DONE)
        q->status = status;
    return false;
}

bool query_is_null(const query *q, int column) {
    return sqlite3_column_type(q->statement, column) == SQLITE_NULL;
}

int64_t query_int(const query *q, int column) { return sqlite3_column_int64(q->statement, column); }

double query_real(const query *q, int column) {
    return sqlite3_column_double(q->statement, column);
}

text query_text(const query *q, int column) {
    const char *at = (const char *)sqlite3_column_text(q->statement, column);
    return at ? (text){at, (size_t)sqlite3_column_bytes(q->statement, column)} : (text){"", 0};
}

text query_blob(const query *q, int column) {
    const char *at = sqlite3_column_blob(q->statement, column);
    return at ? (text){at, (size_t)sqlite3_column_bytes(q->statement, column)} : (text){"", 0};
}

// A broken constraint is the caller's business; everything else means that nothing can be kept.
bool query_end(query *q) {
    if (!q->statement)
        return false;
    if (q->status != SQLITE_OK && q->status != SQLITE_CONSTRAINT &&
        (q->status & 0xff) != SQLITE_CONSTRAINT)
        fail(q->store, sqlite3_sql(q->statement));
    sqlite3_reset(q->statement);
    sqlite3_clear_bindings(q->statement);
    q->statement = NULL;
    return q->status == SQLITE_OK;
}

bool query_run(query *q) {
    while (query_row(q)) {
    }
    return query_end(q);
}

int64_t store_last_id(const store *s) { return sqlite3_last_insert_rowid(s->db); }

// --- transactions -------------------------------------------------------------------------------

bool store_has_failed(const store *s) { return s->failed; }

bool store_is_dirty(const store *s) { return s->in_transaction || s->failed; }

bool store_commit(store *s, fault *why) {
    if (s->in_transaction && !s->failed && run_plain(s, "COMMIT"))
        s->in_transaction = false;
    if (s->failed)
        *why = s->why;
    return !s->failed;
}

// --- opening ------------------------------------------------------------------------------------

int store_schema_version(void) {
    int n = 0;
    while (schema_step(n))
        n++;
    return n;
}

static bool execute(store *s, const char *sql, fault *why) {
    if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    return fault_set(why, "the database: %s", sqlite3_errmsg(s->db));
}

static bool bring_forward(store *s, fault *why) {
    query q = query_begin(s, "PRAGMA user_version");
    int version = query_row(&q) ? (int)query_int(&q, 0) : -1;
    if (!query_end(&q) || version < 0)
        return fault_set(why, "%s", s->why.line);
    if (version > store_schema_version())
        return fault_set(why, "the database is of a later version (%d) than this program (%d)",
                         version, store_schema_version());
    for (; schema_step(version); version++) {
        char set_version[64];
        writer w = writer_on(set_version, sizeof set_version);
        write_format(&w, "PRAGMA user_version = %d; COMMIT", version + 1);
        if (!execute(s, "BEGIN IMMEDIATE", why) || !execute(s, schema_step(version), why) ||
            !execute(s, set_version, why))
            return false;
    }
    return true;
}

static int on_commit(void *context, sqlite3 *db, const char *name, int pages) {
    (void)db;
    (void)name;
    ((store *)context)->log_pages = pages;
    return SQLITE_OK;
}

static bool open_file(store *s, const char *path, bool durable, fault *why) {
    if (sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        return fault_set(why, "cannot open %s: %s", path, sqlite3_errmsg(s->db));
    sqlite3_busy_timeout(s->db, 5000);
    sqlite3_wal_hook(s->db, on_commit, s); // and no checkpoints by itself
    return execute(s, "PRAGMA journal_mode = WAL", why) &&
           execute(s, durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", why) &&
           execute(s, "PRAGMA foreign_keys = ON; PRAGMA cache_size = -32768", why) &&
           bring_forward(s, why);
}

store *store_open(const char *path, bool durable, fault *why) {
    store *s = calloc(1, sizeof *s);
    if (!s) {
        fault_set(why, "out of memory");
        return NULL;
    }
    if (open_file(s, path, durable, why))
        return s;
    store_close(s);
    return NULL;
}

void store_close(store *s) {
    if (!s)
        return;
    fault why;
    if (s->in_transaction && !store_commit(s, &why))
        s->in_transaction = false;
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(s->cache[i].statement);
    sqlite3_close(s->db);
    free(s);
}

static int on_progress(void *context) { return clock_us() > ((store *)context)->deadline; }

void store_limit_time(store *s, int64_t us) {
    s->deadline = clock_us() + us;
    sqlite3_progress_handler(s->db, 10000, on_progress, s);
}

// --- the log ------------------------------------------------------------------------------------

int store_log_pages(const store *s) { return s->log_pages; }

void store_checkpoint(const char *path) {
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_exec(db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
        sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    }
    sqlite3_close(db);
}

void store_restart_log(store *s) {
    if (!s->in_transaction)
        sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

// --- backup -------------------------------------------------------------------------------------

bool store_backup(const char *path, const char *to, fault *why) {
    if (access(to, F_OK) == 0)
        return fault_set(why, "%s is there already", to);
    sqlite3 *db = NULL;
    sqlite3_stmt *copy = NULL;
    int status = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
    if (status == SQLITE_OK) {
        sqlite3_busy_timeout(db, 5000);
        status = sqlite3_prepare_v2(db, "VACUUM INTO ?1", -1, &copy, NULL);
    }
    // Made by us, empty, so that nobody else can ever read what is written there.
    int file = status == SQLITE_OK ? open(to, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600) : -1;
    if (file >= 0)
        close(file);
    if (status == SQLITE_OK)
        sqlite3_bind_text(copy, 1, to, -1, SQLITE_STATIC);
    if (status == SQLITE_OK && sqlite3_step(copy) != SQLITE_DONE)
        status = SQLITE_ERROR;
    if (status != SQLITE_OK && file >= 0)
        unlink(to);
    if (status != SQLITE_OK)
        fault_set(why, "cannot copy %s: %s", path, sqlite3_errmsg(db));
    sqlite3_finalize(copy);
    sqlite3_close(db);
    return status == SQLITE_OK;
}
