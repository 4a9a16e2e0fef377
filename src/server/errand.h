// Work the loop must not wait for, done in libuv's threads: searches of the archive, endgame
// tables. Each lane runs one errand at a time and keeps the others in line, so that a slow search
// holds up searches and nothing else; passwords have places of their own (server/account.h).
#ifndef KRATON_SERVER_ERRAND_H
#define KRATON_SERVER_ERRAND_H

#include "server/world.h"

enum { ERRANDS_WAITING = 32 }; // in a lane

typedef enum { ERRAND_SEARCH, ERRAND_TABLES, ERRAND_LANES } errand_lane;

// The first member of whatever the errand needs; that is the asker's, and so is letting it go.
typedef struct errand errand;
struct errand {
    uv_work_t work;
    world *world;
    errand_lane lane;
    void (*run)(errand *e);   // in another thread: nothing of the world but what never changes
    void (*after)(errand *e); // on the loop, in any case; w->stopping where it was not run
    errand *next;
};

errands *errands_new(void);
void errands_free(errands *e); // when the loop has run out
// False: too many wait; `after` is not called.
MUST_USE bool errand_start(world *w, errand *e);

#endif
