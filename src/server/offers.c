// Offers at the board: draw, takeback, rematch. One that stands is not told again.
#include "server/account.h"
#include "server/feature.h"
#include "server/game.h"

static const char *const side_names[] = {"first", "second"};

static game *find_own_seat(session *s, const request *r, int *side) {
    int64_t id;
    fault why;
    if (!request_number(r, "game", 1, INT64_MAX, 0, &id, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return NULL;
    }
    game *g = id ? game_find(s->server, id) : NULL;
    *side = g ? game_side_of(g, s->member) : -1;
    if (*side >= 0)
        return g;
    session_refuse(s, "game", "you are not playing that game");
    return NULL;
}

static void tell_offer(game *g, const char *kind, int side) {
    message m = {.verb = "offer"};
    message_number(&m, "game", g->row.id);
    message_string(&m, "kind", kind);
    message_string(&m, "by", side_names[side]);
    game_send(g, &m);
    message_free(&m);
    TELL_FEATURES(g->server, on_offer, g, kind, side);
}

static void on_draw(session *s, const request *r) {
    int side;
    game *g = find_own_seat(s, r, &side);
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

// --- takeback -----------------------------------------------------------------------------------

// Leaves the position in which `side` was to move last.
static void take_back(game *g, int side) {
    const rules_state *state = referee_state(g->judge);
    int plies = rules_side_to_move(state) == side ? 2 : 1;
    while (plies-- > 0 && referee_take_back(g->judge)) {
    }
    g->carried = 0;
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
    game *g = find_own_seat(s, r, &side);
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

// --- rematch ------------------------------------------------------------------------------------

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
    game *g = find_own_seat(s, r, &side);
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

static const verb verbs[] = {
    {"draw", on_draw, .needs_login = true},
    {"takeback", on_takeback, .needs_login = true},
    {"rematch", on_rematch, .needs_login = true},
    {.name = NULL},
};

const feature offer_feature = {.name = "offers", .verbs = verbs};
