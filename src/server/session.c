#include "server/session.h"

#include "server/account.h"
#include "server/feature.h"
#include "server/ratelimit.h"

#include <stdio.h>
#include <stdlib.h>

// --- sending ------------------------------------------------------------------------------------

void session_send(session *s, message *say) {
    if (s->ended)
        return;
    s->server->count.messages_out++;
    if (s->socket)
        websocket_send(s->socket, message_as_json(say));
    else
        connection_send(s->connection, message_as_line(say));
}

void session_send_last(session *s, message *say) {
    s->connection->sends_last = true;
    session_send(s, say);
    s->connection->sends_last = false;
}

void session_send_ready(session *s, text plain, text jsons) {
    if (s->ended)
        return;
    s->connection->sends_last = true;
    if (!s->socket)
        connection_send(s->connection, plain);
    for (text json; s->socket && (json = text_next_line(&jsons)).len;)
        websocket_send(s->socket, json);
    s->connection->sends_last = false;
    s->server->count.messages_out++;
}

void session_notice(session *s, const char *reason, const char *words) {
    message m = {.verb = "notice"};
    message_string(&m, "reason", reason);
    message_string(&m, "words", words);
    session_send(s, &m);
    message_free(&m);
}

void session_end(session *s, const char *reason) {
    if (s->ended)
        return;
    message m = {.verb = "bye"};
    message_string(&m, "reason", reason);
    session_send(s, &m);
    message_free(&m);
    s->ended = true;
    if (s->socket)
        websocket_close(s->socket, 1000, reason);
    else
        connection_close(s->connection, reason);
}

void session_end_all(member *m, const char *reason) {
    for (list_link *l = m->sessions.first, *next; l; l = next) {
        next = l->next;
        session_end(session_of_member(l), reason);
    }
}

int64_t session_visitor(const session *s) {
    if (!address_is_loopback(s->connection->address))
        return address_key(s->connection->address);
    return s->member ? -s->member->id : -(int64_t)(uintptr_t)s;
}

int64_t member_visitor(const member *m) {
    const list_link *l = m->sessions.first;
    return l ? session_visitor(session_of_member(m->sessions.first)) : -m->id;
}

void session_set_token(member *m, text token) {
    for (list_link *l = m->sessions.first; l; l = l->next)
        account_hash_token(token, session_of_member(l)->token);
}

void session_end_token(member *m, text token, const char *reason) {
    char hash[TOKEN_HASH_SIZE];
    account_hash_token(token, hash);
    session_end_hash(m, hash, reason);
}

void session_end_hash(member *m, const char hash[TOKEN_HASH_SIZE], const char *reason) {
    for (list_link *l = m->sessions.first, *next; l; l = next) {
        session *s = session_of_member(l);
        next = l->next;
        if (memcmp(s->token, hash, TOKEN_HASH_SIZE) == 0)
            session_end(s, reason);
    }
}

void session_refuse(session *s, const char *code, const char *format, ...) {
    char words[256];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    message m = {.verb = "error"};
    message_string(&m, "code", code);
    message_string(&m, "words", words);
    if (s->ref.len)
        message_text(&m, "ref", s->ref);
    session_send(s, &m);
    message_free(&m);
    s->server->count.bad_requests++;
    if (++s->errors >= SESSION_ERRORS)
        session_end(s, "noise");
}

// --- receiving ----------------------------------------------------------------------------------

void session_handle(session *s, const request *r, int64_t now) {
    server *srv = s->server;
    srv->count.lines_in++;
    s->pinged = false;
    s->read = server_time(srv, now);
    s->ref = request_text(r, "ref");
    const verb *v = features_find_verb(srv, r->verb);
    if (!v)
        session_refuse(s, "verb", "no verb %s", fault_quote(r->verb).shown);
    else if (v->needs_login && !s->member)
        session_refuse(s, "login", "log in first");
    else if (srv->is_full && !v->only_reads)
        session_refuse(s, "full", "%s", server_full_words);
    else
        v->run(s, r);
    s->ref = (text){NULL, 0};
}

