// Tournaments over HTTP, and for programs `enter` and `withdraw`.
#include "features/tournament.h"
#include "server/api.h"
#include "server/feature.h"

#include <math.h>
#include <stdlib.h>

// --- showing ------------------------------------------------------------------------------------

static json_t *row_json(const stored_tournament *t) {
    char moment[3][32];
    const int64_t walls[3] = {t->created, t->started, t->ended};
    for (int i = 0; i < 3; i++) {
        writer w = writer_on(moment[i], sizeof moment[i]);
        if (walls[i])
            server_write_moment(&w, walls[i]);
    }
    json_t *j =
        json_pack("{sI,ss,ss,ss,ss,ss,si,si,si,si,si,sb,ss,ss,ss,ss}", "id", (json_int_t)t->id,
                  "name", t->name, "game", t->game, "rules", t->rules, "tc", t->control, "kind",
                  schedule_name((schedule_kind)t->kind), "rounds", t->rounds, "games", t->games,
                  "concurrency", t->concurrency, "per_player", t->per_player, "delay", t->delay,
                  "rated", t->rated, "state", tournament_state_name(t->state), "created", moment[0],
                  "started", moment[1], "ended", moment[2]);
    if (t->openings[0])
        json_object_set_new(j, "openings", json_string(t->openings));
    if (t->sprt[0])
        json_object_set_new(j, "sprt", json_string(t->sprt));
    return j;
}

