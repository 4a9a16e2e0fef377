#include "store/copy.h"

#include "base/minmax.h"
#include "os/file.h"
#include "store/backend.h"

#include <stdlib.h>

enum { BATCH = 500, SQL_SIZE = 1024, KEY_COLUMNS = 4, KEY_SIZE = 256 };

// Every table of the schema, those that others refer to first, with its columns, their types (i, r,
// t, b: as in query_value) and its key, which is the first of them. `kept`: rows that belong to the
// store itself.
typedef struct {
    const char *name, *columns, *types, *key, *kept;
} table_of_schema;

static const table_of_schema tables[] = {
    {"meta", "key, value", "ti", "key", "key = 'identity'"},
    {"players",
     "id, name, kind, role, owner, password, created, closed, banned, looks, folded, recovery",
     "itiiitiitttb", "id", NULL},
    {"tokens", "hash, player, kind, label, created, expires, revoked", "biitiii", "hash", NULL},
    {"tournaments",
     "id, name, game, rules, control, kind, rounds, games, seed, rated, concurrency, state, owner,"
     " created, started, ended, openings, sprt, verdict, per_player, delay",
     "ittttiiiiiiiiiiittiii", "id", NULL},
    {"games",
     "id, game, rules, fen, first, second, control, rated, tournament, round, started, begun, "
     "ended,"
     " outcome, reason, side, words, plies, opening, corrected, rematch, sum",
     "itttiitiiiiiiititittii", "id", NULL},
    {"journal",
     "id, game, kind, ply, move, queued, written, read, accepted, lag, used, remaining, score, "
     "mate,"
     " depth, nodes, late, sum",
     "iiiitiiiiiiiiiiiii", "id", NULL},
    {"moves",
     "game, ply, move, queued, written, read, accepted, lag, used, remaining, score, mate, depth,"
     " nodes, late",
     "iitiiiiiiiiiiii", "game, ply", NULL},
    {"ratings", "player, game, rating, deviation, volatility, games, updated", "itrrrii",
     "player, game", NULL},
    {"rating_history", "player, game, at, played, rating, deviation", "itiirr",
     "player, game, at, played", NULL},
    {"entrants", "tournament, number, player, withdrawn", "iiii", "tournament, number", NULL},
    {"pairings", "tournament, number, round, first, second, opening, game, half_points", "iiiiiiii",
     "tournament, number", NULL},
    {"tournament_log", "tournament, number, pairings, kind, subject, before, now", "iiiiiii",
     "tournament, number", NULL},
    {"audit", "id, at, arbiter, action, subject, reason", "iiittt", "id", NULL},
    {"game_keys", "game, outcome, keys", "iib", "game", NULL},
    {"opening_moves", "key, move, first, draws, second", "iiiii", "key, move", NULL},
    {"assessments", "game, ply, score, mate, best, depth", "iiiiti", "game, ply", NULL},
    {"offers", "id, player, opponent, side, game, rules, control, fen, rated, made", "iiiittttii",
     "id", NULL},
    {"imported", "game, fingerprint, event, site, date, record", "iitttt", "game", NULL},
    {"position_games", "key, game", "ii", "key, game", NULL},
    {"unplaced", "game", "i", "game", NULL},
    {"mutes", "player, other", "ii", "player, other", NULL},
    {"reports", "id, at, reporter, player, game, words", "iiiiit", "id", NULL},
    {"puzzle_tries", "player, game, number, solved, at", "itiii", "player, game, number", NULL},
    {"solvers", "player, game, rating, deviation, volatility, tries, solved, updated", "itrrriii",
     "player, game", NULL},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

// The SQL of a table. Statements are known by their address, so it stays as long as the stores.
typedef struct {
    char count[SQL_SIZE], first[SQL_SIZE], next[SQL_SIZE], insert[SQL_SIZE], clear[SQL_SIZE];
} table_sql;

typedef struct {
    store *from, *to;
    table_sql sql[TABLES];
    store_copy_progress progress;
    store_copy_watch *watch;
    void *context;
    fault *why;
} copier;

// --- SQL ----------------------------------------------------------------------------------------

static int count_words(const char *list) {
    int n = 1;
    for (; *list; list++)
        n += *list == ',';
    return n;
}

static void write_marks(writer *w, int count) {
    for (int i = 1; i <= count; i++)
        write_format(w, i > 1 ? ", ?%d" : "?%d", i);
}

static void write_sql(const table_of_schema *t, table_sql *sql) {
    const char *except = t->kept ? t->kept : "1 = 0";
    writer w = writer_on(sql->count, SQL_SIZE);
    write_format(&w, "SELECT count(*) FROM %s WHERE NOT (%s)", t->name, except);
    w = writer_on(sql->first, SQL_SIZE);
    write_format(&w, "SELECT %s FROM %s WHERE NOT (%s) ORDER BY %s LIMIT %d", t->columns, t->name,
                 except, t->key, BATCH);
    w = writer_on(sql->next, SQL_SIZE);
    write_format(&w, "SELECT %s FROM %s WHERE NOT (%s) AND (%s) > (", t->columns, t->name, except,
                 t->key);
    write_marks(&w, count_words(t->key));
    write_format(&w, ") ORDER BY %s LIMIT %d", t->key, BATCH);
    w = writer_on(sql->insert, SQL_SIZE);
    write_format(&w, "INSERT INTO %s(%s) VALUES(", t->name, t->columns);
    write_marks(&w, count_words(t->columns));
    write_string(&w, ")");
    w = writer_on(sql->clear, SQL_SIZE);
    write_format(&w, "DELETE FROM %s WHERE NOT (%s)", t->name, except);
}

// --- rows ---------------------------------------------------------------------------------------

// Binds a column of a row as parameter `at`.
static void bind_column(query *to, int at, const query *row, int column, char type) {
    if (query_is_null(row, column))
        return;
    if (type == 'i')
        query_bind(to, at, query_int(row, column));
    else if (type == 'r')
        query_bind_real(to, at, query_real(row, column));
    else if (type == 't')
        query_bind_text(to, at, query_text(row, column));
    else
        query_bind_blob(to, at, query_blob(row, column));
}

static bool is_same(const query *a, const query *b, int column, char type) {
    bool is_null = query_is_null(a, column);
    if (is_null || query_is_null(b, column))
        return is_null && query_is_null(b, column);
    if (type == 'i')
        return query_int(a, column) == query_int(b, column);
    if (type == 'r')
        return query_real(a, column) == query_real(b, column);
    return text_equal(query_blob(a, column), query_blob(b, column));
}

// The key of the last row of a batch, after which the next one begins.
typedef struct {
    int count; // 0: there is none yet
    query_value values[KEY_COLUMNS];
    char bytes[KEY_COLUMNS][KEY_SIZE];
} row_key;

static void save_key(const table_of_schema *t, const query *row, row_key *k) {
    k->count = count_words(t->key);
    for (int i = 0; i < k->count; i++) {
        query_value *v = &k->values[i];
        if (t->types[i] == 'i') {
            *v = (query_value){.kind = VALUE_INT, .number = query_int(row, i)};
        } else {
            text bytes = query_blob(row, i);
            bytes.len = min_size(bytes.len, KEY_SIZE);
            memcpy(k->bytes[i], bytes.at, bytes.len);
            *v = (query_value){.kind = t->types[i] == 't' ? VALUE_TEXT : VALUE_BLOB,
                               .bytes = {k->bytes[i], bytes.len}};
        }
    }
}

// The query of the next batch.
static query begin_rows(store *s, const table_sql *sql, const row_key *after) {
    query q = query_begin(s, after->count ? sql->next : sql->first);
    for (int i = 0; i < after->count; i++)
        q.values[i] = after->values[i];
    return q;
}

// --- going through a table ----------------------------------------------------------------------

static bool insert_row(copier *c, int n, const query *row) {
    query q = query_write(c->to, c->sql[n].insert);
    for (int i = 0; tables[n].types[i]; i++)
        bind_column(&q, i + 1, row, i, tables[n].types[i]);
    return query_run(&q);
}

// Compares a row with the next one of the target.
static bool compare_row(copier *c, int n, const query *row, query *other) {
    if (!query_row(other))
        return fault_set(c->why, "the copy lacks rows of %s; nothing was kept", tables[n].name);
    for (int i = 0; tables[n].types[i]; i++)
        if (!is_same(row, other, i, tables[n].types[i])) {
            text columns = text_of(tables[n].columns), name = {0};
            for (int j = 0; j <= i; j++)
                name = text_next_word(&columns);
            name.len -= name.at[name.len - 1] == ',';
            return fault_set(
                c->why, "%.*s of row %lld of %s is not the same in the copy; nothing was kept",
                (int)name.len, name.at,
                (long long)(tables[n].types[0] == 'i' ? query_int(row, 0) : 0), tables[n].name);
        }
    return true;
}

static bool goes_on(copier *c) {
    if (store_has_failed(c->from) || store_has_failed(c->to)) {
        *c->why = store_has_failed(c->from) ? c->from->why : c->to->why;
        return false;
    }
    return c->watch(c->context, &c->progress) ||
           fault_set(c->why, "interrupted; the target is as empty as before");
}

// Goes through a batch. Returns the number of its rows, -1 after a fault.
static int do_batch(copier *c, int n, row_key *last) {
    bool verifies = c->progress.is_verifying, good = true;
    query rows = begin_rows(c->from, &c->sql[n], last), others = {0};
    if (verifies)
        others = begin_rows(c->to, &c->sql[n], last);
    int count = 0;
    while (good && count < BATCH && query_row(&rows)) {
        good = verifies ? compare_row(c, n, &rows, &others) : insert_row(c, n, &rows);
        count++;
    }
    if (good && verifies && count < BATCH && query_row(&others))
        good = fault_set(c->why, "the copy has more rows of %s; nothing was kept", tables[n].name);
    if (good && count == BATCH)
        save_key(&tables[n], &rows, last);
    query_end(&rows);
    if (verifies)
        query_end(&others);
    c->progress.done += count;
    return good ? count : -1;
}

static int64_t count_rows(store *s, const table_sql *sql) {
    query q = query_begin(s, sql->count);
    return query_number(&q);
}

static bool do_tables(copier *c, bool verifies) {
    c->progress.is_verifying = verifies;
    c->progress.done = 0;
    for (int n = 0; n < TABLES; n++) {
        row_key last = {0};
        int count = BATCH;
        c->progress.table = tables[n].name;
        while (count == BATCH) {
            count = do_batch(c, n, &last);
            if (count >= 0 && !verifies)
                count_rows(c->to, &c->sql[0]); // waits until the database has taken them
            if (!goes_on(c) || count < 0)
                return false;
        }
    }
    return true;
}

// --- the whole ----------------------------------------------------------------------------------

// A new store has some rows in meta and nothing else.
static bool prepare_target(copier *c) {
    for (int n = 1; n < TABLES; n++)
        if (count_rows(c->to, &c->sql[n]))
            return fault_set(c->why, "the target is not empty: it has rows of %s", tables[n].name);
    query q = query_write(c->to, c->sql[0].clear);
    query_run(&q);
    return true;
}

static bool copy_all(copier *c) {
    for (int n = 0; n < TABLES; n++) {
        write_sql(&tables[n], &c->sql[n]);
        c->progress.total += count_rows(c->from, &c->sql[n]);
    }
    return prepare_target(c) && do_tables(c, false) && do_tables(c, true) &&
           store_commit(c->to, c->why);
}

// The place must have a server's data: opening it would make an empty one.
static bool is_there(const char *place, fault *why) {
    const char *folder = store_folder(place);
    if (folder)
        return os_path_exists(folder) || fault_set(why, "there is no folder %s", folder);
    store *s = store_open_second(place, why);
    store_close(s);
    return s != NULL;
}

bool store_copy(const char *from, const char *to, store_copy_watch *watch, void *context,
                int64_t *rows, fault *why) {
    copier *c = calloc(1, sizeof *c);
    if (!c)
        return fault_set(why, "out of memory");
    c->watch = watch;
    c->context = context;
    c->why = why;
    bool good = is_there(from, why) && (c->from = store_open(from, 0, why)) &&
                (c->to = store_open(to, STORE_DURABLE, why)) && copy_all(c);
    *rows = c->progress.done;
    if (!good && c->to)
        store_fail(c->to, "copying", why->line); // what was written is not committed
    store_close(c->from);
    store_close(c->to);
    free(c);
    return good;
}
