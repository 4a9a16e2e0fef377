#include "server/syncer.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

struct syncer {
    uv_thread_t thread;
    uv_sem_t wake;          // posted when `due` or `ends` becomes true
    _Atomic bool due;       // commits since the last sync began; sequentially consistent
    _Atomic bool ends;      // set once
    _Atomic int error;      // the first
    _Atomic uint64_t syncs; // figures: relaxed would do
    _Atomic uint64_t took_us;
    char path[4096]; // of the log
};

// The log may not be there yet, or no more: then there is nothing in it.
static void sync_log(syncer *s) {
    int64_t before = clock_us();
    int fd = open(s->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fdatasync(fd) != 0 && !s->error)
        s->error = errno;
    close(fd);
    s->syncs++;
    s->took_us += (uint64_t)(clock_us() - before);
}

static void run(void *context) {
    syncer *s = context;
    while (!s->ends) {
        uv_sem_wait(&s->wake);
        s->due = false; // what is committed from here on wants another
        sync_log(s);
        if (!s->ends)
            uv_sleep(SYNCER_REST_MS);
    }
    sync_log(s);
}

syncer *syncer_new(const char *database) {
    syncer *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    writer w = writer_on(s->path, sizeof s->path);
    write_format(&w, "%s-wal", database);
    if (w.overflow || uv_sem_init(&s->wake, 0) != 0) {
        free(s);
        return NULL;
    }
    if (uv_thread_create(&s->thread, run, s) == 0)
        return s;
    uv_sem_destroy(&s->wake);
    free(s);
    return NULL;
}

void syncer_want(syncer *s) {
    if (s && !atomic_exchange(&s->due, true))
        uv_sem_post(&s->wake);
}

void syncer_free(syncer *s) {
    if (!s)
        return;
    s->ends = true;
    uv_sem_post(&s->wake);
    uv_thread_join(&s->thread);
    uv_sem_destroy(&s->wake);
    free(s);
}

void syncer_figures(const syncer *s, uint64_t *syncs, uint64_t *took_us) {
    *syncs = s ? s->syncs : 0;
    *took_us = s ? s->took_us : 0;
}

int syncer_error(const syncer *s) { return s ? s->error : 0; }
