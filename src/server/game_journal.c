// What happens in live games, appended to the journal as it happens.
#include "server/game.h"

enum { MOST_ENTRIES = 100000, MOST_ANEW = 16 };

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
                       .clock = {.used = g->carried, .runs = !g->hold, .hold = g->hold}};
    if (!g->server->is_full) // see server/diskguard.h
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

// The whole game once more at the journal's end, so that its front can go.
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
    game_log_clock(g, runs ? g->since : now);
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
    int budget = MOST_ANEW; // a long one is a few thousand entries
    for (game *g; budget > 0 && (g = table_next(&srv->games, &at));)
        if (!game_is_over(g) && g->first_entry && srv->last_entry - g->first_entry > MOST_ENTRIES) {
            write_anew(g);
            budget--;
        }
    store_trim_journal(srv->store, oldest_entry(srv));
}
