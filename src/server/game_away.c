// A player who has left a game under way: the opponent is told how long it will be waited for, and
// may then claim the win or call it a draw. In tournaments a player who is away loses on time.
#include "base/minmax.h"
#include "server/feature.h"
#include "server/game.h"

static const char *const side_names[] = {"first", "second"};

// How long an opponent waits before it may claim: a tenth of the base time within bounds.
static int64_t patience_of(const game *g) {
    const referee_control *c = &referee_terms_of(g->judge)->control[0];
    int64_t base = c->has_clock ? c->base_us : c->move_time_us ? c->move_time_us : INT64_MAX;
    return min_i64(max_i64(base / 10, GAME_LEAST_AWAY_S * 1000000LL),
                   g->server->options->away_s * 1000000LL);
}

static void build_away(const game *g, int side, message *m) {
    int64_t waited = server_now(g->server) - g->seats[side].away_since;
    message_number(m, "game", g->row.id);
    message_string(m, "side", side_names[side]);
    if (!g->row.tournament)
        message_number(m, "after", max_i64(patience_of(g) - waited, 0));
}

void game_note_left(member *m) {
    for (seat *s = seat_of(m->seats.first); s; s = seat_of(s->link.next)) {
        s->away_since = server_now(m->server);
        message say = {.verb = "away"};
        build_away(s->game, s->side, &say);
        game_send(s->game, &say);
        message_free(&say);
    }
    if (m->seats.first)
        turns_want(&m->server->turns);
}

void game_note_back(member *m) {
    for (seat *s = seat_of(m->seats.first); s; s = seat_of(s->link.next)) {
        if (!s->away_since)
            continue;
        s->away_since = 0;
        message say = {.verb = "back"};
        message_number(&say, "game", s->game->row.id);
        message_string(&say, "side", side_names[s->side]);
        game_send(s->game, &say);
        message_free(&say);
    }
}

void game_tell_away(const game *g, session *s) {
    for (int side = 0; side < 2; side++) {
        if (game_is_over(g) || !g->seats[side].away_since || g->seats[side].member == s->member)
            continue;
        message m = {.verb = "away"};
        build_away(g, side, &m);
        session_send(s, &m);
        message_free(&m);
    }
}

// Why the game cannot be claimed now; false: it can.
static bool refuses_claim(const game *g, int side, fault *why) {
    const seat *other = &g->seats[side ^ 1];
    int64_t left =
        other->away_since ? other->away_since + patience_of(g) - server_now(g->server) : 0;
    if (g->row.tournament)
        fault_set(why, "not in a tournament: who is away loses on time");
    else if (!other->away_since)
        fault_set(why, "%s is here", other->member->name);
    else if (g->hold)
        fault_set(why, "the clock is stopped");
    else if (rules_ply(referee_state(g->judge)) < 2)
        fault_set(why, "the game has not begun; abort it");
    else if (left > 0)
        fault_set(why, "%s may come back: wait %lld s", other->member->name,
                  (long long)((left + 999999) / 1000000));
    else
        return false;
    return true;
}

void game_on_claim(session *s, const request *r) {
    int64_t id;
    fault why = {""};
    text result = request_text(r, "result");
    if (!request_number(r, "game", 1, INT64_MAX, 0, &id, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    game *g = id ? game_find(s->server, id) : NULL;
    int side = g ? game_side_of(g, s->member) : -1;
    if (side < 0 || game_is_over(g))
        session_refuse(s, "game", "you are not playing that game");
    else if (!text_is(result, "win") && !text_is(result, "draw"))
        session_refuse(s, "field", "result: win or draw");
    else if (refuses_claim(g, side, &why))
        session_refuse(s, "claim", "%s", why.line);
    else
        game_abandon(g, side ^ 1, text_is(result, "draw"));
}
