#include "server/errand.h"

#include <stdlib.h>

typedef struct {
    errand *first, *last;
    int waiting;
    bool is_running;
} lane;

struct errands {
    lane lanes[ERRAND_LANES];
};

errands *errands_new(void) { return calloc(1, sizeof(errands)); }

static errand *take_first(lane *l) {
    errand *e = l->first;
    l->first = e->next;
    l->waiting--;
    return e;
}

void errands_free(errands *all) {
    for (int i = 0; all && i < ERRAND_LANES; i++)
        while (all->lanes[i].first) {
            errand *e = take_first(&all->lanes[i]);
            e->after(e);
        }
    free(all);
}

static void run_work(uv_work_t *work) {
    errand *e = work->data;
    e->run(e);
}

static void start_next(world *w, lane *l);

static void after_work(uv_work_t *work, int status) {
    (void)status;
    errand *e = work->data;
    world *w = e->world;
    lane *l = &w->errands->lanes[e->lane];
    l->is_running = false;
    e->after(e);
    pump_want_turn(&w->pump);
    start_next(w, l);
}

static void start_next(world *w, lane *l) {
    if (!l->first || l->is_running || w->stopping)
        return;
    errand *e = take_first(l);
    l->is_running = true;
    uv_queue_work(w->loop, &e->work, run_work, after_work);
}

bool errand_start(world *w, errand *e) {
    lane *l = &w->errands->lanes[e->lane];
    if (l->waiting >= ERRANDS_WAITING || w->stopping)
        return false;
    e->world = w;
    e->work.data = e;
    e->next = NULL;
    *(l->first ? &l->last->next : &l->first) = e;
    l->last = e;
    l->waiting++;
    start_next(w, l);
    return true;
}
