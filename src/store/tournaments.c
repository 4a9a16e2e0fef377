#include "store/tournaments.h"

#include "store/query.h"

#include <stdlib.h>
#include <string.h>

void store_add_tournament(store *s, stored_tournament *t, text list) {
    t->id = store_next_id(s, NUMBERED_TOURNAMENTS);
    query q = query_write(
        s, "INSERT INTO tournaments(name, game, rules, control, kind, rounds,"
           " games, seed, rated, concurrency, state, owner, created, openings,"
           " sprt, per_player, delay, id) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9, ?10,"
           " ?11, ?12, ?13, ?14, ?15, ?16, ?17)");
    query_bind_text(&q, 1, text_of(t->name));
    query_bind_text(&q, 2, text_of(t->game));
    query_bind_text(&q, 3, text_of(t->rules));
    query_bind_text(&q, 4, text_of(t->control));
    query_bind(&q, 5, t->kind);
    query_bind(&q, 6, t->rounds);
    query_bind(&q, 7, t->games);
    query_bind(&q, 8, t->rated);
    query_bind(&q, 9, t->concurrency);
    query_bind(&q, 10, t->state);
    query_bind(&q, 11, t->owner);
    query_bind(&q, 12, t->created);
    bool has_list = strcmp(t->openings, OPENING_LIST) == 0;
    if (t->openings[0])
        query_bind_text(&q, 13, has_list ? list : text_of(t->openings));
    if (t->sprt[0])
        query_bind_text(&q, 14, text_of(t->sprt));
    query_bind(&q, 15, t->per_player);
    query_bind(&q, 16, t->delay);
    query_bind(&q, 17, t->id);
    query_run(&q);
}

void store_set_tournament(store *s, const stored_tournament *t) {
    query q = query_write(s, "UPDATE tournaments SET state = ?2, started = ?3, ended = ?4,"
                             " verdict = ?5 WHERE id = ?1");
    query_bind(&q, 1, t->id);
    query_bind(&q, 2, t->state);
    if (t->started)
        query_bind(&q, 3, t->started);
    if (t->ended)
        query_bind(&q, 4, t->ended);
    query_bind(&q, 5, t->verdict);
    query_run(&q);
}

char *store_openings(store *s, int64_t tournament, size_t *len) {
    query q = query_begin(s, "SELECT openings FROM tournaments WHERE id = ?1"
                             " AND openings NOT LIKE 'random:%'");
    query_bind(&q, 1, tournament);
    char *list = NULL;
    if (query_row(&q)) {
        text found = query_text(&q, 0);
        *len = found.len;
        list = malloc(found.len + 1);
        if (list) {
            memcpy(list, found.at, found.len);
            list[found.len] = '\0';
        }
    }
    query_end(&q);
    return list;
}

#define COLUMNS                                                                                    \
    "id, name, game, rules, control, kind, rounds, games, rated, concurrency, state, owner,"       \
    " created, started, ended, openings, sprt, verdict,"                                           \
    " per_player, delay"

static void read_row(const query *q, stored_tournament *t) {
    *t = (stored_tournament){.id = query_int(q, 0),
                             .kind = (int)query_int(q, 5),
                             .rounds = (int)query_int(q, 6),
                             .games = (int)query_int(q, 7),
                             .rated = query_int(q, 8) != 0,
                             .concurrency = (int)query_int(q, 9),
                             .state = (tournament_state)query_int(q, 10),
                             .owner = query_int(q, 11),
                             .created = query_int(q, 12),
                             .started = query_int(q, 13),
                             .ended = query_int(q, 14),
                             .verdict = (int)query_int(q, 17),
                             .per_player = (int)query_int(q, 18),
                             .delay = (int)query_int(q, 19)};
    query_copy(q, 1, t->name, sizeof t->name);
    query_copy(q, 2, t->game, sizeof t->game);
    query_copy(q, 3, t->rules, sizeof t->rules);
    query_copy(q, 4, t->control, sizeof t->control);
    text openings = query_text(q, 15);
    bool is_list = openings.len && !text_starts(openings, "random:");
    writer w = writer_on(t->openings, sizeof t->openings);
    write_text(&w, is_list ? text_of(OPENING_LIST) : openings);
    query_copy(q, 16, t->sprt, sizeof t->sprt);
}

bool store_find_tournament(store *s, int64_t id, stored_tournament *t) {
    query q = query_begin(s, "SELECT " COLUMNS " FROM tournaments WHERE id = ?1");
    query_bind(&q, 1, id);
    bool found = query_row(&q);
    if (found)
        read_row(&q, t);
    return query_end(&q) && found;
}

void store_each_tournament(store *s, int64_t before, int limit, bool live,
                           void (*take)(void *context, const stored_tournament *t), void *context) {
    query q = live ? query_begin(s, "SELECT " COLUMNS " FROM tournaments WHERE id < ?1"
                                    " AND state IN (1, 2) ORDER BY id DESC LIMIT ?2")
                   : query_begin(s, "SELECT " COLUMNS " FROM tournaments WHERE id < ?1"
                                    " ORDER BY id DESC LIMIT ?2");
    query_bind(&q, 1, before);
    query_bind(&q, 2, limit);
    stored_tournament t;
    while (query_row(&q)) {
        read_row(&q, &t);
        take(context, &t);
    }
    query_end(&q);
}

