#include "engine/thought.h"

#include "base/minmax.h"

#include <stdlib.h>

bool thoughts_init(thoughts *t) {
    if (!os_event_open(&t->done))
        return false;
    os_mutex_init(&t->lock);
    thoughts_clear(t);
    return true;
}

void thoughts_free(thoughts *t) {
    os_mutex_destroy(&t->lock);
    os_event_close(&t->done);
}

void thoughts_clear(thoughts *t) {
    os_mutex_lock(&t->lock);
    t->first = t->count = 0;
    t->line_count = 0;
    t->is_done = false;
    os_mutex_unlock(&t->lock);
}

static void keep(thought *to, const search_report *report) {
    to->report = *report;
    to->report.pv = NULL;
    if (to->report.pv_count > SEARCH_MAX_PLY)
        to->report.pv_count = SEARCH_MAX_PLY;
    memcpy(to->pv, report->pv, (size_t)to->report.pv_count * sizeof *to->pv);
}

static void on_report(void *context, const search_report *report) {
    thoughts *t = context;
    os_mutex_lock(&t->lock);
    if (t->count == THOUGHT_QUEUE) {
        t->first = (t->first + 1) % THOUGHT_QUEUE;
        t->count--;
    }
    keep(&t->queue[(t->first + t->count++) % THOUGHT_QUEUE], report);
    int variation = report->variation;
    if (report->bound == SCORE_EXACT && variation >= 1 && variation <= SEARCH_MAX_VARIATIONS) {
        keep(&t->lines[variation - 1], report);
        t->line_count = max_int(variation, t->line_count);
    }
    os_mutex_unlock(&t->lock);
}

static void on_done(void *context, const search_result *result) {
    thoughts *t = context;
    os_mutex_lock(&t->lock);
    t->result = *result;
    t->is_done = true;
    os_mutex_unlock(&t->lock);
    os_event_set(&t->done);
}

search_listener thoughts_listener(thoughts *t) {
    return (search_listener){.on_report = on_report, .on_done = on_done, .context = t};
}

bool thoughts_next(thoughts *t, thought *next) {
    os_mutex_lock(&t->lock);
    bool any = t->count > 0;
    if (any) {
        *next = t->queue[t->first];
        t->first = (t->first + 1) % THOUGHT_QUEUE;
        t->count--;
    }
    os_mutex_unlock(&t->lock);
    next->report.pv = next->pv;
    return any;
}

bool thoughts_take_result(thoughts *t, search_result *result) {
    os_mutex_lock(&t->lock);
    bool is_done = t->is_done;
    t->is_done = false;
    *result = t->result;
    os_mutex_unlock(&t->lock);
    if (is_done)
        os_event_clear(&t->done);
    return is_done;
}

// The score to report: a result that is not a mate gets a score beyond every evaluation.
static int32_t told_score(int32_t score) {
    int32_t size = abs(score), top = size > SCORE_HISTORY ? SCORE_TABLE : SCORE_HISTORY;
    if (size < SCORE_DECIDED)
        return score;
    return (score > 0 ? 1 : -1) * (DIALECT_DECIDED - (top - size));
}

dialect_report thought_to_tell(const search_report *r) {
    dialect_report out = {.depth = r->depth,
                          .seldepth = r->seldepth,
                          .has_score = true,
                          .score = told_score(r->score),
                          .bound = r->bound == SCORE_LOWER   ? BOUND_LOWER
                                   : r->bound == SCORE_UPPER ? BOUND_UPPER
                                                             : BOUND_EXACT,
                          .nodes = (int64_t)r->nodes,
                          .time_ms = r->time_us / 1000,
                          .hash_full = r->hash_full,
                          .table_hits = (int64_t)r->table_hits,
                          .variation = r->variation,
                          .pv = r->pv,
                          .pv_count = r->pv_count};
    if (r->time_us > 0)
        out.nps = (int64_t)((double)r->nodes * 1e6 / (double)r->time_us);
    if (abs(r->score) > SCORE_MATE_BOUND) {
        int32_t plies = SCORE_MATE - abs(r->score);
        out.is_mate = true;
        out.score = r->score > 0 ? (plies + 1) / 2 : -(plies / 2);
    }
    return out;
}
