#include "store/archive.h"

#include "base/minmax.h"
#include "base/vector.h"
#include "os/clock.h"
#include "store/query.h"

#include <stdlib.h>

// --- search -------------------------------------------------------------------------------------

static void bind_text_if(query *q, int at, const char *value) {
    if (value && value[0])
        query_bind_text(q, at, text_of(value));
}

// What every search asks of a row of games: one of a window of ids, and the terms.
#define TERMS                                                                                      \
    "ended IS NOT NULL AND id < ?1 AND id >= ?13 AND (first = ?2 OR second = ?2 OR ?2 IS NULL)"    \
    " AND (first = ?3 OR second = ?3 OR ?3 IS NULL) AND (games.game = ?4 OR ?4 IS NULL)"           \
    " AND (games.outcome = ?5 OR ?5 IS NULL) AND (reason = ?6 OR ?6 IS NULL)"                      \
    " AND (lower(opening) LIKE lower(?7) || '%' OR lower(opening) LIKE '% ' || lower(?7) || '%'"   \
    " OR ?7 IS NULL) AND (tournament = ?8 OR ?8 IS NULL) AND (?9 = 0 OR rated <> 0)"
// Games that came to a position: by the index, and those that are not in it yet.
#define CAME_TO                                                                                    \
    "(EXISTS (SELECT 1 FROM position_games WHERE key = ?11 AND position_games.game = games.id)"    \
    " OR EXISTS (SELECT 1 FROM unplaced JOIN game_keys USING (game)"                               \
    " WHERE unplaced.game = games.id AND instr(keys, ?12) > 0))"

// Where a search starts from: the fewest games.
typedef enum { BY_NUMBER, BY_PLAYER, BY_TOURNAMENT, BY_POSITION } search_start;

enum {
    FEW = 5000,            // games: so many are looked at one by one
    FIRST_WINDOW = 4096,   // ids
    QUICK_WINDOW_US = 4000 // after a quicker one the next is larger, after one that took four times
                           // as long it is smaller
};

// How many rows there are, or FEW.
static int64_t count_some(store *s, const char *literal, int64_t value) {
    query q = query_begin(s, literal);
    query_bind(&q, 1, value);
    query_bind(&q, 2, FEW);
    return query_number(&q);
}

static search_start choose_start(store *s, const archive_query *a) {
    if (a->player && a->has_key &&
        count_some(s,
                   "SELECT count(*) FROM (SELECT 1 FROM position_games WHERE key = ?1 LIMIT ?2)"
                   " AS few",
                   (int64_t)a->key) <
            count_some(s,
                       "SELECT count(*) FROM (SELECT 1 FROM games WHERE first = ?1 UNION ALL"
                       " SELECT 1 FROM games WHERE second = ?1 LIMIT ?2) AS few",
                       a->player))
        return BY_POSITION;
    return a->player       ? BY_PLAYER
           : a->tournament ? BY_TOURNAMENT
           : a->has_key    ? BY_POSITION
                           : BY_NUMBER;
}

static query begin_search(store *s, search_start start) {
    switch (start) {
    case BY_PLAYER:
        return query_begin(s, "SELECT id FROM games WHERE id IN (SELECT id FROM games WHERE first"
                              " = ?2 AND id < ?1 AND id >= ?13 UNION SELECT id FROM games"
                              " WHERE second = ?2 AND id < ?1 AND id >= ?13) AND " TERMS
                              " AND (CAST(?11 AS BIGINT) IS NULL OR " CAME_TO
                              ") ORDER BY id DESC LIMIT ?10");
    case BY_TOURNAMENT:
        return query_begin(s, "SELECT id FROM games INDEXED BY games_tournament WHERE tournament"
                              " = ?8 AND " TERMS " AND (CAST(?11 AS BIGINT) IS NULL OR " CAME_TO ")"
                              " ORDER BY id DESC LIMIT ?10");
    case BY_POSITION:
        return query_begin(s, "SELECT id FROM position_games CROSS JOIN games ON id ="
                              " position_games.game WHERE key = ?11 AND position_games.game < ?1"
                              " AND position_games.game >= ?13 AND " TERMS
                              " ORDER BY position_games.game DESC LIMIT ?10");
    case BY_NUMBER:
        break;
    }
    return query_begin(s, "SELECT id FROM games WHERE " TERMS " ORDER BY id DESC LIMIT ?10");
}

