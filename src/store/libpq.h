// libpq, PostgreSQL's library, looked up at run time: a program needs it only for a store in
// PostgreSQL, and starts as quickly as before without. Names and meanings are libpq's own
// (PostgreSQL's manual, chapter "libpq").
#ifndef KRATON_STORE_LIBPQ_H
#define KRATON_STORE_LIBPQ_H

#include "base/bits.h"
#include "base/text.h"

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef void PQnoticeProcessor(void *context, const char *message);

enum {
    CONNECTION_OK = 0,
    CONNECTION_BAD = 1,
    PGRES_COMMAND_OK = 1,
    PGRES_TUPLES_OK = 2,
    PGRES_FATAL_ERROR = 7,
    PGRES_PIPELINE_SYNC = 10,
    PG_DIAG_SQLSTATE = 'C',
};

// An Oid is the number of a type in pg_type.
typedef struct {
    PGconn *(*PQconnectdbParams)(const char *const *keys, const char *const *values, int expand);
    int (*PQstatus)(const PGconn *c);
    const char *(*PQparameterStatus)(const PGconn *c, const char *name);
    char *(*PQerrorMessage)(const PGconn *c);
    PQnoticeProcessor *(*PQsetNoticeProcessor)(PGconn *c, PQnoticeProcessor *f, void *context);
    void (*PQfinish)(PGconn *c);
    int (*PQsocket)(const PGconn *c);
    int (*PQsetnonblocking)(PGconn *c, int on);
    int (*PQenterPipelineMode)(PGconn *c);
    int (*PQpipelineSync)(PGconn *c);
    int (*PQsendPrepare)(PGconn *c, const char *name, const char *sql, int count,
                         const unsigned *oids);
    int (*PQsendQueryParams)(PGconn *c, const char *sql, int count, const unsigned *oids,
                             const char *const *values, const int *lengths, const int *formats,
                             int result_format);
    int (*PQsendQueryPrepared)(PGconn *c, const char *name, int count, const char *const *values,
                               const int *lengths, const int *formats, int result_format);
    int (*PQflush)(PGconn *c);
    int (*PQconsumeInput)(PGconn *c);
    int (*PQisBusy)(PGconn *c);
    PGresult *(*PQexec)(PGconn *c, const char *sql);
    PGresult *(*PQgetResult)(PGconn *c);
    int (*PQresultStatus)(const PGresult *r);
    char *(*PQresultErrorMessage)(const PGresult *r);
    char *(*PQresultErrorField)(const PGresult *r, int field);
    int (*PQntuples)(const PGresult *r);
    unsigned (*PQftype)(const PGresult *r, int column);
    int (*PQgetisnull)(const PGresult *r, int row, int column);
    int (*PQgetlength)(const PGresult *r, int row, int column);
    char *(*PQgetvalue)(const PGresult *r, int row, int column);
    void (*PQclear)(PGresult *r);
} libpq;

// Loads the library. The environment's KRATON_LIBPQ names another file. False with the reason.
MUST_USE bool libpq_load(libpq *pq, fault *why);

#endif
