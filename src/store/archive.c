#include "store/archive.h"

#include "base/vector.h"
#include "store/query.h"

#include <stdlib.h>

// --- search -------------------------------------------------------------------------------------

static void bind_text_if(query *q, int at, const char *value) {
    if (value && value[0])
        query_bind_text(q, at, text_of(value));
}

// What every search asks of a row of games.
#define TERMS                                                                                      \
    "ended IS NOT NULL AND id < ?1 AND (?2 IS NULL OR first = ?2 OR second = ?2)"                  \
    " AND (?3 IS NULL OR first = ?3 OR second = ?3) AND (?4 IS NULL OR games.game = ?4)"           \
    " AND (?5 IS NULL OR games.outcome = ?5) AND (?6 IS NULL OR reason = ?6)"                      \
    " AND (?7 IS NULL OR opening LIKE ?7 || '%' OR opening LIKE '% ' || ?7 || '%')"                \
    " AND (?8 IS NULL OR tournament = ?8) AND (NOT ?9 OR rated)"
// Games that came to a position: by the index, and those that are not in it yet.
#define CAME_TO                                                                                    \
    "(EXISTS (SELECT 1 FROM position_games WHERE key = ?11 AND position_games.game = games.id)"    \
    " OR EXISTS (SELECT 1 FROM unplaced JOIN game_keys USING (game)"                               \
    " WHERE unplaced.game = games.id AND instr(keys, ?12)))"

// The query that starts from the fewest games.
static query begin_search(store *s, const archive_query *a) {
    if (a->player)
        return query_begin(s, "SELECT id FROM games WHERE id IN (SELECT id FROM games WHERE first"
                              " = ?2 UNION SELECT id FROM games WHERE second = ?2) AND " TERMS
                              " AND (?11 IS NULL OR " CAME_TO ") ORDER BY id DESC LIMIT ?10");
    if (a->tournament)
        return query_begin(s, "SELECT id FROM games INDEXED BY games_tournament WHERE tournament"
                              " = ?8 AND " TERMS " AND (?11 IS NULL OR " CAME_TO ")"
                              " ORDER BY id DESC LIMIT ?10");
    if (a->has_key)
        return query_begin(s, "SELECT id FROM position_games CROSS JOIN games ON id ="
                              " position_games.game WHERE key = ?11 AND position_games.game < ?1"
                              " AND ?12 NOT NULL AND " TERMS
                              " ORDER BY position_games.game DESC LIMIT ?10");
    return query_begin(s, "SELECT id FROM games WHERE " TERMS " AND ?11 IS NULL AND ?12 IS NULL"
                          " ORDER BY id DESC LIMIT ?10");
}

// Games that are not in the index of positions yet.
static query begin_unplaced(store *s) {
    return query_begin(s, "SELECT id FROM unplaced CROSS JOIN game_keys ON game_keys.game ="
                          " unplaced.game CROSS JOIN games ON id = unplaced.game"
                          " WHERE unplaced.game < ?1 AND ?11 NOT NULL AND instr(keys, ?12)"
                          " AND " TERMS " ORDER BY unplaced.game DESC LIMIT ?10");
}

static void bind_terms(query *q, const archive_query *a) {
    query_bind(q, 1, a->before ? a->before : INT64_MAX);
    if (a->player)
        query_bind(q, 2, a->player);
    if (a->opponent)
        query_bind(q, 3, a->opponent);
    bind_text_if(q, 4, a->game);
    if (a->outcome >= 0)
        query_bind(q, 5, a->outcome);
    bind_text_if(q, 6, a->reason);
    bind_text_if(q, 7, a->opening);
    if (a->tournament)
        query_bind(q, 8, a->tournament);
    query_bind(q, 9, a->rated);
    query_bind(q, 10, a->limit);
    if (a->has_key) {
        query_bind(q, 11, (int64_t)a->key);
        query_bind_blob(q, 12, (text){(const char *)&a->key, sizeof a->key});
    }
}

void store_each_game(store *s, const archive_query *a, void (*take)(void *, const stored_game *g),
                     void *context) {
    query q = begin_search(s, a), rest = {0};
    bool merges = a->has_key && !a->player && !a->tournament;
    bind_terms(&q, a);
    if (merges) {
        rest = begin_unplaced(s);
        bind_terms(&rest, a);
    }
    bool has = query_row(&q), has_rest = merges && query_row(&rest);
    for (int left = a->limit; left > 0 && (has || has_rest); left--) {
        bool takes_rest = has_rest && (!has || query_int(&rest, 0) > query_int(&q, 0));
        query *from = takes_rest ? &rest : &q;
        stored_game g;
        if (store_find_game(s, query_int(from, 0), &g))
            take(context, &g);
        *(takes_rest ? &has_rest : &has) = query_row(from);
    }
    query_end(&q);
    if (merges)
        query_end(&rest);
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
    q = query_write(s, "INSERT OR IGNORE INTO unplaced(game) VALUES(?1)");
    query_bind(&q, 1, game);
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

static int by_key(const void *a, const void *b) {
    const stored_place *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->game > y->game) - (x->game < y->game);
}

