#include "store/backend.h"

static void *find_statement(store *s, const char *literal) {
    size_t i = ((uintptr_t)literal >> 3) * 0x9e3779b97f4a7c15u >> 56 & (STORE_STATEMENTS - 1);
    while (s->cache[i].literal && s->cache[i].literal != literal)
        i = (i + 1) & (STORE_STATEMENTS - 1);
    if (!s->cache[i].literal) {
        s->cache[i].statement = s->backend->prepare(s, literal);
        if (s->cache[i].statement)
            s->cache[i].literal = literal;
    }
    return s->cache[i].statement;
}

query query_begin(store *s, const char *literal) {
    return (query){.store = s, .statement = s->failed ? NULL : find_statement(s, literal)};
}

query query_write(store *s, const char *literal) {
    if (!s->in_transaction && !s->failed)
        s->in_transaction = s->backend->begin(s);
    query q = query_begin(s, literal);
    q.is_write = true;
    return q;
}

query query_try(store *s, const char *literal) {
    query q = query_write(s, literal);
    q.may_be_refused = true;
    return q;
}

void query_bind(query *q, int at, int64_t value) {
    q->values[at - 1].kind = VALUE_INT;
    q->values[at - 1].number = value;
}

void query_bind_real(query *q, int at, double value) {
    q->values[at - 1].kind = VALUE_REAL;
    q->values[at - 1].real = value;
}

void query_bind_text(query *q, int at, text value) {
    q->values[at - 1].kind = VALUE_TEXT;
    q->values[at - 1].bytes = value.at ? value : (text){"", 0};
}

void query_bind_blob(query *q, int at, text value) {
    query_bind_text(q, at, value);
    q->values[at - 1].kind = VALUE_BLOB;
}

bool query_row(query *q) { return q->statement && !q->has_failed && q->store->backend->row(q); }

bool query_is_null(const query *q, int column) { return q->store->backend->is_null(q, column); }

int64_t query_int(const query *q, int column) { return q->store->backend->get_int(q, column); }

double query_real(const query *q, int column) { return q->store->backend->get_real(q, column); }

text query_text(const query *q, int column) { return q->store->backend->get_bytes(q, column); }

text query_blob(const query *q, int column) { return q->store->backend->get_bytes(q, column); }

void query_copy(const query *q, int column, char *to, size_t size) {
    writer w = writer_on(to, size);
    write_text(&w, query_text(q, column));
}

bool query_end(query *q) {
    if (!q->statement)
        return false;
    q->store->backend->end(q);
    q->statement = NULL;
    return !q->has_failed;
}

bool query_run(query *q) {
    if (q->statement)
        q->store->backend->run(q);
    return query_end(q);
}

int64_t query_number(query *q) {
    int64_t number = query_row(q) ? query_int(q, 0) : 0;
    query_end(q);
    return number;
}

int64_t store_next_id(store *s, numbered_table table) {
    static const char *const last[NUMBERED_TABLES] = {
        [NUMBERED_PLAYERS] = "SELECT coalesce(max(id), 0) FROM players",
        [NUMBERED_GAMES] = "SELECT coalesce(max(id), 0) FROM games",
        [NUMBERED_JOURNAL] = "SELECT coalesce(max(id), 0) FROM journal",
        [NUMBERED_TOURNAMENTS] = "SELECT coalesce(max(id), 0) FROM tournaments",
        [NUMBERED_AUDIT] = "SELECT coalesce(max(id), 0) FROM audit",
        [NUMBERED_REPORTS] = "SELECT coalesce(max(id), 0) FROM reports"};
    if (!s->last_ids[table]) {
        query q = query_begin(s, last[table]);
        s->last_ids[table] = query_number(&q);
    }
    return ++s->last_ids[table];
}
