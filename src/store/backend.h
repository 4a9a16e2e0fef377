// What a database does for query.c and store.c; sqlite.c and postgres.c are the two there are.
#ifndef KRATON_STORE_BACKEND_H
#define KRATON_STORE_BACKEND_H

#include "store/query.h"

enum { STORE_STATEMENTS = 256 }; // a power of two, more than there are literals

typedef struct {
    // A prepared statement; NULL after store_fail.
    void *(*prepare)(store *s, const char *literal);
    void (*forget)(void *statement);
    // The next row of a query, which it starts where it has not run yet.
    bool (*row)(query *q);
    // Runs a write to its end, at once or before the commit. Reports has_failed.
    void (*run)(query *q);
    bool (*is_null)(const query *q, int column);
    int64_t (*get_int)(const query *q, int column);
    double (*get_real)(const query *q, int column);
    text (*get_bytes)(const query *q, int column);
    void (*end)(query *q);
    // Transactions. False after store_fail.
    bool (*begin)(store *s);
    // Ends one and does not wait until it is kept.
    bool (*commit)(store *s);
    // Whether all that was ended is kept, now or, where it waits, soon.
    bool (*is_through)(store *s, bool waits);
    intptr_t (*watch)(const store *s, bool *wants_write);
    void (*limit_time)(store *s, int64_t us);
    bool (*is_sound)(const store *s, fault *why);
    store_figures (*get_figures)(const store *s);
    // Closes the connection and frees it; it may be NULL or half open.
    void (*close)(store *s);
} backend;

struct store {
    const backend *backend;
    void *connection; // the backend's own
    bool in_transaction, failed;
    bool is_pending; // a transaction was ended and may not be kept yet
    fault why;
    fault damage[STORE_DAMAGE];        // found when it was opened
    int64_t last_ids[NUMBERED_TABLES]; // 0: not known yet
    struct {
        const char *literal;
        void *statement;
    } cache[STORE_STATEMENTS];
};

// A store without a connection; NULL with the reason.
store *store_new(const backend *b, fault *why);
// The store fails, for this reason if it is the first: what was done, and what went wrong.
void store_fail(store *s, const char *what, const char *reason);

// How each of them opens; the store is new, and is closed by the caller where they fail.
extern const backend sqlite_backend, postgres_backend;
MUST_USE bool sqlite_open(store *s, const char *folder, int flags, fault *why);
MUST_USE bool sqlite_open_second(store *s, const char *folder, fault *why);
MUST_USE bool postgres_open(store *s, const char *url, int flags, fault *why);
MUST_USE bool postgres_open_second(store *s, const char *url, fault *why);

#endif
