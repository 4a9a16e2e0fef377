// SQLite: one file in WAL mode in the data folder, kraton.db, beside the file that locks the
// folder.
#include "base/minmax.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/thread.h"
#include "store/backend.h"
#include "store/pages.h"
#include "store/schema.h"
#include "store/wal.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATH_SIZE = 4096, LOCK_TRIES = 20, LOCK_WAIT_US = 50000 };

// In the data folder.
#define STORE_FILE "kraton.db"
#define LOCK_FILE "lock"
#define IDENTITY_FILE "identity"

typedef struct {
    sqlite3 *db;
    wal *log; // NULL: a second store, or in memory
    int log_pages;
    bool durable;     // a commit is through when the log is synced
    os_file lock;     // of the folder
    int64_t deadline; // of clock_us; see store_limit_time
} sqlite_file;

static sqlite_file *file_of(const store *s) { return s->connection; }

static sqlite3 *db_of(const store *s) { return file_of(s)->db; }

// --- queries ------------------------------------------------------------------------------------

static void *prepare(store *s, const char *literal) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(db_of(s), literal, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) !=
        SQLITE_OK)
        store_fail(s, literal, sqlite3_errmsg(db_of(s)));
    return statement;
}

static void forget(void *statement) { sqlite3_finalize(statement); }

static int bind(sqlite3_stmt *statement, int at, const query_value *v) {
    switch (v->kind) {
    case VALUE_INT:
        return sqlite3_bind_int64(statement, at, v->number);
    case VALUE_REAL:
        return sqlite3_bind_double(statement, at, v->real);
    case VALUE_TEXT:
        return sqlite3_bind_text(statement, at, v->bytes.at, (int)v->bytes.len, SQLITE_STATIC);
    case VALUE_BLOB:
        return sqlite3_bind_blob(statement, at, v->bytes.at, (int)v->bytes.len, SQLITE_STATIC);
    case VALUE_NULL:
        break;
    }
    return SQLITE_OK;
}

static bool bind_all(query *q) {
    int count = sqlite3_bind_parameter_count(q->statement);
    q->has_run = true;
    for (int i = 0; i < count; i++)
        if (bind(q->statement, i + 1, &q->values[i]) != SQLITE_OK)
            return false;
    return true;
}

// A violated constraint is reported to the caller; any other error makes the store fail.
static bool row(query *q) {
    int status = q->has_run || bind_all(q) ? sqlite3_step(q->statement) : SQLITE_NOMEM;
    q->has_failed = status != SQLITE_ROW && status != SQLITE_DONE;
    if (q->has_failed && (status & 0xff) != SQLITE_CONSTRAINT)
        store_fail(q->store, sqlite3_sql(q->statement), sqlite3_errmsg(db_of(q->store)));
    return status == SQLITE_ROW;
}

static void run(query *q) {
    while (row(q)) {
    }
}

static bool is_null(const query *q, int column) {
    return sqlite3_column_type(q->statement, column) == SQLITE_NULL;
}

static int64_t get_int(const query *q, int column) {
    return sqlite3_column_int64(q->statement, column);
}

static double get_real(const query *q, int column) {
    return sqlite3_column_double(q->statement, column);
}

static text get_bytes(const query *q, int column) {
    const char *at = sqlite3_column_blob(q->statement, column);
    return at ? (text){at, (size_t)sqlite3_column_bytes(q->statement, column)} : (text){"", 0};
}

static void end(query *q) {
    sqlite3_reset(q->statement);
    sqlite3_clear_bindings(q->statement);
}

// --- transactions -------------------------------------------------------------------------------

static bool run_plain(store *s, const char *literal) {
    query q = query_begin(s, literal);
    return query_run(&q);
}

static bool begin(store *s) { return run_plain(s, "BEGIN IMMEDIATE"); }

