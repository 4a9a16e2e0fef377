#include "store/players.h"

#include "base/minmax.h"
#include "store/query.h"

bool store_add_player(store *s, stored_player *p) {
    p->id = store_next_id(s, NUMBERED_PLAYERS);
    query q = query_try(s, "INSERT INTO players(name, kind, role, owner, password, created, id)"
                           " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    query_bind_text(&q, 1, text_of(p->name));
    query_bind(&q, 2, p->kind);
    query_bind(&q, 3, p->role);
    if (p->owner)
        query_bind(&q, 4, p->owner);
    if (p->password[0])
        query_bind_text(&q, 5, text_of(p->password));
    query_bind(&q, 6, p->created);
    query_bind(&q, 7, p->id);
    return query_run(&q);
}

#define COLUMNS "id, name, kind, role, owner, created, closed, banned, password"

static bool read_player(query *q, stored_player *p) {
    bool found = query_row(q);
    if (found) {
        *p = (stored_player){.id = query_int(q, 0),
                             .kind = (player_kind)query_int(q, 2),
                             .role = (player_role)query_int(q, 3),
                             .owner = query_int(q, 4),
                             .created = query_int(q, 5),
                             .is_closed = !query_is_null(q, 6),
                             .is_banned = !query_is_null(q, 7)};
        query_copy(q, 1, p->name, sizeof p->name);
        query_copy(q, 8, p->password, sizeof p->password);
    }
    return query_end(q) && found;
}

bool store_find_player(store *s, int64_t id, stored_player *p) {
    query q = query_begin(s, "SELECT " COLUMNS " FROM players WHERE id = ?1");
    query_bind(&q, 1, id);
    return read_player(&q, p);
}

bool store_find_player_named(store *s, text name, stored_player *p) {
    query q = query_begin(s, "SELECT " COLUMNS " FROM players WHERE lower(name) = lower(?1)");
    query_bind_text(&q, 1, name);
    return read_player(&q, p);
}

bool store_make_person(store *s, int64_t guest, text name, text hash) {
    query q = query_try(s, "UPDATE players SET name = ?2, password = ?3, kind = 1"
                           " WHERE id = ?1 AND kind = 0 RETURNING id");
    query_bind(&q, 1, guest);
    query_bind_text(&q, 2, name);
    query_bind_text(&q, 3, hash);
    bool found = query_row(&q);
    return query_end(&q) && found;
}

void store_set_looks(store *s, int64_t player, const name_looks *looks) {
    query q = query_write(s, "UPDATE players SET looks = ?2, folded = ?3 WHERE id = ?1");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(looks->as_is));
    query_bind_text(&q, 3, text_of(looks->folded));
    query_run(&q);
}

int64_t store_find_lookalike(store *s, const name_looks *looks) {
    query q = query_begin(s, "SELECT id FROM players WHERE looks = ?1 OR folded = ?2");
    query_bind_text(&q, 1, text_of(looks->as_is));
    query_bind_text(&q, 2, text_of(looks->folded));
    return query_number(&q);
}

int64_t store_next_without_looks(store *s, int64_t after, char name[PLAYER_NAME_SIZE]) {
    query q = query_begin(s, "SELECT id, name FROM players WHERE id > ?1 AND kind IN (1, 2, 3)"
                             " AND looks IS NULL AND closed IS NULL ORDER BY id LIMIT 1");
    query_bind(&q, 1, after);
    int64_t found = query_row(&q) ? query_int(&q, 0) : 0;
    if (found)
        query_copy(&q, 1, name, PLAYER_NAME_SIZE);
    query_end(&q);
    return found;
}

void store_set_password(store *s, int64_t player, text hash) {
    query q = query_write(s, "UPDATE players SET password = ?2 WHERE id = ?1");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, hash);
    query_run(&q);
}

void store_set_role(store *s, int64_t player, player_role role) {
    query q = query_write(s, "UPDATE players SET role = ?2 WHERE id = ?1");
    query_bind(&q, 1, player);
    query_bind(&q, 2, role);
    query_run(&q);
}

void store_set_banned(store *s, int64_t player, text reason) {
    query q = query_write(s, "UPDATE players SET banned = ?2 WHERE id = ?1");
    query_bind(&q, 1, player);
    if (reason.len)
        query_bind_text(&q, 2, reason);
    query_run(&q);
}