static json_t *finite_json(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

// A match between two: the score of the first entrant and the state of the SPRT.
static json_t *match_json(const tournament *t) {
    static const char *const verdicts[] = {"running", "H1 accepted", "H0 accepted"};
    contest_score s = tournament_score(t);
    contest_estimate e = contest_estimate_of(&s);
    json_t *pairs = json_array();
    for (int i = 0; i < 5; i++)
        json_array_append_new(pairs, json_integer(s.pairs[i]));
    json_t *j =
        json_pack("{ss,ss,sI,sI,sI,so,so,so,so}", "player", t->entrants[0].name, "opponent",
                  t->entrants[1].name, "wins", (json_int_t)s.wins, "draws", (json_int_t)s.draws,
                  "losses", (json_int_t)s.losses, "pairs", pairs, "elo", finite_json(e.elo),
                  "error", finite_json(e.elo_error), "los", finite_json(e.los));
    if (!t->row.sprt[0])
        return j;
    contest_sprt test = tournament_test(&t->row);
    double lower, upper;
    contest_sprt_bounds(&test, &lower, &upper);
    tournament_judge(t, &s);
    json_object_set_new(j, "llr", json_real(contest_llr(&test, &s)));
    json_object_set_new(j, "lower", json_real(lower));
    json_object_set_new(j, "upper", json_real(upper));
    json_object_set_new(j, "verdict", json_string(verdicts[t->row.verdict % 3]));
    return j;
}

// The crosstable: everybody's half points against everybody, in the order of the standings.
static json_t *crosstable(const tournament *t, const schedule_standing *order, int count) {
    json_t *rows = json_array();
    for (int i = 0; i < count; i++) {
        json_t *row = json_array();
        for (int j = 0; j < count; j++) {
            int half = 0, games = 0;
            schedule_between(t->schedule, order[i].player, order[j].player, &half, &games);
            json_array_append_new(row, games ? json_real(half / 2.0) : json_null());
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static void add_standings(const tournament *t, json_t *j) {
    schedule_standing order[TOURNAMENT_PLAYERS];
    int count = schedule_standings(t->schedule, order);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        const schedule_standing *s = &order[i];
        json_array_append_new(list, json_pack("{si,ss,sf,si,si,si,si,si,sf,sf,sb}", "place", i + 1,
                                              "player", t->entrants[s->player].name, "points",
                                              s->half_points / 2.0, "played", s->played, "wins",
                                              s->wins, "draws", s->draws, "losses", s->losses,
                                              "byes", s->byes, "buchholz", s->buchholz,
                                              "sonneborn_berger", s->sonneborn_berger, "withdrawn",
                                              t->entrants[s->player].has_withdrawn));
    }
    json_object_set_new(j, "standings", list);
    json_object_set_new(j, "crosstable", crosstable(t, order, count));
    json_object_set_new(j, "games_in_all", json_integer(schedule_total(t->schedule)));
}

// A pairing; names have nothing that JSON wants escaped.
static void write_pairing(const tournament *t, const stored_pairing *p, writer *w) {
    write_format(w, "{\"number\":%d,\"round\":%d,\"first\":\"%s\",\"second\":\"%s\"", p->number + 1,
                 p->round + 1, t->entrants[p->first].name, t->entrants[p->second].name);
    if (p->game)
        write_format(w, ",\"game\":%lld", (long long)p->game);
    bool both_lost = p->half_points == SCHEDULE_BOTH_LOST;
    if (p->half_points >= 0)
        write_format(w, ",\"points\":%.1f,\"second_points\":%.1f",
                     both_lost ? 0 : p->half_points / 2.0,
                     both_lost ? 0 : 1 - p->half_points / 2.0);
    write_char(w, '}');
}

// There may be very many, so they are written as they are, without objects made of them first. The
// first of them is an odd one, so that those of one opening stay together.
static void add_pairings(const tournament *t, buffer *out) {
    int from = t->pairing_count > TOURNAMENT_SHOWN ? t->pairing_count - TOURNAMENT_SHOWN : 0;
    buffer_add(out, text_of(",\"pairings\":["));
    for (int first = from + (from & 1), i = first; i < t->pairing_count; i++) {
        char one[256];
        writer w = writer_on(one, sizeof one);
        if (i > first)
            write_char(&w, ',');
        write_pairing(t, &t->pairings[i], &w);
        buffer_add(out, (text){one, w.used});
    }
    buffer_add(out, text_of("]}"));
}

static json_t *head_json(const tournament *t) {
    json_t *j = row_json(&t->row), *players = json_array();
    stored_player director;
    if (store_find_player(t->server->store, t->row.owner, &director))
        json_object_set_new(j, "director", json_string(director.name));
    for (int i = 0; i < t->count; i++)
        json_array_append_new(players, json_string(t->entrants[i].name));
    json_object_set_new(j, "players", players);
    json_object_set_new(j, "played", json_integer(t->pairings_now[PAIRING_PLAYED]));
    if (t->schedule)
        add_standings(t, j);
    if (t->schedule && t->count == 2)
        json_object_set_new(j, "match", match_json(t));
    return j;
}

// The answer is cached until something changes.
static void show(api_call *c, tournament *t) {
    if (t->shown.len == 0) {
        json_t *j = head_json(t);
        char *head = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(10));
        json_decref(j);
        t->shown.failed = !head;
        if (head)
            buffer_add(&t->shown, (text){head, strlen(head) - 1}); // without its }
        free(head);
        add_pairings(t, &t->shown);
    }
    if (t->shown.failed) {
        buffer_free(&t->shown);
        api_refuse(c, 503, "busy", "out of memory");
    } else {
        api_text(c, 200, "application/json", (text){t->shown.bytes, t->shown.len});
    }
}

static void add_row(void *context, const stored_tournament *t) {
    json_array_append_new(context, row_json(t));
}

static void get_all(api_call *c) {
    json_t *list = json_array();
    store_each_tournament(c->server->store, api_query_number(c, "before", 1, INT64_MAX, INT64_MAX),
                          (int)api_query_number(c, "limit", 1, 200, 50), false, add_row, list);
    api_json(c, 200, json_pack("{so}", "tournaments", list));
}

// The tournament of the path, or an answer.
static tournament *find(api_call *c) {
    tournament *t = c->numbers[0] > 0 ? tournament_get(c->server, c->numbers[0]) : NULL;
    if (!t)
        api_refuse(c, 404, "tournament", "there is no such tournament");
    return t;
}

static void get_one(api_call *c) {
    tournament *t = find(c);
    if (t)
        show(c, t);
    tournament_release(t);
}

// --- making -------------------------------------------------------------------------------------

static bool read_terms(const request *r, stored_tournament *t, text *list, fault *why) {
    game_terms terms;
    int64_t rounds, games, concurrency, per_player, delay;
    schedule_kind kind;
    char word[16];
    text name = request_text(r, "name");
    writer w = writer_on(word, sizeof word);
    write_text(&w, request_text(r, "kind"));
    if (name.len < 3 || name.len >= sizeof t->name)
        return fault_set(why, "name: 3 to %zu bytes", sizeof t->name - 1);
    if (!schedule_find(word, &kind))
        return fault_set(why, "kind: round-robin, gauntlet, swiss or knockout");
    if (!game_read_terms(r, &terms, why) || !request_number(r, "rounds", 0, 100, 0, &rounds, why) ||
        !request_number(r, "games", 1, TOURNAMENT_MEETING, 2, &games, why) ||
        !request_number(r, "concurrency", 0, 1000, 0, &concurrency, why) ||
        !request_number(r, "per_player", 0, 1000, 1, &per_player, why) ||
        !request_number(r, "delay", 0, 3600, 0, &delay, why))
        return false;
    if (terms.fen[0] || !referee_control_has_limit(&terms.control))
        return fault_set(why, "tournaments are played with a clock, from openings if you like");
    *t = (stored_tournament){.kind = (int)kind,
                             .rounds = (int)rounds,
                             .games = (int)games,
                             .rated = terms.rated,
                             .concurrency = (int)concurrency,
                             .per_player = (int)per_player,
                             .delay = (int)delay,
                             .created = server_wall()};
    w = writer_on(t->name, sizeof t->name);
    write_text(&w, name);
    w = writer_on(t->game, sizeof t->game);
    write_string(&w, rules_name(terms.rules));
    w = writer_on(t->rules, sizeof t->rules);
    rules_set_format(terms.rules, &terms.set, &w);
    w = writer_on(t->control, sizeof t->control);
    referee_control_format(&terms.control, &w);
    return tournament_read_match(r, terms.rules, t, list, why);
}

static void post_new(api_call *c) {
    request r;
    stored_tournament t;
    text list;
    fault why;
    if (!api_body(c, &r))
        return;
    int open = store_count_open_tournaments(c->server->store, c->member->id);
    if (c->member->kind != PLAYER_PERSON) {
        api_refuse(c, 403, "account", "tournaments are made by accounts; register first");
    } else if (open >= TOURNAMENT_OF_ONE && c->member->role != ROLE_ARBITER) {
        api_refuse(c, 409, "limit", "%d tournaments of yours are not over yet", open);
    } else if (!read_terms(&r, &t, &list, &why)) {
        api_refuse(c, 400, "field", "%s", why.line);
    } else {
        t.owner = c->member->id;
        store_add_tournament(c->server->store, &t, list);
        api_json(c, 201, row_json(&t));
    }
}

// --- doing --------------------------------------------------------------------------------------

static bool may_direct(const api_call *c, const tournament *t) {
    return c->member->id == t->row.owner || c->member->role == ROLE_ARBITER;
}

// Answers with the tournament as it is now.
static void answer(api_call *c, int64_t id) {
    tournament *t = tournament_get(c->server, id);
    if (t)
        show(c, t);
    else
        api_refuse(c, 503, "busy", "out of memory");
    tournament_release(t);
}

// The player meant: the caller, or the `player` of the body if the caller may act for it.
static member *who(api_call *c, const tournament *t) {
    request r;
    member *m = NULL;
    fault why;
    if (c->request->body.len && request_read_json(&r, c->request->body, &why) &&
        request_has(&r, "player"))
        m = member_get_named(c->server, request_text(&r, "player"));
    else
        m = member_get(c->server, c->member->id);
    bool own = m && (m == c->member || m->owner == c->member->id);
    if (own || (m && m->kind != PLAYER_RECORDED && may_direct(c, t) &&
                (m->kind == PLAYER_HOUSE || c->member->role == ROLE_ARBITER)))
        return m;
    api_refuse(c, 403, "player", "you cannot speak for that player");
    member_release(m);
    return NULL;
}

static void take_part(api_call *c, bool (*act)(tournament *, const member *, fault *)) {
    tournament *t = find(c);
    member *m = t ? who(c, t) : NULL;
    fault why;
    int64_t id = t ? t->row.id : 0;
    if (!m) {
        tournament_release(t);
        return;
    }
    bool kept = t->row.started == 0; // else it may be over, and gone, after this
    bool good = act(t, m, &why);
    member_release(m);
    if (kept || !good)
        tournament_release(t);
    if (good)
        answer(c, id);
    else
        api_refuse(c, 409, "tournament", "%s", why.line);
    turns_want(&c->server->turns);
}

static void post_enter(api_call *c) { take_part(c, tournament_enter); }

static void post_withdraw(api_call *c) { take_part(c, tournament_withdraw); }

static bool start(tournament *t, fault *why) { return tournament_start(t, why); }
static bool pause_it(tournament *t, fault *why) { return tournament_pause(t, true, why); }
static bool continue_it(tournament *t, fault *why) { return tournament_pause(t, false, why); }
static bool call_off(tournament *t, fault *why) { return tournament_call_off(t, why); }

static void direct(api_call *c, bool (*act)(tournament *, fault *)) {
    tournament *t = find(c);
    fault why;
    if (!t)
        return;
    int64_t id = t->row.id;
    if (!may_direct(c, t)) {
        api_refuse(c, 403, "role", "it is not your tournament");
        tournament_release(t);
    } else if (!act(t, &why)) {
        api_refuse(c, 409, "tournament", "%s", why.line);
        tournament_release(t);
    } else {
        if (act == call_off)
            tournament_release(t);
        answer(c, id);
    }
    turns_want(&c->server->turns);
}

static void post_start(api_call *c) { direct(c, start); }
static void post_pause(api_call *c) { direct(c, pause_it); }
static void post_continue(api_call *c) { direct(c, continue_it); }
static void post_call_off(api_call *c) { direct(c, call_off); }

const api_route tournament_routes[] = {
    {"GET", "/api/v1/tournaments", get_all, false},
    {"POST", "/api/v1/tournaments", post_new, true},
    {"GET", "/api/v1/tournaments/*", get_one, false},
    {"POST", "/api/v1/tournaments/*/enter", post_enter, true},
    {"POST", "/api/v1/tournaments/*/withdraw", post_withdraw, true},
    {"POST", "/api/v1/tournaments/*/start", post_start, true},
    {"POST", "/api/v1/tournaments/*/pause", post_pause, true},
    {"POST", "/api/v1/tournaments/*/continue", post_continue, true},
    {"POST", "/api/v1/tournaments/*/call-off", post_call_off, true},
    {.pattern = NULL},
};

// --- verbs --------------------------------------------------------------------------------------

static void take_part_by(session *s, const request *r,
                         bool (*act)(tournament *, const member *, fault *), const char *done) {
    int64_t id;
    fault why;
    if (!request_number(r, "tournament", 1, INT64_MAX, 0, &id, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    tournament *t = id ? tournament_get(s->server, id) : NULL;
    if (!t) {
        session_refuse(s, "tournament", "there is no such tournament");
        return;
    }
    bool kept = t->row.started == 0;
    bool good = act(t, s->member, &why);
    if (kept || !good)
        tournament_release(t);
    if (!good) {
        session_refuse(s, "tournament", "%s", why.line);
        return;
    }
    message m = {.verb = done};
    message_number(&m, "tournament", id);
    session_send(s, &m);
    message_free(&m);
}

static void on_enter(session *s, const request *r) {
    take_part_by(s, r, tournament_enter, "entered");
}

static void on_withdraw(session *s, const request *r) {
    take_part_by(s, r, tournament_withdraw, "withdrawn");
}

// Subscribes the session to a tournament: pairings, standings, state.
static void on_follow(session *s, const request *r) {
    int64_t id;
    bool on;
    fault why;
    int at = -1;
    if (!request_number(r, "tournament", 1, INT64_MAX, 0, &id, &why) ||
        !request_flag(r, "on", true, &on, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    for (int i = SESSION_FOLLOWS - 1; i >= 0; i--)
        if (s->follows[i] == id || (s->follows[i] == 0 && (at < 0 || s->follows[at] != id)))
            at = i;
    stored_tournament t;
    if (!on) {
        for (int i = 0; i < SESSION_FOLLOWS; i++)
            s->follows[i] = s->follows[i] == id ? 0 : s->follows[i];
        return;
    }
    if (at < 0)
        session_refuse(s, "limit", "%d tournaments at a time", SESSION_FOLLOWS);
    else if (!id || !store_find_tournament(s->server->store, id, &t))
        session_refuse(s, "tournament", "there is no such tournament");
    else
        s->follows[at] = id;
}

const verb tournament_verbs[] = {
    {"follow", on_follow, .only_reads = true},
    {"enter", on_enter, .needs_login = true},
    {"withdraw", on_withdraw, .needs_login = true},
    {.name = NULL},
};
