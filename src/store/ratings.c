#include "store/ratings.h"

#include "store/query.h"

static void read_rating(const query *q, stored_rating *r) {
    *r = (stored_rating){.player = query_int(q, 0),
                         .rating = query_real(q, 2),
                         .deviation = query_real(q, 3),
                         .volatility = query_real(q, 4),
                         .games = (int)query_int(q, 5),
                         .updated = query_int(q, 6)};
    writer w = writer_on(r->game, sizeof r->game);
    write_text(&w, query_text(q, 1));
}

#define COLUMNS "player, game, rating, deviation, volatility, games, updated"

bool store_find_rating(store *s, int64_t player, const char *game, stored_rating *r) {
    query q = query_begin(s, "SELECT " COLUMNS " FROM ratings WHERE player = ?1 AND game = ?2");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    bool found = query_row(&q);
    if (found)
        read_rating(&q, r);
    return query_end(&q) && found;
}

void store_set_rating(store *s, const stored_rating *r, int64_t played) {
    query q = query_write(s, "INSERT OR REPLACE INTO ratings(" COLUMNS ")"
                             " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    query_bind(&q, 1, r->player);
    query_bind_text(&q, 2, text_of(r->game));
    query_bind_real(&q, 3, r->rating);
    query_bind_real(&q, 4, r->deviation);
    query_bind_real(&q, 5, r->volatility);
    query_bind(&q, 6, r->games);
    query_bind(&q, 7, r->updated);
    query_run(&q);
    q = query_write(s, "INSERT OR REPLACE INTO rating_history(player, game, at, played, rating,"
                       " deviation) VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    query_bind(&q, 1, r->player);
    query_bind_text(&q, 2, text_of(r->game));
    query_bind(&q, 3, r->updated);
    query_bind(&q, 4, played);
    query_bind_real(&q, 5, r->rating);
    query_bind_real(&q, 6, r->deviation);
    query_run(&q);
}

bool store_rating_before(store *s, int64_t player, const char *game, int64_t played,
                         stored_rating_point *p) {
    *p = (stored_rating_point){0};
    query q = query_begin(s, "SELECT min(at) FROM rating_history WHERE player = ?1 AND game = ?2"
                             " AND played = ?3");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    query_bind(&q, 3, played);
    int64_t at = query_row(&q) ? query_int(&q, 0) : 0;
    if (!query_end(&q) || !at)
        return false;
    q = query_begin(s, "SELECT at, played, rating, deviation FROM rating_history WHERE player = ?1"
                       " AND game = ?2 AND (at, played) < (?3, ?4) ORDER BY at DESC, played DESC"
                       " LIMIT 1");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    query_bind(&q, 3, at);
    query_bind(&q, 4, played);
    if (query_row(&q))
        *p = (stored_rating_point){query_int(&q, 0), query_int(&q, 1), query_real(&q, 2),
                                   query_real(&q, 3)};
    return query_end(&q);
}

static void take_all(query *q, void (*take)(void *, const stored_rating *, text), void *context) {
    stored_rating r;
    while (query_row(q)) {
        read_rating(q, &r);
        take(context, &r, query_text(q, 7));
    }
    query_end(q);
}

void store_each_rating(store *s, const char *game, player_kind kind, int least_games, int limit,
                       void (*take)(void *context, const stored_rating *r, text name),
                       void *context) {
    query q =
        query_begin(s, "SELECT player, game, rating, deviation, volatility, games, updated,"
                       " name FROM ratings JOIN players ON players.id = player WHERE game = ?1"
                       " AND (kind = ?2 OR (?2 = 2 AND kind = 3)) AND games >= ?3"
                       " AND closed IS NULL ORDER BY rating DESC, name LIMIT ?4");
    query_bind_text(&q, 1, text_of(game));
    query_bind(&q, 2, kind);
    query_bind(&q, 3, least_games);
    query_bind(&q, 4, limit);
    take_all(&q, take, context);
}

void store_each_rating_of(store *s, int64_t player,
                          void (*take)(void *context, const stored_rating *r, text name),
                          void *context) {
    query q = query_begin(s, "SELECT player, game, rating, deviation, volatility, games, updated,"
                             " name FROM ratings JOIN players ON players.id = player"
                             " WHERE player = ?1 ORDER BY game");
    query_bind(&q, 1, player);
    take_all(&q, take, context);
}

void store_each_rating_point(store *s, int64_t player, const char *game, int limit,
                             void (*take)(void *context, const stored_rating_point *p),
                             void *context) {
    query q = query_begin(s, "SELECT * FROM (SELECT at, played, rating, deviation"
                             " FROM rating_history WHERE player = ?1 AND game = ?2"
                             " ORDER BY at DESC, played DESC LIMIT ?3) ORDER BY at, played");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    query_bind(&q, 3, limit);
    while (query_row(&q)) {
        stored_rating_point p = {query_int(&q, 0), query_int(&q, 1), query_real(&q, 2),
                                 query_real(&q, 3)};
        take(context, &p);
    }
    query_end(&q);
}
