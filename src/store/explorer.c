#include "store/explorer.h"

#include "store/query.h"

void store_set_keys(store *s, int64_t game, int outcome, const uint64_t *keys, int count) {
    query q = query_write(s, "INSERT INTO game_keys(game, outcome, keys) VALUES(?1, ?2, ?3)");
    query_bind(&q, 1, game);
    query_bind(&q, 2, outcome);
    query_bind_blob(&q, 3, (text){(const char *)keys, (size_t)count * sizeof *keys});
    query_run(&q);
}

void store_set_keys_outcome(store *s, int64_t game, int outcome) {
    query q = query_write(s, "UPDATE game_keys SET outcome = ?2 WHERE game = ?1");
    query_bind(&q, 1, game);
    query_bind(&q, 2, outcome);
    query_run(&q);
}

int store_keys_outcome(store *s, int64_t game) {
    query q = query_begin(s, "SELECT outcome FROM game_keys WHERE game = ?1");
    query_bind(&q, 1, game);
    int outcome = query_row(&q) ? (int)query_int(&q, 0) : -1;
    query_end(&q);
    return outcome;
}

void store_count_move(store *s, uint64_t key, uint16_t move, int outcome, int by) {
    query q = query_write(s, "INSERT INTO opening_moves(key, move, first, draws, second)"
                             " VALUES(?1, ?2, (?3 = 1) * ?4, (?3 = 3) * ?4, (?3 = 2) * ?4)"
                             " ON CONFLICT(key, move) DO UPDATE SET"
                             " first = first + excluded.first, draws = draws + excluded.draws,"
                             " second = second + excluded.second");
    query_bind(&q, 1, (int64_t)key);
    query_bind(&q, 2, move);
    query_bind(&q, 3, outcome);
    query_bind(&q, 4, by);
    query_run(&q);
}

void store_each_opening_move(store *s, uint64_t key,
                             void (*take)(void *context, const stored_opening_move *m),
                             void *context) {
    query q = query_begin(s, "SELECT move, first, draws, second FROM opening_moves WHERE key = ?1");
    query_bind(&q, 1, (int64_t)key);
    while (query_row(&q)) {
        stored_opening_move m = {.move = (uint16_t)query_int(&q, 0),
                                 .first = query_int(&q, 1),
                                 .draws = query_int(&q, 2),
                                 .second = query_int(&q, 3)};
        take(context, &m);
    }
    query_end(&q);
}

int64_t store_next_unindexed(store *s) {
    query q = query_begin(s, "SELECT coalesce(max(id), 0) FROM games WHERE id <"
                             " (SELECT value FROM meta WHERE key = 'unindexed')");
    int64_t game = query_row(&q) ? query_int(&q, 0) : 0;
    query_end(&q);
    if (game) {
        q = query_write(s, "UPDATE meta SET value = ?1 WHERE key = 'unindexed'");
        query_bind(&q, 1, game);
        query_run(&q);
    }
    return game;
}
