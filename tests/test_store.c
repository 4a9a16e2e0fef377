// The database: schemas of every version, transactions, players, games and their journal.
#include "store/archive.h"
#include "store/games.h"
#include "store/players.h"
#include "store/schema.h"
#include "store/tournaments.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    char folder[64], path[96];
} place;

// What another program writes has no checksums.
static void remove_sums(const place *p) {
    char path[128];
    snprintf(path, sizeof path, "%s-sums", p->path);
    unlink(path);
}

static int set_up(void **state) {
    place *p = calloc(1, sizeof *p);
    snprintf(p->folder, sizeof p->folder, "/tmp/kraton-store-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->path, sizeof p->path, "%s/kraton.db", p->folder);
    *state = p;
    return 0;
}

static int tear_down(void **state) {
    place *p = *state;
    static const char *const names[] = {
        "kraton.db", "kraton.db-wal", "kraton.db-shm",  "kraton.db-sums", "copy/kraton.db-sums",
        "lock",      "identity",      "copy/kraton.db", "copy/lock",      "copy/identity"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[160];
        snprintf(path, sizeof path, "%s/%s", p->folder, names[i]);
        unlink(path);
    }
    char copy[96];
    snprintf(copy, sizeof copy, "%s/copy", p->folder);
    rmdir(copy);
    rmdir(p->folder);
    free(p);
    return 0;
}

static store *open_store(const place *p) {
    fault why = {""};
    bool is_there = access(p->path, F_OK) == 0;
    store *s = store_open(p->folder, is_there ? 0 : STORE_NEW, &why);
    if (!s)
        fail_msg("%s", why.line);
    return s;
}

static void commit(store *s) {
    fault why = {""};
    if (!store_commit(s, &why))
        fail_msg("%s", why.line);
}

static int64_t add_player(store *s, const char *name) {
    stored_player p = {.kind = PLAYER_PERSON, .created = 5};
    snprintf(p.name, sizeof p.name, "%s", name);
    assert_true(store_add_player(s, &p));
    return p.id;
}

// A file of every earlier version, with something in it, becomes one of today's.
static void test_migrates_from_every_version(void **state) {
    const place *p = *state;
    for (int version = 0; version <= store_schema_version(); version++) {
        sqlite3 *db;
        remove_sums(p);
        assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
        for (int n = 0; n < version; n++)
            assert_int_equal(sqlite3_exec(db, schema_step(n), NULL, NULL, NULL), SQLITE_OK);
        char sql[64];
        char identity[96];
        snprintf(identity, sizeof identity, "%s/identity", p->folder);
        unlink(identity); // of the file before
        snprintf(sql, sizeof sql, "PRAGMA user_version = %d", version);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        if (version > 0)
            assert_int_equal(
                sqlite3_exec(db, "INSERT INTO players(name, kind, created) VALUES('Old', 1, 2)",
                             NULL, NULL, NULL),
                SQLITE_OK);
        sqlite3_close(db);
        store *s = open_store(p);
        stored_player old;
        assert_int_equal(store_find_player_named(s, text_of("OLD"), &old), version > 0);
        add_player(s, "New");
        store_close(s);
        unlink(p->path);
    }
}

static void take_entry(void *context, const stored_tournament_entry *e) {
    assert_int_equal(e->kind, LOG_WITHDRAWN);
    assert_int_equal(e->subject, 1);
    assert_int_equal(e->pairings, 2); // what was drawn before is left as it is
    ++*(int *)context;
}

static void test_version_3_knows_who_has_withdrawn(void **state) {
    const place *p = *state;
    sqlite3 *db;
    assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, schema_step(0), NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "PRAGMA user_version = 1;"
                     "INSERT INTO players(id, name, kind, created) VALUES(1, 'A', 1, 0),"
                     " (2, 'B', 1, 0);"
                     "INSERT INTO tournaments VALUES(5, 'Old', 'xiangqi', '', '60', 2, 3, 1, 0, 0,"
                     " 0, 1, 1, 7, 8, NULL);"
                     "INSERT INTO entrants VALUES(5, 0, 1, NULL), (5, 1, 2, 9);"
                     "INSERT INTO pairings VALUES(5, 0, 0, 0, 1, 0, NULL, 2),"
                     " (5, 1, 1, 1, 0, 0, NULL, 0);",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    store *s = open_store(p);
    int entries = 0;
    store_each_tournament_entry(s, 5, take_entry, &entries);
    assert_int_equal(entries, 1);
    stored_tournament t;
    assert_true(store_find_tournament(s, 5, &t));
    assert_true(t.openings[0] == '\0' && t.sprt[0] == '\0' && t.verdict == 0);
    store_close(s);
}

static void test_refuses_a_later_version(void **state) {
    const place *p = *state;
    sqlite3 *db;
    assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 1000", NULL, NULL, NULL);
    sqlite3_close(db);
    fault why = {""};
    assert_null(store_open(p->folder, 0, &why));
    assert_non_null(strstr(why.line, "later version"));
}

static void test_what_is_not_committed_is_not_kept(void **state) {
    const place *p = *state;
    fault why = {""};
    store *s = open_store(p), *other = store_open_second(p->folder, &why);
    assert_non_null(other);
    assert_null(store_open(p->folder, 0, &why)); // one server at a time
    assert_non_null(strstr(why.line, "another server"));
    stored_player found;
    add_player(s, "Ada");
    assert_true(store_is_dirty(s));
    assert_false(store_find_player_named(other, text_of("Ada"), &found));
    commit(s);
    assert_false(store_is_dirty(s));
    assert_true(store_find_player_named(other, text_of("ada"), &found));
    store_close(other);
    store_close(s);
}

static void test_names_are_taken_once(void **state) {
    store *s = open_store(*state);
    add_player(s, "Ada");
    stored_player twin = {.kind = PLAYER_PERSON, .name = "ADA"};
    assert_false(store_add_player(s, &twin));
    assert_false(store_has_failed(s));
    commit(s);
    store_close(s);
}

static void test_tokens(void **state) {
    store *s = open_store(*state);
    int64_t ada = add_player(s, "Ada");
    stored_token t = {.player = ada, .kind = TOKEN_PROGRAM, .label = "x", .hash = "hash"};
    store_add_token(s, &t);
    assert_int_equal(store_token_player(s, t.hash, 10), ada);
    stored_token brief = {.player = ada, .kind = TOKEN_BROWSER, .expires = 20, .hash = "brief"};
    store_add_token(s, &brief);
    assert_int_equal(store_token_player(s, brief.hash, 19), ada);
    assert_int_equal(store_token_player(s, brief.hash, 20), 0);
    assert_int_equal(store_revoke_tokens(s, ada, TOKEN_PROGRAM, "y", 30), 0);
    assert_int_equal(store_revoke_tokens(s, ada, TOKEN_PROGRAM, NULL, 30), 1);
    assert_int_equal(store_token_player(s, t.hash, 10), 0);
    commit(s);
    store_close(s);
}

typedef struct {
    int games, entries;
    journal_entry last;
} seen;

static void see_game(void *context, const stored_game *g) {
    (void)g;
    ((seen *)context)->games++;
}

static void see_entry(void *context, const journal_entry *e) {
    seen *all = context;
    all->entries++;
    all->last = *e;
}

static void test_games_and_their_journal(void **state) {
    const place *p = *state;
    store *s = open_store(p);
    stored_game g = {.game = "surakarta",
                     .rules = "icga",
                     .control = "10+0",
                     .players = {add_player(s, "Ada"), add_player(s, "Bob")},
                     .started = 1,
                     .begun = 2};
    store_add_game(s, &g);
    stored_move moves[2] = {{.move = "b5-b4", .accepted = 100, .used = 7, .nodes = -1},
                            {.move = "b2-b3",
                             .accepted = 200,
                             .remaining = 9,
                             .has_score = true,
                             .score = -12,
                             .depth = 3,
                             .nodes = 4}};
    for (int i = 0; i < 2; i++) {
        journal_entry e = {.game = g.id, .kind = JOURNAL_MOVE, .ply = i + 1, .move = moves[i]};
        store_add_entry(s, &e);
    }
    store_beat(s, 150);
    commit(s);
    store_close(s);

    s = open_store(p);
    seen all = {0};
    store_each_live_game(s, see_game, &all);
    store_each_entry(s, see_entry, &all);
    assert_int_equal(all.games, 1);
    assert_int_equal(all.entries, 2);
    assert_memory_equal(&all.last.move, &moves[1], sizeof moves[1]);
    assert_int_equal(store_heartbeat(s), 200); // the last move is later than the heartbeat
    g.ended = 10;
    g.plies = 2;
    snprintf(g.reason, sizeof g.reason, "resignation");
    store_end_game(s, &g, moves);
    store_trim_journal(s, INT64_MAX);
    commit(s);
    all = (seen){0};
    store_each_live_game(s, see_game, &all);
    store_each_entry(s, see_entry, &all);
    assert_int_equal(all.games + all.entries, 0);
    int count;
    stored_move *kept = store_game_moves(s, g.id, &count);
    assert_int_equal(count, 2);
    assert_memory_equal(kept, moves, sizeof moves);
    free(kept);
    stored_game found;
    assert_true(store_find_game(s, g.id, &found) && strcmp(found.reason, "resignation") == 0);
    store_close(s);
}

static void take_journal(void *context, const journal_entry *e) {
    journal_entry **at = context;
    *(*at)++ = *e;
}

// What every kind of entry says comes back as it was.
static void test_journal_keeps_every_kind(void **state) {
    store *s = open_store(*state);
    journal_entry entries[] = {
        {.kind = JOURNAL_TAKEBACK, .game = 7, .ply = 2, .at = 10},
        {.kind = JOURNAL_CLOCK, .game = 7, .at = 20, .clock = {.used = 5, .hold = 3}},
        {.kind = JOURNAL_CLOCK, .game = 7, .at = 30, .clock = {.used = 6, .runs = true}},
        {.kind = JOURNAL_OFFER, .game = 7, .at = 40, .offer = {OFFER_TAKEBACK, 1}},
        {.kind = JOURNAL_ANEW, .game = 7, .at = 50},
        {.kind = JOURNAL_LATE, .at = 60, .late_us = 123},
    };
    enum { COUNT = sizeof entries / sizeof entries[0] };
    journal_entry found[COUNT], *end = found;
    for (int i = 0; i < COUNT; i++)
        entries[i].id = store_add_entry(s, &entries[i]);
    commit(s);
    store_each_entry(s, take_journal, &end);
    assert_int_equal(end - found, COUNT);
    for (int i = 0; i < COUNT; i++) {
        const journal_entry *a = &entries[i], *b = &found[i];
        assert_true(a->id == b->id && a->game == b->game && a->kind == b->kind && a->at == b->at);
        if (a->kind == JOURNAL_CLOCK)
            assert_true(a->clock.used == b->clock.used && a->clock.runs == b->clock.runs &&
                        a->clock.hold == b->clock.hold);
        if (a->kind == JOURNAL_OFFER)
            assert_true(a->offer.kind == b->offer.kind && a->offer.side == b->offer.side);
        if (a->kind == JOURNAL_LATE)
            assert_int_equal(a->late_us, b->late_us);
    }
    store_close(s);
}

static void test_backup_while_in_use(void **state) {
    const place *p = *state;
    store *s = open_store(p);
    add_player(s, "Ada");
    commit(s);
    add_player(s, "Bob"); // not committed yet
    char folder[80], to[96];
    snprintf(folder, sizeof folder, "%s/copy", p->folder);
    snprintf(to, sizeof to, "%s/kraton.db", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    fault why = {""};
    if (!store_backup(p->folder, to, &why))
        fail_msg("%s", why.line);
    assert_false(store_backup(p->folder, to, &why)); // it is there already
    commit(s);
    store_close(s);
    store *copy = store_open_second(folder, &why);
    assert_non_null(copy);
    stored_player found;
    assert_true(store_find_player_named(copy, text_of("Ada"), &found));
    assert_false(store_find_player_named(copy, text_of("Bob"), &found));
    store_close(copy);
}

static void test_guests_who_never_played_are_forgotten(void **state) {
    store *s = open_store(*state);
    int64_t ids[100];
    for (int i = 0; i < 100; i++) {
        stored_player p = {.kind = i % 10 ? PLAYER_GUEST : PLAYER_PERSON, .created = i};
        snprintf(p.name, sizeof p.name, "player-%d", i);
        assert_true(store_add_player(s, &p));
        ids[i] = p.id;
        stored_token t = {.player = p.id, .kind = TOKEN_BROWSER, .created = 1};
        t.hash[0] = (char)i;
        store_add_token(s, &t);
    }
    stored_game g = {
        .game = "xiangqi", .rules = "wxf", .control = "60", .players = {ids[1], ids[2]}};
    store_add_game(s, &g);
    for (int64_t at = 0; (at = store_forget_guests(s, at, 32, 50));) {
    }
    commit(s);
    for (int i = 0; i < 100; i++) {
        stored_player p;
        bool stays = i % 10 == 0 || i == 1 || i == 2 || i >= 50;
        assert_int_equal(store_find_player(s, ids[i], &p), stays);
    }
    store_close(s);
}

// --- searches that are stopped and go on --------------------------------------------------------

enum { MANY = 10000 };
static const uint64_t common_key = 0x1122334455667788, rare_key = 0x8877665544332211;

// Games between Ann and others: all came to one position, every 2500th to another. The index has
// those up to the middle.
static void add_many(store *s, int64_t ann, int64_t other) {
    for (int i = 0; i < MANY; i++) {
        stored_game g = {.players = {i % 2 ? ann : other, other}, .ended = 1, .outcome = 1 + i % 3};
        snprintf(g.game, sizeof g.game, "surakarta");
        snprintf(g.reason, sizeof g.reason, i % 1000 ? "resignation" : "time");
        uint64_t keys[2] = {common_key, i % 2500 == 1 ? rare_key : (uint64_t)i + 1};
        store_add_game(s, &g);
        store_end_game(s, &g, NULL);
        store_set_keys(s, g.id, g.outcome, keys, 2);
        if (i + 1 == MANY / 2) {
            stored_batch b;
            store_take_unindexed(s, MANY, &b);
            assert_int_equal(b.game_count, MANY / 2);
            store_index_positions(s, b.positions, b.count);
            store_set_indexed(s, &b);
            store_free_batch(&b);
            assert_false(store_has_unindexed(s));
        }
    }
}

typedef struct {
    int count;
    int64_t last;
} found_games;

static void take_found(void *context, const stored_game *g) {
    found_games *f = context;
    assert_true(f->last == 0 || g->id < f->last);
    f->last = g->id;
    f->count++;
}

// Goes on until everything has been looked at; the answers together have every game once.
static int count_found(store *s, archive_query q, int *answers) {
    found_games f = {0};
    int64_t rest;
    q.game = "surakarta";
    *answers = 0;
    do {
        int before = f.count;
        rest = store_each_game(s, &q, take_found, &f);
        q.before = f.count - before == q.limit ? f.last : rest;
        ++*answers;
    } while (q.before);
    return f.count;
}

static void test_search_goes_on_where_its_time_was_over(void **state) {
    store *s = open_store(*state);
    int64_t ann = add_player(s, "Ann"), other = add_player(s, "Bob");
    add_many(s, ann, other);
    commit(s);
    const struct {
        archive_query asked;
        int found;
    } rows[] = {
        {{.outcome = -1}, MANY},
        {{.outcome = -1, .has_key = true, .key = common_key}, MANY},
        {{.outcome = -1, .has_key = true, .key = rare_key}, 4},
        {{.outcome = -1, .has_key = true, .key = rare_key, .player = ann}, 4},
        {{.outcome = -1, .has_key = true, .key = rare_key, .player = other}, 4},
        {{.outcome = -1, .has_key = true, .key = common_key, .player = ann}, MANY / 2},
        {{.outcome = -1, .has_key = true, .key = 5}, 1},
        {{.outcome = -1, .has_key = true, .key = common_key, .reason = "time"}, 10},
        {{.outcome = -1, .has_key = true, .key = common_key, .reason = "none"}, 0},
        {{.outcome = 3, .player = other}, MANY / 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int limit = 50; limit <= 2 * MANY; limit *= 400)
            for (int64_t most = 0; most <= 1; most++) {
                archive_query q = rows[i].asked;
                int answers;
                q.limit = limit;
                q.most_us = most;
                assert_int_equal(count_found(s, q, &answers), rows[i].found);
                if (limit > MANY) // one answer without a limit, several where time is short
                    assert_true(most ? answers > 1 : answers == 1);
            }
    store_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_migrates_from_every_version, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_version_3_knows_who_has_withdrawn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refuses_a_later_version, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_not_committed_is_not_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_are_taken_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tokens, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_games_and_their_journal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_journal_keeps_every_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_search_goes_on_where_its_time_was_over, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_backup_while_in_use, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_guests_who_never_played_are_forgotten, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
