#include "store/archive.h"

#include "store/query.h"

// --- search -------------------------------------------------------------------------------------

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

// --- positions ----------------------------------------------------------------------------------

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

// --- imported games -----------------------------------------------------------------------------

stored_import_kind store_has_import(store *s, uint64_t fingerprint) {
    query q = query_begin(s, "SELECT record IS NOT NULL FROM imported WHERE fingerprint = ?1");
    query_bind(&q, 1, (int64_t)fingerprint);
    stored_import_kind kind = STORED_IMPORT_NONE;
    if (query_row(&q))
        kind = query_int(&q, 0) ? STORED_IMPORT_WHOLE : STORED_IMPORT_BARE;
    return query_end(&q) ? kind : STORED_IMPORT_NONE;
}

void store_add_import(store *s, int64_t game, const stored_import *i, text record) {
    query q = query_write(s, "INSERT INTO imported(game, fingerprint, event, site, date, record)"
                             " VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    query_bind(&q, 1, game);
    query_bind(&q, 2, (int64_t)i->fingerprint);
    query_bind_text(&q, 3, text_of(i->event));
    query_bind_text(&q, 4, text_of(i->site));
    query_bind_text(&q, 5, text_of(i->date));
    query_bind_text(&q, 6, record);
    query_run(&q);
}

void store_complete_import(store *s, uint64_t fingerprint, text record) {
    query q = query_write(s, "UPDATE imported SET record = ?2 WHERE fingerprint = ?1");
    query_bind(&q, 1, (int64_t)fingerprint);
    query_bind_text(&q, 2, record);
    query_run(&q);
}

bool store_find_import(store *s, int64_t game, stored_import *i) {
    query q = query_begin(s, "SELECT fingerprint, event, site, date FROM imported WHERE game = ?1");
    query_bind(&q, 1, game);
    bool found = query_row(&q);
    if (found) {
        i->fingerprint = (uint64_t)query_int(&q, 0);
        query_copy(&q, 1, i->event, sizeof i->event);
        query_copy(&q, 2, i->site, sizeof i->site);
        query_copy(&q, 3, i->date, sizeof i->date);
    }
    return query_end(&q) && found;
}

void store_read_import(store *s, int64_t game, buffer *record) {
    query q = query_begin(s, "SELECT record FROM imported WHERE game = ?1");
    query_bind(&q, 1, game);
    if (query_row(&q) && !query_is_null(&q, 0))
        buffer_add(record, query_text(&q, 0));
    query_end(&q);
}

// --- assessments --------------------------------------------------------------------------------

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