// Games that are not in the index of positions yet.
static query begin_unindexed(store *s) {
    return query_begin(s, "SELECT id FROM unplaced CROSS JOIN game_keys ON game_keys.game ="
                          " unplaced.game CROSS JOIN games ON id = unplaced.game"
                          " WHERE unplaced.game < ?1 AND unplaced.game >= ?13"
                          " AND instr(keys, ?12) > 0 AND " TERMS
                          " ORDER BY unplaced.game DESC LIMIT ?10");
}

// A search under way: the games of ids from `low` to below `high` are looked at next.
typedef struct {
    store *store;
    const archive_query *asked;
    search_start start;
    int64_t low, high;
    int left; // to find
    void (*take)(void *, const stored_game *g);
    void *context;
} search_walk;

static void bind_terms(query *q, const search_walk *k) {
    const archive_query *a = k->asked;
    query_bind(q, 1, k->high);
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
    query_bind(q, 10, k->left);
    if (a->has_key) {
        query_bind(q, 11, (int64_t)a->key);
        query_bind_blob(q, 12, (text){(const char *)&a->key, sizeof a->key});
    }
    query_bind(q, 13, k->low);
}

static void search_window(search_walk *k) {
    query q = begin_search(k->store, k->start), rest = {0};
    bool merges = k->start == BY_POSITION;
    bind_terms(&q, k);
    if (merges) {
        rest = begin_unindexed(k->store);
        bind_terms(&rest, k);
    }
    bool has = query_row(&q), has_rest = merges && query_row(&rest);
    for (; k->left > 0 && (has || has_rest); k->left--) {
        bool takes_rest = has_rest && (!has || query_int(&rest, 0) > query_int(&q, 0));
        query *from = takes_rest ? &rest : &q;
        stored_game g;
        if (store_find_game(k->store, query_int(from, 0), &g))
            k->take(k->context, &g);
        *(takes_rest ? &has_rest : &has) = query_row(from);
    }
    query_end(&q);
    if (merges)
        query_end(&rest);
}

// Goes through the ids in windows. Where games are hard to find a window takes long, and the next
// one is smaller: so the search stops in time.
int64_t store_each_game(store *s, const archive_query *a,
                        void (*take)(void *, const stored_game *g), void *context) {
    query newest = query_begin(s, "SELECT max(id) FROM games");
    search_walk k = {.store = s,
                     .asked = a,
                     .start = choose_start(s, a),
                     .high = query_number(&newest) + 1,
                     .left = a->limit,
                     .take = take,
                     .context = context};
    if (a->before)
        k.high = min_i64(k.high, a->before);
    int64_t began = clock_us(), width = FIRST_WINDOW;
    while (k.left > 0 && k.high > 1 && !store_has_failed(s)) {
        int64_t from = clock_us();
        k.low = max_i64(k.high - width, 1);
        search_window(&k);
        k.high = k.low;
        int64_t now = clock_us();
        if (now - from < QUICK_WINDOW_US)
            width *= 4;
        else if (now - from > 4 * QUICK_WINDOW_US)
            width = max_i64(width / 4, FIRST_WINDOW);
        if (a->most_us && now - began > a->most_us)
            break;
    }
    return k.left > 0 && k.high > 1 ? k.high : 0;
}