void store_close_player(store *s, int64_t player, int64_t now) {
    // The programs of a closed account are closed too.
    query q = query_write(s, "DELETE FROM tokens WHERE player IN"
                             " (SELECT id FROM players WHERE id = ?1 OR owner = ?1)");
    query_bind(&q, 1, player);
    query_run(&q);
    q = query_write(s, "UPDATE players SET name = 'gone-' || id, looks = NULL, folded = NULL,"
                       " password = NULL, role = 0,"
                       " closed = ?2 WHERE id = ?1 OR owner = ?1");
    query_bind(&q, 1, player);
    query_bind(&q, 2, now);
    query_run(&q);
}

static void forget_player(store *s, int64_t player) {
    query q = query_write(s, "DELETE FROM tokens WHERE player = ?1");
    query_bind(&q, 1, player);
    query_run(&q);
    q = query_try(s, "DELETE FROM players WHERE id = ?1"); // refused where something names it
    query_bind(&q, 1, player);
    query_run(&q);
}

int64_t store_forget_guests(store *s, int64_t after, int count, int64_t before) {
    query q = query_begin(s, "SELECT id, kind = 0 AND created < ?3"
                             " AND NOT EXISTS (SELECT 1 FROM games WHERE first = players.id)"
                             " AND NOT EXISTS (SELECT 1 FROM games WHERE second = players.id)"
                             " FROM players WHERE id > ?1 ORDER BY id LIMIT ?2");
    int64_t last = 0, gone[64];
    int looked = 0, found = 0;
    query_bind(&q, 1, after);
    query_bind(&q, 2, min_int(count, 64));
    query_bind(&q, 3, before);
    for (; query_row(&q); looked++) {
        last = query_int(&q, 0);
        if (query_int(&q, 1))
            gone[found++] = last;
    }
    query_end(&q);
    for (int i = 0; i < found; i++)
        forget_player(s, gone[i]);
    return looked ? last : 0;
}

// --- tokens -------------------------------------------------------------------------------------

