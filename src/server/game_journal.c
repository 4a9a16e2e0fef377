// The journal of live games: what happens is appended to it, and a restarted server makes the games
// again from it.
#include "base/minmax.h"
#include "server/feature.h"
#include "server/game.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    MOST_ENTRIES = 100000, // that a live game may be behind
    MOST_ANEW = 2000,      // entries, of one game at least
    TRIM_EVERY = 4096      // entries, whether games end or not
};

// --- writing ------------------------------------------------------------------------------------

static void add_entry(game *g, journal_entry *e) {
    e->game = g->row.id;
    int64_t id = store_add_entry(g->server->store, e);
    g->server->last_entry = id;
    if (!g->first_entry)
        g->first_entry = id;
}

static int ply_of(const game *g) { return (int)rules_ply(referee_state(g->judge)); }

void game_log_move(game *g, const stored_move *m) {
    journal_entry e = {.kind = JOURNAL_MOVE, .ply = ply_of(g), .at = m->accepted, .move = *m};
    add_entry(g, &e);
}

void game_log_takeback(game *g) {
    journal_entry e = {.kind = JOURNAL_TAKEBACK, .ply = ply_of(g), .at = server_now(g->server)};
    add_entry(g, &e);
}

void game_log_clock(game *g, int64_t at) {
    journal_entry e = {.kind = JOURNAL_CLOCK,
                       .ply = ply_of(g),
                       .at = at,
                       .clock = {.used = g->used_before, .runs = !g->hold, .hold = g->hold}};
    if (!g->server->is_full) // see check_disk in server/serve.c
        add_entry(g, &e);
}

void game_log_offer(game *g, journal_offer kind, int side) {
    journal_entry e = {.kind = JOURNAL_OFFER,
                       .ply = ply_of(g),
                       .at = server_now(g->server),
                       .offer = {.kind = kind, .side = side}};
    add_entry(g, &e);
}

int64_t game_log_late(server *srv, int64_t now, int64_t us) {
    journal_entry e = {.kind = JOURNAL_LATE, .at = now, .late_us = us};
    if (srv->is_full)
        return 0;
    srv->last_entry = store_add_entry(srv->store, &e);
    turns_want(&srv->turns);
    return srv->last_entry;
}

// Writes the whole game again at the end of the journal, so that the front can be deleted.
static void write_anew(game *g) {
    int64_t now = server_now(g->server);
    bool runs = !g->hold && !g->is_asked;
    int plies = ply_of(g);
    journal_entry e = {.kind = JOURNAL_ANEW, .at = now};
    g->first_entry = 0;
    add_entry(g, &e);
    for (int i = 0; i < plies; i++) {
        e = (journal_entry){
            .kind = JOURNAL_MOVE, .ply = i + 1, .at = g->moves[i].accepted, .move = g->moves[i]};
        add_entry(g, &e);
    }
    for (int side = 0; side < 2; side++) {
        if (referee_offers_draw(g->judge, side))
            game_log_offer(g, OFFER_DRAW, side);
        if (g->seats[side].offers_takeback)
            game_log_offer(g, OFFER_TAKEBACK, side);
    }
    game_log_clock(g, runs ? g->clock_from : now);
    store_beat(g->server->store, now); // which may be later than that entry
}

static int64_t oldest_entry(server *srv) {
    int64_t oldest = INT64_MAX;
    uint32_t at = 0;
    for (const game *g; (g = table_next(&srv->games, &at));)
        if (!game_is_over(g) && g->first_entry && g->first_entry < oldest)
            oldest = g->first_entry;
    at = 0;
    for (const int64_t *first; (first = table_next(&srv->aside, &at));)
        if (*first && *first < oldest)
            oldest = *first;
    return oldest;
}

void game_trim_journal(server *srv) {
    uint32_t at = 0;
    int64_t until = srv->last_entry + MOST_ANEW;
    for (game *g; srv->last_entry < until && (g = table_next(&srv->games, &at));)
        if (!game_is_over(g) && g->first_entry && srv->last_entry - g->first_entry > MOST_ENTRIES)
            write_anew(g);
    if (store_trim_journal(srv->store, oldest_entry(srv)))
        srv->trimmed = srv->last_entry;
}

