// The verbs of players and spectators of a game: move, resign, offers, resume, watch.
#include "server/account.h"
#include "server/feature.h"
#include "server/game.h"

// The game a request names, NULL where there is none; false after a refusal of its number.
static bool find_named(session *s, const request *r, game **g) {
    int64_t id;
    fault why;
    if (!request_number(r, "game", 1, INT64_MAX, 0, &id, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return false;
    }
    *g = id ? game_find(s->server, id) : NULL;
    return true;
}

// The game a request names, or a refusal.
static game *game_of(session *s, const request *r) {
    game *g = NULL;
    if (find_named(s, r, &g) && !g)
        session_refuse(s, "game", "no such game is under way");
    return g;
}

game *game_of_player(session *s, const request *r, int *side) {
    game *g;
    if (!find_named(s, r, &g))
        return NULL;
    *side = g ? game_side_of(g, s->member) : -1;
    if (*side >= 0)
        return g;
    session_refuse(s, "game", "you are not playing that game");
    return NULL;
}

// The same for a player of the game that goes on; *side is its.
static game *own_game(session *s, const request *r, int *side) {
    game *g = game_of(s, r);
    if (!g)
        return NULL;
    *side = game_side_of(g, s->member);
    if (*side >= 0 && !game_is_over(g))
        return g;
    session_refuse(s, "game", *side < 0 ? "you are not playing that game" : "that game is over");
    return NULL;
}

static bool read_score(const request *r, game_move *m, fault *why) {
    int64_t score, depth;
    m->is_mate = request_has(r, "mate");
    m->has_score = m->is_mate || request_has(r, "score");
    if (!request_number(r, m->is_mate ? "mate" : "score", -1000000, 1000000, 0, &score, why) ||
        !request_number(r, "depth", 0, 1000, 0, &depth, why) ||
        !request_number(r, "nodes", 0, INT64_MAX, -1, &m->nodes, why))
        return false;
    m->score = (int32_t)score;
    m->depth = (int32_t)depth;
    return true;
}

static void on_move(session *s, const request *r) {
    int side;
    game *g = own_game(s, r, &side);
    if (!g)
        return;
    fault why;
    int64_t ply;
    game_move m = {.move = request_text(r, "move"), .read = s->read, .round_trip = -1};
    if (m.move.len == 0) {
        session_refuse(s, "field", "move is missing");
        return;
    }
    if (!request_number(r, "ply", 0, RULES_MAX_PLIES, -1, &ply, &why) ||
        !request_flag(r, "draw", false, &m.offers_draw, &why) || !read_score(r, &m, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    m.ply = (int)ply;
    if (s->socket && s->member->kind != PLAYER_PROGRAM) // lines are for programs, guests too
        m.round_trip = connection_round_trip(s->connection);
    const char *code = game_play(g, side, &m, &why);
    if (code)
        session_refuse(s, code, "%s", why.line);
    else if (s->errors > 0)
        s->errors--;
}

static void on_resign(session *s, const request *r) {
    int side;
    game *g = own_game(s, r, &side);
    if (g)
        game_resign(g, side);
}

// Before both have moved a game has not begun: either may leave it without losing.
static void on_abort(session *s, const request *r) {
    int side;
    game *g = own_game(s, r, &side);
    if (!g)
        return;
    char words[128];
    writer w = writer_on(words, sizeof words);
    write_format(&w, "%s left before the second move", s->member->name);
    if (g->row.tournament)
        session_refuse(s, "abort", "not in a tournament");
    else if (rules_ply(referee_state(g->judge)) >= 2)
        session_refuse(s, "abort", "both have moved; resign or offer a draw");
    else
        game_void(g, words);
}

static void on_resume(session *s, const request *r) {
    game *g = game_of(s, r);
    if (g)
        game_tell_all(g, s);
}

static void on_games(session *s, const request *r) {
    (void)r;
    for (list_link *l = s->member->seats.first; l; l = l->next)
        game_tell_all(seat_of(l)->game, s);
}

static void on_legal(session *s, const request *r) {
    game *g = game_of(s, r);
    if (!g)
        return;
    const rules_state *state = referee_state(g->judge);
    if (game_plies_shown(g) < rules_ply(state) && (!s->member || game_side_of(g, s->member) < 0)) {
        session_refuse(s, "game", "spectators see this game later");
        return;
    }
    rules_move moves[RULES_MAX_MOVES];
    int count = game_is_over(g) ? 0 : rules_legal_moves(state, moves);
    message m = {.verb = "legal"};
    message_number(&m, "game", g->row.id);
    message_number(&m, "ply", rules_ply(state));
    message_list(&m, "moves");
    for (int i = 0; i < count; i++) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        rules_format_move(state, moves[i], NOTATION_NATIVE, &w);
        message_item(&m, word);
    }
    session_send(s, &m);
    message_free(&m);
}

static void on_watch(session *s, const request *r) {
    game *g = game_of(s, r);
    fault why;
    if (!g)
        return;
    if (game_watch(g, s, &why))
        game_tell_all(g, s);
    else
        session_refuse(s, "limit", "%s", why.line);
}

static void on_unwatch(session *s, const request *r) {
    game *g = game_of(s, r);
    for (list_link *l = s->watches.first; g && l; l = l->next)
        if (watch_of_session(l)->game == g) {
            game_unwatch(watch_of_session(l));
            return;
        }
}

// --- offers: draw, takeback, rematch. One that stands is not sent again -------------------------

static void send_offer(game *g, const char *what, const char *kind, int side) {
    message m = {.verb = what};
    message_number(&m, "game", g->row.id);
    message_string(&m, "kind", kind);
    message_string(&m, "by", game_side_names[side]);
    game_send(g, &m);
    message_free(&m);
}

static void tell_offer(game *g, const char *kind, int side) {
    send_offer(g, "offer", kind, side);
    TELL_FEATURES(g->server, on_offer, g, kind, side);
}

static void on_draw(session *s, const request *r) {
    int side;
    game *g = game_of_player(s, r, &side);
    if (!g)
        return;
    bool stands = referee_offers_draw(g->judge, side);
    if (game_is_over(g))
        session_refuse(s, "game", "that game is over");
    else if (referee_offer_draw(g->judge, side))
        game_check_over(g);
    else if (!stands) {
        game_log_offer(g, OFFER_DRAW, side);
        tell_offer(g, "draw", side);
    }
}

// Leaves the position in which `side` was to move last.
static void take_back(game *g, int side) {
    const rules_state *state = referee_state(g->judge);
    int plies = rules_side_to_move(state) == side ? 2 : 1;
    while (plies-- > 0 && referee_take_back(g->judge)) {
    }
    g->used_before = 0;
    game_log_takeback(g);
    for (int i = 0; i < 2; i++)
        g->seats[i].offers_takeback = false;
    message m = {.verb = "tookback"};
    message_number(&m, "game", g->row.id);
    message_number(&m, "ply", rules_ply(state));
    game_add_clocks(g, &m);
    game_send(g, &m);
    message_free(&m);
    game_ask(g);
}

static const char *refuse_takeback(const game *g, int side) {
    const rules_state *state = referee_state(g->judge);
    uint32_t ply = rules_ply(state);
    bool own_to_move = rules_side_to_move(state) == side;
    if (game_is_over(g))
        return "that game is over";
    if (g->row.rated || g->row.tournament)
        return "not in rated games";
    if (g->hold || g->is_asked)
        return "not now";
    return ply < (own_to_move ? 2u : 1u) ? "you have not moved yet" : NULL;
}

static void on_takeback(session *s, const request *r) {
    int side;
    game *g = game_of_player(s, r, &side);
    if (!g)
        return;
    bool grants = g->seats[side ^ 1].offers_takeback;
    const char *why = refuse_takeback(g, grants ? side ^ 1 : side);
    if (why) {
        session_refuse(s, "takeback", "%s", why);
    } else if (grants) {
        take_back(g, side ^ 1);
    } else if (!g->seats[side].offers_takeback) {
        g->seats[side].offers_takeback = true;
        game_log_offer(g, OFFER_TAKEBACK, side);
        tell_offer(g, "takeback", side);
    }
}

static bool terms_of(const game *g, game_terms *t, fault *why) {
    const referee_terms *terms = referee_terms_of(g->judge);
    *t = (game_terms){
        .rules = g->rules, .set = terms->set, .control = terms->control[0], .rated = g->row.rated};
    writer w = writer_on(t->fen, sizeof t->fen);
    write_string(&w, g->row.fen);
    return g->row.tournament == 0 || fault_set(why, "not in a tournament");
}

static void set_rematch(game *g, int side, bool offers) {
    g->seats[side].offers_rematch = offers;
    g->row.rematch = g->seats[0].offers_rematch | g->seats[1].offers_rematch << 1;
    store_set_rematch(g->server->store, g->row.id, g->row.rematch);
}

void offers_grant_takeback(game *g, int side) { take_back(g, side); }

void offers_decline_rematch(game *g) {
    for (int side = 0; side < 2; side++)
        set_rematch(g, side, false);
}

void offers_grant_rematch(game *g) {
    game_terms terms;
    fault why;
    offers_decline_rematch(g);
    if (terms_of(g, &terms, &why))
        (void)!game_begin(g->server, &terms, g->seats[1].member, g->seats[0].member, 0, 0, &why);
}

static void on_rematch(session *s, const request *r) {
    int side;
    game *g = game_of_player(s, r, &side);
    fault why;
    game_terms terms;
    if (!g)
        return;
    if (!game_is_over(g)) {
        session_refuse(s, "rematch", "the game goes on");
    } else if (account_is_shut_out(g->seats[side ^ 1].member)) {
        session_refuse(s, "rematch", "that player is shut out");
    } else if (!terms_of(g, &terms, &why)) {
        session_refuse(s, "rematch", "%s", why.line);
    } else if (g->seats[side ^ 1].offers_rematch) {
        set_rematch(g, side ^ 1, false);
        if (!game_begin(s->server, &terms, g->seats[1].member, g->seats[0].member, 0, 0, &why))
            session_refuse(s, "limit", "%s", why.line);
    } else if (!g->seats[side].offers_rematch) {
        set_rematch(g, side, true);
        tell_offer(g, "rematch", side);
    }
}

// Says no to what the other side has offered: every kind that stands.
static void on_refuse(session *s, const request *r) {
    int side;
    game *g = game_of_player(s, r, &side);
    if (!g)
        return;
    seat *other = &g->seats[side ^ 1];
    bool draw = referee_offers_draw(g->judge, side ^ 1), takeback = other->offers_takeback,
         rematch = other->offers_rematch;
    if (!draw && !takeback && !rematch) {
        session_refuse(s, "offer", "there is no offer to refuse");
        return;
    }
    if (draw || takeback) {
        referee_refuse_draw(g->judge, side ^ 1);
        other->offers_takeback = false;
        game_log_offer(g, OFFER_REFUSED, side ^ 1);
    }
    if (rematch)
        set_rematch(g, side ^ 1, false);
    const char *kinds[] = {draw ? "draw" : NULL, takeback ? "takeback" : NULL,
                           rematch ? "rematch" : NULL};
    for (int i = 0; i < 3; i++)
        if (kinds[i])
            send_offer(g, "refused", kinds[i], side);
}

// --- sessions and players -----------------------------------------------------------------------

static const verb verbs[] = {
    {"move", on_move, .needs_login = true},
    {"resign", on_resign, .needs_login = true},
    {"abort", on_abort, .needs_login = true},
    {"resume", on_resume, .needs_login = true, .only_reads = true},
    {"games", on_games, .needs_login = true, .only_reads = true},
    {"legal", on_legal, .only_reads = true},
    {"watch", on_watch, .only_reads = true},
    {"unwatch", on_unwatch, .only_reads = true},
    {"draw", on_draw, .needs_login = true},
    {"takeback", on_takeback, .needs_login = true},
    {"rematch", on_rematch, .needs_login = true},
    {"refuse", on_refuse, .needs_login = true},
    {"claim", game_on_claim, .needs_login = true},
    {.name = NULL},
};

static void tell_own_games(session *s) {
    for (list_link *l = s->member->seats.first; l; l = l->next)
        game_tell_all(seat_of(l)->game, s);
}

static void on_session_closed(session *s) {
    while (s->watches.first)
        game_unwatch(watch_of_session(s->watches.first));
}

static void on_arrived(member *m) {
    game_on_arrived(m);
    game_note_back(m);
}

static void tick(server *srv) { game_show_delayed(srv); }

const feature game_feature = {.name = "games",
                              .tick = tick,
                              .verbs = verbs,
                              .on_login = tell_own_games,
                              .on_session_closed = on_session_closed,
                              .on_player_arrived = on_arrived,
                              .on_player_left = game_note_left,
                              .on_player_renamed = game_tell_renamed};
