// What an arbiter may do over HTTP, each thing with a reason that is kept: create, pause, void and
// decide games, correct results, ban players.
#include "base/encoding.h"
#include "features/features.h"
#include "features/game_record.h"
#include "server/account.h"
#include "server/api.h"
#include "server/feature.h"

#include <inttypes.h>

enum { REASON_MAX = 200 };

// What every action needs: an arbiter, a body, a reason in it. Else an answer has been given.
static bool begin(api_call *c, request *r) {
    stored_player now; // the role may have been given or taken since the login
    if (store_find_player(c->server->store, c->member->id, &now))
        c->member->role = now.role;
    if (c->member->role != ROLE_ARBITER) {
        api_refuse(c, 403, "role", "for arbiters only");
        return false;
    }
    if (!api_body(c, r))
        return false;
    text reason = request_text(r, "reason");
    if (reason.len >= 3 && reason.len <= REASON_MAX)
        return true;
    api_refuse(c, 400, "reason", "say why, in 3 to %d bytes", REASON_MAX);
    return false;
}

static void note(const api_call *c, const request *r, const char *action, const char *subject) {
    store_audit(c->server->store, server_wall(), c->member->id, action, subject,
                request_text(r, "reason"));
    log_write(LEVEL_INFO, "arbiter %s: %s %s", c->member->name, action, subject);
    turns_want(&c->server->turns);
}

static void note_game(const api_call *c, const request *r, const char *action, int64_t id) {
    char subject[40];
    writer w = writer_on(subject, sizeof subject);
    write_format(&w, "game %" PRId64, id);
    note(c, r, action, subject);
}

static void answer_game(api_call *c, int64_t id) {
    game_copy copy;
    if (!game_copy_get(c->server, id, &copy)) {
        api_refuse(c, 404, "game", "there is no such game");
        return;
    }
    api_json(c, 200, game_copy_json(&copy));
    game_copy_free(&copy);
}

// The live game of the path, or an answer.
static game *live_game(api_call *c) {
    game *g = c->numbers[0] > 0 ? game_find(c->server, c->numbers[0]) : NULL;
    if (g && !game_is_over(g))
        return g;
    api_refuse(c, 404, "game", "no such game is under way");
    return NULL;
}

// The words of a decision: the arbiter's reason behind its name.
typedef struct {
    char line[192];
} words;

static words words_of(const request *r, const char *what) {
    words w;
    writer out = writer_on(w.line, sizeof w.line);
    write_format(&out, "%s by the arbiter: ", what);
    write_text(&out, utf8_cut(request_text(r, "reason"), sizeof w.line - 1 - out.used));
    return w;
}

// --- games --------------------------------------------------------------------------------------

static void post_game(api_call *c) {
    request r;
    game_terms terms;
    fault why;
    if (!begin(c, &r))
        return;
    if (!game_read_terms(&r, &terms, &why)) {
        api_refuse(c, 400, "field", "%s", why.line);
        return;
    }
    member *first = member_get_named(c->server, request_text(&r, "first"));
    member *second = member_get_named(c->server, request_text(&r, "second"));
    game *g = NULL;
    if (!first || !second || first == second || first->is_banned || second->is_banned)
        api_refuse(c, 404, "player", "first and second: two players by name");
    else if (!(g = game_begin(c->server, &terms, first, second, 0, 0, &why)))
        api_refuse(c, 409, "limit", "%s", why.line);
    member_release(first);
    member_release(second);
    if (!g)
        return;
    note_game(c, &r, "create", g->row.id);
    answer_game(c, g->row.id);
}

static void set_pause(api_call *c, bool pause) {
    request r;
    game *g = begin(c, &r) ? live_game(c) : NULL;
    if (!g)
        return;
    game_hold_clock(g, HOLD_PAUSE, pause);
    note_game(c, &r, pause ? "pause" : "continue", g->row.id);
    answer_game(c, g->row.id);
}

static void post_pause(api_call *c) { set_pause(c, true); }

static void post_continue(api_call *c) { set_pause(c, false); }

static void post_void(api_call *c) {
    request r;
    if (!begin(c, &r))
        return;
    if (game_void_aside(c->server, c->numbers[0], words_of(&r, "voided").line)) {
        note_game(c, &r, "void", c->numbers[0]);
        answer_game(c, c->numbers[0]);
        return;
    }
    game *g = live_game(c);
    if (!g)
        return;
    note_game(c, &r, "void", g->row.id);
    game_void(g, words_of(&r, "voided").line);
    answer_game(c, g->row.id);
}

static void post_forfeit(api_call *c) {
    request r;
    game *g = begin(c, &r) ? live_game(c) : NULL;
    if (!g)
        return;
    text side = request_text(&r, "side");
    if (!text_is(side, "first") && !text_is(side, "second")) {
        api_refuse(c, 400, "field", "side: first or second, whichever loses");
        return;
    }
    note_game(c, &r, "forfeit", g->row.id);
    game_decide(g, text_is(side, "second"), words_of(&r, "forfeited").line);
    answer_game(c, g->row.id);
}