void game_trim_long_journal(server *srv) {
    if (srv->last_entry - srv->trimmed < TRIM_EVERY)
        return;
    game_trim_journal(srv);
    turns_want(&srv->turns);
}

// --- games that cannot be read ------------------------------------------------------------------

// A game set aside: server.aside has its first entry in the journal (0: none), by id.
static void set_aside(server *srv, int64_t id, int64_t first_entry, const char *why) {
    int64_t *first = malloc(sizeof *first);
    log_write(LEVEL_WARNING,
              "game %" PRId64 " is set aside, for an arbiter to void or for another start: %s", id,
              why);
    if (!first || !table_add(&srv->aside, id, first)) {
        free(first);
        return;
    }
    *first = first_entry;
}

void game_tell_aside(member *arbiter) {
    server *srv = arbiter->server;
    char words[256];
    writer out = writer_on(words, sizeof words);
    write_string(&out, "games that could not be read at the start are set aside:");
    uint32_t at = 0;
    for (const int64_t *first;
         out.used < sizeof words - 32 && (first = table_next(&srv->aside, &at));)
        write_format(&out, " %" PRId64, srv->aside.slots[at - 1].key);
    member_notice(arbiter, "aside", words);
}

bool game_void_aside(server *srv, int64_t id, const char *why) {
    int64_t *first = id > 0 ? table_find(&srv->aside, id) : NULL;
    stored_game row;
    if (!first || !store_find_game(srv->store, id, &row))
        return false;
    row.ended = server_wall();
    row.outcome = RULES_ONGOING;
    row.side = -1;
    writer out = writer_on(row.reason, sizeof row.reason);
    write_string(&out, referee_reason_name(REFEREE_ABORTED));
    out = writer_on(row.words, sizeof row.words);
    write_string(&out, why);
    store_end_unread_game(srv->store, &row);
    table_remove(&srv->aside, id);
    free(first);
    TELL_FEATURES(srv, on_result, srv, &row);
    return true;
}

// --- recovery -----------------------------------------------------------------------------------

static void take_game(void *context, const stored_game *row) {
    server *srv = context;
    fault why = {""};
    game *g = game_make(srv, row, &why);
    if (!g) {
        set_aside(srv, row->id, 0, why.line);
        return;
    }
    g->clock_from = row->begun;
    srv->live_games++;
}

static bool replay_move(game *g, const stored_move *m, fault *why) {
    rules_move move;
    const rules_state *state = referee_state(g->judge);
    if (!rules_parse_move(state, text_of(m->move), &move, why))
        return false;
    referee_turn(g->judge, 0);
    referee_score score = {m->has_score, m->is_mate, m->score};
    game_take_lag(&g->seats[rules_side_to_move(state)], m->lag);
    game_count_late(g, m->accepted, m->late);
    g->late_credit = 0;
    if (!referee_move(g->judge, move, m->used, score))
        return fault_set(why, "an illegal move");
    return game_keep_move(g, m) || fault_set(why, "out of memory");
}

static void replay_offer(game *g, journal_offer kind, int side) {
    if (kind == OFFER_DRAW)
        referee_offer_draw(g->judge, side);
    else
        g->seats[side].offers_takeback = kind == OFFER_TAKEBACK;
    if (kind == OFFER_REFUSED)
        referee_refuse_draw(g->judge, side);
}

static bool replay_entry(game *g, const journal_entry *e, fault *why) {
    const rules_state *state = referee_state(g->judge);
    if (!g->first_entry)
        g->first_entry = e->id;
    switch (e->kind) {
    case JOURNAL_MOVE:
        if (!replay_move(g, &e->move, why))
            return false;
        break;
    case JOURNAL_TAKEBACK:
        while (rules_ply(state) > (uint32_t)e->ply)
            if (!referee_take_back(g->judge))
                return fault_set(why, "nothing to take back");
        break;
    case JOURNAL_CLOCK:
        g->used_before = e->clock.used;
        g->hold = e->clock.hold;
        g->clock_from = e->at;
        return true;
    case JOURNAL_ANEW:
        g->first_entry = e->id;
        g->late.given = 0;
        for (int side = 0; side < 2; side++)
            g->seats[side].lag_left = GAME_LAG_STORE;
        if (!game_set_up(g, why))
            return false;
        break;
    case JOURNAL_OFFER:
        replay_offer(g, e->offer.kind, e->offer.side);
        return true;
    case JOURNAL_LATE: // of no game: see replay_late
        return true;
    }
    for (int side = 0; side < 2; side++)
        g->seats[side].offers_takeback = false;
    g->used_before = 0;
    g->hold = 0;
    g->clock_from = e->at;
    return (int)rules_ply(state) == e->ply || fault_set(why, "a move is missing");
}

