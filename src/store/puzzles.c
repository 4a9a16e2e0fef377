#include "store/puzzles.h"

#include "store/query.h"

bool store_find_solver(store *s, int64_t player, const char *game, stored_solver *found) {
    query q = query_begin(s, "SELECT rating, deviation, volatility, tries, solved, updated"
                             " FROM solvers WHERE player = ?1 AND game = ?2");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    bool is_there = query_row(&q);
    if (is_there)
        *found = (stored_solver){.rating = query_real(&q, 0),
                                 .deviation = query_real(&q, 1),
                                 .volatility = query_real(&q, 2),
                                 .tries = (int)query_int(&q, 3),
                                 .solved = (int)query_int(&q, 4),
                                 .updated = query_int(&q, 5)};
    return query_end(&q) && is_there;
}

void store_add_puzzle_try(store *s, int64_t player, const char *game, int number, bool is_solved,
                          const stored_solver *now) {
    query q = query_write(s, "INSERT INTO puzzle_tries(player, game, number, solved, at)"
                             " VALUES(?1, ?2, ?3, ?4, ?5)");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    query_bind(&q, 3, number);
    query_bind(&q, 4, is_solved);
    query_bind(&q, 5, now->updated);
    query_run(&q);
    q = query_write(s, "INSERT INTO solvers(player, game, rating, deviation, volatility, tries,"
                       " solved, updated) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
                       " ON CONFLICT(player, game) DO UPDATE SET rating = excluded.rating,"
                       " deviation = excluded.deviation, volatility = excluded.volatility,"
                       " tries = excluded.tries, solved = excluded.solved,"
                       " updated = excluded.updated");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    query_bind_real(&q, 3, now->rating);
    query_bind_real(&q, 4, now->deviation);
    query_bind_real(&q, 5, now->volatility);
    query_bind(&q, 6, now->tries);
    query_bind(&q, 7, now->solved);
    query_bind(&q, 8, now->updated);
    query_run(&q);
}

bool store_has_tried_puzzle(store *s, int64_t player, const char *game, int number) {
    query q = query_begin(s, "SELECT 1 FROM puzzle_tries WHERE player = ?1 AND game = ?2"
                             " AND number = ?3");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    query_bind(&q, 3, number);
    bool is_there = query_row(&q);
    return query_end(&q) && is_there;
}

void store_each_puzzle_tried(store *s, int64_t player, const char *game,
                             void (*take)(void *context, int number), void *context) {
    query q = query_begin(s, "SELECT number FROM puzzle_tries WHERE player = ?1 AND game = ?2");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    while (query_row(&q))
        take(context, (int)query_int(&q, 0));
    (void)!query_end(&q);
}
