// Queries, for the files of store/ alone.
//
//     query q = query_begin(s, "SELECT name FROM players WHERE id = ?1");
//     query_bind(&q, 1, id);
//     while (query_row(&q)) ... query_text(&q, 0) ...
//     if (!query_end(&q)) ...
//
// SQL is a literal: statements are prepared once and found again by its address, and values only
// ever come in by binding. It is written once, in what SQLite and PostgreSQL both understand:
// - numbers are no truth values: `rated <> 0`, not `rated`
// - the first place of a parameter gives its type: `player = ?3 OR ?3 = 0`, not the other way round
// - ON CONFLICT, not OR IGNORE or OR REPLACE; its columns with the table's name before them
// - names of players are compared as lower(name), and LIKE is for what is in lower case
// INDEXED BY and CROSS JOIN are hints to SQLite; postgres.c leaves them out.
#ifndef KRATON_STORE_QUERY_H
#define KRATON_STORE_QUERY_H

#include "store/store.h"

enum { QUERY_VALUES = 24 };

typedef struct {
    enum { VALUE_NULL, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_BLOB } kind;
    union {
        int64_t number;
        double real;
        text bytes;
    };
} query_value;

typedef struct {
    store *store;
    void *statement; // NULL: it failed or has ended
    void *result;    // of the backend
    int row;         // of the result, for the backend
    bool is_write, may_be_refused, has_run, has_failed;
    query_value values[QUERY_VALUES];
} query;

query query_begin(store *s, const char *literal); // reads
query query_write(store *s, const char *literal); // writes: opens the turn's transaction
// A write that a constraint may refuse: query_run says so, and nothing else happens. Any other
// write must not be refused.
query query_try(store *s, const char *literal);
void query_bind(query *q, int at, int64_t value); // parameters count from 1
void query_bind_real(query *q, int at, double value);
void query_bind_text(query *q, int at, text value); // the bytes must stay until the query ends
void query_bind_blob(query *q, int at, text value);
// The next row; false at the end or on failure.
bool query_row(query *q);
bool query_is_null(const query *q, int column); // columns count from 0
int64_t query_int(const query *q, int column);
double query_real(const query *q, int column);
text query_text(const query *q, int column); // valid until the next row
text query_blob(const query *q, int column);
// Ends it. False where anything failed.
bool query_end(query *q);
// Runs it to its end: for writes. False where it was refused or failed; a write that may not be
// refused may fail later, with the commit.
bool query_run(query *q);
// Ends it with the number of its first row, 0 where there is none: for counts and single values.
int64_t query_number(query *q);
// A column as a terminated string, cut to the size.
void query_copy(const query *q, int column, char *to, size_t size);

// Tables whose rows are numbered. The store gives the numbers, because only one server writes.
typedef enum {
    NUMBERED_PLAYERS,
    NUMBERED_GAMES,
    NUMBERED_JOURNAL,
    NUMBERED_TOURNAMENTS,
    NUMBERED_AUDIT,
    NUMBERED_REPORTS,
    NUMBERED_TABLES
} numbered_table;
// The number of the next row of a table.
int64_t store_next_id(store *s, numbered_table table);

#endif