static bool may_speak(session *s, int64_t now) {
    if (bucket_take(&s->bucket, SESSION_BURST, SESSION_RATE, now) &&
        ratelimit_take(s->server->ratelimit, s->connection->address, LIMIT_MESSAGE, now))
        return true;
    s->server->count.floods++;
    session_end(s, "flood");
    return false;
}

static void take_line(session *s, text line, int64_t now) {
    request r;
    fault why;
    if (!may_speak(s, now) || text_trim(line).len == 0)
        return;
    if (request_read_line(&r, line, &why))
        session_handle(s, &r, now);
    else
        session_refuse(s, "syntax", "%s", why.line);
}

static void on_bytes(connection *from, text bytes, int64_t now) {
    session *s = from->owner;
    text line;
    lines_status status = LINES_NONE;
    while (!s->ended && (status = lines_next(&s->lines, &bytes, &line)) == LINES_ONE) {
        take_line(s, line, now);
        if (connection_is_spent(from)) {
            connection_keep(from, bytes);
            return;
        }
    }
    if (status == LINES_TOO_LONG)
        session_end(s, "line");
}

static void on_message(websocket *socket, text bytes, int64_t now) {
    session *s = socket->owner;
    request r;
    fault why;
    if (s->ended || !may_speak(s, now))
        return;
    if (request_read_json(&r, bytes, &why))
        session_handle(s, &r, now);
    else
        session_refuse(s, "syntax", "%s", why.line);
}

// --- opening and closing ------------------------------------------------------------------------

static void leave_member(session *s) {
    member *m = s->member;
    if (!m)
        return;
    list_remove(&m->sessions, &s->link_of_member);
    s->member = NULL;
    m->session_count--;
    if (!member_is_here(m))
        TELL_FEATURES(m->server, on_player_left, m);
    member_release(m);
}

void session_set_lobby(session *s, bool on) {
    if (on && !s->in_lobby)
        list_append(&s->server->lobby_sessions, &s->link_of_lobby);
    else if (!on && s->in_lobby)
        list_remove(&s->server->lobby_sessions, &s->link_of_lobby);
    s->in_lobby = on;
}

static void let_go(session *s, const char *why) {
    server *srv = s->server;
    server_note_end(srv, s->member ? s->member->name : NULL, s->connection->address, why);
    TELL_FEATURES(srv, on_session_closed, s);
    session_set_lobby(s, false);
    leave_member(s);
    list_remove(&srv->sessions, &s->link);
    srv->session_count--;
    lines_free(&s->lines);
    free(s);
}

static void on_connection_gone(connection *line, const char *why) { let_go(line->owner, why); }

static void on_socket_gone(websocket *socket, const char *why) { let_go(socket->owner, why); }

static const connection_events line_events = {on_bytes, on_connection_gone};
static const websocket_events socket_events = {on_message, on_socket_gone};

static session *new_session(server *srv, connection *line) {
    session *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (session){.server = srv, .connection = line, .idle_since = clock_us()};
    list_prepend(&srv->sessions, &s->link);
    srv->session_count++;
    return s;
}

static void greet(session *s) {
    message m = {.verb = "kraton"};
    message_number(&m, "version", SESSION_VERSION);
    message_string(&m, "server", s->server->options->version);
    session_send(s, &m);
    message_free(&m);
}

// Each session is told what its player is told before anybody else is told anything.
static bool has_room(session *s, const member *m) {
    if (s->member == m || m->session_count < SESSION_MOST)
        return true;
    session_refuse(s, "limit", "%s has %d connections already; end one", m->name, SESSION_MOST);
    session_end(s, "limit");
    return false;
}

session *session_open_lines(server *srv, connection *line) {
    session *s = new_session(srv, line);
    if (!s)
        return NULL;
    line->events = &line_events;
    line->owner = s;
    greet(s);
    return s;
}

session *session_open_socket(server *srv, http *h, const http_request *r, member *m, text token) {
    session *s = new_session(srv, h->connection);
    if (!s)
        return NULL;
    s->socket = websocket_open(h, r, &socket_events, s);
    if (!s->socket) {
        let_go(s, "out of memory");
        return NULL;
    }
    greet(s);
    if (m && has_room(s, m))
        session_log_in(s, m, token, false);
    return s;
}

