// PostgreSQL by libpq in pipeline mode: writes and commits are sent and not waited for, reads wait
// for everything sent before them. An error of a write shows when its answer is read.
#include "base/encoding.h"
#include "base/minmax.h"
#include "os/clock.h"
#include "os/thread.h"
#include "store/backend.h"
#include "store/libpq.h"
#include "store/postgres_sql.h"
#include "store/schema.h"

#include <stdlib.h>

enum { LOCK_TRIES = 40, LOCK_WAIT_US = 50000, NUMBER_SIZE = 32, BINARY = 1 };
enum { TYPE_BOOL = 16, TYPE_INT2 = 21, TYPE_INT4 = 23, TYPE_FLOAT8 = 701 }; // of pg_type

// A plan is kept for a statement, and for the check of a reference, and suits the size its tables
// had when it was made. A table of one page is read from end to end; while that was still done when
// it had grown, an import of 6,000 games into a small archive took 96 s instead of 7. So plans are
// made anew after so many writes. PostgreSQL does it only after an ANALYZE, once a minute at most.
enum { WRITES_OF_PLANS = 2000 };

typedef struct {
    libpq pq;
    PGconn *link;
    uint64_t sent, answered; // commands and syncs, and how many of them have been answered
    uint64_t commit;         // the last commit is kept when so many are answered
    bool wants_write;        // something could not be sent yet
    int writes;              // since plans were made anew
} postgres;

static postgres *connection_of(const store *s) { return s->connection; }

static const libpq *pq_of(const store *s) { return &connection_of(s)->pq; }

// The first line of what libpq says, without "ERROR:" before it.
static fault one_line(const char *message) {
    fault f;
    text rest = text_of(message), line = text_next_line(&rest);
    size_t skip = text_find(line, "ERROR:  ");
    if (skip < line.len)
        line = text_skip(line, skip + strlen("ERROR:  "));
    writer w = writer_on(f.line, sizeof f.line);
    write_text(&w, utf8_cut(text_trim(line), 160));
    return f;
}

static void fail_by(store *s, const char *what, const char *message) {
    store_fail(s, what, one_line(message).line);
}

// --- sending and receiving ----------------------------------------------------------------------

static void note_sent(store *s, int is_sent, const char *what) {
    if (is_sent)
        connection_of(s)->sent++;
    else
        fail_by(s, what, pq_of(s)->PQerrorMessage(connection_of(s)->link));
}

static void send_plain(store *s, const char *sql) {
    note_sent(
        s,
        pq_of(s)->PQsendQueryParams(connection_of(s)->link, sql, 0, NULL, NULL, NULL, NULL, BINARY),
        sql);
}

static bool is_refusal(const store *s, const PGresult *r) {
    const char *state = pq_of(s)->PQresultErrorField(r, PG_DIAG_SQLSTATE);
    return state && strncmp(state, "23", 2) == 0; // a constraint
}

static void send_sync(store *s) {
    note_sent(s, pq_of(s)->PQpipelineSync(connection_of(s)->link), "sending");
}

// An answer that somebody waits for.
typedef struct {
    uint64_t number;     // of the command, from 0
    bool may_be_refused; // it alone
    PGresult *result;
} awaited;

// Reads the next result, and waits for it where it is not there yet. A command's results end with
// NULL, a sync has one. The awaited may be NULL.
static void read_result(store *s, awaited *a) {
    postgres *p = connection_of(s);
    PGresult *r = p->pq.PQgetResult(p->link);
    bool is_awaited = a && p->answered == a->number;
    int status = r ? p->pq.PQresultStatus(r) : PGRES_COMMAND_OK;
    if (status == PGRES_FATAL_ERROR && !(is_awaited && a->may_be_refused && is_refusal(s, r)))
        fail_by(s, "a query", p->pq.PQresultErrorMessage(r));
    if (!r || status == PGRES_PIPELINE_SYNC)
        p->answered++;
    if (r && is_awaited && !a->result)
        a->result = r;
    else
        p->pq.PQclear(r);
    if (p->pq.PQstatus(p->link) == CONNECTION_BAD) {
        fail_by(s, "the connection", p->pq.PQerrorMessage(p->link));
        p->answered = p->sent;
    }
}

// Reads the answers to everything sent so far. Returns the one with `behind` others behind it,
// which alone may be a refusal.
static PGresult *settle_all(store *s, int behind, bool may_be_refused) {
    const postgres *p = connection_of(s);
    awaited a = {.number = p->sent - 1 - (uint64_t)behind, .may_be_refused = may_be_refused};
    send_sync(s);
    while (p->answered < p->sent)
        read_result(s, &a);
    return a.result;
}

