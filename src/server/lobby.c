#include "server/lobby.h"

#include "server/account.h"
#include "server/feature.h"
#include "server/ratelimit.h"
#include "store/games.h"

#include <sodium.h>
#include <stdlib.h>

struct lobby {
    server *server;
    linked_list offers; // in the order they were made
    linked_list seeks;  // those that are listed
    uint32_t count, seek_count;
    table by_id;
    table groups; // of seeks, by terms and side: see key_of
    int64_t next_id;
};

struct seek_group {
    int64_t key;
    linked_list seeks; // the oldest first
};

lobby *lobby_new(server *srv) {
    lobby *l = calloc(1, sizeof *l);
    if (l)
        *l = (lobby){.server = srv, .next_id = 1};
    return l;
}

static lobby_offer *first_offer(const lobby *l) {
    return LIST_ITEM(l->offers.first, lobby_offer, link);
}

lobby_offer *lobby_find(const lobby *l, int64_t id) {
    return id > 0 ? table_find(&l->by_id, id) : NULL;
}

lobby_offer *lobby_first_seek(const lobby *l, int64_t after) {
    lobby_offer *o = LIST_ITEM(l->seeks.first, lobby_offer, link_public);
    while (o && o->id <= after)
        o = lobby_next_seek(o);
    return o;
}

lobby_offer *lobby_next_seek(const lobby_offer *o) {
    return LIST_ITEM(o->link_public.next, lobby_offer, link_public);
}

uint32_t lobby_seek_count(const lobby *l) { return l->seek_count; }

// --- seeks by their terms -----------------------------------------------------------------------

