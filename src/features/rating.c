#include "features/rating.h"
#include "features/features.h"

#include "contest/glicko.h"
#include "server/api.h"

#include <math.h>

enum {
    LEAST_GAMES = 1,
    LIST_MOST = 500,
    HISTORY_MOST = 2000,
    HERE_MOST = 100,
    LEAST_PLIES = 10, // of a game that is rated
    FULL_GAMES = 3    // with one opponent in a day; each more counts less
};

static const double DAY_US = 86400e6; // a period of rest
static const double MOST_DEVIATION = 350;

stored_rating rating_of(server *srv, int64_t player, const char *name_of_game) {
    stored_rating r;
    if (store_find_rating(srv->store, player, name_of_game, &r))
        return r;
    glicko fresh = glicko_new();
    r = (stored_rating){.player = player,
                        .rating = fresh.rating,
                        .deviation = fresh.deviation,
                        .volatility = fresh.volatility};
    writer out = writer_on(r.game, sizeof r.game);
    write_string(&out, name_of_game);
    return r;
}

// The rating with its deviation grown since the last game.
static glicko rested(const stored_rating *r, int64_t now) {
    glicko g = {r->rating, r->deviation, r->volatility};
    return r->updated ? glicko_rested(g, (double)(now - r->updated) / DAY_US) : g;
}

// How much a game counts, 0 to 1. A game that was hardly played says nothing, and points are not
// passed on by losing to the same player all day.
static double weight_of(server *srv, const stored_game *g, bool is_corrected) {
    bool is_decision = strcmp(g->reason, referee_reason_name(REFEREE_BY_ARBITER)) == 0;
    bool is_short = g->plies < LEAST_PLIES;
    // A person has looked at it. A correction has that reason too, but counts as the game did.
    if (is_decision && !g->tournament && (is_short || !is_corrected))
        return 1;
    if (is_short)
        return 0;
    int met = store_count_rated_between(srv->store, g->players[0], g->players[1], g->game,
                                        g->ended - (int64_t)DAY_US, g->id);
    return met < FULL_GAMES ? 1 : 1.0 / (met - FULL_GAMES + 2);
}

// The new rating of a side after a game of that weight, given both ratings before it.
static glicko after_game(const glicko before[2], int side, int outcome, double weight) {
    double first = outcome == RULES_FIRST_WINS ? 1 : outcome == RULES_DRAW ? 0.5 : 0;
    glicko_result result = {before[side ^ 1], side ? 1 - first : first};
    glicko from = before[side];
    if (outcome == RULES_ONGOING)
        return from;
    glicko to = glicko_after(from, &result, 1);
    return (glicko){from.rating + weight * (to.rating - from.rating),
                    from.deviation + weight * (to.deviation - from.deviation),
                    from.volatility + weight * (to.volatility - from.volatility)};
}

static void on_game_over(game *g) {
    if (!g->row.rated || g->row.outcome == RULES_ONGOING)
        return;
    server *srv = g->server;
    double weight = weight_of(srv, &g->row, false);
    if (weight == 0)
        return;
    int64_t now = server_wall();
    stored_rating kept[2];
    glicko before[2];
    for (int side = 0; side < 2; side++) {
        kept[side] = rating_of(srv, g->row.players[side], g->row.game);
        before[side] = rested(&kept[side], now);
    }
    for (int side = 0; side < 2; side++) {
        glicko after = after_game(before, side, g->row.outcome, weight);
        kept[side].rating = after.rating;
        kept[side].deviation = after.deviation;
        kept[side].volatility = after.volatility;
        kept[side].games++;
        kept[side].updated = now;
        store_set_rating(srv->store, &kept[side], g->row.id);
    }
}

// The ratings of both when the game was played; the present ones if it changed nothing then.
static void find_before(server *srv, const stored_game *g, glicko before[2]) {
    for (int side = 0; side < 2; side++) {
        stored_rating_point p;
        stored_rating r = rating_of(srv, g->players[side], g->game);
        if (store_rating_before(srv->store, g->players[side], g->game, g->id, &p)) {
            glicko fresh = glicko_new();
            r.rating = p.at ? p.rating : fresh.rating;
            r.deviation = p.at ? p.deviation : fresh.deviation;
            r.updated = p.at;
        }
        before[side] = rested(&r, g->ended);
    }
}

static void on_corrected(server *srv, const stored_game *now, int outcome_before) {
    if (!now->rated || now->outcome == outcome_before)
        return;
    double weight = weight_of(srv, now, true);
    if (weight == 0)
        return;
    glicko before[2];
    find_before(srv, now, before);
    int games = (now->outcome != RULES_ONGOING) - (outcome_before != RULES_ONGOING);
    for (int side = 0; side < 2; side++) {
        stored_rating r = rating_of(srv, now->players[side], now->game);
        glicko wrong = after_game(before, side, outcome_before, weight);
        glicko right = after_game(before, side, now->outcome, weight);
        r.rating += right.rating - wrong.rating;
        r.deviation = fmin(r.deviation + right.deviation - wrong.deviation, MOST_DEVIATION);
        r.games += games;
        r.updated = server_wall();
        store_set_rating(srv->store, &r, now->id);
    }
}

