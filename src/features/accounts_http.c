// Accounts over HTTP: guests, registration, login, passwords, tokens.
#include "features/features.h"
#include "server/account.h"
#include "server/api.h"
#include "server/feature.h"
#include "server/ratelimit.h"
#include "server/session.h"

#include <sodium.h>
#include <stdlib.h>

static json_t *member_json(const member *m) {
    return json_pack("{sI,ss,ss,sb}", "id", (json_int_t)m->id, "name", m->name, "kind",
                     member_kind_name(m), "arbiter", m->role == ROLE_ARBITER);
}

// Answers with the member, whose browser is given a token. has_all: the sessions the member has are
// this browser's too, and go on by that token. `code` is shown this once; NULL: none is.
static void answer_with_cookie(api_call *c, int status, int64_t player, bool has_all,
                               const char *code) {
    char token[ACCOUNT_TOKEN_SIZE], extra[256];
    member *m = member_get(c->server, player);
    if (!m) {
        api_refuse(c, 503, "busy", "try again");
        return;
    }
    account_new_token(c->server, player, TOKEN_BROWSER, c->agent[0] ? c->agent : "browser", token);
    if (has_all)
        session_set_token(m, text_of(token));
    writer w = writer_on(extra, sizeof extra);
    write_format(&w,
                 "Cache-Control: no-store\r\nSet-Cookie: " API_COOKIE
                 "=%s; Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict%s\r\n",
                 token, c->http && connection_is_secure(c->http->connection) ? "; Secure" : "");
    json_t *j = member_json(m);
    if (code)
        json_object_set_new(j, "recovery", json_string(code));
    api_json_with(c, status, j, extra);
    member_release(m);
}

// The same with a new code of recovery.
static void answer_with_code(api_call *c, int64_t player, bool has_all) {
    char code[ACCOUNT_CODE_SIZE];
    account_new_code(c->server, player, code);
    answer_with_cookie(c, 200, player, has_all, code);
}

static void post_guest(api_call *c) {
    if (c->member) {
        api_json(c, 200, member_json(c->member));
        return;
    }
    if (!ratelimit_take(c->server->ratelimit, c->http->connection->address, LIMIT_GUEST,
                        clock_us())) {
        api_refuse(c, 429, "limit", "too many guests from your address; wait a little");
        return;
    }
    member *m = account_new_guest(c->server);
    if (!m) {
        api_refuse(c, 503, "busy", "try again");
        return;
    }
    answer_with_cookie(c, 201, m->id, false, NULL);
    member_release(m);
}

// --- with passwords -----------------------------------------------------------------------------

static int status_of(const char *code) {
    bool conflicts = strcmp(code, "name") == 0 || strcmp(code, "registered") == 0;
    return strcmp(code, "busy") == 0 ? 503 : conflicts ? 409 : 403;
}

static void on_entered(void *context, int64_t player, const char *code, const char *words) {
    api_call *c = context;
    if (code) {
        c->server->count.failed_logins++;
        api_refuse(c, status_of(code), code, "%s", words);
    } else {
        answer_with_cookie(c, 200, player, false, NULL);
    }
}

static void on_registered(void *context, int64_t player, const char *code, const char *words) {
    api_call *c = context;
    if (code)
        api_refuse(c, status_of(code), code, "%s", words);
    else
        answer_with_code(c, player, true);
}

static void on_changed(void *context, int64_t player, const char *code, const char *words) {
    api_call *c = context;
    if (code) {
        api_refuse(c, status_of(code), code, "%s", words);
        return;
    }
    member *m = member_get(c->server, player);
    if (m)
        session_end_all(m, "password"); // whoever else was logged in is out; this page comes back
    member_release(m);
    answer_with_cookie(c, 200, player, false, NULL);
}

// Nobody is left to answer for its programs.
static void close_member(void *context, member *m) {
    (void)context;
    m->is_banned = true;
    writer w = writer_on(m->name, sizeof m->name);
    write_format(&w, "gone-%lld", (long long)m->id);
    session_end_all(m, "closed");
    TELL_FEATURES(m->server, on_player_removed, m);
}

static void on_closed(void *context, int64_t player, const char *code, const char *words) {
    api_call *c = context;
    if (code) {
        api_refuse(c, status_of(code), code, "%s", words);
        return;
    }
    account_each_own(c->server, player, close_member, NULL);
    api_json(c, 200, json_pack("{ss}", "status", "closed"));
}

// The body of a request with a password, kept for the answer, unless too many were tried.
static api_call *begin(api_call *c, request *r, text name) {
    ratelimit *v = c->server->ratelimit;
    if (!api_body(c, r))
        return NULL;
    if (name.len == 0)
        name = request_text(r, "name");
    if (ratelimit_take(v, c->http->connection->address, LIMIT_PASSWORD, clock_us()) &&
        ratelimit_take_guess(v, c->http->connection->address, name, clock_us()))
        return api_keep(c);
    api_refuse(c, 429, "limit", "too many passwords; wait a little");
    return NULL;
}

