// Games under way, made again from the store after a restart.
#include "server/game.h"

#include <inttypes.h>

typedef struct {
    world *world;
    bool good;
    fault why;
} recovery;

// Used while games are being made: when the clock of the side to move was last started. After it,
// the field has its usual meaning.
static int64_t *running_since(game *g) { return &g->queued; }

static void take_game(void *context, const stored_game *row) {
    recovery *r = context;
    if (!r->good)
        return;
    game *g = game_make(r->world, row, &r->why);
    if (!g) {
        fault cause = r->why;
        r->good = fault_set(&r->why, "game %" PRId64 ": %.200s", row->id, cause.line);
        return;
    }
    *running_since(g) = row->begun;
    r->world->live_games++;
    r->world->tournament_games += row->tournament != 0;
}

static bool replay_move(game *g, const stored_move *m, fault *why) {
    rules_move move;
    const rules_state *state = referee_state(g->judge);
    if (!rules_parse_move(state, text_of(m->move), &move, why))
        return false;
    referee_turn(g->judge, 0);
    referee_score score = {m->has_score, m->is_mate, m->score};
    game_take_lag(&g->seats[rules_side_to_move(state)], m->lag);
    if (!referee_move(g->judge, move, m->used, score))
        return fault_set(why, "an illegal move");
    return game_keep_move(g, m) || fault_set(why, "out of memory");
}

static void replay_offer(game *g, journal_offer kind, int side) {
    if (kind == OFFER_TAKEBACK)
        g->seats[side].offers_takeback = true;
    else
        referee_offer_draw(g->judge, side);
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
        g->carried = e->move.used;
        g->hold = e->move.read ? 0 : (int)e->move.written;
        *running_since(g) = e->move.accepted;
        return true;
    case JOURNAL_OFFER:
        replay_offer(g, (journal_offer)e->move.used, (int)e->move.written & 1);
        return true;
    }
    for (int side = 0; side < 2; side++)
        g->seats[side].offers_takeback = false;
    g->carried = 0;
    g->hold = 0;
    *running_since(g) = e->move.accepted;
    return (int)rules_ply(state) == e->ply || fault_set(why, "a move is missing");
}

static void take_entry(void *context, const journal_entry *e) {
    recovery *r = context;
    game *g = game_find(r->world, e->game);
    if (!g || !r->good || game_is_over(g))
        return;
    fault cause;
    if (!replay_entry(g, e, &cause))
        r->good = fault_set(&r->why, "game %" PRId64 ", journal %" PRId64 ": %.180s", e->game,
                            e->id, cause.line);
}

// What the side to move had used up to the heartbeat is carried over; its clock waits for it.
static void hold_clock(game *g, int64_t now) {
    int64_t ran = now - *running_since(g);
    if (!g->hold && ran > 0)
        g->carried += ran;
    g->hold &= ~HOLD_ROOM;
    if (!g->hold)
        g->hold = HOLD_RESTART;
    g->queued = g->written = now;
    stored_move m = {.accepted = now, .used = g->carried, .written = g->hold, .nodes = -1};
    game_log_entry(g, JOURNAL_CLOCK, &m);
    if (g->hold & HOLD_RESTART)
        game_set_timer(g, now + g->world->options->grace_s * 1000000LL);
}

bool game_recover(world *w, fault *why) {
    recovery r = {.world = w, .good = true};
    store_each_live_game(w->store, take_game, &r);
    store_each_entry(w->store, take_entry, &r);
    if (store_has_failed(w->store))
        return fault_set(why, "the database cannot be read");
    int64_t now = world_now(w);
    uint32_t at = 0;
    for (game *g; r.good && (g = table_next(&w->games, &at));)
        if (referee_is_over(
                g->judge)) // the rules have changed since, or the process died in between
            game_check_over(g);
        else
            hold_clock(g, now);
    if (!r.good)
        *why = r.why;
    return r.good;
}
