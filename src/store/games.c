#include "store/games.h"

#include "store/query.h"

#include "base/minmax.h"
#include "base/vector.h"

#include <stdlib.h>

// --- rows ---------------------------------------------------------------------------------------

void store_add_game(store *s, stored_game *g) {
    g->id = store_next_id(s, NUMBERED_GAMES);
    query q = query_write(s, "INSERT INTO games(game, rules, fen, first, second, control, rated,"
                             " tournament, round, started, begun, id)"
                             " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
    query_bind_text(&q, 1, text_of(g->game));
    query_bind_text(&q, 2, text_of(g->rules));
    if (g->fen[0])
        query_bind_text(&q, 3, text_of(g->fen));
    query_bind(&q, 4, g->players[0]);
    query_bind(&q, 5, g->players[1]);
    query_bind_text(&q, 6, text_of(g->control));
    query_bind(&q, 7, g->rated);
    if (g->tournament) {
        query_bind(&q, 8, g->tournament);
        query_bind(&q, 9, g->round);
    }
    query_bind(&q, 10, g->started);
    query_bind(&q, 11, g->begun);
    query_bind(&q, 12, g->id);
    query_run(&q);
}

#define ROW                                                                                        \
    "id, game, rules, fen, first, second, control, rated, tournament, round, started, begun,"      \
    " ended, outcome, reason, side, words, plies, rematch"

static void read_row(const query *q, stored_game *g) {
    *g = (stored_game){.id = query_int(q, 0),
                       .players = {query_int(q, 4), query_int(q, 5)},
                       .rated = query_int(q, 7) != 0,
                       .tournament = query_int(q, 8),
                       .round = (int)query_int(q, 9),
                       .started = query_int(q, 10),
                       .begun = query_int(q, 11),
                       .ended = query_int(q, 12),
                       .outcome = (int)query_int(q, 13),
                       .side = query_is_null(q, 15) ? -1 : (int)query_int(q, 15),
                       .plies = (int)query_int(q, 17),
                       .rematch = (int)query_int(q, 18)};
    query_copy(q, 1, g->game, sizeof g->game);
    query_copy(q, 2, g->rules, sizeof g->rules);
    query_copy(q, 3, g->fen, sizeof g->fen);
    query_copy(q, 6, g->control, sizeof g->control);
    query_copy(q, 14, g->reason, sizeof g->reason);
    query_copy(q, 16, g->words, sizeof g->words);
}

bool store_find_game(store *s, int64_t id, stored_game *g) {
    query q = query_begin(s, "SELECT " ROW " FROM games WHERE id = ?1");
    query_bind(&q, 1, id);
    bool found = query_row(&q);
    if (found)
        read_row(&q, g);
    return query_end(&q) && found;
}

void store_each_live_game(store *s, void (*take)(void *, const stored_game *), void *context) {
    query q = query_begin(s, "SELECT " ROW " FROM games WHERE ended IS NULL ORDER BY id");
    stored_game g;
    while (query_row(&q)) {
        read_row(&q, &g);
        take(context, &g);
    }
    query_end(&q);
}

void store_each_recent_game(store *s, int64_t since, int limit,
                            void (*take)(void *, const stored_game *), void *context) {
    query q = query_begin(s, "SELECT " ROW " FROM games WHERE ended >= ?1"
                             " AND id NOT IN (SELECT game FROM imported) ORDER BY ended DESC"
                             " LIMIT ?2");
    query_bind(&q, 1, since);
    query_bind(&q, 2, limit);
    stored_game g;
    while (query_row(&q)) {
        read_row(&q, &g);
        take(context, &g);
    }
    query_end(&q);
}

void store_remove_game(store *s, int64_t id) {
    query q = query_write(s, "DELETE FROM games WHERE id = ?1");
    query_bind(&q, 1, id);
    query_run(&q);
}

void store_set_rematch(store *s, int64_t id, int sides) {
    query q = query_write(s, "UPDATE games SET rematch = ?2 WHERE id = ?1");
    query_bind(&q, 1, id);
    query_bind(&q, 2, sides);
    query_run(&q);
}

void store_correct_game(store *s, int64_t id, int outcome, int side, const char *reason,
                        const char *words, const char *why) {
    query q = query_write(s, "UPDATE games SET outcome = ?2, reason = ?3, words = ?4,"
                             " corrected = ?5, side = ?6 WHERE id = ?1");
    query_bind(&q, 1, id);
    query_bind(&q, 2, outcome);
    query_bind(&q, 6, side);
    query_bind_text(&q, 3, text_of(reason));
    query_bind_text(&q, 4, text_of(words));
    query_bind_text(&q, 5, text_of(why));
    query_run(&q);
    store_sign_game(s, id);
}

// --- moves --------------------------------------------------------------------------------------

// Binds what is kept of a move from parameter `at` on; the columns are the same in both tables.
static void bind_move(query *q, int at, const stored_move *m) {
    query_bind_text(q, at, text_of(m->move));
    query_bind(q, at + 1, m->queued);
    query_bind(q, at + 2, m->written);
    query_bind(q, at + 3, m->read);
    query_bind(q, at + 4, m->accepted);
    query_bind(q, at + 5, m->lag);
    query_bind(q, at + 6, m->used);
    query_bind(q, at + 7, m->remaining);
    if (m->has_score) {
        query_bind(q, at + 8, m->score);
        query_bind(q, at + 9, m->is_mate);
    }
    if (m->depth)
        query_bind(q, at + 10, m->depth);
    if (m->nodes >= 0)
        query_bind(q, at + 11, m->nodes);
    if (m->late)
        query_bind(q, at + 12, m->late);
}

static void read_move(const query *q, int at, stored_move *m) {
    *m = (stored_move){.queued = query_int(q, at + 1),
                       .written = query_int(q, at + 2),
                       .read = query_int(q, at + 3),
                       .accepted = query_int(q, at + 4),
                       .lag = query_int(q, at + 5),
                       .used = query_int(q, at + 6),
                       .remaining = query_int(q, at + 7),
                       .has_score = !query_is_null(q, at + 8),
                       .score = (int32_t)query_int(q, at + 8),
                       .is_mate = query_int(q, at + 9) != 0,
                       .depth = (int32_t)query_int(q, at + 10),
                       .nodes = query_is_null(q, at + 11) ? -1 : query_int(q, at + 11),
                       .late = query_int(q, at + 12)};
    query_copy(q, at, m->move, sizeof m->move);
}

#define MOVE                                                                                       \
    "move, queued, written, read, accepted, lag, used, remaining, score, mate, depth, nodes, late"

static void archive_move(store *s, int64_t game, int ply, const stored_move *m) {
    query q = query_write(s, "INSERT INTO moves(game, ply, " MOVE ") VALUES(?1, ?2, ?3, ?4, ?5,"
                             " ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)");
    query_bind(&q, 1, game);
    query_bind(&q, 2, ply);
    bind_move(&q, 3, m);
    query_run(&q);
}

void store_end_game(store *s, const stored_game *g, const stored_move *moves) {
    query q = query_write(s, "UPDATE games SET ended = ?2, outcome = ?3, reason = ?4, side = ?5,"
                             " words = ?6, plies = ?7 WHERE id = ?1");
    query_bind(&q, 1, g->id);
    query_bind(&q, 2, g->ended);
    query_bind(&q, 3, g->outcome);
    query_bind_text(&q, 4, text_of(g->reason));
    query_bind(&q, 5, g->side);
    query_bind_text(&q, 6, text_of(g->words));
    query_bind(&q, 7, g->plies);
    query_run(&q);
    for (int ply = 1; ply <= g->plies; ply++)
        archive_move(s, g->id, ply, &moves[ply - 1]);
    store_sign_game(s, g->id);
}

void store_end_unread_game(store *s, const stored_game *g) {
    stored_game end = *g;
    end.plies = 0;
    store_end_game(s, &end, NULL);
    query q = query_write(s, "INSERT INTO moves(game, ply, " MOVE ")"
                             " SELECT game, ply, " MOVE " FROM journal WHERE id IN"
                             " (SELECT max(id) FROM journal WHERE game = ?1 AND kind = 0"
                             " GROUP BY ply)");
    query_bind(&q, 1, g->id);
    query_run(&q);
    q = query_write(s, "UPDATE games SET plies = (SELECT count(*) FROM moves WHERE game = ?1)"
                       " WHERE id = ?1");
    query_bind(&q, 1, g->id);
    query_run(&q);
    store_sign_game(s, g->id);
}

stored_move *store_game_moves(store *s, int64_t id, int *count) {
    query q = query_begin(s, "SELECT " MOVE " FROM moves WHERE game = ?1 ORDER BY ply");
    query_bind(&q, 1, id);
    stored_move *moves = NULL;
    size_t capacity = 0;
    *count = 0;
    while (query_row(&q)) {
        stored_move *grown = vector_reserve(moves, &capacity, (size_t)*count + 1, sizeof *moves);
        if (!grown)
            break;
        moves = grown;
        read_move(&q, 0, &moves[(*count)++]);
    }
    query_end(&q);
    return moves;
}

// --- the journal --------------------------------------------------------------------------------

// The journal has the columns of a move for entries of every kind. What an entry of another kind
// says is in some of them.
static stored_move columns_of(const journal_entry *e) {
    stored_move m = {.accepted = e->at, .nodes = -1};
    switch (e->kind) {
    case JOURNAL_MOVE:
        return e->move;
    case JOURNAL_CLOCK:
        m.used = e->clock.used;
        m.read = e->clock.runs;
        m.written = e->clock.hold;
        break;
    case JOURNAL_OFFER:
        m.used = e->offer.kind;
        m.written = e->offer.side;
        break;
    case JOURNAL_LATE:
        m.late = e->late_us;
        break;
    case JOURNAL_TAKEBACK:
    case JOURNAL_ANEW:
        break;
    }
    return m;
}

static void set_from_columns(journal_entry *e, const stored_move *m) {
    e->at = m->accepted;
    switch (e->kind) {
    case JOURNAL_MOVE:
        e->move = *m;
        break;
    case JOURNAL_CLOCK:
        e->clock.used = m->used;
        e->clock.runs = m->read != 0;
        e->clock.hold = m->read ? 0 : (int)m->written;
        break;
    case JOURNAL_OFFER:
        e->offer.kind = (journal_offer)m->used;
        e->offer.side = (int)m->written & 1;
        break;
    case JOURNAL_LATE:
        e->late_us = m->late;
        break;
    case JOURNAL_TAKEBACK:
    case JOURNAL_ANEW:
        break;
    }
}

static uint64_t add_number(uint64_t sum, int64_t n) {
    for (int i = 0; i < 8; i++)
        sum = (sum ^ (uint8_t)((uint64_t)n >> 8 * i)) * 0x100000001b3u; // FNV-1a
    return sum;
}

// Of all columns, as they are stored.
static int64_t checksum(const journal_entry *e, const stored_move *m) {
    uint64_t sum = 0xcbf29ce484222325u;
    const int64_t numbers[] = {
        e->game, e->kind,      e->ply,       m->queued, m->written, m->read,  m->accepted, m->lag,
        m->used, m->remaining, m->has_score, m->score,  m->is_mate, m->depth, m->nodes,    m->late};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sum = add_number(sum, numbers[i]);
    for (const char *at = m->move; *at; at++)
        sum = add_number(sum, *at);
    return (int64_t)(sum >> 1);
}

static uint64_t add_string(uint64_t sum, const char *words) {
    for (; *words; words++)
        sum = add_number(sum, *words);
    return add_number(sum, 0);
}

static int64_t sum_of_game(const stored_game *g, const stored_move *moves, int count) {
    const int64_t numbers[] = {g->id,    g->players[0], g->players[1], g->rated, g->tournament,
                               g->round, g->started,    g->begun,      g->ended, g->outcome,
                               g->side,  g->plies,      count};
    const char *const words[] = {g->game, g->rules, g->fen, g->control, g->reason, g->words};
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sum = add_number(sum, numbers[i]);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        sum = add_string(sum, words[i]);
    for (int i = 0; i < count; i++) {
        journal_entry e = {.game = g->id, .kind = JOURNAL_MOVE, .ply = i + 1, .move = moves[i]};
        sum = add_number(sum, checksum(&e, &moves[i]));
    }
    return (int64_t)(sum >> 1);
}

// The checksum a game should have; -1: there is no such game.
static int64_t sum_now(store *s, int64_t id) {
    stored_game g;
    int count;
    if (!store_find_game(s, id, &g))
        return -1;
    stored_move *moves = store_game_moves(s, id, &count);
    int64_t sum = sum_of_game(&g, moves, count);
    free(moves);
    return sum;
}

void store_sign_game(store *s, int64_t id) {
    int64_t sum = sum_now(s, id);
    query q = query_write(s, "UPDATE games SET sum = ?2 WHERE id = ?1");
    query_bind(&q, 1, id);
    query_bind(&q, 2, sum);
    query_run(&q);
}

game_soundness store_check_game(store *s, int64_t id) {
    query q = query_begin(s, "SELECT sum FROM games WHERE id = ?1");
    query_bind(&q, 1, id);
    bool is_signed = query_row(&q) && !query_is_null(&q, 0);
    int64_t kept = is_signed ? query_int(&q, 0) : 0;
    query_end(&q);
    if (!is_signed)
        return GAME_UNSIGNED;
    return sum_now(s, id) == kept ? GAME_SOUND : GAME_DAMAGED;
}

int store_finished_games(store *s, int64_t after, int64_t *ids, int count) {
    query q = query_begin(s, "SELECT id FROM games WHERE id > ?1 AND ended IS NOT NULL"
                             " ORDER BY id LIMIT ?2");
    int found = 0;
    query_bind(&q, 1, after);
    query_bind(&q, 2, count);
    while (query_row(&q) && found < count)
        ids[found++] = query_int(&q, 0);
    query_end(&q);
    return found;
}

int64_t store_add_entry(store *s, const journal_entry *e) {
    int64_t id = store_next_id(s, NUMBERED_JOURNAL);
    query q =
        query_write(s, "INSERT INTO journal(game, kind, ply, " MOVE ", sum, id) VALUES(?1, ?2,"
                       " ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)");
    stored_move columns = columns_of(e);
    if (!columns.has_score) // these columns are NULL then
        columns.score = columns.is_mate = 0;
    query_bind(&q, 1, e->game);
    query_bind(&q, 2, e->kind);
    query_bind(&q, 3, e->ply);
    bind_move(&q, 4, &columns);
    query_bind(&q, 17, checksum(e, &columns));
    query_bind(&q, 18, id);
    query_run(&q);
    return id;
}

bool store_trim_journal(store *s, int64_t before) {
    query q = query_begin(s, "SELECT id FROM journal ORDER BY id LIMIT 1 OFFSET ?1");
    query_bind(&q, 1, STORE_TRIM);
    int64_t most = query_number(&q);
    bool is_all = most == 0 || before <= most;
    q = query_write(s, "DELETE FROM journal WHERE id < ?1");
    query_bind(&q, 1, is_all ? before : most);
    query_run(&q);
    return is_all;
}

void store_each_entry(store *s, void (*take)(void *, const journal_entry *), void *context) {
    query q = query_begin(s, "SELECT id, game, kind, ply, " MOVE ", sum FROM journal ORDER BY id");
    while (query_row(&q)) {
        journal_entry e = {.id = query_int(&q, 0),
                           .game = query_int(&q, 1),
                           .kind = (journal_kind)query_int(&q, 2),
                           .ply = (int)query_int(&q, 3)};
        stored_move columns;
        read_move(&q, 4, &columns);
        e.is_damaged = !query_is_null(&q, 17) && query_int(&q, 17) != checksum(&e, &columns);
        set_from_columns(&e, &columns);
        take(context, &e);
    }
    query_end(&q);
}

// --- the rest -----------------------------------------------------------------------------------

int64_t store_heartbeat(store *s) {
    query q = query_begin(s, "SELECT value FROM meta WHERE key = 'heartbeat'");
    int64_t beat = query_number(&q);
    q = query_begin(s, "SELECT accepted FROM journal ORDER BY id DESC LIMIT 1");
    int64_t last = query_number(&q);
    q = query_begin(s, "SELECT begun FROM games ORDER BY id DESC LIMIT 1");
    int64_t begun = query_number(&q);
    return max_i64(beat, max_i64(last, begun));
}

bool store_has_live_games(store *s) {
    query q = query_begin(s, "SELECT 1 FROM games WHERE ended IS NULL LIMIT 1");
    bool some = query_row(&q);
    query_end(&q);
    return some;
}

void store_beat(store *s, int64_t now) {
    query q = query_write(s, "UPDATE meta SET value = ?1 WHERE key = 'heartbeat'");
    query_bind(&q, 1, now);
    query_run(&q);
}

void store_audit(store *s, int64_t at, int64_t arbiter, const char *action, const char *subject,
                 text reason) {
    query q = query_write(s, "INSERT INTO audit(at, arbiter, action, subject, reason, id)"
                             " VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    query_bind(&q, 1, at);
    query_bind(&q, 2, arbiter);
    query_bind_text(&q, 3, text_of(action));
    query_bind_text(&q, 4, text_of(subject));
    query_bind_text(&q, 5, reason);
    query_bind(&q, 6, store_next_id(s, NUMBERED_AUDIT));
    query_run(&q);
}

void store_each_audit(store *s, int64_t before, int limit,
                      void (*take)(void *context, const stored_audit *a), void *context) {
    query q = query_begin(s, "SELECT audit.id, at, name, action, subject, reason FROM audit"
                             " JOIN players ON players.id = arbiter WHERE audit.id < ?1"
                             " ORDER BY audit.id DESC LIMIT ?2");
    query_bind(&q, 1, before);
    query_bind(&q, 2, limit);
    while (query_row(&q)) {
        stored_audit a = {.id = query_int(&q, 0), .at = query_int(&q, 1)};
        query_copy(&q, 2, a.arbiter, sizeof a.arbiter);
        query_copy(&q, 3, a.action, sizeof a.action);
        query_copy(&q, 4, a.subject, sizeof a.subject);
        query_copy(&q, 5, a.reason, sizeof a.reason);
        take(context, &a);
    }
    query_end(&q);
}

// --- offers --------------------------------------------------------------------------------------

void store_add_offer(store *s, const stored_offer *o) {
    query q = query_write(s, "INSERT INTO offers(id, player, opponent, side, game, rules, control,"
                             " fen, rated, made) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    query_bind(&q, 1, o->id);
    query_bind(&q, 2, o->player);
    if (o->opponent)
        query_bind(&q, 3, o->opponent);
    query_bind(&q, 4, o->side);
    query_bind_text(&q, 5, text_of(o->game));
    query_bind_text(&q, 6, text_of(o->rules));
    query_bind_text(&q, 7, text_of(o->control));
    if (o->fen[0])
        query_bind_text(&q, 8, text_of(o->fen));
    query_bind(&q, 9, o->rated);
    query_bind(&q, 10, o->made);
    query_run(&q);
}

void store_remove_offer(store *s, int64_t id) {
    query q = query_write(s, "DELETE FROM offers WHERE id = ?1");
    query_bind(&q, 1, id);
    query_run(&q);
}

void store_each_offer(store *s, void (*take)(void *context, const stored_offer *o), void *context) {
    query q = query_begin(s, "SELECT id, player, opponent, side, game, rules, control, fen, rated,"
                             " made FROM offers ORDER BY made, id");
    while (query_row(&q)) {
        stored_offer o = {.id = query_int(&q, 0),
                          .player = query_int(&q, 1),
                          .opponent = query_int(&q, 2),
                          .side = (int)query_int(&q, 3),
                          .rated = query_int(&q, 8) != 0,
                          .made = query_int(&q, 9)};
        query_copy(&q, 4, o.game, sizeof o.game);
        query_copy(&q, 5, o.rules, sizeof o.rules);
        query_copy(&q, 6, o.control, sizeof o.control);
        query_copy(&q, 7, o.fen, sizeof o.fen);
        take(context, &o);
    }
    query_end(&q);
}
