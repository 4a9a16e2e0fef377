#include "server/background.h"

#include <stdlib.h>

typedef struct {
    linked_list waiting;
    int count;                     // of those that wait
    const background_job *running; // NULL: none
    int64_t turn;                  // of the last that was begun
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
    q->running = NULL;
    job->after(job);
    turns_want(&srv->turns);
    start_next(srv, q);
}

static void start_next(server *srv, queue *q) {
    background_job *job = q->running || srv->stopping ? NULL : take_first(q);
    if (!job)
        return;
    q->running = job;
    q->turn = job->turn;
    uv_queue_work(srv->loop, &job->work, run_work, after_work);
}

static int64_t turn_behind(const background_job *job, const background_job *other, int64_t turn) {
    return other && other->visitor == job->visitor && other->turn >= turn ? other->turn + 1 : turn;
}

// Each job of a visitor is one turn behind the one before it.
static void put_in_line(queue *q, background_job *job) {
    job->turn = turn_behind(job, q->running, q->turn);
    for (list_link *l = q->waiting.first; l; l = l->next)
        job->turn = turn_behind(job, LIST_ITEM(l, background_job, link), job->turn);
    list_link *before = q->waiting.last;
    while (before && LIST_ITEM(before, background_job, link)->turn > job->turn)
        before = before->previous;
    list_insert(&q->waiting, before, &job->link);
    q->count++;
}

static bool has_room(const queue *q, int64_t visitor) {
    int own = 0;
    for (list_link *l = q->waiting.first; l; l = l->next)
        own += visitor && LIST_ITEM(l, background_job, link)->visitor == visitor;
    return q->count < BACKGROUND_WAITING && own < BACKGROUND_OF_VISITOR;
}

bool background_start(server *srv, background_job *job) {
    queue *q = &srv->background->queues[job->queue];
    if (!has_room(q, job->visitor) || srv->stopping)
        return false;
    job->server = srv;
    job->work.data = job;
    put_in_line(q, job);
    start_next(srv, q);
    return true;
}
