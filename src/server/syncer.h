// Brings what has been committed onto the disk, in a thread of its own, so that the loop never
// waits for it: a commit is safe from the end of the process at once, and from a loss of power when
// the write-ahead log has been synced. One sync at a time, and a rest after each: at most the
// commits of the last SYNCER_REST_MS and of the time two syncs take can be lost.
//
// syncer_want and the figures are for any thread; the rest for the one that made it.
#ifndef KRATON_SERVER_SYNCER_H
#define KRATON_SERVER_SYNCER_H

#include <stdbool.h>
#include <stdint.h>

enum { SYNCER_REST_MS = 20 };

typedef struct syncer syncer;

// Starts the thread for a database's log. NULL where it cannot be.
syncer *syncer_new(const char *database);
// Something has been committed. NULL is taken, for servers that sync every commit themselves.
void syncer_want(syncer *s);
// Syncs once more, ends the thread.
void syncer_free(syncer *s);
// Syncs so far and the microseconds they took.
void syncer_figures(const syncer *s, uint64_t *syncs, uint64_t *took_us);
// 0, or the system's error number: what was committed may not be on the disk.
int syncer_error(const syncer *s);

#endif