static text name_of(const api_call *c) { return text_of(c->member->name); }

// A guest who registers becomes the account.
static void post_register(api_call *c) {
    request r;
    if (c->member && c->member->kind != PLAYER_GUEST) {
        api_refuse(c, 409, "registered", "you are %s; log out to register another account",
                   c->member->name);
        return;
    }
    api_call *kept = begin(c, &r, (text){"", 0});
    if (kept)
        account_register(c->server, c->member, request_text(&r, "name"),
                         request_text(&r, "password"), on_registered, kept);
}

static void post_login(api_call *c) {
    request r;
    api_call *kept = begin(c, &r, (text){"", 0});
    if (kept)
        account_log_in(c->server, request_text(&r, "name"), request_text(&r, "password"),
                       on_entered, kept);
}

static void post_password(api_call *c) {
    request r;
    api_call *kept = begin(c, &r, name_of(c));
    if (kept)
        account_change_password(c->server, c->member->id, request_text(&r, "old"),
                                request_text(&r, "new"), on_changed, kept);
}

static void on_recovered(void *context, int64_t player, const char *code, const char *words) {
    api_call *c = context;
    if (code) {
        c->server->count.failed_logins++;
        api_refuse(c, status_of(code), code, "%s", words);
        return;
    }
    member *m = member_get(c->server, player);
    if (m)
        session_end_all(m, "password");
    member_release(m);
    answer_with_code(c, player, false);
}

// A new password by the code that was shown once; another code takes its place.
static void post_recover(api_call *c) {
    request r;
    api_call *kept = begin(c, &r, (text){"", 0});
    if (kept)
        account_recover(c->server, request_text(&r, "name"), request_text(&r, "code"),
                        request_text(&r, "password"), on_recovered, kept);
}

static void on_checked(void *context, int64_t player, const char *code, const char *words) {
    api_call *c = context;
    char shown[ACCOUNT_CODE_SIZE];
    if (code) {
        api_refuse(c, status_of(code), code, "%s", words);
        return;
    }
    account_new_code(c->server, player, shown);
    api_json(c, 200, json_pack("{ss}", "recovery", shown));
}

// Another code, for accounts that have none or have lost it.
static void post_code(api_call *c) {
    request r;
    api_call *kept = begin(c, &r, name_of(c));
    if (kept)
        account_check(c->server, c->member->id, request_text(&r, "password"), on_checked, kept);
}

static void delete_me(api_call *c) {
    request r;
    api_call *kept = begin(c, &r, name_of(c));
    if (kept)
        account_close(c->server, c->member->id, request_text(&r, "password"), on_closed, kept);
}

static void post_logout(api_call *c) {
    account_revoke(c->server, api_token_of(c->request));
    session_end_token(c->member, api_token_of(c->request), "logout");
    turns_want(&c->server->turns);
    api_json_with(c, 200, json_pack("{ss}", "status", "out"),
                  "Cache-Control: no-store\r\nSet-Cookie: " API_COOKIE
                  "=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict\r\n");
}

static void get_me(api_call *c) { api_json(c, 200, member_json(c->member)); }

// --- browsers that are logged in -----------------------------------------------------------------

// A session is named by the beginning of its token's hash.
enum { SESSION_ID_BYTES = 8 };

static void write_id(const stored_token *t, char id[2 * SESSION_ID_BYTES + 1]) {
    sodium_bin2hex(id, 2 * SESSION_ID_BYTES + 1, (const unsigned char *)t->hash, SESSION_ID_BYTES);
}

typedef struct {
    api_call *call;
    char own[TOKEN_HASH_SIZE]; // of the caller's token
    json_t *list;
    text wanted; // to be ended; empty: all but the caller's
    int count;
    char found[ACCOUNT_BROWSERS][TOKEN_HASH_SIZE];
} browsers;

static browsers browsers_of(api_call *c) {
    browsers b = {.call = c};
    account_hash_token(api_token_of(c->request), b.own);
    return b;
}

static void add_browser(void *context, const stored_token *t) {
    browsers *b = context;
    char id[2 * SESSION_ID_BYTES + 1], since[32];
    writer w = writer_on(since, sizeof since);
    server_write_moment(&w, t->created);
    write_id(t, id);
    json_array_append_new(b->list,
                          json_pack("{ss,ss,ss,sb}", "id", id, "browser", t->label, "since", since,
                                    "current", memcmp(t->hash, b->own, sizeof b->own) == 0));
}

static void get_sessions(api_call *c) {
    browsers b = browsers_of(c);
    b.list = json_array();
    store_each_token(c->server->store, c->member->id, TOKEN_BROWSER, server_wall(), add_browser,
                     &b);
    api_json(c, 200, json_pack("{so}", "sessions", b.list));
}

