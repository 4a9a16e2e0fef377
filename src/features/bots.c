// House bots: House-1 to House-10, our engines at their levels, for whoever wants a game. They
// accept challenges at once, grant takebacks and rematches, and think by way of the pool of
// engines. No visitor has more games than there are places left, games are not longer than some
// hours, and one whose player has gone ends.
#include "features/engines.h"
#include "features/fairplay.h"
#include "features/features.h"
#include "server/lobby.h"

#include <stdlib.h>

enum {
    UNTIMED_MOVE_US = 3000000, // to think at most where there is no clock
    MOST_GAMES = 500,          // at once,
    MOST_OF_ONE = 4,           // with one player,
    SURE_OF_VISITOR = 16,      // of one visitor in any case; more while as many places are left
    MOST_BASE_S = 7200,        // the longest time control: on the clock,
    MOST_INCREMENT_S = 60,     // a move,
    MOST_MOVE_S = 600,         // for a move alone
    UNTIMED_IDLE_S = 1800      // without a clock: no move for so long
};

typedef struct {
    member *members[ENGINES_LEVELS];
} bots;

static member *take_in(server *srv, int level) {
    stored_player p = {.kind = PLAYER_HOUSE, .created = server_wall()};
    writer out = writer_on(p.name, sizeof p.name);
    write_format(&out, "House-%d", level);
    stored_player found;
    if (store_find_player_named(srv->store, text_of(p.name), &found))
        return member_get(srv, found.id);
    return store_add_player(srv->store, &p) ? member_get(srv, p.id) : NULL;
}

static void free_bots(void *state) {
    bots *b = state;
    for (int i = 0; i < ENGINES_LEVELS; i++)
        if (b->members[i]) {
            b->members[i]->bot_level = 0;
            member_release(b->members[i]);
        }
    free(b);
}

static void on_answer(server *srv, int64_t id, rules_move move, const dialect_info *info,
                      const char *why);

static void *start(server *srv, fault *why) {
    (void)why;
    bots *b = calloc(1, sizeof *b);
    for (int i = 0; b && i < ENGINES_LEVELS && srv->options->house_bots > 0; i++) {
        b->members[i] = take_in(srv, i + 1);
        if (!b->members[i]) {
            free_bots(b);
            return NULL;
        }
        b->members[i]->bot_level = i + 1;
    }
    engines_set_asker(engines_of(srv), ASKER_BOT, (engine_asker){.on_answer = on_answer});
    return b;
}

// --- at the board -------------------------------------------------------------------------------

static void on_turn(game *g) {
    server *srv = g->server;
    const rules_state *state = referee_state(g->judge);
    int side = rules_side_to_move(state);
    const member *m = g->seats[side].member;
    if (!m->bot_level)
        return;
    if (!g->row.rated && !g->row.tournament && fairplay_holds(srv, state)) {
        game_void(g, "this position is being played in a rated game");
        return;
    }
    const referee_terms *terms = referee_terms_of(g->judge);
    engine_question q = {.kind = ASKER_BOT,
                         .id = g->row.id,
                         .visitor = member_visitor(g->seats[side ^ 1].member),
                         .state = state,
                         .start = g->row.fen,
                         .level = m->bot_level,
                         .limits = {.moves_to_go = referee_moves_to_go(g->judge, side),
                                    .move_time_us = terms->control[side].move_time_us}};
    for (int i = 0; i < 2; i++) {
        q.limits.clock_us[i] = referee_left(g->judge, i);
        q.limits.increment_us[i] = terms->control[i].increment_us;
    }
    // Without a limit the engine would think until it is stopped.
    if (q.limits.clock_us[side] < 0 && !q.limits.move_time_us)
        q.limits.move_time_us = UNTIMED_MOVE_US;
    if (q.limits.clock_us[side] > 0) // used before a pause, and charged with the move only
        q.limits.clock_us[side] = referee_left_now(g->judge, side, server_now(srv));
    engines_forget(engines_of(srv), ASKER_BOT, q.id); // asked before a pause, it would answer twice
    if (!engines_ask(engines_of(srv), &q))
        game_fail(g, side, "has no engine to think with");
}

static void on_answer(server *srv, int64_t id, rules_move move, const dialect_info *info,
                      const char *why) {
    game *g = game_find(srv, id);
    if (!g || game_is_over(g))
        return;
    const rules_state *state = referee_state(g->judge);
    int side = rules_side_to_move(state);
    if (!g->seats[side].member->bot_level)
        return;
    if (move == MOVE_NONE) {
        game_fail(g, side, why);
        return;
    }
    char word[RULES_MOVE_SIZE];
    writer out = writer_on(word, sizeof word);
    rules_format_move(state, move, NOTATION_NATIVE, &out);
    game_move m = {.ply = -1,
                   .move = {word, out.used},
                   .read = server_time(srv, turns_stamp(&srv->turns)),
                   .has_score = info->has_score,
                   .is_mate = info->is_mate,
                   .score = info->score,
                   .depth = info->depth,
                   .nodes = info->nodes,
                   .round_trip = -1};
    fault refused;
    const char *code = game_play(g, side, &m, &refused);
    if (code) // paused meanwhile; it is asked again when the clock goes on
        log_write(LEVEL_INFO, "a bot's move in game %lld: %s", (long long)id, refused.line);
}

