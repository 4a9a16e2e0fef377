// What players have to do with each other besides playing: words between the two of a game, off
// until both want them; mutes; reports to arbiters; and what the server knows of oneself.
#include "base/encoding.h"
#include "features/features.h"
#include "server/api.h"
#include "server/background.h"
#include "server/game.h"
#include "store/archive.h"

#include <stdlib.h>

enum {
    WORDS_MAX = 200,    // bytes said at once
    CHAT_BURST = 5,     // so often at once,
    CHAT_RATE = 1,      // and a second
    MOST_MUTES = 1000,  // of one player
    REPORT_MAX = 500,   // bytes
    REPORTS_A_DAY = 10, // of one player
    DATA_GAMES = 20000  // the latest, in one's own data: some 4 MB; an answer has at most 8
};

// --- words --------------------------------------------------------------------------------------

static bool is_sayable(text words, fault *why) {
    if (words.len == 0 || words.len > WORDS_MAX || !utf8_is_valid(words))
        return fault_set(why, "words: 1 to %d bytes", WORDS_MAX);
    for (size_t i = 0; i < words.len; i++)
        if ((unsigned char)words.at[i] < ' ')
            return fault_set(why, "words: one line");
    return true;
}

static void tell_chat(game *g, int side) {
    message m = {.verb = "chat"};
    message_number(&m, "game", g->row.id);
    message_string(&m, "by", game_side_names[side]);
    message_flag(&m, "on", g->seats[side].has_chat);
    for (int i = 0; i < 2; i++)
        member_send(g->seats[i].member, &m);
    message_free(&m);
}

static void say(session *s, game *g, int side, text words) {
    const seat *other = &g->seats[side ^ 1];
    fault why;
    if (!g->seats[side].has_chat || !other->has_chat ||
        store_is_muted(s->server->store, other->member->id, s->member->id)) {
        session_refuse(s, "chat", "%s does not want to talk", other->member->name);
    } else if (!is_sayable(words, &why)) {
        session_refuse(s, "field", "%s", why.line);
    } else if (!bucket_take(&s->chats, CHAT_BURST, CHAT_RATE, clock_us())) {
        session_refuse(s, "limit", "not so fast");
    } else {
        message m = {.verb = "said"};
        message_number(&m, "game", g->row.id);
        message_string(&m, "by", game_side_names[side]);
        message_text(&m, "words", words);
        for (int i = 0; i < 2; i++)
            member_send(g->seats[i].member, &m);
        message_free(&m);
    }
}