// Restarts the log from its beginning. Quick: the log's thread has just moved most of it.
static void restart_log(store *s) {
    sqlite3_wal_checkpoint_v2(db_of(s), NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

static bool commit(store *s) {
    const sqlite_file *f = file_of(s);
    if (!run_plain(s, "COMMIT"))
        return false;
    if (f->log && wal_committed(f->log, f->log_pages))
        restart_log(s);
    return true;
}

static bool is_through(store *s, bool waits) {
    const sqlite_file *f = file_of(s);
    if (!f->durable || !f->log)
        return true;
    if (waits)
        wal_sync(f->log);
    bool is_synced = wal_is_synced(f->log);
    int error = wal_error(f->log);
    if (error)
        store_fail(s, "writing to the disk", strerror(error));
    return is_synced;
}

static intptr_t watch(const store *s, bool *wants_write) {
    *wants_write = false;
    return file_of(s)->log ? wal_handle(file_of(s)->log) : -1;
}

static int on_progress(void *context) { return clock_us() > ((sqlite_file *)context)->deadline; }

static void limit_time(store *s, int64_t us) {
    file_of(s)->deadline = clock_us() + us;
    sqlite3_progress_handler(db_of(s), 10000, on_progress, file_of(s));
}

static bool is_sound(const store *s, fault *why) {
    int error = wal_error(file_of(s)->log);
    return !error || fault_set(why, "the disk does not keep what is written: %s", strerror(error));
}

static store_figures get_figures(const store *s) {
    store_figures f;
    wal_figures(file_of(s)->log, &f.syncs, &f.took_us);
    return f;
}

// --- opening ------------------------------------------------------------------------------------

static bool execute(store *s, const char *sql, fault *why) {
    if (sqlite3_exec(db_of(s), sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    return fault_set(why, "the database: %s", sqlite3_errmsg(db_of(s)));
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
    ((sqlite_file *)context)->log_pages = pages;
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

static bool open_file(store *s, const char *path, int flags, fault *why) {
    if (sqlite3_open_v2(path, &file_of(s)->db, SQLITE_OPEN_READWRITE | flags, pages_layer()) !=
        SQLITE_OK)
        return fault_set(why, "cannot open %s: %s", path, sqlite3_errmsg(db_of(s)));
    sqlite3_busy_timeout(db_of(s), 5000);
    sqlite3_wal_hook(db_of(s), on_commit, file_of(s)); // and no checkpoints by itself
    return (!(flags & SQLITE_OPEN_CREATE) || check_sound(s, path, why)) &&
           execute(s, "PRAGMA journal_mode = WAL", why) &&
           execute(s, "PRAGMA synchronous = NORMAL", why) && // the log's thread syncs
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
    bool is_open = os_file_open(&file_of(s)->lock, path, OS_FILE_LOCK);
    for (int tries = 0; is_open && tries < LOCK_TRIES; tries++) {
        if (os_file_lock(&file_of(s)->lock))
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
        sqlite3_wal_checkpoint_v2(db_of(s), NULL, SQLITE_CHECKPOINT_FULL, NULL, NULL);
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
    bool is_new_folder = !os_path_exists(folder);
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
    if (!open_file(s, path, SQLITE_OPEN_CREATE, why) || !check_identity(s, folder, why) ||
        !judge_pages(s, path, &report, why))
        return false;
    file_of(s)->durable = flags & STORE_DURABLE;
    file_of(s)->log = wal_start(path, file_of(s)->durable ? 0 : WAL_SYNC_PAUSE_US);
    return file_of(s)->log || fault_set(why, "cannot start a thread");
}

static bool make_file(store *s, fault *why) {
    sqlite_file *f = calloc(1, sizeof *f);
    if (!f)
        return fault_set(why, "out of memory");
    f->lock = OS_FILE_NONE;
    s->connection = f;
    return true;
}

bool sqlite_open(store *s, const char *folder, int flags, fault *why) {
    return make_file(s, why) && (folder ? open_folder(s, folder, flags, why)
                                        : open_file(s, ":memory:", SQLITE_OPEN_CREATE, why));
}

bool sqlite_open_second(store *s, const char *folder, fault *why) {
    char path[PATH_SIZE];
    return make_file(s, why) && path_in(folder, STORE_FILE, path, why) &&
           open_file(s, path, 0, why);
}

static void close_file(store *s) {
    sqlite_file *f = file_of(s);
    if (!f)
        return;
    wal_stop(f->log);
    sqlite3_close(f->db);
    os_file_close(&f->lock);
    free(f);
}

const backend sqlite_backend = {.prepare = prepare,
                                .forget = forget,
                                .row = row,
                                .run = run,
                                .is_null = is_null,
                                .get_int = get_int,
                                .get_real = get_real,
                                .get_bytes = get_bytes,
                                .end = end,
                                .begin = begin,
                                .commit = commit,
                                .is_through = is_through,
                                .watch = watch,
                                .limit_time = limit_time,
                                .is_sound = is_sound,
                                .get_figures = get_figures,
                                .close = close_file};

// --- backup -------------------------------------------------------------------------------------

// Creates the file first, readable by its owner only.
static bool make_private(const char *path) {
    os_file file;
    return os_file_open(&file, path, OS_FILE_LOCK) && os_file_close(&file);
}

bool store_backup(const char *place, const char *to, fault *why) {
    const char *folder = store_folder(place);
    char path[PATH_SIZE];
    if (!folder)
        return fault_set(why, "a PostgreSQL database is copied with pg_dump");
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
