// What is said at the board: move, resign, resume, watch.
#include "server/feature.h"
#include "server/game.h"

// The game a request names, or a refusal.
static game *game_of(session *s, const request *r) {
    int64_t id;
    fault why;
    if (!request_number(r, "game", 1, INT64_MAX, 0, &id, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return NULL;
    }
    game *g = id ? game_find(s->server, id) : NULL;
    if (!g)
        session_refuse(s, "game", "no such game is under way");
    return g;
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

static const verb verbs[] = {
    {"move", on_move, .needs_login = true},
    {"resign", on_resign, .needs_login = true},
    {"resume", on_resume, .needs_login = true, .only_reads = true},
    {"games", on_games, .needs_login = true, .only_reads = true},
    {"legal", on_legal, .only_reads = true},
    {"watch", on_watch, .only_reads = true},
    {"unwatch", on_unwatch, .only_reads = true},
    {.name = NULL},
};

// --- sessions and players -----------------------------------------------------------------------

static void on_login(session *s) {
    for (list_link *l = s->member->seats.first; l; l = l->next)
        game_tell_all(seat_of(l)->game, s);
}

static void on_session_closed(session *s) {
    while (s->watches.first)
        game_unwatch(watch_of_session(s->watches.first));
}

const feature game_feature = {.name = "games",
                              .verbs = verbs,
                              .on_login = on_login,
                              .on_session_closed = on_session_closed,
                              .on_player_arrived = game_on_arrived,
                              .on_player_renamed = game_tell_renamed};