int store_take_unplaced(store *s, int games, stored_place **places) {
    query q = query_begin(s, "SELECT unplaced.game, keys FROM unplaced JOIN game_keys USING (game)"
                             " ORDER BY unplaced.game LIMIT ?1");
    size_t count = 0, capacity = 0;
    *places = NULL;
    query_bind(&q, 1, games);
    while (query_row(&q)) {
        text keys = query_blob(&q, 1);
        size_t more = keys.len / sizeof(uint64_t);
        stored_place *grown = vector_reserve(*places, &capacity, count + more, sizeof *grown);
        if (!grown)
            break;
        *places = grown;
        for (size_t i = 0; i < more; i++, count++) {
            memcpy(&grown[count].key, keys.at + i * sizeof(uint64_t), sizeof(uint64_t));
            grown[count].game = query_int(&q, 0);
        }
    }
    query_end(&q);
    if (count)
        qsort(*places, count, sizeof **places, by_key);
    return (int)count;
}

void store_add_places(store *s, const stored_place *places, int count) {
    for (int i = 0; i < count; i++) {
        query q = query_write(s, "INSERT OR IGNORE INTO position_games(key, game) VALUES(?1, ?2)");
        query_bind(&q, 1, places[i].key);
        query_bind(&q, 2, places[i].game);
        query_run(&q);
    }
}

void store_set_placed(store *s, const int64_t *games, int count) {
    for (int i = 0; i < count; i++) {
        query q = query_write(s, "DELETE FROM unplaced WHERE game = ?1");
        query_bind(&q, 1, games[i]);
        query_run(&q);
    }
}

int store_short_games(store *s, int64_t *cursor, int count, int64_t before, int plies,
                      int64_t *games) {
    query q = query_begin(s, "SELECT id, ended, plies < ?4 AND NOT rated AND tournament IS NULL"
                             " AND NOT EXISTS (SELECT 1 FROM imported WHERE game = id)"
                             " FROM games INDEXED BY games_ended WHERE ended > ?1 AND ended < ?2"
                             " ORDER BY ended LIMIT ?3");
    query_bind(&q, 1, *cursor);
    query_bind(&q, 2, before);
    query_bind(&q, 3, count);
    query_bind(&q, 4, plies);
    int found = 0;
    while (query_row(&q)) {
        *cursor = query_int(&q, 1);
        if (query_int(&q, 2))
            games[found++] = query_int(&q, 0);
    }
    query_end(&q);
    return found;
}

// Takes the game out of the index of positions.
static void forget_places(store *s, int64_t game) {
    query q = query_begin(s, "SELECT keys FROM game_keys WHERE game = ?1");
    query_bind(&q, 1, game);
    text keys = query_row(&q) ? query_blob(&q, 0) : (text){NULL, 0};
    for (size_t i = 0; i + sizeof(int64_t) <= keys.len; i += sizeof(int64_t)) {
        int64_t key;
        memcpy(&key, keys.at + i, sizeof key);
        query gone = query_write(s, "DELETE FROM position_games WHERE key = ?1 AND game = ?2");
        query_bind(&gone, 1, key);
        query_bind(&gone, 2, game);
        query_run(&gone);
    }
    query_end(&q);
}

static void forget_in(store *s, const char *literal, int64_t game) {
    query q = query_write(s, literal);
    query_bind(&q, 1, game);
    query_run(&q);
}

void store_forget_game(store *s, int64_t game) {
    forget_places(s, game);
    forget_in(s, "DELETE FROM unplaced WHERE game = ?1", game);
    forget_in(s, "DELETE FROM game_keys WHERE game = ?1", game);
    forget_in(s, "DELETE FROM assessments WHERE game = ?1", game);
    forget_in(s, "DELETE FROM moves WHERE game = ?1", game);
    forget_in(s, "DELETE FROM games WHERE id = ?1", game);
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
    int64_t game = query_number(&q);
    if (game) {
        q = query_write(s, "UPDATE meta SET value = ?1 WHERE key = 'unindexed'");
        query_bind(&q, 1, game);
        query_run(&q);
    }
    return game;
}

// --- imported games -----------------------------------------------------------------------------

stored_import_kind store_has_import(store *s, uint64_t fingerprint, text record) {
    query q = query_begin(s, "SELECT record IS NULL, record IS ?2 FROM imported"
                             " WHERE fingerprint = ?1");
    query_bind(&q, 1, (int64_t)fingerprint);
    query_bind_text(&q, 2, record);
    stored_import_kind kind = STORED_IMPORT_NONE;
    if (query_row(&q))
        kind = query_int(&q, 0)   ? STORED_IMPORT_BARE
               : query_int(&q, 1) ? STORED_IMPORT_SAME
                                  : STORED_IMPORT_OTHER;
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
    return (int)query_number(&q);
}
