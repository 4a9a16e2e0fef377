// What is said at the board: move, resign, resume, watch.
#include "server/game.h"
#include "server/verbs.h"

// The game a request names, or a refusal.
static game *game_of(session *s, const request *r) {
    int64_t id;
    fault why;
    if (!request_number(r, "game", 1, INT64_MAX, 0, &id, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return NULL;
    }
    game *g = id ? game_find(s->world, id) : NULL;
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

static void say_move(session *s, const request *r) {
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
        m.round_trip = wire_round_trip(s->wire);
    const char *code = game_play(g, side, &m, &why);
    if (code)
        session_refuse(s, code, "%s", why.line);
    else if (s->errors > 0)
        s->errors--;
}

static void say_resign(session *s, const request *r) {
    int side;
    game *g = own_game(s, r, &side);
    if (g)
        game_resign(g, side);
}

static void say_resume(session *s, const request *r) {
    game *g = game_of(s, r);
    if (g)
        game_tell_all(g, s);
}

static void say_games(session *s, const request *r) {
    (void)r;
    for (const seat *at = s->member->seats; at; at = at->next)
        game_tell_all(at->game, s);
}

static void say_legal(session *s, const request *r) {
    game *g = game_of(s, r);
    if (!g)
        return;
    const rules_state *state = referee_state(g->judge);
    rules_move moves[RULES_MAX_MOVES];
    int count = game_is_over(g) ? 0 : rules_legal_moves(state, moves);
    message *m = world_message(s->world, "legal");
    message_number(m, "game", g->row.id);
    message_number(m, "ply", rules_ply(state));
    message_list(m, "moves");
    for (int i = 0; i < count; i++) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        rules_format_move(state, moves[i], NOTATION_NATIVE, &w);
        message_item(m, word);
    }
    session_say(s, m);
}

static void say_watch(session *s, const request *r) {
    game *g = game_of(s, r);
    fault why;
    if (!g)
        return;
    if (game_watch(g, s, &why))
        game_tell_all(g, s);
    else
        session_refuse(s, "limit", "%s", why.line);
}

static void say_unwatch(session *s, const request *r) {
    game *g = game_of(s, r);
    for (watch *w = s->watches; g && w; w = w->next_of_session)
        if (w->game == g) {
            game_unwatch(w);
            return;
        }
}

const verb game_verbs[] = {
    {"move", say_move, true},        {"resign", say_resign, true}, {"resume", say_resume, true},
    {"games", say_games, true},      {"legal", say_legal, false},  {"watch", say_watch, false},
    {"unwatch", say_unwatch, false}, {NULL, NULL, false},
};
