#include "server/api.h"

#include "base/encoding.h"
#include "rules/rules.h"
#include "server/account.h"
#include "server/pages.h"
#include "server/ratelimit.h"
#include "server/session.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    REQUEST_BURST = 100, // of one connection: at once,
    REQUEST_RATE = 50,   // and a second
    SLOW_S = 15,         // a request must be whole by then
    IDLE_S = 75,         // a connection without one is let go
    ANSWER_UNIT = 32768  // bytes of an answer that count as one more request of its address
};

// What is kept with a connection.
struct http_client {
    server *server;
    http *http;
    list_link link; // in server.http_clients
    api_call *kept; // the call that is answered later
    bucket bucket;
    char method[8], path[256]; // of the request under way, for the log
    int64_t asked;
};

static void forget_client(http_client *k) {
    list_remove(&k->server->http_clients, &k->link);
    free(k);
}

// --- answering ----------------------------------------------------------------------------------

// Pages may load nothing from elsewhere. They may be framed by nobody, except the board for other
// pages (/embed/...), which can do nothing in its visitor's name.
#define POLICY(ancestors)                                                                          \
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "          \
    "img-src 'self' data:; object-src 'none'; form-action 'self'; frame-ancestors " ancestors      \
    "; base-uri 'none'\r\n"
static const char framed_by_nobody[] = "X-Frame-Options: DENY\r\n" POLICY("'none'");
static const char framed_by_all[] = POLICY("*");
static const char security[] = "Referrer-Policy: same-origin\r\n"
                               "Cross-Origin-Opener-Policy: same-origin\r\n"
                               "Permissions-Policy: camera=(), microphone=(), geolocation=()\r\n";
static const char security_of_files[] = "X-Content-Type-Options: nosniff\r\n"
                                        "Cross-Origin-Resource-Policy: same-origin\r\n";

// Scripts and the like, of which a view has dozens, are no documents: a document's headers would be
// a fifth of their bytes.
static bool is_part(const char *type) {
    return strncmp(type, "text/javascript", 15) == 0 || strncmp(type, "text/css", 8) == 0 ||
           strcmp(type, "application/wasm") == 0;
}

static void note_request(const api_call *c, int status, size_t bytes) {
    const http_client *k = c->http->data;
    logged_request r = {.address = c->http->connection->address,
                        .name = c->member ? c->member->name : NULL,
                        .method = k->method,
                        .path = k->path,
                        .status = status,
                        .bytes = bytes,
                        .us = clock_us() - k->asked};
    log_request(&r);
}

void api_send(api_call *c, int status, const char *type, const char *extra, text body) {
    if (c->answered)
        return;
    c->answered = true;
    if (c->http) {
        char headers[1536];
        writer w = writer_on(headers, sizeof headers);
        bool is_embedded =
            !c->kept && text_starts(c->request->path, "/embed/"); // its request lives
        write_string(&w, security_of_files);
        if (!is_part(type)) {
            write_string(&w, is_embedded ? framed_by_all : framed_by_nobody);
            write_string(&w, security);
        }
        write_string(&w, extra ? extra : "Cache-Control: no-store\r\n");
        if (connection_is_secure(c->http->connection))
            write_string(&w, "Strict-Transport-Security: max-age=31536000\r\n");
        note_request(c, status, body.len);
        http_reply reply = {.status = status, .type = type, .extra = headers, .body = body};
        ((http_client *)c->http->data)->kept = NULL;
        ratelimit_charge(c->server->ratelimit, c->http->connection->address, LIMIT_REQUEST,
                         (int64_t)(body.len / ANSWER_UNIT), clock_us());
        http_answer(c->http, &reply);
    }
    if (c->kept) {
        member_release(c->member);
        free(c);
    }
}

void api_text(api_call *c, int status, const char *type, text body) {
    api_send(c, status, type, NULL, body);
}

void api_json_with(api_call *c, int status, json_t *body, const char *extra) {
    char *bytes = body ? json_dumps(body, JSON_COMPACT | JSON_REAL_PRECISION(10)) : NULL;
    json_decref(body);
    if (bytes)
        api_send(c, status, "application/json", extra, text_of(bytes));
    else
        api_send(c, 500, "application/json", NULL, text_of("{\"error\":\"memory\"}"));
    free(bytes);
}

void api_json(api_call *c, int status, json_t *body) { api_json_with(c, status, body, NULL); }