static void settle(store *s) { pq_of(s)->PQclear(settle_all(s, 0, false)); }

// --- queries ------------------------------------------------------------------------------------

typedef struct {
    char name[STATEMENT_NAME_SIZE];
    postgres_parameters used;
} statement;

static void *prepare(store *s, const char *literal) {
    statement *made = calloc(1, sizeof *made);
    buffer sql = {0};
    if (!made || !postgres_translate(literal, &sql, &made->used)) {
        store_fail(s, literal, "out of memory");
        buffer_free(&sql);
        free(made);
        return NULL;
    }
    // Types follow from where parameters stand; those that stand nowhere need some type.
    unsigned types[QUERY_VALUES];
    for (int i = 0; i < QUERY_VALUES; i++)
        types[i] = made->used.is_used[i] ? 0 : TYPE_INT4;
    postgres_name(text_of(literal), made->name);
    note_sent(s,
              pq_of(s)->PQsendPrepare(connection_of(s)->link, made->name, sql.bytes,
                                      made->used.count, types),
              literal);
    buffer_free(&sql);
    return made;
}

static void forget(void *made) { free(made); }

// What PostgreSQL takes as a text: valid UTF-8 without NUL. Other bytes become '?'. NULL: it may
// stay as it is.
static char *scrub(text t) {
    if (utf8_is_valid(t) && !memchr(t.at, 0, t.len))
        return NULL;
    char *copy = malloc(t.len + 1);
    for (size_t i = 0, step; copy && i < t.len; i += step) {
        for (step = 4; step > 1; step--) // the longest character from here on
            if (i + step <= t.len && utf8_is_valid((text){t.at + i, step}) &&
                utf8_length((text){t.at + i, step}) == 1)
                break;
        bool is_good = step > 1 || ((unsigned char)t.at[i] < 0x80 && t.at[i]);
        memcpy(copy + i, is_good ? t.at + i : "?", step);
    }
    return copy;
}

typedef struct {
    const char *at[QUERY_VALUES];
    int length[QUERY_VALUES], format[QUERY_VALUES];
    char numbers[QUERY_VALUES][NUMBER_SIZE];
    char *scrubbed[QUERY_VALUES];
} parameters;

// Numbers go as text, since they may stand for any type of number.
static void write_value(parameters *p, int i, const query_value *v) {
    writer w = writer_on(p->numbers[i], NUMBER_SIZE);
    p->at[i] = v->kind == VALUE_NULL ? NULL : p->numbers[i];
    p->format[i] = 0;
    if (v->kind == VALUE_INT)
        write_number(&w, v->number);
    else if (v->kind == VALUE_REAL)
        write_format(&w, "%.17g", v->real);
    if (v->kind == VALUE_TEXT || v->kind == VALUE_BLOB) {
        p->scrubbed[i] = v->kind == VALUE_TEXT ? scrub(v->bytes) : NULL;
        p->at[i] = p->scrubbed[i] ? p->scrubbed[i] : v->bytes.at;
        p->length[i] = (int)v->bytes.len;
        p->format[i] = BINARY;
    }
}

static void send_query(query *q) {
    const statement *made = q->statement;
    parameters p = {0};
    int count = made->used.count;
    for (int i = 0; i < count; i++)
        if (made->used.is_used[i])
            write_value(&p, i, &q->values[i]);
    q->has_run = true;
    note_sent(q->store,
              pq_of(q->store)->PQsendQueryPrepared(connection_of(q->store)->link, made->name, count,
                                                   p.at, p.length, p.format, BINARY),
              made->name);
    for (int i = 0; i < count; i++)
        free(p.scrubbed[i]);
}

// A refusal ends a transaction; a savepoint keeps what was done before it.
static void try_query(query *q) {
    settle(q->store);
    send_plain(q->store, "SAVEPOINT attempt");
    send_query(q);
    send_plain(q->store, "RELEASE attempt");
    q->result = settle_all(q->store, 1, true);
    q->has_failed = pq_of(q->store)->PQresultStatus(q->result) == PGRES_FATAL_ERROR;
    if (q->has_failed && !q->store->failed) {
        send_plain(q->store, "ROLLBACK TO attempt");
        settle(q->store);
    }
}

static bool row(query *q) {
    if (!q->has_run) {
        q->row = -1;
        if (q->may_be_refused) {
            try_query(q);
        } else {
            send_query(q);
            q->result = settle_all(q->store, 0, false);
        }
        q->has_failed = q->has_failed || q->store->failed;
    }
    return !q->has_failed && ++q->row < pq_of(q->store)->PQntuples(q->result);
}

