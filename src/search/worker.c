#include "search/worker.h"

#include "os/clock.h"

uint64_t search_count_nodes(const search *s) {
    uint64_t nodes = 0;
    for (int i = 0; i < s->threads; i++)
        nodes += atomic_load_explicit(&s->workers[i]->nodes, memory_order_relaxed);
    return nodes;
}

uint64_t search_count_hits(const search *s) {
    uint64_t hits = 0;
    for (int i = 0; i < s->threads; i++)
        hits += atomic_load_explicit(&s->workers[i]->table_hits, memory_order_relaxed);
    return hits;
}

void search_tell(const worker *w, int variation) {
    search *s = w->shared;
    const root_move *r = &w->root[variation];
    bool is_done = r->score > -SCORE_INFINITE;
    search_report line = {.depth = r->depth,
                          .seldepth = r->seldepth + 1,
                          .variation = variation + 1,
                          .score = is_done ? r->score : r->last_score,
                          .bound = is_done ? r->bound : SCORE_EXACT,
                          .nodes = search_count_nodes(s),
                          .table_hits = search_count_hits(s),
                          .time_us = clock_us() - atomic_load(&s->start_us),
                          .hash_full = tt_full(&s->tt),
                          .pv = r->pv,
                          .pv_count = r->pv_count};
    if (!s->listener.on_report || line.score <= -SCORE_INFINITE)
        return;
    if (variation == 0)
        s->told = r->move;
    s->listener.on_report(s->listener.context, &line);
}
