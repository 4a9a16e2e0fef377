// Messages about a game, sent to players and spectators.
#include "server/game.h"

#include <stdlib.h>

// A move takes at most six bytes in a list, and a game's other fields less than the rest.
_Static_assert(RULES_LONGEST_GAME * 6 + 4096 <= LINES_SERVER_MAX, "a whole game fits into a line");

const char *const game_side_names[2] = {"first", "second"};

static const char *name_of_side(int side) { return side < 0 ? "none" : game_side_names[side]; }

static void send_to_players(game *g, message *m) {
    for (int side = 0; side < 2; side++)
        if (side == 0 || g->seats[1].member != g->seats[0].member)
            member_send(g->seats[side].member, m);
}

uint32_t game_plies_shown(const game *g) {
    uint32_t plies = rules_ply(referee_state(g->judge));
    return g->delay_us && !game_is_over(g) && g->shown < plies ? g->shown : plies;
}

// Spectators of a game with a delay hear of nothing but its delayed moves, and at the end of all.
void game_send(game *g, message *m) {
    send_to_players(g, m);
    if (g->delay_us && !game_is_over(g))
        return;
    game_show(g, m, NULL, 0);
}

void game_add_clocks(const game *g, message *m) {
    int64_t now = server_now(g->server);
    const rules_state *state = referee_state(g->judge);
    for (int side = 0; side < 2; side++) {
        int64_t left = referee_left_now(g->judge, side, now);
        // A stopped clock has not been charged yet for the time used for this move.
        bool stands = left > 0 && g->used_before && side == rules_side_to_move(state) &&
                      (g->hold || g->is_asked);
        if (stands)
            left = left > g->used_before ? left - g->used_before : 0;
        message_number(m, game_side_names[side], left);
    }
}

static const char *clock_state(const game *g) {
    if (game_is_over(g))
        return "over";
    return g->hold & ~HOLD_RESTART ? "paused" : g->hold ? "waiting" : "running";
}

void game_tell_clock(game *g) {
    message m = {.verb = "clock"};
    message_number(&m, "game", g->row.id);
    message_string(&m, "state", clock_state(g));
    game_add_clocks(g, &m);
    game_send(g, &m);
    message_free(&m);
}

void game_tell_turn(game *g, session *s) {
    const rules_state *state = referee_state(g->judge);
    uint32_t ply = rules_ply(state);
    message m = {.verb = "turn"};
    message_number(&m, "game", g->row.id);
    message_number(&m, "ply", ply);
    if (ply && g->moves)
        message_string(&m, "move", g->moves[ply - 1].move);
    game_add_clocks(g, &m);
    int32_t to_go = referee_moves_to_go(g->judge, rules_side_to_move(state));
    if (to_go)
        message_number(&m, "togo", to_go);
    if (s)
        session_send(s, &m);
    else
        member_send(g->seats[rules_side_to_move(state)].member, &m);
    message_free(&m);
}

// The side that made a move.
static int mover_of(const game *g, uint32_t ply) {
    const rules_state *state = referee_state(g->judge);
    return rules_side_to_move(state) ^ (int)((rules_ply(state) - ply + 1) & 1);
}

// The clocks as they were after so many plies, as far as moves tell.
static void add_clocks_after(const game *g, uint32_t plies, message *m) {
    for (int side = 0; side < 2; side++) {
        uint32_t ply = plies;
        while (ply > 0 && mover_of(g, ply) != side)
            ply--;
        if (ply > 0)
            message_number(m, game_side_names[side], g->moves[ply - 1].remaining);
    }
}

static void show_move(game *g, uint32_t ply) {
    const stored_move *move = &g->moves[ply - 1];
    message m = {.verb = "moved"};
    message_number(&m, "game", g->row.id);
    message_number(&m, "ply", ply);
    message_string(&m, "move", move->move);
    message_string(&m, "by", game_side_names[mover_of(g, ply)]);
    add_clocks_after(g, ply, &m);
    message_number(&m, "used", move->used);
    game_show(g, &m, NULL, 0);
    message_free(&m);
}

