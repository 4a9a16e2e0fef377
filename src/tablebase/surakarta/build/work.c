#include "tablebase/surakarta/build/work.h"

#include "base/minmax.h"
#include "os/map.h"
#include "os/thread.h"

#include <stdatomic.h>

typedef struct {
    tb_part *part;
    void *job;
    uint32_t parts;
    _Atomic uint32_t next;
} queue;

typedef struct {
    queue *queue;
    void *scratch;
    os_thread thread;
} worker;

// Which thread does which part does not matter: they share nothing but this counter.
static void work(void *data) {
    const worker *w = data;
    queue *q = w->queue;
    for (;;) {
        uint32_t part = atomic_fetch_add_explicit(&q->next, 1, memory_order_relaxed);
        if (part >= q->parts)
            return;
        q->part(q->job, part, w->scratch);
    }
}

bool tb_work(int threads, uint32_t parts, tb_part *part, void *job, size_t scratch) {
    queue q = {.part = part, .job = job, .parts = parts};
    worker workers[TB_MAX_THREADS];
    threads = min_int(threads, TB_MAX_THREADS);
    threads = (int)min_u32((uint32_t)threads, parts);
    int ready = 0;
    for (; ready < threads; ready++) {
        workers[ready] =
            (worker){.queue = &q, .scratch = scratch ? os_aligned_new(64, scratch) : NULL};
        if (scratch && !workers[ready].scratch)
            break;
    }
    // The first worker is this thread; where another cannot be started the rest do its work.
    int started = 1;
    while (started < ready && os_thread_start(&workers[started].thread, work, &workers[started]))
        started++;
    if (ready > 0)
        work(&workers[0]);
    for (int i = 1; i < started; i++)
        os_thread_join(&workers[i].thread);
    for (int i = 0; i < ready; i++)
        os_aligned_free(workers[i].scratch);
    return ready > 0 || parts == 0;
}