static void find_browser(void *context, const stored_token *t) {
    browsers *b = context;
    char id[2 * SESSION_ID_BYTES + 1];
    write_id(t, id);
    bool is_meant =
        b->wanted.len ? text_is(b->wanted, id) : memcmp(t->hash, b->own, sizeof b->own) != 0;
    if (is_meant && b->count < ACCOUNT_BROWSERS)
        memcpy(b->found[b->count++], t->hash, TOKEN_HASH_SIZE);
}

// Ends one by its number, or (empty) all but the caller's.
static void end_sessions(api_call *c, text wanted) {
    browsers b = browsers_of(c);
    b.wanted = wanted;
    store_each_token(c->server->store, c->member->id, TOKEN_BROWSER, server_wall(), find_browser,
                     &b);
    if (wanted.len && b.count == 0) {
        api_refuse(c, 404, "session", "you have no such session");
        return;
    }
    for (int i = 0; i < b.count; i++) {
        store_revoke_token(c->server->store, b.found[i], server_wall());
        session_end_hash(c->member, b.found[i], "logout");
    }
    turns_want(&c->server->turns);
    api_json(c, 200, json_pack("{si}", "ended", b.count));
}

static void delete_session(api_call *c) { end_sessions(c, c->parts[0]); }

static void delete_sessions(api_call *c) { end_sessions(c, (text){"", 0}); }

// --- tokens for programs ------------------------------------------------------------------------

static void add_program(void *context, const stored_player *p, int tokens) {
    json_array_append_new(context, json_pack("{sI,ss,si}", "id", (json_int_t)p->id, "program",
                                             p->name, "tokens", tokens));
}

static void get_tokens(api_call *c) {
    json_t *list = json_array();
    store_each_program(c->server->store, c->member->id, add_program, list);
    api_json(c, 200, json_pack("{so}", "programs", list));
}

static void post_token(api_call *c) {
    request r;
    fault why;
    if (!api_body(c, &r))
        return;
    if (c->member->kind != PLAYER_PERSON) {
        api_refuse(c, 403, "account", "tokens are for accounts; register first");
        return;
    }
    int64_t program = account_program(c->server, c->member->id, request_text(&r, "program"), &why);
    if (!program) {
        api_refuse(c, 409, "name", "%s", why.line);
        return;
    }
    if (store_count_tokens(c->server->store, program, TOKEN_PROGRAM, server_wall()) >=
        ACCOUNT_TOKENS) {
        api_refuse(c, 409, "limit", "that program has %d tokens; revoke them first",
                   ACCOUNT_TOKENS);
        return;
    }
    char token[ACCOUNT_TOKEN_SIZE], name[PLAYER_NAME_SIZE];
    writer w = writer_on(name, sizeof name);
    write_text(&w, request_text(&r, "program"));
    account_new_token(c->server, program, TOKEN_PROGRAM, name, token);
    api_json(c, 201,
             json_pack("{sI,ss,ss}", "id", (json_int_t)program, "program", name, "token", token));
}

static void delete_token(api_call *c) {
    stored_player p;
    if (!store_find_player_named(c->server->store, c->parts[0], &p) || p.owner != c->member->id) {
        api_refuse(c, 404, "program", "you have no program of that name");
        return;
    }
    int count = store_revoke_tokens(c->server->store, p.id, TOKEN_PROGRAM, NULL, server_wall());
    member *m = member_get(c->server, p.id);
    if (m)
        session_end_all(m, "revoked");
    member_release(m);
    turns_want(&c->server->turns);
    api_json(c, 200, json_pack("{si}", "revoked", count));
}

static const api_route routes[] = {
    {"POST", "/api/v1/guest", post_guest, false},
    {"POST", "/api/v1/register", post_register, false},
    {"POST", "/api/v1/login", post_login, false},
    {"POST", "/api/v1/logout", post_logout, true},
    {"POST", "/api/v1/password", post_password, true},
    {"POST", "/api/v1/recover", post_recover, false},
    {"POST", "/api/v1/recovery", post_code, true},
    {"GET", "/api/v1/me", get_me, true},
    {"DELETE", "/api/v1/me", delete_me, true},
    {"GET", "/api/v1/sessions", get_sessions, true},
    {"DELETE", "/api/v1/sessions", delete_sessions, true},
    {"DELETE", "/api/v1/sessions/*", delete_session, true},
    {"GET", "/api/v1/tokens", get_tokens, true},
    {"POST", "/api/v1/tokens", post_token, true},
    {"DELETE", "/api/v1/tokens/*", delete_token, true},
    {.pattern = NULL},
};

const feature account_http_feature = {.name = "account_http", .routes = routes};