static bool read_outcome(text name, rules_outcome *outcome) {
    for (*outcome = RULES_ONGOING; *outcome <= RULES_DRAW; (*outcome)++)
        if (text_is(name, rules_outcome_name(*outcome)))
            return true;
    return false;
}

static void post_correct(api_call *c) {
    request r;
    stored_game row;
    rules_outcome outcome;
    if (!begin(c, &r))
        return;
    if (c->numbers[0] <= 0 || !store_find_game(c->server->store, c->numbers[0], &row) ||
        !row.ended) {
        api_refuse(c, 404, "game", "no such game is over");
    } else if (!read_outcome(request_text(&r, "outcome"), &outcome)) {
        api_refuse(c, 400, "field", "outcome: first wins, second wins, draw, or ongoing for none");
    } else {
        const char *reason = referee_reason_name(REFEREE_BY_ARBITER);
        words w = words_of(&r, "corrected");
        char before[256];
        writer out = writer_on(before, sizeof before);
        write_format(&out, "%s: %s: %s", rules_outcome_name((rules_outcome)row.outcome), row.reason,
                     row.words);
        int loser = outcome == RULES_FIRST_WINS ? 1 : outcome == RULES_SECOND_WINS ? 0 : -1;
        store_correct_game(c->server->store, row.id, (int)outcome, loser, reason, w.line, before);
        int outcome_before = row.outcome;
        game *g = game_find(c->server, row.id);
        if (store_find_game(c->server->store, row.id, &row) && g)
            g->row = row;
        note_game(c, &r, "correct", row.id);
        TELL_FEATURES(c->server, on_corrected, c->server, &row, outcome_before);
        answer_game(c, row.id);
    }
}

// --- players ------------------------------------------------------------------------------------

// The player or one of its programs: who is shut out is so with all it has.
static void shut_out(void *context, member *m) {
    const char *why = context;
    session_end_all(m, "banned");
    for (const seat *s; (s = seat_of(m->seats.first));)
        game_decide(s->game, s->side, why);
    TELL_FEATURES(m->server, on_player_removed, m);
}

static void set_ban(api_call *c, bool ban) {
    request r;
    if (!begin(c, &r))
        return;
    member *m = member_get_named(c->server, c->parts[0]);
    if (!m || m->kind == PLAYER_HOUSE || m->kind == PLAYER_RECORDED || m->role == ROLE_ARBITER) {
        api_refuse(c, 404, "player", "no such player can be banned");
        member_release(m);
        return;
    }
    m->is_banned = ban;
    store_set_banned(c->server->store, m->id, ban ? request_text(&r, "reason") : (text){NULL, 0});
    note(c, &r, ban ? "ban" : "pardon", m->name);
    words why = words_of(&r, "banned");
    if (ban)
        account_each_own(c->server, m->id, shut_out, why.line);
    api_json(c, 200, json_pack("{ss,sb}", "name", m->name, "banned", ban));
    member_release(m);
}

static void post_ban(api_call *c) { set_ban(c, true); }

static void post_pardon(api_call *c) { set_ban(c, false); }

// --- the server ---------------------------------------------------------------------------------

static void post_drain(api_call *c) {
    request r;
    if (!begin(c, &r))
        return;
    note(c, &r, "drain", "server");
    server_drain(c->server);
    api_json(c, 200, json_pack("{sI}", "live_games", (json_int_t)c->server->live_games));
}

// --- the log ------------------------------------------------------------------------------------

static void add_entry(void *context, const stored_audit *a) {
    char moment[32];
    writer w = writer_on(moment, sizeof moment);
    server_write_moment(&w, a->at);
    json_array_append_new(context, json_pack("{sI,ss,ss,ss,ss,ss}", "id", (json_int_t)a->id, "at",
                                             moment, "arbiter", a->arbiter, "action", a->action,
                                             "subject", a->subject, "reason", a->reason));
}

// The log is open to everybody: who decides over others is seen to.
static void get_audit(api_call *c) {
    json_t *list = json_array();
    store_each_audit(c->server->store, api_query_number(c, "before", 1, INT64_MAX, INT64_MAX),
                     (int)api_query_number(c, "limit", 1, 500, 100), add_entry, list);
    api_json(c, 200, json_pack("{so}", "audit", list));
}

static const api_route routes[] = {
    {"POST", "/api/v1/arbiter/games", post_game, true},
    {"POST", "/api/v1/arbiter/games/*/pause", post_pause, true},
    {"POST", "/api/v1/arbiter/games/*/continue", post_continue, true},
    {"POST", "/api/v1/arbiter/games/*/void", post_void, true},
    {"POST", "/api/v1/arbiter/games/*/forfeit", post_forfeit, true},
    {"POST", "/api/v1/arbiter/games/*/correct", post_correct, true},
    {"POST", "/api/v1/arbiter/players/*/ban", post_ban, true},
    {"POST", "/api/v1/arbiter/players/*/pardon", post_pardon, true},
    {"POST", "/api/v1/arbiter/drain", post_drain, true},
    {"GET", "/api/v1/audit", get_audit, false},
    {.pattern = NULL},
};

const feature arbiter_feature = {.name = "arbiter", .routes = routes};