// Deletes expired and revoked tokens.
void store_add_token(store *s, const stored_token *t) {
    query q = query_write(s, "DELETE FROM tokens WHERE player = ?1"
                             " AND (revoked IS NOT NULL OR expires <= ?2)");
    query_bind(&q, 1, t->player);
    query_bind(&q, 2, t->created);
    query_run(&q);
    q = query_write(s, "INSERT INTO tokens(hash, player, kind, label, created, expires)"
                       " VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    query_bind_blob(&q, 1, (text){t->hash, sizeof t->hash});
    query_bind(&q, 2, t->player);
    query_bind(&q, 3, t->kind);
    query_bind_text(&q, 4, text_of(t->label));
    query_bind(&q, 5, t->created);
    if (t->expires)
        query_bind(&q, 6, t->expires);
    query_run(&q);
}

int64_t store_token_player(store *s, const char hash[TOKEN_HASH_SIZE], int64_t now) {
    query q = query_begin(s, "SELECT player FROM tokens WHERE hash = ?1 AND revoked IS NULL"
                             " AND (expires IS NULL OR expires > ?2)");
    query_bind_blob(&q, 1, (text){hash, TOKEN_HASH_SIZE});
    query_bind(&q, 2, now);
    int64_t player = query_row(&q) ? query_int(&q, 0) : 0;
    return query_end(&q) ? player : 0;
}

int store_revoke_tokens(store *s, int64_t player, token_kind kind, const char *label, int64_t now) {
    query q = query_write(s, "UPDATE tokens SET revoked = ?4 WHERE player = ?1 AND kind = ?2"
                             " AND revoked IS NULL AND (label = ?3 OR ?3 IS NULL) RETURNING 1");
    query_bind(&q, 1, player);
    query_bind(&q, 2, kind);
    if (label)
        query_bind_text(&q, 3, text_of(label));
    query_bind(&q, 4, now);
    int count = 0;
    while (query_row(&q))
        count++;
    query_end(&q);
    return count;
}

int store_count_tokens(store *s, int64_t player, token_kind kind, int64_t now) {
    query q = query_begin(s, "SELECT count(*) FROM tokens WHERE player = ?1 AND kind = ?2"
                             " AND revoked IS NULL AND (expires IS NULL OR expires > ?3)");
    query_bind(&q, 1, player);
    query_bind(&q, 2, kind);
    query_bind(&q, 3, now);
    return (int)query_number(&q);
}

void store_each_token(store *s, int64_t player, token_kind kind, int64_t now,
                      void (*take)(void *context, const stored_token *t), void *context) {
    query q = query_begin(s, "SELECT hash, label, created, coalesce(expires, 0) FROM tokens WHERE"
                             " player = ?1 AND kind = ?2 AND revoked IS NULL"
                             " AND (expires IS NULL OR expires > ?3) ORDER BY created DESC");
    query_bind(&q, 1, player);
    query_bind(&q, 2, kind);
    query_bind(&q, 3, now);
    while (query_row(&q)) {
        stored_token t = {.player = player,
                          .kind = kind,
                          .created = query_int(&q, 2),
                          .expires = query_int(&q, 3)};
        text hash = query_blob(&q, 0);
        if (hash.len == sizeof t.hash)
            memcpy(t.hash, hash.at, sizeof t.hash);
        query_copy(&q, 1, t.label, sizeof t.label);
        take(context, &t);
    }
    query_end(&q);
}

void store_revoke_oldest_token(store *s, int64_t player, token_kind kind, int64_t now) {
    query q = query_write(s, "UPDATE tokens SET revoked = ?3 WHERE hash = (SELECT hash FROM tokens"
                             " WHERE player = ?1 AND kind = ?2 AND revoked IS NULL"
                             " ORDER BY created LIMIT 1)");
    query_bind(&q, 1, player);
    query_bind(&q, 2, kind);
    query_bind(&q, 3, now);
    query_run(&q);
}

void store_revoke_token(store *s, const char hash[TOKEN_HASH_SIZE], int64_t now) {
    query q = query_write(s, "UPDATE tokens SET revoked = ?2 WHERE hash = ?1 AND revoked IS NULL");
    query_bind_blob(&q, 1, (text){hash, TOKEN_HASH_SIZE});
    query_bind(&q, 2, now);
    query_run(&q);
}

int store_count_programs(store *s, int64_t owner) {
    query q = query_begin(s, "SELECT count(*) FROM players WHERE owner = ?1");
    query_bind(&q, 1, owner);
    return (int)query_number(&q);
}

void store_each_program(store *s, int64_t owner,
                        void (*take)(void *context, const stored_player *p, int tokens),
                        void *context) {
    query q = query_begin(s, "SELECT id, name, kind, created, (SELECT count(*) FROM tokens WHERE"
                             " player = players.id AND kind = 1 AND revoked IS NULL)"
                             " FROM players WHERE owner = ?1 ORDER BY lower(name)");
    query_bind(&q, 1, owner);
    while (query_row(&q)) {
        stored_player p = {.id = query_int(&q, 0),
                           .kind = (player_kind)query_int(&q, 2),
                           .created = query_int(&q, 3),
                           .owner = owner};
        query_copy(&q, 1, p.name, sizeof p.name);
        take(context, &p, (int)query_int(&q, 4));
    }
    query_end(&q);
}

// --- recovery, mutes, reports --------------------------------------------------------------------

void store_set_recovery(store *s, int64_t player, const char hash[TOKEN_HASH_SIZE]) {
    query q = query_write(s, "UPDATE players SET recovery = ?2 WHERE id = ?1");
    query_bind(&q, 1, player);
    query_bind_blob(&q, 2, (text){hash, TOKEN_HASH_SIZE});
    query_run(&q);
}

bool store_find_recovery(store *s, int64_t player, char hash[TOKEN_HASH_SIZE]) {
    query q = query_begin(s, "SELECT recovery FROM players WHERE id = ?1 AND recovery IS NOT NULL");
    query_bind(&q, 1, player);
    bool found = query_row(&q) && query_blob(&q, 0).len == TOKEN_HASH_SIZE;
    if (found)
        memcpy(hash, query_blob(&q, 0).at, TOKEN_HASH_SIZE);
    return query_end(&q) && found;
}

void store_set_mute(store *s, int64_t player, int64_t other, bool on) {
    query q = on ? query_write(s, "INSERT INTO mutes(player, other) VALUES(?1, ?2)"
                                  " ON CONFLICT DO NOTHING")
                 : query_write(s, "DELETE FROM mutes WHERE player = ?1 AND other = ?2");
    query_bind(&q, 1, player);
    query_bind(&q, 2, other);
    query_run(&q);
}

bool store_is_muted(store *s, int64_t player, int64_t other) {
    query q = query_begin(s, "SELECT 1 FROM mutes WHERE player = ?1 AND other = ?2");
    query_bind(&q, 1, player);
    query_bind(&q, 2, other);
    bool found = query_row(&q);
    return query_end(&q) && found;
}

int store_count_mutes(store *s, int64_t player) {
    query q = query_begin(s, "SELECT count(*) FROM mutes WHERE player = ?1");
    query_bind(&q, 1, player);
    return (int)query_number(&q);
}

void store_each_mute(store *s, int64_t player, void (*take)(void *context, text name),
                     void *context) {
    query q = query_begin(s, "SELECT name FROM mutes JOIN players ON id = other WHERE player = ?1"
                             " ORDER BY lower(name)");
    query_bind(&q, 1, player);
    while (query_row(&q))
        take(context, query_text(&q, 0));
    query_end(&q);
}

void store_add_report(store *s, int64_t at, int64_t reporter, int64_t player, int64_t game,
                      text words) {
    query q = query_write(s, "INSERT INTO reports(at, reporter, player, game, words, id)"
                             " VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    query_bind(&q, 1, at);
    query_bind(&q, 2, reporter);
    query_bind(&q, 3, player);
    if (game)
        query_bind(&q, 4, game);
    query_bind_text(&q, 5, words);
    query_bind(&q, 6, store_next_id(s, NUMBERED_REPORTS));
    query_run(&q);
}

int store_count_reports(store *s, int64_t reporter, int64_t since) {
    query q = query_begin(s, "SELECT count(*) FROM reports WHERE reporter = ?1 AND at > ?2");
    query_bind(&q, 1, reporter);
    query_bind(&q, 2, since);
    return (int)query_number(&q);
}

void store_each_report(store *s, int64_t reporter, int64_t before, int limit,
                       void (*take)(void *context, const stored_report *r), void *context) {
    query q = query_begin(s, "SELECT r.id, at, coalesce(game, 0), a.name, b.name, words"
                             " FROM reports r JOIN players a ON a.id = reporter"
                             " JOIN players b ON b.id = player"
                             " WHERE r.id < ?1 AND (reporter = ?3 OR ?3 = 0)"
                             " ORDER BY r.id DESC LIMIT ?2");
    query_bind(&q, 1, before);
    query_bind(&q, 2, limit);
    query_bind(&q, 3, reporter);
    while (query_row(&q)) {
        stored_report r = {
            .id = query_int(&q, 0), .at = query_int(&q, 1), .game = query_int(&q, 2)};
        query_copy(&q, 3, r.reporter, sizeof r.reporter);
        query_copy(&q, 4, r.player, sizeof r.player);
        query_copy(&q, 5, r.words, sizeof r.words);
        take(context, &r);
    }
    query_end(&q);
}

// --- ratings -------------------------------------------------------------------------------------

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

#define RATING "player, game, rating, deviation, volatility, games, updated"

bool store_find_rating(store *s, int64_t player, const char *game, stored_rating *r) {
    query q = query_begin(s, "SELECT " RATING " FROM ratings WHERE player = ?1 AND game = ?2");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    bool found = query_row(&q);
    if (found)
        read_rating(&q, r);
    return query_end(&q) && found;
}

void store_set_rating(store *s, const stored_rating *r, int64_t played) {
    query q = query_write(s, "INSERT INTO ratings(" RATING ")"
                             " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"
                             " ON CONFLICT(player, game) DO UPDATE SET rating = excluded.rating,"
                             " deviation = excluded.deviation, volatility = excluded.volatility,"
                             " games = excluded.games, updated = excluded.updated");
    query_bind(&q, 1, r->player);
    query_bind_text(&q, 2, text_of(r->game));
    query_bind_real(&q, 3, r->rating);
    query_bind_real(&q, 4, r->deviation);
    query_bind_real(&q, 5, r->volatility);
    query_bind(&q, 6, r->games);
    query_bind(&q, 7, r->updated);
    query_run(&q);
    q = query_write(s, "INSERT INTO rating_history(player, game, at, played, rating, deviation)"
                       " VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
                       " ON CONFLICT(player, game, at, played) DO UPDATE SET"
                       " rating = excluded.rating, deviation = excluded.deviation");
    query_bind(&q, 1, r->player);
    query_bind_text(&q, 2, text_of(r->game));
    query_bind(&q, 3, r->updated);
    query_bind(&q, 4, played);
    query_bind_real(&q, 5, r->rating);
    query_bind_real(&q, 6, r->deviation);
    query_run(&q);
}

int store_count_rated_between(store *s, int64_t player, int64_t opponent, const char *game,
                              int64_t since, int64_t before) {
    query q = query_begin(s, "SELECT count(DISTINCT h.played) FROM rating_history h"
                             " JOIN games g ON g.id = h.played WHERE h.player = ?1 AND h.game = ?2"
                             " AND h.at > ?3 AND h.played < ?4 AND ?5 IN (g.first, g.second)");
    query_bind(&q, 1, player);
    query_bind_text(&q, 2, text_of(game));
    query_bind(&q, 3, since);
    query_bind(&q, 4, before);
    query_bind(&q, 5, opponent);
    return (int)query_number(&q);
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
                       " AND closed IS NULL ORDER BY rating DESC, lower(name) LIMIT ?4");
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
                             " ORDER BY at DESC, played DESC LIMIT ?3) latest ORDER BY at, played");
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
