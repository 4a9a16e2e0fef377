// SQL of SQLite as PostgreSQL takes it: parameters, types, hints. Queries and the schema are
// written once (query.h, schema.c); what both understand passes unchanged.
#ifndef KRATON_STORE_POSTGRES_SQL_H
#define KRATON_STORE_POSTGRES_SQL_H

#include "base/buffer.h"
#include "store/query.h"

typedef struct {
    int count; // the highest
    bool is_used[QUERY_VALUES];
} postgres_parameters;

enum { STATEMENT_NAME_SIZE = 32 };

// Appends the SQL to `out`, terminated, and notes its parameters. False when there is no memory.
MUST_USE bool postgres_translate(const char *sql, buffer *out, postgres_parameters *used);
// The name of a prepared statement, always the same for the same SQL.
void postgres_name(text sql, char name[STATEMENT_NAME_SIZE]);
// What an empty database needs before the schema: its version, and a function of SQLite.
extern const char postgres_prelude[];

#endif