void api_refuse(api_call *c, int status, const char *code, const char *format, ...) {
    char words[256];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    c->server->count.bad_requests++;
    api_json(c, status, json_pack("{ss,ss}", "error", code, "words", words));
}

void api_refuse_game(api_call *c, int status, const char *before) {
    char known[64];
    writer w = writer_on(known, sizeof known);
    rules_write_names(&w);
    api_refuse(c, status, "game", "%s%s", before, known);
}

api_call *api_keep(api_call *c) {
    api_call *kept = malloc(sizeof *kept);
    if (!kept) {
        api_refuse(c, 503, "busy", "out of memory");
        return NULL;
    }
    *kept = *c;
    kept->kept = true;
    if (kept->member)
        member_hold(kept->member);
    ((http_client *)c->http->data)->kept = kept;
    return kept;
}

bool api_body(api_call *c, request *r) {
    fault why;
    if (request_read_json(r, c->request->body, &why))
        return true;
    api_refuse(c, 400, "syntax", "%s", why.line);
    return false;
}

int64_t api_query_number(const api_call *c, const char *name, int64_t low, int64_t high,
                         int64_t otherwise) {
    char value[32];
    writer w = writer_on(value, sizeof value);
    int64_t number;
    return http_query_of(c->request, name, &w) &&
                   text_to_int((text){value, w.used}, low, high, &number)
               ? number
               : otherwise;
}

// --- routes -------------------------------------------------------------------------------------

static text next_part(text *path) {
    text part = {path->at, text_find(*path, "/")};
    *path = text_skip(*path, part.len + 1);
    return part;
}

// %41 in a part of a path is an A. What is too long to be a name stays as it is.
static text decode(text part, char space[API_PART_SIZE]) {
    writer w = writer_on(space, API_PART_SIZE);
    if (text_find(part, "%") == part.len)
        return part;
    http_decode(part, &w);
    return w.overflow ? part : (text){space, w.used};
}

static bool fits(const char *pattern, text path, api_call *c) {
    text want = text_skip(text_of(pattern), 1);
    int stars = 0;
    path = text_skip(path, 1);
    while (want.len && path.len) {
        text wanted = next_part(&want), part = next_part(&path);
        if (text_is(wanted, "*")) {
            if (part.len == 0 || stars == API_PARTS)
                return false;
            c->parts[stars] = decode(part, c->decoded[stars]);
            if (!text_to_int(part, 1, INT64_MAX, &c->numbers[stars]))
                c->numbers[stars] = -1;
            stars++;
        } else if (!text_equal(wanted, part)) {
            return false;
        }
    }
    return want.len == 0 && path.len == 0;
}

static const api_route *find_route(api_call *c, bool *known) {
    text method = c->request->method;
    bool head = text_is(method, "HEAD");
    for (int i = 0; i < c->server->feature_count; i++)
        for (const api_route *r = c->server->features[i].feature->routes; r && r->pattern; r++)
            if (fits(r->pattern, c->request->path, c)) {
                *known = true;
                if (text_is(method, r->method) || (head && strcmp(r->method, "GET") == 0))
                    return r;
            }
    return NULL;
}

text api_token_of(const http_request *r) {
    text authorization = http_header_of(r, "authorization");
    return text_starts(authorization, "Bearer ") ? text_skip(authorization, 7)
                                                 : http_cookie_of(r, API_COOKIE);
}

// Whoever the request speaks for.
static member *find_member(server *srv, const http_request *r) {
    return account_by_token(srv, api_token_of(r));
}

// A browser must not be made to act by another site's page.
static bool is_same_origin(const http_request *r) {
    text origin = http_header_of(r, "origin");
    size_t slashes = text_find(origin, "://");
    return origin.len == 0 || text_equal(text_skip(origin, slashes + 3), http_header_of(r, "host"));
}

static bool only_reads(const http_request *r) {
    return text_is(r->method, "GET") || text_is(r->method, "HEAD");
}

// Nothing is there: a page for people, who ask for one, and JSON for programs.
static void refuse_path(api_call *c) {
    text accepted = http_header_of(c->request, "accept");
    if (text_starts(c->request->path, "/api/") ||
        text_find(accepted, "text/html") == accepted.len) {
        api_refuse(c, 404, "path", "there is nothing here");
        return;
    }
    c->server->count.bad_requests++;
    api_text(c, 404, "text/html; charset=utf-8",
             text_of("<!doctype html><html lang=\"en\"><title>Nothing here</title>"
                     "<h1>There is nothing here</h1><p><a href=\"/\">Kraton</a></p></html>\n"));
}

