#include "store/archive.h"

#include "store/query.h"

static void bind_text_if(query *q, int at, const char *value) {
    if (value && value[0])
        query_bind_text(q, at, text_of(value));
}

void store_each_game(store *s, const archive_query *a, void (*take)(void *, const stored_game *g),
                     void *context) {
    query q = query_begin(
        s, "SELECT id FROM games WHERE ended IS NOT NULL AND id < ?1"
           " AND (?2 IS NULL OR first = ?2 OR second = ?2)"
           " AND (?3 IS NULL OR first = ?3 OR second = ?3) AND (?4 IS NULL OR game = ?4)"
           " AND (?5 IS NULL OR outcome = ?5) AND (?6 IS NULL OR reason = ?6)"
           " AND (?7 IS NULL OR opening LIKE ?7 || '%' OR opening LIKE '% ' || ?7 || '%')"
           " AND (?8 IS NULL OR tournament = ?8) AND (NOT ?9 OR rated)"
           " AND (?11 IS NULL OR EXISTS (SELECT 1 FROM game_keys WHERE game_keys.game = games.id"
           " AND instr(keys, ?11))) ORDER BY id DESC LIMIT ?10");
    query_bind(&q, 1, a->before ? a->before : INT64_MAX);
    if (a->player)
        query_bind(&q, 2, a->player);
    if (a->opponent)
        query_bind(&q, 3, a->opponent);
    bind_text_if(&q, 4, a->game);
    if (a->outcome >= 0)
        query_bind(&q, 5, a->outcome);
    bind_text_if(&q, 6, a->reason);
    bind_text_if(&q, 7, a->opening);
    if (a->tournament)
        query_bind(&q, 8, a->tournament);
    query_bind(&q, 9, a->rated);
    query_bind(&q, 10, a->limit);
    if (a->has_key)
        query_bind_blob(&q, 11, (text){(const char *)&a->key, sizeof a->key});
    stored_game g;
    while (query_row(&q))
        if (store_find_game(s, query_int(&q, 0), &g))
            take(context, &g);
    query_end(&q);
}

void store_set_opening(store *s, int64_t game, const char *opening) {
    query q = query_write(s, "UPDATE games SET opening = ?2 WHERE id = ?1");
    query_bind(&q, 1, game);
    query_bind_text(&q, 2, text_of(opening));
    query_run(&q);
}