void game_show_delayed(server *srv) {
    int64_t now = server_now(srv);
    uint32_t at = 0;
    for (game *g; (g = table_next(&srv->games, &at));) {
        uint32_t plies = g->delay_us && !game_is_over(g) ? rules_ply(referee_state(g->judge)) : 0;
        while (g->shown < plies && g->moves[g->shown].accepted + g->delay_us <= now) {
            show_move(g, ++g->shown);
            turns_want(&srv->turns);
        }
    }
}

static void build_move(const game *g, bool offers_draw, message *m) {
    const rules_state *state = referee_state(g->judge);
    uint32_t ply = rules_ply(state);
    const stored_move *move = &g->moves[ply - 1];
    message_number(m, "game", g->row.id);
    message_number(m, "ply", ply);
    message_string(m, "move", move->move);
    message_string(m, "by", game_side_names[rules_side_to_move(state) ^ 1]);
    for (int side = 0; side < 2; side++)
        message_number(m, game_side_names[side], referee_left(g->judge, side));
    message_number(m, "used", move->used);
    if (move->lag)
        message_number(m, "lag", move->lag);
    if (offers_draw)
        message_flag(m, "draw", true);
}

static void add_score(const stored_move *move, message *m) {
    if (move->has_score)
        message_number(m, move->is_mate ? "mate" : "score", move->score);
    if (move->depth)
        message_number(m, "depth", move->depth);
}

// Players are never told each other's scores. In rated and tournament games, where they would help
// the opponent, spectators are not told either, except for the program's owner.
void game_tell_move(game *g, bool offers_draw) {
    const rules_state *state = referee_state(g->judge);
    const stored_move *move = &g->moves[rules_ply(state) - 1];
    const member *mover = g->seats[rules_side_to_move(state) ^ 1].member;
    bool is_secret = g->row.rated || g->row.tournament;
    message plain = {.verb = "moved"}, scored = {.verb = "moved"};
    build_move(g, offers_draw, &plain);
    send_to_players(g, &plain);
    if (g->watches.first && !g->delay_us) {
        build_move(g, offers_draw, &scored);
        add_score(move, &scored);
        game_show(g, is_secret ? &plain : &scored, is_secret ? &scored : NULL, mover->owner);
    }
    message_free(&plain);
    message_free(&scored);
}

void game_build_result(const game *g, message *m) {
    message_number(m, "game", g->row.id);
    message_string(m, "outcome", rules_outcome_name((rules_outcome)g->row.outcome));
    message_string(m, "reason", g->row.reason);
    message_string(m, "side", name_of_side(g->row.side));
    message_string(m, "words", g->row.words);
}

static void build_game(const game *g, int you, message *m) {
    const rules_state *state = referee_state(g->judge);
    uint32_t plies = rules_ply(state), ply = you < 0 ? game_plies_shown(g) : plies;
    message_number(m, "id", g->row.id);
    message_string(m, "game", g->row.game);
    message_string(m, "rules", g->row.rules);
    message_string(m, "tc", g->row.control);
    message_flag(m, "rated", g->row.rated);
    for (int side = 0; side < 2; side++)
        message_string(m, side ? "second_name" : "first_name", g->seats[side].member->name);
    message_string(m, "you", name_of_side(you));
    message_string(m, "begins", game_side_names[(rules_side_to_move(state) ^ (int)(plies & 1))]);
    if (g->row.fen[0])
        message_string(m, "fen", g->row.fen);
    if (g->row.tournament)
        message_number(m, "tournament", g->row.tournament);
    message_number(m, "ply", ply);
    message_string(m, "clock", clock_state(g));
    if (you < 0 && g->delay_us && !game_is_over(g))
        add_clocks_after(g, ply, m);
    else
        game_add_clocks(g, m);
    message_list(m, "moves");
    for (uint32_t i = 0; i < ply; i++)
        message_item(m, g->moves[i].move);
}

static void tell_offers(game *g, session *s) {
    for (int side = 0; side < 2; side++) {
        const seat *at = &g->seats[side];
        const char *kind = game_is_over(g)       ? at->offers_rematch ? "rematch" : NULL
                           : at->offers_takeback ? "takeback"
                           : referee_offers_draw(g->judge, side) ? "draw"
                                                                 : NULL;
        if (!kind)
            continue;
        message m = {.verb = "offer"};
        message_number(&m, "game", g->row.id);
        message_string(&m, "kind", kind);
        message_string(&m, "by", game_side_names[side]);
        game_say(g, s, &m);
        message_free(&m);
    }
}