// --- routes -------------------------------------------------------------------------------------

static json_t *rating_json(const stored_rating *r) {
    return json_pack("{ss,sf,sf,sf,si}", "game", r->game, "rating", r->rating, "deviation",
                     r->deviation, "volatility", r->volatility, "games", r->games);
}

static void add_ranked(void *context, const stored_rating *r, text name) {
    json_t *j = rating_json(r);
    json_object_set_new(j, "player", json_stringn(name.at, name.len));
    json_array_append_new(context, j);
}

static void get_ratings(api_call *c) {
    const rules_game *rules = rules_find(c->parts[0]);
    char kind[16];
    writer w = writer_on(kind, sizeof kind);
    bool programs = http_query_of(c->request, "kind", &w) && strcmp(kind, "program") == 0;
    if (!rules) {
        api_refuse_game(c, 404, "");
        return;
    }
    json_t *list = json_array();
    store_each_rating(c->server->store, rules_name(rules),
                      programs ? PLAYER_PROGRAM : PLAYER_PERSON, LEAST_GAMES,
                      (int)api_query_number(c, "limit", 1, LIST_MOST, 100), add_ranked, list);
    api_json(c, 200,
             json_pack("{ss,ss,so}", "game", rules_name(rules), "kind",
                       programs ? "program" : "person", "ratings", list));
}

static void add_own(void *context, const stored_rating *r, text name) {
    (void)name;
    json_array_append_new(context, rating_json(r));
}

// Who is here: people and programs that have an account, guests only as a number.
static void get_players(api_call *c) {
    json_t *list = json_array();
    int64_t most = api_query_number(c, "limit", 1, HERE_MOST, HERE_MOST);
    int guests = 0, others = 0;
    uint32_t at = 0;
    for (const member *m; (m = table_next(&c->server->members, &at));) {
        if (m->bot_level || !member_is_here(m))
            continue;
        if (m->kind == PLAYER_GUEST)
            guests++;
        else if ((int64_t)json_array_size(list) >= most)
            others++;
        else {
            json_t *ratings = json_array();
            store_each_rating_of(c->server->store, m->id, add_own, ratings);
            json_array_append_new(list, json_pack("{ss,ss,si,so}", "name", m->name, "kind",
                                                  member_kind_name(m), "playing", m->game_count,
                                                  "ratings", ratings));
        }
    }
    api_json(c, 200, json_pack("{so,si,si}", "here", list, "guests", guests, "more", others));
}

static void get_player(api_call *c) {
    static const char *const kinds[] = {"guest", "person", "program", "house", "record"};
    stored_player p;
    if (!store_find_player_named(c->server->store, c->parts[0], &p) || p.is_closed) {
        api_refuse(c, 404, "player", "nobody has that name");
        return;
    }
    json_t *list = json_array();
    store_each_rating_of(c->server->store, p.id, add_own, list);
    const member *m = table_find(&c->server->members, p.id);
    char moment[32];
    writer w = writer_on(moment, sizeof moment);
    server_write_moment(&w, p.created);
    json_t *j = json_pack("{sI,ss,ss,ss,sb,si,so}", "id", (json_int_t)p.id, "name", p.name, "kind",
                          kinds[p.kind], "since", moment, "here", m && member_is_here(m), "playing",
                          m ? m->game_count : 0, "ratings", list);
    stored_player owner;
    if (p.owner && store_find_player(c->server->store, p.owner, &owner))
        json_object_set_new(j, "owner", json_string(owner.name));
    api_json(c, 200, j);
}

static void add_point(void *context, const stored_rating_point *p) {
    char moment[32];
    writer w = writer_on(moment, sizeof moment);
    server_write_moment(&w, p->at);
    json_array_append_new(context,
                          json_pack("{ss,sI,sf,sf}", "at", moment, "game", (json_int_t)p->played,
                                    "rating", p->rating, "deviation", p->deviation));
}

static void get_history(api_call *c) {
    stored_player p;
    const rules_game *rules = rules_find(c->parts[1]);
    if (!rules || !store_find_player_named(c->server->store, c->parts[0], &p)) {
        api_refuse(c, 404, "player", "nobody has that name, or no game has");
        return;
    }
    json_t *list = json_array();
    store_each_rating_point(c->server->store, p.id, rules_name(rules),
                            (int)api_query_number(c, "limit", 1, HISTORY_MOST, HISTORY_MOST),
                            add_point, list);
    api_json(c, 200,
             json_pack("{ss,ss,so}", "player", p.name, "game", rules_name(rules), "history", list));
}

static const api_route routes[] = {
    {"GET", "/api/v1/ratings/*", get_ratings, false},
    {"GET", "/api/v1/players", get_players, false},
    {"GET", "/api/v1/players/*", get_player, false},
    {"GET", "/api/v1/players/*/ratings/*", get_history, false},
    {.pattern = NULL},
};

const feature rating_feature = {
    .name = "rating", .routes = routes, .on_game_over = on_game_over, .on_corrected = on_corrected};
