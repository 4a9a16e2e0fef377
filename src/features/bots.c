// House bots: House-1 to House-10, our engines at their levels, for whoever wants a game. They
// accept challenges at once, grant takebacks and rematches, and think by way of the pool of
// engines.
#include "features/engines.h"
#include "features/features.h"
#include "server/lobby.h"

#include <stdlib.h>

enum {
    UNTIMED_MOVE_US = 3000000, // to think at most where there is no clock
    MOST_GAMES = 500,          // at once,
    MOST_OF_ONE = 4            // with one player
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
    const referee_terms *terms = referee_terms_of(g->judge);
    engine_question q = {.kind = ASKER_BOT,
                         .id = g->row.id,
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
        server_log("a bot's move in game %lld: %s", (long long)id, refused.line);
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

// Whether the bot has too many games, in all or with this player.
static bool is_busy(const server *srv, const member *bot, const member *other) {
    const bots *b = feature_state(srv, &bots_feature);
    int playing = 0;
    for (int i = 0; i < ENGINES_LEVELS; i++)
        playing += b->members[i]->game_count;
    return playing >= MOST_GAMES || games_between(bot, other) >= MOST_OF_ONE;
}

static void on_offer(game *g, const char *kind, int side) {
    if (!g->seats[side ^ 1].member->bot_level)
        return;
    if (strcmp(kind, "takeback") == 0) {
        engines_forget(engines_of(g->server), ASKER_BOT, g->row.id);
        offers_grant_takeback(g, side);
    } else if (strcmp(kind, "rematch") == 0) {
        const member *other = g->seats[side].member;
        if (is_busy(g->server, g->seats[side ^ 1].member, other))
            offers_decline_rematch(g);
        else
            offers_grant_rematch(g);
    }
}

// --- challenges ---------------------------------------------------------------------------------

static bool on_challenge(lobby_offer *o) {
    server *srv = o->from->server;
    fault why;
    if (!o->to->bot_level)
        return false;
    if (is_busy(srv, o->to, o->from) || !lobby_accept(srv->lobby, o, o->to, &why))
        lobby_decline(srv->lobby, o);
    return true;
}

const feature bots_feature = {.name = "bots",
                              .start = start,
                              .free = free_bots,
                              .on_turn = on_turn,
                              .on_game_over = on_game_over,
                              .on_offer = on_offer,
                              .on_challenge = on_challenge};
