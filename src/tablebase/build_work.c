#include "tablebase/build_work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    tb_part *part;
    void *job;
    uint32_t parts;
    _Atomic uint32_t next;
} queue;

typedef struct {
    queue *queue;
    void *scratch;
    pthread_t thread;
} worker;

// Which thread does which part does not matter: they share nothing but this counter.
static void *work(void *data) {
    const worker *w = data;
    queue *q = w->queue;
    for (;;) {
        uint32_t part = atomic_fetch_add_explicit(&q->next, 1, memory_order_relaxed);
        if (part >= q->parts)
            return NULL;
        q->part(q->job, part, w->scratch);
    }
}

bool tb_work(int threads, uint32_t parts, tb_part *part, void *job, size_t scratch) {
    queue q = {.part = part, .job = job, .parts = parts};
    worker workers[TB_MAX_THREADS];
    if (threads > TB_MAX_THREADS)
        threads = TB_MAX_THREADS;
    if ((uint32_t)threads > parts)
        threads = (int)parts;
    int ready = 0;
    scratch = (scratch + 63) / 64 * 64;
    for (; ready < threads; ready++) {
        workers[ready] =
            (worker){.queue = &q, .scratch = scratch ? aligned_alloc(64, scratch) : NULL};
        if (scratch && !workers[ready].scratch)
            break;
    }
    // The first worker is this thread; where another cannot be started the rest do its work.
    int started = 1;
    while (started < ready &&
           pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
        started++;
    if (ready > 0)
        work(&workers[0]);
    for (int i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < ready; i++)
        free(workers[i].scratch);
    return ready > 0 || parts == 0;
}
