#include "server/background.h"

#include <stdlib.h>

typedef struct {
    linked_list waiting;
    int count; // of those that wait
    bool is_running;
} queue;

struct background {
    queue queues[BACKGROUND_QUEUES];
};

background *background_new(void) { return calloc(1, sizeof(background)); }

static background_job *take_first(queue *q) {
    background_job *job = LIST_ITEM(list_take_first(&q->waiting), background_job, link);
    q->count -= job != NULL;
    return job;
}

void background_free(background *b) {
    for (int i = 0; b && i < BACKGROUND_QUEUES; i++)
        for (background_job *job; (job = take_first(&b->queues[i]));)
            job->after(job);
    free(b);
}

static void run_work(uv_work_t *work) {
    background_job *job = work->data;
    job->run(job);
}

static void start_next(server *srv, queue *q);

static void after_work(uv_work_t *work, int status) {
    (void)status;
    background_job *job = work->data;
    server *srv = job->server;
    queue *q = &srv->background->queues[job->queue];
    q->is_running = false;
    job->after(job);
    turns_want(&srv->turns);
    start_next(srv, q);
}

static void start_next(server *srv, queue *q) {
    background_job *job = q->is_running || srv->stopping ? NULL : take_first(q);
    if (!job)
        return;
    q->is_running = true;
    uv_queue_work(srv->loop, &job->work, run_work, after_work);
}

bool background_start(server *srv, background_job *job) {
    queue *q = &srv->background->queues[job->queue];
    if (q->count >= BACKGROUND_WAITING || srv->stopping)
        return false;
    job->server = srv;
    job->work.data = job;
    list_append(&q->waiting, &job->link);
    q->count++;
    start_next(srv, q);
    return true;
}