int store_count_open_tournaments(store *s, int64_t owner) {
    query q = query_begin(s, "SELECT count(*) FROM tournaments WHERE owner = ?1 AND ended IS NULL");
    query_bind(&q, 1, owner);
    return (int)query_number(&q);
}

// --- entrants -----------------------------------------------------------------------------------

void store_add_entrant(store *s, int64_t tournament, const stored_entrant *e) {
    query q = query_write(s, "INSERT INTO entrants(tournament, number, player) VALUES(?1, ?2, ?3)");
    query_bind(&q, 1, tournament);
    query_bind(&q, 2, e->number);
    query_bind(&q, 3, e->player);
    query_run(&q);
}

void store_clear_entrants(store *s, int64_t tournament) {
    query q = query_write(s, "DELETE FROM entrants WHERE tournament = ?1");
    query_bind(&q, 1, tournament);
    query_run(&q);
}

void store_withdraw_entrant(store *s, int64_t tournament, int number, int64_t at) {
    query q = query_write(s, "UPDATE entrants SET withdrawn = ?3 WHERE tournament = ?1"
                             " AND number = ?2");
    query_bind(&q, 1, tournament);
    query_bind(&q, 2, number);
    query_bind(&q, 3, at);
    query_run(&q);
}

void store_each_entrant(store *s, int64_t tournament,
                        void (*take)(void *context, const stored_entrant *e), void *context) {
    query q = query_begin(s, "SELECT number, player, withdrawn FROM entrants WHERE tournament = ?1"
                             " ORDER BY number");
    query_bind(&q, 1, tournament);
    while (query_row(&q)) {
        stored_entrant e = {(int)query_int(&q, 0), query_int(&q, 1), !query_is_null(&q, 2)};
        take(context, &e);
    }
    query_end(&q);
}

// --- the log ------------------------------------------------------------------------------------

void store_add_tournament_entry(store *s, int64_t tournament, const stored_tournament_entry *e) {
    query q = query_write(s, "INSERT INTO tournament_log(tournament, number, pairings, kind,"
                             " subject, before, now) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    query_bind(&q, 1, tournament);
    query_bind(&q, 2, e->number);
    query_bind(&q, 3, e->pairings);
    query_bind(&q, 4, e->kind);
    query_bind(&q, 5, e->subject);
    if (e->kind == LOG_RESULT) {
        query_bind(&q, 6, e->before);
        query_bind(&q, 7, e->now);
    }
    query_run(&q);
}

void store_each_tournament_entry(store *s, int64_t tournament,
                                 void (*take)(void *context, const stored_tournament_entry *e),
                                 void *context) {
    query q = query_begin(s, "SELECT number, pairings, kind, subject, before, now"
                             " FROM tournament_log WHERE tournament = ?1 ORDER BY number");
    query_bind(&q, 1, tournament);
    while (query_row(&q)) {
        stored_tournament_entry e = {.number = (int)query_int(&q, 0),
                                     .pairings = (int)query_int(&q, 1),
                                     .kind = (tournament_log_kind)query_int(&q, 2),
                                     .subject = (int)query_int(&q, 3),
                                     .before = (int)query_int(&q, 4),
                                     .now = (int)query_int(&q, 5)};
        take(context, &e);
    }
    query_end(&q);
}

// --- pairings -----------------------------------------------------------------------------------

void store_add_pairing(store *s, int64_t tournament, const stored_pairing *p) {
    query q = query_write(s, "INSERT INTO pairings(tournament, number, round, first, second,"
                             " opening, game, half_points)"
                             " VALUES(?1, ?2, ?3, ?4, ?5, ?8, ?6, ?7)");
    query_bind(&q, 1, tournament);
    query_bind(&q, 2, p->number);
    query_bind(&q, 3, p->round);
    query_bind(&q, 4, p->first);
    query_bind(&q, 5, p->second);
    if (p->game)
        query_bind(&q, 6, p->game);
    if (p->half_points >= 0)
        query_bind(&q, 7, p->half_points);
    query_bind(&q, 8, p->opening);
    query_run(&q);
}

void store_set_pairing(store *s, int64_t tournament, const stored_pairing *p) {
    query q = query_write(s, "UPDATE pairings SET game = ?3, half_points = ?4"
                             " WHERE tournament = ?1 AND number = ?2");
    query_bind(&q, 1, tournament);
    query_bind(&q, 2, p->number);
    if (p->game)
        query_bind(&q, 3, p->game);
    if (p->half_points >= 0)
        query_bind(&q, 4, p->half_points);
    query_run(&q);
}

void store_each_pairing(store *s, int64_t tournament,
                        void (*take)(void *context, const stored_pairing *p), void *context) {
    query q = query_begin(s, "SELECT number, round, first, second, game, half_points, opening"
                             " FROM pairings WHERE tournament = ?1 ORDER BY number");
    query_bind(&q, 1, tournament);
    while (query_row(&q)) {
        stored_pairing p = {.number = (int)query_int(&q, 0),
                            .round = (int)query_int(&q, 1),
                            .first = (int)query_int(&q, 2),
                            .second = (int)query_int(&q, 3),
                            .game = query_int(&q, 4),
                            .half_points = query_is_null(&q, 5) ? -1 : (int)query_int(&q, 5),
                            .opening = (int)query_int(&q, 6)};
        take(context, &p);
    }
    query_end(&q);
}