// To the two players only.
static void tell_chat(const game *g, session *s) {
    for (int side = 0; side < 2; side++) {
        if (!g->seats[side].has_chat)
            continue;
        message m = {.verb = "chat"};
        message_number(&m, "game", g->row.id);
        message_string(&m, "by", game_side_names[side]);
        message_flag(&m, "on", true);
        session_send(s, &m);
        message_free(&m);
    }
}

// A session that watches has then seen what waits for it.
static void skip_held(const game *g, session *s) {
    for (list_link *l = s->watches.first; l; l = l->next)
        if (watch_of_session(l)->game == g)
            game_skip_held(watch_of_session(l));
}

// To a session, or (NULL) into what waits for spectators. asks: `turn` follows if it is the
// session's turn.
static void tell_whole(game *g, session *s, bool asks) {
    message m = {.verb = "game"};
    int you = s && s->member ? game_side_of(g, s->member) : -1;
    if (s)
        skip_held(g, s);
    build_game(g, you, &m);
    game_say(g, s, &m);
    message_free(&m);
    if (game_is_over(g)) {
        message result = {.verb = "result"};
        game_build_result(g, &result);
        game_say(g, s, &result);
        message_free(&result);
    } else if (asks && you == rules_side_to_move(referee_state(g->judge)) && !g->hold) {
        game_tell_turn(g, s);
    }
    if (you < 0 && g->delay_us && !game_is_over(g))
        return;
    tell_offers(g, s);
    if (you >= 0)
        tell_chat(g, s);
    game_tell_away(g, s);
}

void game_build_all(game *g) { tell_whole(g, NULL, false); }

void game_tell_all(game *g, session *s) {
    if (s) {
        tell_whole(g, s, true);
        return;
    }
    for (int side = 0; side < 2; side++)
        for (list_link *l = g->seats[side].member->sessions.first; l; l = l->next)
            tell_whole(g, session_of_member(l), false);
}

static void build_renamed(const member *m, message *renamed) {
    message_number(renamed, "id", m->id);
    message_string(renamed, "name", m->name);
    message_string(renamed, "kind", member_kind_name(m));
}

void game_tell_renamed(member *m) {
    message renamed = {.verb = "renamed"};
    build_renamed(m, &renamed);
    member_send(m, &renamed);
    message_free(&renamed);
    for (const seat *at = seat_of(m->seats.first); at; at = seat_of(at->link.next)) {
        message at_board = {.verb = "renamed"};
        build_renamed(m, &at_board);
        message_number(&at_board, "game", at->game->row.id);
        message_string(&at_board, "side", game_side_names[at->side]);
        game_send(at->game, &at_board);
        message_free(&at_board);
    }
}

// --- watching -----------------------------------------------------------------------------------

bool game_watch(game *g, session *s, fault *why) {
    for (list_link *l = s->watches.first; l; l = l->next)
        if (watch_of_session(l)->game == g)
            return true;
    if (s->watch_count >= SESSION_WATCHES)
        return fault_set(why, "%d games at a time", SESSION_WATCHES);
    watch *w = calloc(1, sizeof *w);
    if (!w)
        return fault_set(why, "out of memory");
    *w = (watch){.session = s, .game = g};
    game_skip_held(w);
    list_prepend(&g->watches, &w->link_of_game);
    list_prepend(&s->watches, &w->link_of_session);
    g->watch_count++;
    s->watch_count++;
    g->server->spectators++;
    return true;
}

void game_unwatch(watch *w) {
    if (w->game->crowd.next_watch == w)
        w->game->crowd.next_watch = watch_of_game(w->link_of_game.next);
    list_remove(&w->game->watches, &w->link_of_game);
    list_remove(&w->session->watches, &w->link_of_session);
    w->game->watch_count--;
    w->session->watch_count--;
    w->game->server->spectators--;
    free(w);
}