int64_t store_count_games(store *s) {
    query q = query_begin(s, "SELECT count(*) FROM games");
    return query_number(&q);
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
    q = query_write(s, "INSERT INTO unplaced(game) VALUES(?1) ON CONFLICT DO NOTHING");
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
    const stored_position *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->game > y->game) - (x->game < y->game);
}

// Adds the game at the query's row to the batch. False: out of memory.
static bool add_to_batch(const query *q, stored_batch *b, size_t *positions, size_t *games) {
    text keys = query_blob(q, 1);
    size_t more = keys.len / sizeof(uint64_t);
    stored_position *grown =
        vector_reserve(b->positions, positions, b->count + more, sizeof *grown);
    b->positions = grown ? grown : b->positions;
    int64_t *longer = vector_reserve(b->games, games, b->game_count + 1, sizeof *longer);
    b->games = longer ? longer : b->games;
    if (!grown || !longer)
        return false;
    b->games[b->game_count++] = query_int(q, 0);
    for (size_t i = 0; i < more; i++, b->count++) {
        memcpy(&grown[b->count].key, keys.at + i * sizeof(uint64_t), sizeof(uint64_t));
        grown[b->count].game = query_int(q, 0);
    }
    return true;
}

bool store_has_unindexed(store *s) {
    query q = query_begin(s, "SELECT 1 FROM unplaced LIMIT 1");
    return query_number(&q) != 0;
}

int64_t store_count_unindexed(store *s) {
    query q = query_begin(s, "SELECT count(*) FROM unplaced");
    return query_number(&q);
}

void store_take_unindexed(store *s, int games, stored_batch *b) {
    query q = query_begin(s, "SELECT unplaced.game, keys FROM unplaced JOIN game_keys USING (game)"
                             " ORDER BY unplaced.game LIMIT ?1");
    size_t place_room = 0, game_room = 0;
    *b = (stored_batch){0};
    query_bind(&q, 1, games);
    while (query_row(&q) && add_to_batch(&q, b, &place_room, &game_room)) {
    }
    query_end(&q);
    if (b->count)
        qsort(b->positions, b->count, sizeof *b->positions, by_key);
}

void store_free_batch(stored_batch *b) {
    free(b->positions);
    free(b->games);
    *b = (stored_batch){0};
}

void store_index_positions(store *s, const stored_position *positions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        query q = query_write(s, "INSERT INTO position_games(key, game) VALUES(?1, ?2)"
                                 " ON CONFLICT DO NOTHING");
        query_bind(&q, 1, positions[i].key);
        query_bind(&q, 2, positions[i].game);
        query_run(&q);
    }
}

void store_set_indexed(store *s, const stored_batch *b) {
    for (size_t i = 0; i < b->game_count; i++) {
        query q = query_write(s, "DELETE FROM unplaced WHERE game = ?1");
        query_bind(&q, 1, b->games[i]);
        query_run(&q);
    }
}

int store_short_games(store *s, int64_t *cursor, int count, int64_t before, int plies,
                      int64_t *games) {
    query q = query_begin(s, "SELECT id, ended, plies < ?4 AND rated = 0 AND tournament IS NULL"
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
                             " VALUES(?1, ?2, CASE WHEN ?3 = 1 THEN ?4 ELSE 0 END,"
                             " CASE WHEN ?3 = 3 THEN ?4 ELSE 0 END,"
                             " CASE WHEN ?3 = 2 THEN ?4 ELSE 0 END)"
                             " ON CONFLICT(key, move) DO UPDATE SET"
                             " first = opening_moves.first + excluded.first,"
                             " draws = opening_moves.draws + excluded.draws,"
                             " second = opening_moves.second + excluded.second");
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
    query q = query_begin(s, "SELECT record IS NULL, record = ?2 FROM imported"
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
    query q = query_write(s, "INSERT INTO assessments(game, ply, score, mate, best, depth)"
                             " VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(game, ply) DO UPDATE"
                             " SET score = excluded.score, mate = excluded.mate,"
                             " best = excluded.best, depth = excluded.depth");
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