static void on_game_over(game *g) {
    for (int side = 0; side < 2; side++)
        if (g->seats[side].member->bot_level)
            engines_forget(engines_of(g->server), ASKER_BOT, g->row.id);
}

static int games_between(const member *bot, const member *other) {
    int count = 0;
    for (list_link *l = other->seats.first; l; l = l->next)
        count += seat_of(l)->game->seats[seat_of(l)->side ^ 1].member == bot;
    return count;
}

// Games with house bots: all of them, and those of a visitor.
static int count_games(const bots *b, int64_t visitor, int *of_visitor) {
    int playing = 0;
    *of_visitor = 0;
    for (int i = 0; i < ENGINES_LEVELS; i++) {
        playing += b->members[i]->game_count;
        for (list_link *l = b->members[i]->seats.first; l; l = l->next)
            *of_visitor +=
                member_visitor(seat_of(l)->game->seats[seat_of(l)->side ^ 1].member) == visitor;
    }
    return playing;
}

// Whether the bot has too many games: in all, with this player, or with all of its address.
static bool is_busy(const server *srv, const member *bot, const member *other, fault *why) {
    int of_visitor;
    int left = MOST_GAMES -
               count_games(feature_state(srv, &bots_feature), member_visitor(other), &of_visitor);
    if (games_between(bot, other) >= MOST_OF_ONE)
        return fault_set(why, "you play %d games with this bot already", MOST_OF_ONE), true;
    if (left > 0 && (of_visitor < SURE_OF_VISITOR || of_visitor < left))
        return false;
    fault_set(why, "the bots play enough games %s", left > 0 ? "with your address" : "already");
    return true;
}

static void on_offer(game *g, const char *kind, int side) {
    if (!g->seats[side ^ 1].member->bot_level)
        return;
    if (strcmp(kind, "takeback") == 0) {
        engines_forget(engines_of(g->server), ASKER_BOT, g->row.id);
        offers_grant_takeback(g, side);
    } else if (strcmp(kind, "rematch") == 0) {
        const member *other = g->seats[side].member;
        fault why;
        if (is_busy(g->server, g->seats[side ^ 1].member, other, &why))
            offers_decline_rematch(g);
        else
            offers_grant_rematch(g);
    }
}

// --- challenges ---------------------------------------------------------------------------------

static bool is_too_long(const referee_control *c, fault *why) {
    if (c->base_us <= MOST_BASE_S * 1000000LL && c->increment_us <= MOST_INCREMENT_S * 1000000LL &&
        c->move_time_us <= MOST_MOVE_S * 1000000LL)
        return false;
    fault_set(why, "bots play at most %d s a side, %d s more a move, or %d s for each move",
              MOST_BASE_S, MOST_INCREMENT_S, MOST_MOVE_S);
    return true;
}

static bool on_challenge(lobby_offer *o) {
    server *srv = o->from->server;
    fault why;
    if (!o->to->bot_level)
        return false;
    if (is_too_long(&o->terms.control, &why) || is_busy(srv, o->to, o->from, &why) ||
        !lobby_accept(srv->lobby, o, o->to, &why))
        lobby_decline(srv->lobby, o, why.line);
    return true;
}

// --- whoever has gone ---------------------------------------------------------------------------

// Whether nobody plays against the bot any more.
static bool is_left(const game *g, int side, int64_t now) {
    const seat *other = &g->seats[side ^ 1];
    int64_t away = other->away_since ? now - other->away_since : 0;
    bool waits = rules_side_to_move(referee_state(g->judge)) == other->side && !g->hold &&
                 !g->is_asked && !game_has_limit(g);
    return !g->row.tournament && !other->member->bot_level &&
           (away > g->server->options->away_s * 1000000LL ||
            (waits && now - g->clock_from > UNTIMED_IDLE_S * 1000000LL));
}

static void tick(server *srv) {
    const bots *b = feature_state(srv, &bots_feature);
    int64_t now = server_now(srv);
    for (int i = 0; i < ENGINES_LEVELS && b->members[i]; i++)
        for (list_link *l = b->members[i]->seats.first, *next; l; l = next) {
            next = l->next;
            if (is_left(seat_of(l)->game, seat_of(l)->side, now))
                game_abandon(seat_of(l)->game, seat_of(l)->side ^ 1, false);
        }
    if (store_is_dirty(srv->store))
        turns_want(&srv->turns);
}

const feature bots_feature = {.name = "bots",
                              .start = start,
                              .free = free_bots,
                              .tick = tick,
                              .on_turn = on_turn,
                              .on_game_over = on_game_over,
                              .on_offer = on_offer,
                              .on_challenge = on_challenge};