static void run_route(api_call *c) {
    bool known = false;
    const api_route *route = find_route(c, &known);
    if (!route) {
        if (known)
            api_refuse(c, 405, "method", "not that method");
        else if (!only_reads(c->request) || !pages_answer(c->server->pages, c))
            refuse_path(c);
        return;
    }
    c->member = find_member(c->server, c->request);
    writer w = writer_on(c->agent, sizeof c->agent);
    write_text(&w, utf8_cut(http_header_of(c->request, "user-agent"), sizeof c->agent - 1));
    if (!only_reads(c->request) && !is_same_origin(c->request))
        api_refuse(c, 403, "origin", "a page of another site");
    else if (route->needs_login && !c->member)
        api_refuse(c, 401, "login", "log in first");
    else if (c->server->is_full && !only_reads(c->request))
        api_refuse(c, 503, "full", "%s", server_full_words);
    else
        route->run(c);
    member_release(c->member);
}

static void open_socket(http_client *k, http *h, const http_request *r) {
    server *srv = k->server;
    fault why;
    if (!websocket_may_open(r, &why)) {
        api_call c = {.server = srv, .http = h, .request = r};
        api_refuse(&c, 403, "websocket", "%s", why.line);
        return;
    }
    member *m = find_member(srv, r);
    api_call c = {.server = srv, .http = h, .request = r, .member = m};
    note_request(&c, 101, 0);
    if (session_open_socket(srv, h, r, m, api_token_of(r)))
        forget_client(k); // the connection is the session's now
    member_release(m);
}

static void on_request(http *h, const http_request *r) {
    http_client *k = h->data;
    server *srv = k->server;
    srv->count.requests++;
    api_call c = {.server = srv, .http = h, .request = r};
    writer w = writer_on(k->method, sizeof k->method);
    write_text(&w, r->method);
    w = writer_on(k->path, sizeof k->path);
    write_text(&w, utf8_cut(r->path, sizeof k->path - 1));
    k->asked = r->now;
    if (!bucket_take(&k->bucket, REQUEST_BURST, REQUEST_RATE, r->now) ||
        !ratelimit_take(srv->ratelimit, h->connection->address, LIMIT_REQUEST, r->now)) {
        srv->count.floods++;
        h->keep = false;
        api_refuse(&c, 429, "flood", "too many requests");
    } else if (r->wants_websocket && text_is(r->path, "/api/v1/ws")) {
        open_socket(k, h, r);
    } else {
        run_route(&c);
    }
}

// --- connections --------------------------------------------------------------------------------

static void on_gone(http *h, const char *why) {
    http_client *k = h->data;
    if (!k)
        return;
    server_note_end(k->server, NULL, h->connection->address, why);
    if (k->kept)
        k->kept->http = NULL; // whoever answers later answers nobody
    forget_client(k);
}

// Features that take more than the usual say so.
static size_t find_body_max(http *h, text path) {
    const server *srv = h->owner;
    api_call c = {0};
    for (int i = 0; i < srv->feature_count; i++) {
        const feature *f = srv->features[i].feature;
        for (const api_route *r = f->routes; f->body_max && r && r->pattern; r++)
            if (fits(r->pattern, path, &c))
                return f->body_max;
    }
    return HTTP_BODY_MAX;
}

static const http_events handlers = {on_request, on_gone, find_body_max};

bool api_accept(server *srv, connection *line) {
    http_client *k = calloc(1, sizeof *k);
    http *h = k ? http_new(line, &handlers, srv) : NULL;
    if (!h) {
        free(k);
        return false;
    }
    *k = (http_client){.server = srv, .http = h};
    list_prepend(&srv->http_clients, &k->link);
    h->data = k;
    return true;
}

void api_sweep(server *srv, int64_t now) {
    for (list_link *l = srv->http_clients.first, *next; l; l = next) {
        http_client *k = LIST_ITEM(l, http_client, link);
        next = l->next;
        int64_t since = http_waiting_since(k->http), waited = since ? now - since : 0;
        bool begun = k->http->state != NULL;
        if (waited > (begun ? SLOW_S : IDLE_S) * 1000000LL)
            connection_close(k->http->connection, begun ? "slow request" : "idle");
    }
}
