// SQLite: one file in WAL mode in the data folder, kraton.db, beside the file that locks the
// folder.
#include "base/minmax.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/thread.h"
#include "store/pages.h"
#include "store/query.h"
#include "store/schema.h"
#include "store/wal.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    STATEMENTS = 256, // a power of two, more than there are literals
    PATH_SIZE = 4096,
    LOCK_TRIES = 20,
    LOCK_WAIT_US = 50000
};

// In the data folder.
#define STORE_FILE "kraton.db"
#define LOCK_FILE "lock"
#define IDENTITY_FILE "identity"

struct store {
    sqlite3 *db;
    bool in_transaction, failed;
    wal *log; // NULL: a second store, or in memory
    int log_pages;
    os_file lock;     // of the folder
    int64_t deadline; // of clock_us; see store_limit_time
    fault why;
    fault damage[STORE_DAMAGE]; // found when it was opened
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

void query_copy(const query *q, int column, char *to, size_t size) {
    writer w = writer_on(to, size);
    write_text(&w, query_text(q, column));
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

// A violated constraint is reported to the caller; any other error makes the store fail.
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

int64_t query_number(query *q) {
    int64_t number = query_row(q) ? query_int(q, 0) : 0;
    query_end(q);
    return number;
}

int64_t store_last_id(const store *s) { return sqlite3_last_insert_rowid(s->db); }

// --- transactions -------------------------------------------------------------------------------

bool store_has_failed(const store *s) { return s->failed; }

bool store_is_dirty(const store *s) { return s->in_transaction || s->failed; }

// Restarts the log from its beginning. Quick: the log's thread has just moved most of it.
static void restart_log(store *s) {
    sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

bool store_commit(store *s, fault *why) {
    bool had_some = s->in_transaction && !s->failed;
    if (had_some && run_plain(s, "COMMIT"))
        s->in_transaction = false;
    if (s->failed)
        *why = s->why;
    else if (had_some && s->log && wal_committed(s->log, s->log_pages))
        restart_log(s);
    return !s->failed;
}

void store_commit_then(store *s, store_done *done, void *context) {
    fault why;
    done(context, store_commit(s, &why) ? NULL : &why);
}

bool store_is_sound(const store *s, fault *why) {
    int error = wal_error(s->log);
    return !error || fault_set(why, "the disk does not keep what is written: %s", strerror(error));
}

store_figures store_get_figures(const store *s) {
    store_figures f;
    wal_figures(s->log, &f.syncs, &f.took_us);
    return f;
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

// Finds damage of the file's structure before anything is written to it.
static bool check_sound(store *s, const char *path, fault *why) {
    query q = query_begin(s, "PRAGMA quick_check(1)");
    text found = query_row(&q) ? query_text(&q, 0) : text_of("it cannot be read");
    bool good = text_is(found, "ok");
    if (!good)
        fault_set(why, "%s is damaged: %.*s; put a backup in its place", path,
                  (int)min_size(found.len, 120), found.at);
    query_end(&q);
    return good;
}

static bool open_file(store *s, const char *path, int flags, bool durable, fault *why) {
    if (sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | flags, pages_layer()) != SQLITE_OK)
        return fault_set(why, "cannot open %s: %s", path, sqlite3_errmsg(s->db));
    sqlite3_busy_timeout(s->db, 5000);
    sqlite3_wal_hook(s->db, on_commit, s); // and no checkpoints by itself
    return (!(flags & SQLITE_OPEN_CREATE) || check_sound(s, path, why)) &&
           execute(s, "PRAGMA journal_mode = WAL", why) &&
           execute(s, durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", why) &&
           execute(s, "PRAGMA foreign_keys = ON; PRAGMA cache_size = -32768", why) &&
           bring_forward(s, why);
}

static bool path_in(const char *folder, const char *name, char path[PATH_SIZE], fault *why) {
    writer w = writer_on(path, PATH_SIZE);
    write_format(&w, "%s/%s", folder, name);
    return !w.overflow || fault_set(why, "the name of the data folder is too long");
}

// The system drops the lock when its process ends. Waits a moment for a process that is ending.
static bool lock_folder(store *s, const char *path, const char *folder, fault *why) {
    bool is_open = os_file_open(&s->lock, path, OS_FILE_LOCK);
    for (int tries = 0; is_open && tries < LOCK_TRIES; tries++) {
        if (os_file_lock(&s->lock))
            return true;
        if (errno != EWOULDBLOCK)
            break;
        os_sleep_us(LOCK_WAIT_US);
        errno = EWOULDBLOCK;
    }
    return is_open && errno == EWOULDBLOCK
               ? fault_set(why, "another server is using the folder %s: stop it first", folder)
               : fault_set(why, "cannot write to the folder %s: %s", folder, strerror(errno));
}

static bool check_present(const char *path, bool is_new_folder, bool wants_new, fault *why) {
    os_file_status status;
    bool is_there = os_path_get_status(path, &status);
    if (is_there && wants_new)
        return fault_set(why, "%s is there already; --new is for a folder without it", path);
    if (is_there && status.size == 0)
        return fault_set(why,
                         "%s is empty: put a backup in its place, or remove it and start with "
                         "`kraton serve --new`",
                         path);
    return is_there || is_new_folder || wants_new ||
           fault_set(why,
                     "%s is missing: put a backup in its place, or start with `kraton serve "
                     "--new` to begin with nothing",
                     path);
}

// The number of the database, and of the folder, which must be the same.
static bool check_identity(store *s, const char *folder, fault *why) {
    char path[PATH_SIZE], own[32], *kept = NULL;
    size_t len = 0;
    query q = query_write(s, "INSERT OR IGNORE INTO meta"
                             " VALUES('identity', abs(random() / 2) + 1)");
    query_run(&q);
    q = query_begin(s, "SELECT value FROM meta WHERE key = 'identity'");
    writer w = writer_on(own, sizeof own);
    write_format(&w, "%016llx\n", (unsigned long long)(query_row(&q) ? query_int(&q, 0) : 0));
    query_end(&q);
    if (!store_commit(s, why) || !path_in(folder, IDENTITY_FILE, path, why))
        return false;
    if (!os_path_exists(path)) {
        // The file is synced at once, so the database must be, before it.
        sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_FULL, NULL, NULL);
        return os_path_write_all(path, own, w.used) ||
               fault_set(why, "cannot write %s: %s", path, strerror(errno));
    }
    bool same = os_path_read_all(path, sizeof own, &kept, &len) && len == w.used &&
                memcmp(kept, own, len) == 0;
    free(kept);
    return same || fault_set(why,
                             "%s says that the database here is another server's; if it is "
                             "meant to be here, remove that file",
                             path);
}

// --- damage -------------------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static void name_damage(store *s, const char *format, ...) {
    int n = 0;
    while (n < STORE_DAMAGE && s->damage[n].line[0])
        n++;
    va_list args;
    va_start(args, format);
    if (n < STORE_DAMAGE)
        vsnprintf(s->damage[n].line, sizeof s->damage[n].line, format, args);
    va_end(args);
}

const char *store_damage(const store *s, int n) {
    return n >= 0 && n < STORE_DAMAGE && s->damage[n].line[0] ? s->damage[n].line : NULL;
}

// The table or index a page belongs to; empty: none.
static void find_owner(store *s, int64_t page, char *name, size_t size) {
    query q = query_begin(s, "SELECT coalesce(tbl_name, stat.name) FROM dbstat AS stat"
                             " LEFT JOIN sqlite_schema AS known ON known.name = stat.name"
                             " WHERE pageno = ?1");
    query_bind(&q, 1, page);
    name[0] = '\0';
    if (query_row(&q))
        query_copy(&q, 0, name, size);
    query_end(&q);
}

// Damage to a table whose rows have checksums of their own, or that is made out of others, is named
// and the server goes on. Nobody could tell which values of another table are wrong.
static bool may_go_on(const char *table) {
    static const char *const names[] = {"",         "games",       "moves",
                                        "journal",  "game_keys",   "opening_moves",
                                        "unplaced", "assessments", "position_games"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(table, names[i]) == 0)
            return true;
    return false;
}

static bool judge_pages(store *s, const char *path, const pages_report *r, fault *why) {
    if (r->is_changed)
        name_damage(s, "%s was replaced or written by another program: its checksums are made anew",
                    path);
    if (r->own)
        name_damage(s, "%s-sums was damaged; its checksums are made anew", path);
    if (r->log_lost)
        name_damage(
            s,
            "%s-wal breaks off at frame %lld: what the %lld pages from there on had is lost "
            "(damage, or the power went while it was written)",
            path, (long long)r->log_frame, (long long)r->log_lost);
    for (int i = 0; i < r->count && i < PAGES_NAMED; i++) {
        char table[64];
        find_owner(s, r->numbers[i], table, sizeof table);
        if (!may_go_on(table))
            return fault_set(why,
                             "%s is damaged: page %lld, of the table %s, is not what was written; "
                             "put a backup in its place, or remove %s-sums to go on with it",
                             path, (long long)r->numbers[i], table, STORE_FILE);
        name_damage(s, "%s is damaged: page %lld, of %s%s, is not what was written (%d in all)",
                    path, (long long)r->numbers[i], table[0] ? "the table " : "no table", table,
                    r->count);
    }
    return true;
}

static bool open_folder(store *s, const char *folder, int flags, fault *why) {
    bool is_new_folder = !os_path_exists(folder), durable = flags & STORE_DURABLE;
    char path[PATH_SIZE], lock[PATH_SIZE];
    if (!os_folder_make(folder))
        return fault_set(why, "cannot make the folder %s: %s", folder, strerror(errno));
    if (!path_in(folder, STORE_FILE, path, why) || !path_in(folder, LOCK_FILE, lock, why))
        return false;
    // A folder that never was a server's gets no lock either.
    bool is_refused =
        !os_path_exists(lock) && !check_present(path, is_new_folder, flags & STORE_NEW, why);
    if (is_refused || !lock_folder(s, lock, folder, why) ||
        !check_present(path, is_new_folder, flags & STORE_NEW, why))
        return false;
    pages_report report = {0};
    fault cause;
    if (os_path_exists(path) && !pages_check(path, &report, &cause))
        return fault_set(why, "%s is damaged: %.200s; put a backup in its place", path, cause.line);
    if (!open_file(s, path, SQLITE_OPEN_CREATE, durable, why) || !check_identity(s, folder, why) ||
        !judge_pages(s, path, &report, why))
        return false;
    s->log = wal_start(path, !durable);
    return s->log || fault_set(why, "cannot start a thread");
}

static store *new_store(fault *why) {
    store *s = calloc(1, sizeof *s);
    if (s)
        s->lock = OS_FILE_NONE;
    else
        fault_set(why, "out of memory");
    return s;
}

store *store_open(const char *folder, int flags, fault *why) {
    store *s = new_store(why);
    if (!s || (folder ? open_folder(s, folder, flags, why)
                      : open_file(s, ":memory:", SQLITE_OPEN_CREATE, false, why)))
        return s;
    store_close(s);
    return NULL;
}

store *store_open_second(const char *folder, fault *why) {
    char path[PATH_SIZE];
    store *s = new_store(why);
    if (!s || (path_in(folder, STORE_FILE, path, why) && open_file(s, path, 0, false, why)))
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
    wal_stop(s->log);
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(s->cache[i].statement);
    sqlite3_close(s->db);
    os_file_close(&s->lock);
    free(s);
}

static int on_progress(void *context) { return clock_us() > ((store *)context)->deadline; }

void store_limit_time(store *s, int64_t us) {
    s->deadline = clock_us() + us;
    sqlite3_progress_handler(s->db, 10000, on_progress, s);
}

// --- backup -------------------------------------------------------------------------------------

// Creates the file first, readable by its owner only.
static bool make_private(const char *path) {
    os_file file;
    return os_file_open(&file, path, OS_FILE_LOCK) && os_file_close(&file);
}

bool store_backup(const char *folder, const char *to, fault *why) {
    char path[PATH_SIZE];
    if (!path_in(folder, STORE_FILE, path, why))
        return false;
    if (os_path_exists(to))
        return fault_set(why, "%s is there already", to);
    sqlite3 *db = NULL;
    sqlite3_stmt *copy = NULL;
    int status = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, pages_layer());
    if (status == SQLITE_OK) {
        sqlite3_busy_timeout(db, 5000);
        status = sqlite3_prepare_v2(db, "VACUUM INTO ?1", -1, &copy, NULL);
    }
    bool is_made = status == SQLITE_OK && make_private(to);
    if (status == SQLITE_OK)
        sqlite3_bind_text(copy, 1, to, -1, SQLITE_STATIC);
    if (status == SQLITE_OK && sqlite3_step(copy) != SQLITE_DONE)
        status = SQLITE_ERROR;
    if (status != SQLITE_OK && is_made)
        os_path_remove(to);
    if (status != SQLITE_OK)
        fault_set(why, "cannot copy %s: %s", path, sqlite3_errmsg(db));
    sqlite3_finalize(copy);
    sqlite3_close(db);
    return status == SQLITE_OK;
}

void store_remove(const char *folder) {
    static const char *const names[] = {STORE_FILE,         STORE_FILE "-wal", STORE_FILE "-shm",
                                        STORE_FILE "-sums", LOCK_FILE,         IDENTITY_FILE};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[PATH_SIZE];
        fault why;
        if (path_in(folder, names[i], path, &why))
            os_path_remove(path);
    }
}