// Gives a delay of the server back to every clock that ran, as game_credit_late did.
static void replay_late(server *srv, const journal_entry *e) {
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at));) {
        int64_t ran = e->at - g->clock_from;
        if (g->hold || ran <= 0 || !game_has_limit(g))
            continue;
        int64_t given = game_late_allowance(g, e->at, min_i64(e->late_us, ran));
        g->clock_from += given;
        g->late_credit += given;
        if (!g->first_entry)
            g->first_entry = e->id;
    }
}

static void take_entry(void *context, const journal_entry *e) {
    server *srv = context;
    srv->last_entry = e->id;
    if (e->is_damaged)
        log_write(LEVEL_WARNING, "journal %" PRId64 " is damaged: its checksum is wrong", e->id);
    if (e->kind == JOURNAL_LATE && e->is_damaged)
        return;
    if (e->kind == JOURNAL_LATE) {
        replay_late(srv, e);
        return;
    }
    game *g = game_find(srv, e->game);
    int64_t *first = table_find(&srv->aside, e->game);
    fault why = {""};
    if (first && !*first)
        *first = e->id;
    if (!g || game_is_over(g))
        return;
    if (e->is_damaged)
        fault_set(&why, "its checksum is wrong");
    else if (replay_entry(g, e, &why))
        return;
    fault cause = why;
    fault_set(&why, "journal %" PRId64 ": %.200s", e->id, cause.line);
    set_aside(srv, e->game, g->first_entry, why.line);
    srv->live_games--;
    game_free(g);
}

// Loads a game that has just ended, for a rematch.
static void take_recent(void *context, const stored_game *row) {
    server *srv = context;
    fault why = {""};
    int count = 0;
    game *g = game_make(srv, row, &why);
    stored_move *moves = g ? store_game_moves(srv->store, row->id, &count) : NULL;
    bool good = g != NULL;
    for (int i = 0; good && i < count; i++)
        good = replay_move(g, &moves[i], &why);
    free(moves);
    if (!good) {
        if (g)
            game_free(g);
        return;
    }
    for (int side = 0; side < 2; side++)
        g->seats[side].offers_rematch = row->rematch >> side & 1;
    game_retire(g, server_now(srv) - (server_wall() - row->ended));
}

// How long the clock of an absent player waits.
static int64_t grace_of(const game *g) {
    return game_patience(g, GAME_LEAST_GRACE_S, g->server->options->grace_s);
}

// Carries over the time used up to the heartbeat. The clock waits until the player is back.
static void hold_after_restart(game *g, int64_t now) {
    int64_t ran = now - g->clock_from;
    if (!g->hold && ran > 0)
        g->used_before += ran;
    if (!g->hold)
        g->hold = HOLD_RESTART;
    if (g->server->is_full)
        g->hold |= HOLD_DISK;
    g->asked_at = g->sent_at = now;
    for (int side = 0; side < 2; side++)
        g->seats[side].away_since = member_is_here(g->seats[side].member) ? 0 : now;
    game_count_late(g, now, g->late_credit);
    g->late_credit = 0;
    game_log_clock(g, now);
    if (g->hold & HOLD_RESTART)
        game_set_deadline(g, now + grace_of(g));
}

bool game_recover(server *srv, fault *why) {
    store_each_live_game(srv->store, take_game, srv);
    store_each_entry(srv->store, take_entry, srv);
    store_each_recent_game(srv->store, server_wall() - GAME_LINGER_MS * 1000LL, GAME_MOST_OVER,
                           take_recent, srv);
    if (store_has_failed(srv->store))
        return fault_set(why, "the database cannot be read");
    int64_t now = server_now(srv);
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at));) {
        if (game_is_over(g))
            continue;
        if (referee_is_over(
                g->judge)) // the rules have changed since, or the process died in between
            game_check_over(g);
        else
            hold_after_restart(g, now);
    }
    return true;
}
