// Jobs for the thread pool, so that the loop need not wait for them: searches of the archive,
// endgame tables, records to read. Each queue runs one job at a time, so that slow searches
// delay other slow searches and nothing else. Visitors take turns in it. Passwords have a queue of
// their own (server/account.h).
#ifndef KRATON_SERVER_BACKGROUND_H
#define KRATON_SERVER_BACKGROUND_H

#include "base/list.h"
#include "server/server.h"

enum {
    BACKGROUND_WAITING = 32,   // jobs in a queue,
    BACKGROUND_OF_VISITOR = 16 // of one visitor
};

typedef enum {
    BACKGROUND_SEARCH, // by an index
    BACKGROUND_SCAN,   // searches that go through all games
    BACKGROUND_TABLES,
    BACKGROUND_RECORDS,
    BACKGROUND_DRAWS,    // of Swiss rounds
    BACKGROUND_PLACES,   // for the index of positions
    BACKGROUND_PICTURES, // of positions, for previews
    BACKGROUND_QUEUES
} background_queue;

// The first member of a structure of the caller's, who owns it and frees it in `after`.
typedef struct background_job background_job;
struct background_job {
    uv_work_t work;
    server *server;
    background_queue queue;
    int64_t visitor; // for whom; 0: for nobody in particular
    int64_t turn;    // those with a smaller one go first
    // In another thread: may use nothing of the server but what never changes.
    void (*run)(background_job *job);
    // On the loop, always. When the server stops, server.stopping is set and `run` may not have
    // run.
    void (*after)(background_job *job);
    list_link link; // among those that wait
};

background *background_new(void);
void background_free(background *b); // after the loop has ended
// False when too many wait; then `after` is not called.
MUST_USE bool background_start(server *srv, background_job *job);

#endif
