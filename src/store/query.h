// Queries, for the files of store/ alone.
//
//     query q = query_begin(s, "SELECT name FROM players WHERE id = ?1");
//     query_bind(&q, 1, id);
//     while (query_row(&q)) ... query_text(&q, 0) ...
//     if (!query_end(&q)) ...
//
// SQL is a literal: statements are prepared once and found again by its address, and values only
// ever come in by binding.
#ifndef KRATON_STORE_QUERY_H
#define KRATON_STORE_QUERY_H

#include "store/store.h"

typedef struct {
    store *store;
    void *statement; // the database's own
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
// Ends it. False where anything failed.
bool query_end(query *q);
// Runs it to its end: for writes. False where it failed.
bool query_run(query *q);
// Ends it with the number of its first row, 0 where there is none: for counts and single values.
int64_t query_number(query *q);
int64_t store_last_id(const store *s); // of the last row inserted
// A column as a terminated string, cut to the size.
void query_copy(const query *q, int column, char *to, size_t size);

#endif
