#include "store/reviews.h"

#include "store/query.h"

void store_set_assessment(store *s, int64_t game, const stored_assessment *a) {
    query q = query_write(s, "INSERT OR REPLACE INTO assessments(game, ply, score, mate, best,"
                             " depth) VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    query_bind(&q, 1, game);
    query_bind(&q, 2, a->ply);
    query_bind(&q, 3, a->score);
    query_bind(&q, 4, a->is_mate);
    if (a->best[0])
        query_bind_text(&q, 5, text_of(a->best));
    query_bind(&q, 6, a->depth);
    query_run(&q);
}

void store_each_assessment(store *s, int64_t game, int from,
                           void (*take)(void *context, const stored_assessment *a), void *context) {
    query q = query_begin(s, "SELECT ply, score, mate, best, depth FROM assessments"
                             " WHERE game = ?1 AND ply >= ?2 ORDER BY ply");
    query_bind(&q, 1, game);
    query_bind(&q, 2, from);
    while (query_row(&q)) {
        stored_assessment a = {.ply = (int)query_int(&q, 0),
                               .score = (int32_t)query_int(&q, 1),
                               .is_mate = query_int(&q, 2) != 0,
                               .depth = (int32_t)query_int(&q, 4)};
        writer w = writer_on(a.best, sizeof a.best);
        write_text(&w, query_text(&q, 3));
        take(context, &a);
    }
    query_end(&q);
}

int store_count_assessments(store *s, int64_t game) {
    query q = query_begin(s, "SELECT count(*) FROM assessments WHERE game = ?1");
    query_bind(&q, 1, game);
    int count = query_row(&q) ? (int)query_int(&q, 0) : 0;
    query_end(&q);
    return count;
}