static void join_member(session *s, member *m) {
    leave_member(s);
    member_hold(m);
    s->member = m;
    list_prepend(&m->sessions, &s->link_of_member);
    m->session_count++;
}

void session_log_in(session *s, member *m, text token, bool is_new) {
    if (s->member != m) // who logs in again has not left
        join_member(s, m);
    account_hash_token(token, s->token);
    s->server->count.logins++;
    message say = {.verb = "welcome"};
    message_string(&say, "name", m->name);
    message_string(&say, "kind", member_kind_name(m));
    message_number(&say, "id", m->id);
    if (m->role == ROLE_ARBITER)
        message_string(&say, "role", "arbiter");
    if (is_new)
        message_text(&say, "token", token);
    session_send(s, &say);
    message_free(&say);
    TELL_FEATURES(s->server, on_login, s);
    TELL_FEATURES(s->server, on_player_arrived, m);
}

static void send_ping(session *s) {
    message m = {.verb = "ping"};
    session_send(s, &m);
    message_free(&m);
}

static bool is_occupied(const session *s) {
    bool follows = false;
    for (int i = 0; i < SESSION_FOLLOWS; i++)
        follows = follows || s->follows[i];
    return s->member || s->watch_count || s->in_lobby || s->analysis || follows;
}

static void sweep_one(session *s, int64_t now) {
    int64_t silent = now - s->connection->heard;
    if (is_occupied(s))
        s->idle_since = now;
    if (now - s->idle_since > SESSION_LOGIN_S * 1000000LL)
        session_end(s, "login");
    else if (silent > 2 * SESSION_SILENCE_S * 1000000LL)
        session_end(s, "silent");
    else if (silent > SESSION_SILENCE_S * 1000000LL && !s->pinged) {
        s->pinged = true;
        if (s->socket)
            websocket_ping(s->socket);
        else
            send_ping(s);
    }
}

void session_sweep(server *srv, int64_t now) {
    for (list_link *l = srv->sessions.first, *next; l; l = next) {
        session *s = session_of(l);
        next = l->next;
        if (!s->ended)
            sweep_one(s, now);
    }
}

// --- verbs --------------------------------------------------------------------------------------

static void on_login(session *s, const request *r) {
    server *srv = s->server;
    bool guest;
    fault why;
    if (srv->is_full && request_has(r, "guest")) {
        session_refuse(s, "full", "%s", server_full_words);
        return;
    }
    if (!request_flag(r, "guest", false, &guest, &why)) {
        session_refuse(s, "field", "%s", why.line);
        return;
    }
    if (guest && !ratelimit_take(srv->ratelimit, s->connection->address, LIMIT_GUEST, clock_us())) {
        session_refuse(s, "limit", "too many guests from your address; wait a little");
        return;
    }
    member *m = guest ? account_new_guest(srv) : account_by_token(srv, request_text(r, "token"));
    if (!m) {
        srv->count.failed_logins++;
        session_refuse(s, "token", "no such token, or it was revoked");
        if (++s->wrong_tokens >= SESSION_TOKENS)
            session_end(s, "token");
        return;
    }
    char token[ACCOUNT_TOKEN_SIZE];
    if (guest)
        account_new_token(srv, m->id, TOKEN_BROWSER, "guest", token);
    if (has_room(s, m))
        session_log_in(s, m, guest ? text_of(token) : request_text(r, "token"), guest);
    member_release(m);
}

static void on_ping(session *s, const request *r) {
    message m = {.verb = "pong"};
    if (request_has(r, "n"))
        message_text(&m, "n", request_text(r, "n"));
    s->connection->sends_now = true;
    session_send(s, &m);
    s->connection->sends_now = false;
    message_free(&m);
}

static void on_pong(session *s, const request *r) {
    (void)s;
    (void)r;
}

static void on_quit(session *s, const request *r) {
    (void)r;
    session_end(s, "quit");
}

static const verb verbs[] = {
    {"login", on_login, .only_reads = true}, // a guest is refused while the disk is full
    {"ping", on_ping, .only_reads = true},   {"pong", on_pong, .only_reads = true},
    {"quit", on_quit, .only_reads = true},   {.name = NULL},
};

const feature session_feature = {.name = "session", .verbs = verbs};