// chat game on: whether one wants to; chat game words: says something.
static void on_chat(session *s, const request *r) {
    int side;
    bool on;
    fault why;
    if (!request_flag(r, "on", true, &on, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    game *g = game_of_player(s, r, &side);
    if (!g)
        return;
    if (request_has(r, "words")) {
        say(s, g, side, request_text(r, "words"));
        return;
    }
    if (g->seats[side].has_chat == on)
        return;
    g->seats[side].has_chat = on;
    tell_chat(g, side);
}

// --- mutes --------------------------------------------------------------------------------------

static void on_mute(session *s, const request *r) {
    bool on;
    fault why;
    stored_player other;
    store *kept = s->server->store;
    if (!request_flag(r, "on", true, &on, &why)) {
        session_refuse(s, "field", "%s", why.line);
    } else if (!store_find_player_named(kept, request_text(r, "player"), &other) ||
               other.id == s->member->id) {
        session_refuse(s, "player", "nobody has that name");
    } else if (on && store_count_mutes(kept, s->member->id) >= MOST_MUTES) {
        session_refuse(s, "limit", "%d players are muted already", MOST_MUTES);
    } else {
        store_set_mute(kept, s->member->id, other.id, on);
        message m = {.verb = "muted"};
        message_string(&m, "player", other.name);
        message_flag(&m, "on", on);
        session_send(s, &m);
        message_free(&m);
    }
}

static void add_name(void *context, text name) {
    json_array_append_new(context, json_stringn(name.at, name.len));
}

static void get_mutes(api_call *c) {
    json_t *list = json_array();
    store_each_mute(c->server->store, c->member->id, add_name, list);
    api_json(c, 200, json_pack("{so}", "muted", list));
}

// --- reports ------------------------------------------------------------------------------------

static void post_report(api_call *c) {
    request r;
    fault why;
    int64_t game_id;
    stored_player other;
    store *kept = c->server->store;
    if (!api_body(c, &r))
        return;
    text words = request_text(&r, "words");
    bool good = request_number(&r, "game", 1, INT64_MAX, 0, &game_id, &why);
    if (!good) {
        api_refuse(c, 400, "field", "%s", why.line);
    } else if (words.len < 3 || words.len > REPORT_MAX) {
        api_refuse(c, 400, "field", "words: say what happened, in 3 to %d bytes", REPORT_MAX);
    } else if (!store_find_player_named(kept, request_text(&r, "player"), &other)) {
        api_refuse(c, 404, "player", "nobody has that name");
    } else if (store_count_reports(kept, c->member->id, server_wall() - 86400 * 1000000LL) >=
               REPORTS_A_DAY) {
        api_refuse(c, 429, "limit", "%d reports a day", REPORTS_A_DAY);
    } else {
        store_add_report(kept, server_wall(), c->member->id, other.id, game_id, words);
        turns_want(&c->server->turns);
        api_json(c, 201, json_pack("{ss}", "status", "reported"));
    }
}

static void add_report(void *context, const stored_report *r) {
    char at[32];
    writer w = writer_on(at, sizeof at);
    server_write_moment(&w, r->at);
    json_t *j = json_pack("{sI,ss,ss,ss,ss}", "id", (json_int_t)r->id, "at", at, "by", r->reporter,
                          "player", r->player, "words", r->words);
    if (j && r->game)
        json_object_set_new(j, "game", json_integer(r->game));
    json_array_append_new(context, j);
}

static void get_reports(api_call *c) {
    if (c->member->role != ROLE_ARBITER) {
        api_refuse(c, 403, "role", "for arbiters only");
        return;
    }
    json_t *list = json_array();
    store_each_report(c->server->store, 0, api_query_number(c, "before", 1, INT64_MAX, INT64_MAX),
                      (int)api_query_number(c, "limit", 1, 500, 100), add_report, list);
    api_json(c, 200, json_pack("{so}", "reports", list));
}

// --- one's own data -----------------------------------------------------------------------------

typedef struct {
    background_job job;
    api_call *call;
    int64_t player;
    char *data; // as JSON
} own_data;

static void add_game(void *context, const stored_game *g) {
    char started[32];
    writer w = writer_on(started, sizeof started);
    server_write_moment(&w, g->started);
    json_array_append_new(context, json_pack("{sI,ss,ss,sb,ss,ss,ss,si}", "id", (json_int_t)g->id,
                                             "game", g->game, "tc", g->control, "rated", g->rated,
                                             "started", started, "outcome",
                                             rules_outcome_name((rules_outcome)g->outcome),
                                             "reason", g->reason, "plies", g->plies));
}

static void add_rating(void *context, const stored_rating *r, text name) {
    (void)name;
    json_array_append_new(context, json_pack("{ss,sf,sf,si}", "game", r->game, "rating", r->rating,
                                             "deviation", r->deviation, "games", r->games));
}

static void add_program(void *context, const stored_player *p, int tokens) {
    json_array_append_new(context, json_pack("{ss,si}", "program", p->name, "tokens", tokens));
}

static void add_token(void *context, const stored_token *t) {
    char since[32];
    writer w = writer_on(since, sizeof since);
    server_write_moment(&w, t->created);
    json_array_append_new(context, json_pack("{ss,ss}", "browser", t->label, "since", since));
}

static void collect(background_job *job) {
    own_data *d = (own_data *)job;
    fault why;
    stored_player p;
    store *s = store_open_second(server_store_place(job->server), &why);
    if (!s)
        return;
    if (store_find_player(s, d->player, &p)) {
        char since[32];
        writer w = writer_on(since, sizeof since);
        server_write_moment(&w, p.created);
        json_t *games = json_array(), *ratings = json_array(), *programs = json_array();
        json_t *browsers = json_array(), *mutes = json_array(), *reports = json_array();
        archive_query q = {.player = p.id, .outcome = -1, .limit = DATA_GAMES};
        store_each_game(s, &q, add_game, games);
        store_each_rating_of(s, p.id, add_rating, ratings);
        store_each_program(s, p.id, add_program, programs);
        store_each_token(s, p.id, TOKEN_BROWSER, server_wall(), add_token, browsers);
        store_each_mute(s, p.id, add_name, mutes);
        store_each_report(s, p.id, INT64_MAX, 100000, add_report, reports);
        json_t *all =
            json_pack("{sI,ss,ss,so,so,so,so,so,so}", "id", (json_int_t)p.id, "name", p.name,
                      "since", since, "ratings", ratings, "programs", programs, "sessions",
                      browsers, "muted", mutes, "reports", reports, "games", games);
        size_t count = json_array_size(games);
        if (all && count == DATA_GAMES)
            json_object_set(all, "before", json_object_get(json_array_get(games, count - 1), "id"));
        d->data = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(10));
        json_decref(all);
    }
    store_close(s);
}

static void answer_data(background_job *job) {
    own_data *d = (own_data *)job;
    if (d->data)
        api_send(d->call, 200, "application/json",
                 "Cache-Control: no-store\r\nContent-Disposition: attachment; "
                 "filename=\"kraton.json\"\r\n",
                 text_of(d->data));
    else
        api_refuse(d->call, 503, "busy", "try again");
    free(d->data);
    free(d);
}

static void get_data(api_call *c) {
    own_data *d = calloc(1, sizeof *d);
    if (!d) {
        api_refuse(c, 503, "busy", "out of memory");
        return;
    }
    *d = (own_data){.job = {.queue = BACKGROUND_SCAN,
                            .visitor = address_key(c->http->connection->address),
                            .run = collect,
                            .after = answer_data},
                    .player = c->member->id};
    d->call = api_keep(c);
    if (d->call && background_start(c->server, &d->job))
        return;
    if (d->call)
        api_refuse(d->call, 503, "busy", "too many are waiting; try again in a moment");
    free(d);
}

static const verb verbs[] = {
    {"chat", on_chat, .needs_login = true, .only_reads = true},
    {"mute", on_mute, .needs_login = true},
    {.name = NULL},
};

static const api_route routes[] = {
    {"GET", "/api/v1/mutes", get_mutes, true},
    {"POST", "/api/v1/reports", post_report, true},
    {"GET", "/api/v1/arbiter/reports", get_reports, true},
    {"GET", "/api/v1/me/data", get_data, true},
    {.pattern = NULL},
};

const feature people_feature = {.name = "people", .verbs = verbs, .routes = routes};