static void renew_plans(store *s) {
    if (++connection_of(s)->writes < WRITES_OF_PLANS)
        return;
    connection_of(s)->writes = 0;
    send_plain(s, "DISCARD PLANS");
}

static void run(query *q) {
    if (q->may_be_refused || !q->is_write) {
        while (row(q)) {
        }
    } else {
        renew_plans(q->store);
        send_query(q);
        q->has_failed = q->store->failed;
    }
}

static bool is_null(const query *q, int column) {
    return pq_of(q->store)->PQgetisnull(q->result, q->row, column) != 0;
}

static uint64_t read_big_endian(const char *at, int len) {
    uint64_t n = 0;
    for (int i = 0; i < len; i++)
        n = n << 8 | (uint8_t)at[i];
    return n;
}

static int64_t get_int(const query *q, int column) {
    if (is_null(q, column))
        return 0;
    uint64_t n =
        read_big_endian(pq_of(q->store)->PQgetvalue(q->result, q->row, column),
                        min_int(pq_of(q->store)->PQgetlength(q->result, q->row, column), 8));
    switch (pq_of(q->store)->PQftype(q->result, column)) {
    case TYPE_FLOAT8: {
        double real;
        memcpy(&real, &n, sizeof real);
        return (int64_t)real;
    }
    case TYPE_INT4:
        return (int32_t)n;
    case TYPE_INT2:
        return (int16_t)n;
    case TYPE_BOOL:
    default:
        return (int64_t)n;
    }
}

static double get_real(const query *q, int column) {
    if (pq_of(q->store)->PQftype(q->result, column) != TYPE_FLOAT8)
        return (double)get_int(q, column);
    uint64_t n = read_big_endian(pq_of(q->store)->PQgetvalue(q->result, q->row, column),
                                 pq_of(q->store)->PQgetlength(q->result, q->row, column));
    double real;
    memcpy(&real, &n, sizeof real);
    return real;
}

static text get_bytes(const query *q, int column) {
    return (text){pq_of(q->store)->PQgetvalue(q->result, q->row, column),
                  (size_t)pq_of(q->store)->PQgetlength(q->result, q->row, column)};
}

static void end(query *q) { pq_of(q->store)->PQclear(q->result); }

// --- transactions -------------------------------------------------------------------------------

static bool begin(store *s) {
    send_plain(s, "BEGIN");
    return !s->failed;
}

static bool commit(store *s) {
    send_plain(s, "COMMIT");
    send_sync(s);
    connection_of(s)->commit = connection_of(s)->sent;
    return !s->failed;
}

static bool is_through(store *s, bool waits) {
    postgres *p = connection_of(s);
    int left = p->pq.PQflush(p->link);
    p->wants_write = left > 0;
    if (left < 0 || !p->pq.PQconsumeInput(p->link))
        fail_by(s, "the connection", p->pq.PQerrorMessage(p->link));
    while (!s->failed && p->answered < p->commit && (waits || !p->pq.PQisBusy(p->link)))
        read_result(s, NULL);
    return p->answered >= p->commit;
}

static intptr_t watch(const store *s, bool *wants_write) {
    *wants_write = connection_of(s)->wants_write;
    return pq_of(s)->PQsocket(connection_of(s)->link);
}

static void limit_time(store *s, int64_t us) {
    char sql[64];
    writer w = writer_on(sql, sizeof sql);
    write_format(&w, "SET statement_timeout = %lld", (long long)(us / 1000 + 1));
    send_plain(s, sql);
}

static bool is_sound(const store *s, fault *why) {
    (void)s;
    (void)why;
    return true; // a commit is as durable as the database says
}

static store_figures get_figures(const store *s) {
    (void)s;
    return (store_figures){0};
}

// --- opening ------------------------------------------------------------------------------------

// Runs SQL without the pipeline. The number of the first row goes to `number`, where it is wanted.
static bool execute(store *s, const char *sql, int64_t *number, fault *why) {
    PGresult *r = pq_of(s)->PQexec(connection_of(s)->link, sql);
    int status = pq_of(s)->PQresultStatus(r);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!good)
        fault_set(why, "the database: %s", one_line(pq_of(s)->PQresultErrorMessage(r)).line);
    else if (number)
        good = pq_of(s)->PQntuples(r) == 1 &&
               text_to_int(text_of(pq_of(s)->PQgetvalue(r, 0, 0)), INT64_MIN, INT64_MAX, number);
    pq_of(s)->PQclear(r);
    return good;
}