static uint64_t mix(uint64_t hash, int64_t value) {
    hash = (hash ^ (uint64_t)value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

// The same for the same terms and side; above 0.
static int64_t key_of(const game_terms *t, int side) {
    const rules_set *r = &t->set;
    const referee_control *c = &t->control;
    const int64_t values[] = {side,
                              rules_index(t->rules),
                              t->rated,
                              r->repetition,
                              r->no_capture,
                              r->repetition_end,
                              r->no_capture_end,
                              r->no_move_end,
                              r->flag_end,
                              c->has_clock,
                              c->moves,
                              c->base_us,
                              c->increment_us,
                              c->move_time_us,
                              c->depth,
                              c->nodes,
                              c->margin_us};
    uint64_t hash = 1;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        hash = mix(hash, values[i]);
    for (const char *at = t->fen; *at; at++)
        hash = mix(hash, *at);
    return (int64_t)(hash >> 1 | 1);
}

// Lists a seek. False without memory.
static bool list_seek(lobby *l, lobby_offer *o) {
    int64_t key = key_of(&o->terms, o->side);
    seek_group *g = table_find(&l->groups, key);
    if (!g && ((g = calloc(1, sizeof *g)) == NULL || !table_add(&l->groups, key, g))) {
        free(g);
        return false;
    }
    g->key = key;
    o->group = g;
    list_append(&g->seeks, &o->link_of_group);
    list_append(&l->seeks, &o->link_public);
    l->seek_count++;
    return true;
}

static void unlist_seek(lobby *l, lobby_offer *o) {
    seek_group *g = o->group;
    list_remove(&g->seeks, &o->link_of_group);
    list_remove(&l->seeks, &o->link_public);
    l->seek_count--;
    if (!list_is_empty(&g->seeks))
        return;
    table_remove(&l->groups, g->key);
    free(g);
}

static void remove_offer(lobby *l, lobby_offer *o) {
    list_remove(&l->offers, &o->link);
    list_remove(&o->from->offers, &o->link_of_maker);
    if (o->to)
        list_remove(&o->to->challenges, &o->link_of_other);
    if (o->group)
        unlist_seek(l, o);
    table_remove(&l->by_id, o->id);
    l->count--;
    o->from->offer_count--;
    member_release(o->from);
    member_release(o->to);
    free(o);
}

void lobby_free(lobby *l) {
    for (lobby_offer *o; l && (o = first_offer(l));)
        remove_offer(l, o);
    if (l) {
        table_free(&l->by_id);
        table_free(&l->groups);
    }
    free(l);
}

// --- telling ------------------------------------------------------------------------------------

static const char *side_word(int side) { return side < 0 ? "any" : side ? "second" : "first"; }

static void build_offer(const lobby_offer *o, message *m) {
    message_number(m, "id", o->id);
    message_string(m, "from", o->from->name);
    game_write_terms(&o->terms, m);
    message_string(m, "side", side_word(o->side));
}

static void send_to_lobby(lobby *l, message *m) {
    for (list_link *at = l->server->lobby_sessions.first; at; at = at->next)
        session_send_last(LIST_ITEM(at, session, link_of_lobby), m);
}

static void tell_seek(lobby *l, const lobby_offer *o) {
    message m = {.verb = "seek"};
    build_offer(o, &m);
    send_to_lobby(l, &m);
    message_free(&m);
}

static void on_session_login(session *s) {
    for (list_link *at = s->member->challenges.first; at; at = at->next) {
        message m = {.verb = "challenge"};
        build_offer(LIST_ITEM(at, lobby_offer, link_of_other), &m);
        session_send(s, &m);
        message_free(&m);
    }
    for (list_link *at = s->member->offers.first; at; at = at->next) {
        message m = {.verb = "seeking"};
        message_number(&m, "id", LIST_ITEM(at, lobby_offer, link_of_maker)->id);
        session_send(s, &m);
        message_free(&m);
    }
}

// Tells the maker the number of its offer.
static void tell_seeking(const lobby_offer *o) {
    message m = {.verb = "seeking"};
    message_number(&m, "id", o->id);
    member_send(o->from, &m);
    message_free(&m);
}

static void tell_challenge(const lobby_offer *o) {
    message m = {.verb = "challenge"};
    build_offer(o, &m);
    member_send(o->to, &m);
    message_free(&m);
}

// Whether it is stored: challenges and private seeks survive a restart.
static bool is_kept(const lobby_offer *o) { return o->to || o->is_private; }

// Removes it and tells everybody who was told of it; `words` may be NULL.
static void end_offer(lobby *l, lobby_offer *o, const char *reason, const char *words) {
    message m = {.verb = "gone"};
    message_number(&m, "id", o->id);
    message_string(&m, "reason", reason);
    if (words)
        message_string(&m, "words", words);
    member_send(o->from, &m);
    if (o->to)
        member_send(o->to, &m);
    else if (!o->is_private)
        send_to_lobby(l, &m);
    message_free(&m);
    if (is_kept(o))
        store_remove_offer(l->server->store, o->id);
    turns_want(&l->server->turns);
    remove_offer(l, o);
}

// Withdraws all offers of a member, or only those that are not stored.
static void withdraw_all(lobby *l, member *m, bool kept_too) {
    member_hold(m);
    for (list_link *at = m->offers.first, *next; at; at = next) {
        lobby_offer *o = LIST_ITEM(at, lobby_offer, link_of_maker);
        next = at->next;
        if (kept_too || !is_kept(o))
            end_offer(l, o, "withdrawn", NULL);
    }
    member_release(m);
}

static void on_player_left(member *m) {
    if (m->server->lobby)
        withdraw_all(m->server->lobby, m, m->is_banned);
}

static void on_player_renamed(member *m) {
    lobby *l = m->server->lobby;
    for (list_link *at = m->offers.first; at; at = at->next) {
        const lobby_offer *o = LIST_ITEM(at, lobby_offer, link_of_maker);
        if (o->to)
            tell_challenge(o);
        else if (!o->is_private)
            tell_seek(l, o);
    }
}

// Ends offers whose maker has been away for long.
static void tick(server *srv) {
    lobby *l = srv->lobby;
    int64_t now = clock_us();
    for (lobby_offer *o = first_offer(l), *next; o; o = next) {
        next = LIST_ITEM(o->link.next, lobby_offer, link);
        if (member_is_here(o->from))
            o->left = 0;
        else if (o->left == 0)
            o->left = now;
        else if (now - o->left > LOBBY_GRACE_S * 1000000LL)
            end_offer(l, o, "withdrawn", NULL);
    }
}

// --- making and taking up -----------------------------------------------------------------------

// The number of a private offer is a secret: 52 random bits, exact in JSON.
static int64_t new_id(lobby *l, bool is_private) {
    uint64_t random;
    if (!is_private)
        return l->next_id++;
    randombytes_buf(&random, sizeof random);
    return (int64_t)(random >> 12 | 1ull << 52);
}

// Puts an offer of these fields at the end. NULL where there are too many, or no memory.
static lobby_offer *put_offer(lobby *l, const lobby_offer *fields) {
    bool has_room = l->count < LOBBY_MOST && fields->from->offer_count < LOBBY_MOST_OF_ONE;
    lobby_offer *o = has_room ? calloc(1, sizeof *o) : NULL;
    if (!o)
        return NULL;
    *o = *fields;
    bool is_listed = !o->to && !o->is_private;
    if (table_find(&l->by_id, o->id) || !table_add(&l->by_id, o->id, o)) {
        free(o);
        return NULL;
    }
    if (is_listed && !list_seek(l, o)) {
        table_remove(&l->by_id, o->id);
        free(o);
        return NULL;
    }
    list_append(&l->offers, &o->link);
    list_append(&o->from->offers, &o->link_of_maker);
    if (o->to)
        list_append(&o->to->challenges, &o->link_of_other);
    l->count++;
    o->from->offer_count++;
    member_hold(o->from);
    if (o->to)
        member_hold(o->to);
    return o;
}

static lobby_offer *add_offer(lobby *l, member *from, member *to, int side, bool is_private,
                              const game_terms *t) {
    lobby_offer fields = {.id = new_id(l, is_private),
                          .is_private = is_private,
                          .from = from,
                          .to = to,
                          .side = side,
                          .terms = *t,
                          .made = server_wall()};
    l->server->count.seeks++;
    return put_offer(l, &fields);
}

// Stores an offer that survives a restart.
static void keep(lobby *l, const lobby_offer *o) {
    stored_offer kept = {.id = o->id,
                         .player = o->from->id,
                         .opponent = o->to ? o->to->id : 0,
                         .side = o->side,
                         .rated = o->terms.rated,
                         .made = o->made};
    if (!is_kept(o))
        return;
    writer w = writer_on(kept.game, sizeof kept.game);
    write_string(&w, rules_name(o->terms.rules));
    w = writer_on(kept.rules, sizeof kept.rules);
    rules_set_format(o->terms.rules, &o->terms.set, &w);
    w = writer_on(kept.control, sizeof kept.control);
    referee_control_format(&o->terms.control, &w);
    w = writer_on(kept.fen, sizeof kept.fen);
    write_string(&w, o->terms.fen);
    store_add_offer(l->server->store, &kept);
}

static void take_offer(void *context, const stored_offer *kept) {
    lobby *l = context;
    fault why;
    lobby_offer o = {.id = kept->id,
                     .is_private = kept->opponent == 0,
                     .side = kept->side,
                     .made = kept->made,
                     .terms = {.rules = rules_find(text_of(kept->game)), .rated = kept->rated}};
    writer w = writer_on(o.terms.fen, sizeof o.terms.fen);
    write_string(&w, kept->fen);
    o.from = member_get(l->server, kept->player);
    o.to = kept->opponent ? member_get(l->server, kept->opponent) : NULL;
    bool good = o.from && (o.to || !kept->opponent) && o.terms.rules &&
                rules_set_parse(o.terms.rules, text_of(kept->rules), &o.terms.set, &why) &&
                referee_control_parse(text_of(kept->control), &o.terms.control, &why);
    if (good && put_offer(l, &o) && !o.is_private && o.id >= l->next_id)
        l->next_id = o.id + 1;
    member_release(o.from);
    member_release(o.to);
}

static void on_recovered(server *srv) { store_each_offer(srv->store, take_offer, srv->lobby); }

// Begins the game of an offer that `by` takes up, wanting a side of its own or none (-1).
static bool take_up(lobby *l, lobby_offer *o, member *by, int wanted, fault *why) {
    int side = o->side >= 0 ? o->side : wanted >= 0 ? wanted ^ 1 : (int)(o->id & 1);
    member *players[2];
    players[side] = o->from;
    players[side ^ 1] = by;
    game_terms terms = o->terms;
    member_hold(o->from);
    end_offer(l, o, "paired", NULL);
    bool begun = game_begin(l->server, &terms, players[0], players[1], 0, 0, why) != NULL;
    member_release(players[side]);
    return begun;
}

// Whether two players may play such a game. The maker of an old offer may have been banned since.
static bool may_meet(const member *a, const member *b, const game_terms *t, fault *why) {
    if (account_is_shut_out(a) || account_is_shut_out(b))
        return fault_set(why, "that player is shut out");
    return !t->rated || member_may_play_rated(a, b, why);
}

// The oldest open seek by another player with the same terms, whose maker wants that side.
static lobby_offer *find_seek(const lobby *l, const member *m, int side, const game_terms *t) {
    const seek_group *g = table_find(&l->groups, key_of(t, side));
    fault why;
    for (list_link *at = g ? g->seeks.first : NULL; at; at = at->next) {
        lobby_offer *o = LIST_ITEM(at, lobby_offer, link_of_group);
        if (o->from != m && o->side == side && game_same_terms(&o->terms, t) &&
            may_meet(o->from, m, t, &why))
            return o;
    }
    return NULL;
}

// The oldest seek that fits these terms and the side wanted.
static lobby_offer *find_partner(const lobby *l, const member *m, int side, const game_terms *t) {
    lobby_offer *found = NULL;
    for (int other = -1; other < 2; other++) {
        lobby_offer *o = side < 0 || other != side ? find_seek(l, m, other, t) : NULL;
        if (o && (!found || o->id < found->id))
            found = o;
    }
    return found;
}

bool lobby_challenge(lobby *l, member *from, member *to, int side, const game_terms *t) {
    lobby_offer *o = add_offer(l, from, to, side, false, t);
    if (!o)
        return false;
    tell_seeking(o);
    if (store_is_muted(l->server->store, to->id, from->id)) {
        end_offer(l, o, "declined", NULL);
        return true;
    }
    keep(l, o);
    tell_challenge(o);
    features_challenge(l->server, o);
    return true;
}

// --- verbs --------------------------------------------------------------------------------------

static bool read_side(const request *r, int *side, fault *why) {
    text t = request_text(r, "side");
    *side = text_is(t, "first") ? 0 : text_is(t, "second") ? 1 : -1;
    return *side >= 0 || t.len == 0 || text_is(t, "any") ||
           fault_set(why, "side: first, second or any, not %s", fault_quote(t).shown);
}

static bool read_offer(session *s, const request *r, game_terms *t, int *side) {
    fault why;
    if (game_read_terms(r, t, &why) && read_side(r, side, &why)) {
        if (!t->rated || s->member->kind != PLAYER_GUEST)
            return true;
        fault_set(&why, "guests play unrated games");
    }
    session_refuse(s, "field", "%s", why.line);
    return false;
}

// Everybody in the lobby is told of a seek, so one address makes no more than people do.
static bool may_offer(session *s) {
    if (ratelimit_take(s->server->ratelimit, s->connection->address, LIMIT_OFFER, clock_us()))
        return true;
    session_refuse(s, "limit", "too many offers from your address; wait a little");
    return false;
}

static void on_seek(session *s, const request *r) {
    lobby *l = s->server->lobby;
    game_terms terms;
    int side;
    fault why;
    bool is_private;
    if (!read_offer(s, r, &terms, &side) || !may_offer(s))
        return;
    if (!request_flag(r, "private", false, &is_private, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    lobby_offer *partner = is_private ? NULL : find_partner(l, s->member, side, &terms);
    if (partner) {
        if (!take_up(l, partner, s->member, side, &why))
            session_refuse(s, "limit", "%s", why.line);
        return;
    }
    lobby_offer *o = add_offer(l, s->member, NULL, side, is_private, &terms);
    if (!o) {
        session_refuse(s, "limit", "too many offers");
        return;
    }
    keep(l, o);
    tell_seeking(o);
    if (!is_private)
        tell_seek(l, o);
}

static void on_challenge(session *s, const request *r) {
    game_terms terms;
    int side;
    fault why;
    if (!read_offer(s, r, &terms, &side) || !may_offer(s))
        return;
    member *to = member_get_named(s->server, request_text(r, "to"));
    if (!to || to == s->member || !member_is_here(to))
        session_refuse(s, "player",
                       to == s->member ? "that is yourself" : "nobody of that name is here");
    else if (!may_meet(s->member, to, &terms, &why))
        session_refuse(s, "field", "%s", why.line);
    else if (!lobby_challenge(s->server->lobby, s->member, to, side, &terms))
        session_refuse(s, "limit", "too many offers");
    member_release(to);
}

static lobby_offer *offer_of(session *s, const request *r) {
    int64_t id;
    fault why;
    if (!request_number(r, "id", 1, INT64_MAX, 0, &id, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return NULL;
    }
    lobby_offer *o = lobby_find(s->server->lobby, id);
    if (o)
        return o;
    session_refuse(s, "offer", "no such offer is open");
    return NULL;
}

bool lobby_accept(lobby *l, lobby_offer *o, member *by, fault *why) {
    if (o->from == by || (o->to && o->to != by))
        return fault_set(why, "that offer is not for you");
    return may_meet(o->from, by, &o->terms, why) && take_up(l, o, by, -1, why);
}

void lobby_decline(lobby *l, lobby_offer *o, const char *why) { end_offer(l, o, "declined", why); }

static void on_accept(session *s, const request *r) {
    lobby_offer *o = offer_of(s, r);
    fault why;
    if (o && !lobby_accept(s->server->lobby, o, s->member, &why))
        session_refuse(s, "offer", "%s", why.line);
}

static void on_decline(session *s, const request *r) {
    lobby_offer *o = offer_of(s, r);
    if (!o)
        return;
    if (o->from == s->member)
        end_offer(s->server->lobby, o, "withdrawn", NULL);
    else if (o->to == s->member)
        end_offer(s->server->lobby, o, "declined", NULL);
    else
        session_refuse(s, "offer", "that offer is not for you");
}

static void on_unseek(session *s, const request *r) {
    if (request_has(r, "id"))
        on_decline(s, r);
    else
        withdraw_all(s->server->lobby, s->member, true);
}

// A page of the seeks that are listed; `lobby` says where the next one begins.
static void on_lobby(session *s, const request *r) {
    const lobby *l = s->server->lobby;
    int64_t after, limit;
    bool on;
    fault why;
    if (!request_flag(r, "on", true, &on, &why) ||
        !request_number(r, "after", 0, INT64_MAX, 0, &after, &why) ||
        !request_number(r, "limit", 1, LOBBY_PAGE, LOBBY_PAGE, &limit, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    session_set_lobby(s, on);
    const lobby_offer *o = on ? lobby_first_seek(l, after) : NULL;
    for (; o && limit > 0; limit--, after = o->id, o = lobby_next_seek(o)) {
        message m = {.verb = "seek"};
        build_offer(o, &m);
        session_send(s, &m);
        message_free(&m);
    }
    if (!o)
        return;
    message m = {.verb = "lobby"};
    message_number(&m, "seeks", l->seek_count);
    message_number(&m, "after", after);
    session_send(s, &m);
    message_free(&m);
}

static const verb verbs[] = {
    {"seek", on_seek, .needs_login = true},
    {"unseek", on_unseek, .needs_login = true},
    {"challenge", on_challenge, .needs_login = true},
    {"accept", on_accept, .needs_login = true},
    {"decline", on_decline, .needs_login = true},
    {"lobby", on_lobby, .only_reads = true},
    {.name = NULL},
};

const feature lobby_feature = {.name = "lobby",
                               .verbs = verbs,
                               .on_recovered = on_recovered,
                               .tick = tick,
                               .on_login = on_session_login,
                               .on_player_left = on_player_left,
                               .on_player_renamed = on_player_renamed};