static bool apply_step(store *s, int version, fault *why) {
    buffer sql = {0};
    postgres_parameters none = {0};
    char set_version[96];
    writer w = writer_on(set_version, sizeof set_version);
    write_format(&w, "UPDATE schema_version SET version = %d; COMMIT", version + 1);
    bool good =
        postgres_translate(schema_step(version), &sql, &none) || fault_set(why, "no memory");
    good = good && execute(s, "BEGIN", NULL, why) && execute(s, sql.bytes, NULL, why) &&
           execute(s, set_version, NULL, why);
    buffer_free(&sql);
    return good;
}

// -1: there is no schema.
static bool find_version(store *s, int64_t *version, fault *why) {
    int64_t is_there;
    *version = -1;
    return execute(s, "SELECT count(*) FROM pg_class WHERE oid = to_regclass('schema_version')",
                   &is_there, why) &&
           (!is_there || execute(s, "SELECT version FROM schema_version", version, why));
}

static bool bring_forward(store *s, bool is_new, fault *why) {
    int64_t version;
    if (!find_version(s, &version, why))
        return false;
    if (is_new && version >= 0)
        return fault_set(why, "the database is there already; --new is for an empty one");
    if (version > store_schema_version())
        return fault_set(why, "the database is of a later version (%d) than this program (%d)",
                         (int)version, store_schema_version());
    if (version < 0 && !execute(s, postgres_prelude, NULL, why))
        return false;
    for (int n = version < 0 ? 0 : (int)version; schema_step(n); n++)
        if (!apply_step(s, n, why))
            return false;
    return true;
}

static void ignore_notice(void *context, const char *message) {
    (void)context;
    (void)message;
}

static bool connect_to(store *s, const char *url, fault *why) {
    postgres *p = calloc(1, sizeof *p);
    s->connection = p;
    if (!p)
        return fault_set(why, "out of memory");
    if (!libpq_load(&p->pq, why))
        return false;
    const char *const keys[] = {"dbname", "client_encoding", "fallback_application_name",
                                "connect_timeout", NULL};
    const char *const values[] = {url, "UTF8", "kraton", "10", NULL};
    p->link = p->pq.PQconnectdbParams(keys, values, 1);
    if (p->pq.PQstatus(p->link) != CONNECTION_OK)
        return fault_set(why, "cannot reach the database: %s",
                         one_line(p->pq.PQerrorMessage(p->link)).line);
    p->pq.PQsetNoticeProcessor(p->link, ignore_notice, NULL);
    if (!execute(s, "SET jit = off", NULL, why))
        return false;
    const char *letters = p->pq.PQparameterStatus(p->link, "server_encoding");
    return (letters && strcmp(letters, "UTF8") == 0) ||
           fault_set(why,
                     "the database has the encoding %s; make it with createdb -E UTF8 -T "
                     "template0",
                     letters ? letters : "unknown");
}

// The server drops the lock when the connection ends. Waits a moment for one that is ending.
static bool lock_database(store *s, fault *why) {
    for (int tries = 0; tries < LOCK_TRIES; tries++) {
        int64_t is_mine;
        if (!execute(s, "SELECT pg_try_advisory_lock(118026172821358)::int", &is_mine, why))
            return false;
        if (is_mine)
            return true;
        os_sleep_us(LOCK_WAIT_US);
    }
    return fault_set(why, "another server is using the database: stop it first");
}

static bool enter_pipeline(store *s, fault *why) {
    return (pq_of(s)->PQsetnonblocking(connection_of(s)->link, 1) == 0 &&
            pq_of(s)->PQenterPipelineMode(connection_of(s)->link)) ||
           fault_set(why, "the database: %s",
                     one_line(pq_of(s)->PQerrorMessage(connection_of(s)->link)).line);
}

bool postgres_open(store *s, const char *url, int flags, fault *why) {
    static const char durable[] = "SELECT set_config('synchronous_commit', 'on', false)"
                                  " WHERE current_setting('synchronous_commit') = 'off'";
    return connect_to(s, url, why) && lock_database(s, why) &&
           (!(flags & STORE_DURABLE) || execute(s, durable, NULL, why)) &&
           bring_forward(s, flags & STORE_NEW, why) && enter_pipeline(s, why);
}

bool postgres_open_second(store *s, const char *url, fault *why) {
    int64_t version;
    if (!connect_to(s, url, why) || !find_version(s, &version, why))
        return false;
    if (version < 0)
        return fault_set(why, "the database has no server's data");
    if (version != store_schema_version())
        return fault_set(why, "the database is of version %d, this program of %d", (int)version,
                         store_schema_version());
    return enter_pipeline(s, why);
}

static void close_connection(store *s) {
    if (s->connection && connection_of(s)->link)
        pq_of(s)->PQfinish(connection_of(s)->link);
    free(s->connection);
}

const backend postgres_backend = {.prepare = prepare,
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
                                  .close = close_connection};
