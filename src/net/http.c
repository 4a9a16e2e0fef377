#include "net/http.h"

#include "net/websocket.h"
#include "os/clock.h"

#include <llhttp.h>
#include <stdlib.h>

enum { REST_MAX = 2 * TURNS_READ };

// A request being read. Texts are offsets until it is complete, because the bytes may move.
typedef struct {
    size_t at, len;
} span;

// The lines of a head, byte by byte. llhttp accepts a bare LF as the end of a line, continued
// header lines and other protocols than HTTP; proxies in front of us may read such a head
// differently.
typedef struct {
    char previous; // byte
    bool is_over;
    bool is_empty;  // the line at hand has no byte yet
    uint32_t lines; // that are whole
    int blanks;     // in the request line
    size_t matched; // bytes of "HTTP/" after the second of them
} head_check;

struct http_state {
    head_check head;
    llhttp_t parser;
    http *owner;
    buffer bytes; // URL, headers, body, one after the other
    size_t body_at, body_max;
    span url, names[HTTP_HEADERS], values[HTTP_HEADERS];
    bool in_name;  // the last header has part of its name so far
    bool has_head; // header lines from here on are trailers, which are ignored
    int status;    // to refuse it with; 0: good so far
    http_request request;
    buffer rest; // bytes after the request
};

static void on_connection_bytes(connection *c, text bytes, int64_t now);
static void on_connection_gone(connection *c, const char *why);
static const connection_events handlers = {on_connection_bytes, on_connection_gone};

// --- the parser's calls -------------------------------------------------------------------------

static int refuse_with(struct http_state *s, int status) {
    s->status = status;
    return -1;
}

static bool keep_bytes(struct http_state *s, const char *at, size_t len) {
    buffer_add(&s->bytes, (text){at, len});
    return !s->bytes.failed;
}

// Adds a piece of the head to the span that ends where it begins, or starts that span.
static int keep_head(struct http_state *s, span *to, const char *at, size_t len) {
    if (s->bytes.len + len > HTTP_HEAD_MAX)
        return refuse_with(s, 431);
    if (to->len == 0)
        to->at = s->bytes.len;
    if (!keep_bytes(s, at, len))
        return refuse_with(s, 503);
    to->len += len;
    return 0;
}

// llhttp also knows the preface of HTTP/2 and the methods of RTSP; this server does not.
static int on_url(llhttp_t *parser, const char *at, size_t len) {
    struct http_state *s = parser->data;
    if (parser->method >= HTTP_PRI && parser->method <= HTTP_FLUSH)
        return refuse_with(s, 400);
    return keep_head(s, &s->url, at, len);
}

static int on_name(llhttp_t *parser, const char *at, size_t len) {
    struct http_state *s = parser->data;
    if (s->has_head)
        return 0;
    if (!s->in_name) {
        if (s->request.header_count == HTTP_HEADERS)
            return refuse_with(s, 431);
        s->request.header_count++;
        s->in_name = true;
    }
    return keep_head(s, &s->names[s->request.header_count - 1], at, len);
}

// Some versions of llhttp accept an empty name; this server does not.
static int on_name_end(llhttp_t *parser) {
    struct http_state *s = parser->data;
    if (s->has_head)
        return 0;
    if (!s->in_name || s->names[s->request.header_count - 1].len == 0)
        return refuse_with(s, 400);
    s->in_name = false;
    span name = s->names[s->request.header_count - 1];
    for (size_t i = 0; i < name.len; i++) {
        char *c = s->bytes.bytes + name.at + i;
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
    }
    return 0;
}

static int on_value(llhttp_t *parser, const char *at, size_t len) {
    struct http_state *s = parser->data;
    if (s->has_head)
        return 0;
    return keep_head(s, &s->values[s->request.header_count - 1], at, len);
}

static const char protocol[] = "HTTP/";

// The next byte of the request line. False: it asks for another protocol.
static bool check_first_line(head_check *h, char c) {
    if (c == ' ') {
        h->blanks++;
        return true;
    }
    if (c == '\n' && !h->is_empty)
        return h->matched == sizeof protocol - 1;
    return h->blanks != 2 || h->matched == sizeof protocol - 1 || c == protocol[h->matched++];
}

// False: the head is refused at this byte.
static bool check_byte(head_check *h, char c) {
    if ((c == '\n') != (h->previous == '\r'))
        return false;
    if (h->lines && h->is_empty && (c == ' ' || c == '\t'))
        return false;
    if (h->lines == 0 && !check_first_line(h, c))
        return false;
    if (c == '\n') {
        h->is_over = h->is_empty && h->lines;
        h->lines += !h->is_empty; // empty lines before a request are skipped
        h->is_empty = true;
    } else if (c != '\r') {
        h->is_empty = false;
    }
    h->previous = c;
    return true;
}

static bool check_head(head_check *h, text bytes) {
    for (size_t i = 0; i < bytes.len && !h->is_over; i++)
        if (!check_byte(h, bytes.at[i]))
            return false;
    return true;
}

static text text_at(const struct http_state *s, span where) {
    return (text){s->bytes.bytes + where.at, where.len};
}

// One Host, as HTTP/1.1 demands; HTTP/1.0 may have none.
static bool has_good_host(const struct http_state *s) {
    int count = 0;
    for (int i = 0; i < s->request.header_count; i++)
        if (text_is(text_at(s, s->names[i]), "host")) {
            text host = text_trim(text_at(s, s->values[i]));
            for (size_t j = 0; j < host.len; j++)
                if (strchr(" \t,/@\\", host.at[j]))
                    return false;
            count++;
        }
    return count == 1 || (count == 0 && s->parser.http_major == 1 && s->parser.http_minor == 0);
}

// A client that asks before it sends the body is told to go on. Returns the status to refuse with.
static int answer_expectation(const struct http_state *s) {
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    for (int i = 0; i < s->request.header_count; i++)
        if (text_is(text_at(s, s->names[i]), "expect")) {
            text wanted = text_trim(text_at(s, s->values[i]));
            if (wanted.len != 12 || strncasecmp(wanted.at, "100-continue", 12) != 0)
                return HTTP_STATUS_EXPECTATION_FAILED;
            if (s->parser.http_minor > 0 &&
                (s->parser.content_length || s->parser.flags & F_CHUNKED))
                connection_send(s->owner->connection, text_of(go_on));
            return 0;
        }
    return 0;
}

static size_t find_body_max(const struct http_state *s) {
    http *h = s->owner;
    text url = text_at(s, s->url);
    text path = {url.at, text_find(url, "?")};
    return h->events->body_max ? h->events->body_max(h, path) : HTTP_BODY_MAX;
}

static int on_head_end(llhttp_t *parser) {
    struct http_state *s = parser->data;
    s->body_at = s->bytes.len;
    s->has_head = true;
    // llhttp accepts an empty Transfer-Encoding, and proxies disagree on what it means.
    for (int i = 0; i < s->request.header_count; i++)
        if (text_is(text_at(s, s->names[i]), "transfer-encoding") && !(parser->flags & F_CHUNKED))
            return refuse_with(s, 400);
    if (!has_good_host(s))
        return refuse_with(s, 400);
    s->body_max = find_body_max(s);
    if (parser->content_length > s->body_max)
        return refuse_with(s, 413);
    int status = answer_expectation(s);
    return status ? refuse_with(s, status) : 0;
}

static int on_body(llhttp_t *parser, const char *at, size_t len) {
    struct http_state *s = parser->data;
    if (s->bytes.len - s->body_at + len > s->body_max)
        return refuse_with(s, 413);
    return keep_bytes(s, at, len) ? 0 : refuse_with(s, 503);
}

// The next request waits until this one is answered.
static int on_complete(llhttp_t *parser) {
    struct http_state *s = parser->data;
    s->owner->is_answering = true;
    return HPE_PAUSED;
}

static const llhttp_settings_t settings = {.on_url = on_url,
                                           .on_header_field = on_name,
                                           .on_header_field_complete = on_name_end,
                                           .on_header_value = on_value,
                                           .on_headers_complete = on_head_end,
                                           .on_body = on_body,
                                           .on_message_complete = on_complete};

// --- requests -----------------------------------------------------------------------------------

static bool has_token(text list, const char *token) {
    size_t len = strlen(token);
    while (list.len) {
        const char *comma = memchr(list.at, ',', list.len);
        text one = {list.at, comma ? (size_t)(comma - list.at) : list.len};
        list = text_skip(list, one.len + 1);
        one = text_trim(one);
        if (one.len == len && strncasecmp(one.at, token, len) == 0)
            return true;
    }
    return false;
}

// Turns spans into texts: the bytes no longer move.
static void finish_request(struct http_state *s, int64_t now) {
    http_request *r = &s->request;
    r->method = text_of(llhttp_method_name((llhttp_method_t)s->parser.method));
    text url = text_at(s, s->url);
    size_t question = text_find(url, "?");
    r->path = (text){url.at, question};
    r->query = text_skip(url, question + 1);
    r->body = (text){s->bytes.bytes + s->body_at, s->bytes.len - s->body_at};
    for (int i = 0; i < r->header_count; i++)
        r->headers[i] = (http_header){text_at(s, s->names[i]), text_trim(text_at(s, s->values[i]))};
    r->wants_websocket = has_token(http_header_of(r, "connection"), "upgrade") &&
                         has_token(http_header_of(r, "upgrade"), "websocket");
    r->now = now;
}

text http_header_of(const http_request *r, const char *name) {
    for (int i = 0; i < r->header_count; i++)
        if (text_is(r->headers[i].name, name))
            return r->headers[i].value;
    return (text){"", 0};
}

text http_cookie_of(const http_request *r, const char *name) {
    text rest = http_header_of(r, "cookie");
    while (rest.len) {
        size_t end = text_find(rest, ";");
        text one = text_trim((text){rest.at, end});
        rest = text_skip(rest, end + 1);
        size_t equals = text_find(one, "=");
        if (text_is((text){one.at, equals}, name))
            return text_skip(one, equals + 1);
    }
    return (text){"", 0};
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void http_decode(text t, writer *out) {
    for (size_t i = 0; i < t.len; i++) {
        int high = i + 2 < t.len ? hex_digit(t.at[i + 1]) : -1;
        int low = i + 2 < t.len ? hex_digit(t.at[i + 2]) : -1;
        if (t.at[i] == '%' && high >= 0 && low >= 0) {
            write_char(out, (char)(high * 16 + low));
            i += 2;
        } else {
            write_char(out, t.at[i] == '+' ? ' ' : t.at[i]);
        }
    }
}

bool http_query_of(const http_request *r, const char *name, writer *out) {
    text rest = r->query;
    while (rest.len) {
        size_t end = text_find(rest, "&");
        text one = {rest.at, end};
        rest = text_skip(rest, end + 1);
        size_t equals = text_find(one, "=");
        if (!text_is((text){one.at, equals}, name))
            continue;
        http_decode(text_skip(one, equals + 1), out);
        return !out->overflow;
    }
    return false;
}

// --- the connection -----------------------------------------------------------------------------

static void drop_state(http *h) {
    if (!h->state)
        return;
    buffer_free(&h->state->bytes);
    buffer_free(&h->state->rest);
    free(h->state);
    h->state = NULL;
}

static bool new_state(http *h) {
    h->state = calloc(1, sizeof *h->state);
    if (!h->state)
        return false;
    h->state->owner = h;
    h->state->head.is_empty = true;
    llhttp_init(&h->state->parser, HTTP_REQUEST, &settings);
    h->state->parser.data = h->state;
    return true;
}

http *http_new(connection *c, const http_events *events, void *owner) {
    http *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    *h = (http){.connection = c, .events = events, .owner = owner, .since = clock_us()};
    c->events = &handlers;
    c->owner = h;
    return h;
}

// The last of the headers of that name: a proxy appends its own.
static text last_header_of(const http_request *r, const char *name) {
    for (int i = r->header_count; i-- > 0;)
        if (text_is(r->headers[i].name, name))
            return r->headers[i].value;
    return (text){"", 0};
}

// Whose request it is, and how it came, as a trusted proxy says. False: the connection is over.
static bool believe_proxy(http *h, const http_request *r) {
    connection *c = h->connection;
    char address[ADDRESS_SIZE];
    if (!c->proxies)
        return true;
    text list = last_header_of(r, "x-forwarded-for");
    text scheme = last_header_of(r, "x-forwarded-proto");
    if (list.len == 0) {
        list = last_header_of(r, "forwarded");
        c->is_secure = text_find(list, "proto=https") < list.len;
    }
    if (scheme.len)
        c->is_secure = text_is(scheme, "https");
    if (!forwarded_address(c->proxies, list, address) || connection_set_address(c, address))
        return true;
    h->is_answering = false;
    http_refuse(h, 429);
    return false;
}

static void hold_rest(http *h, text rest) {
    struct http_state *s = h->state;
    if (rest.len == 0)
        return;
    if (rest.len <= REST_MAX - s->rest.len)
        buffer_add(&s->rest, rest);
    else
        s->rest.failed = true;
    if (s->rest.failed)
        connection_close(h->connection, "too much at once");
}

// Reads one request out of the bytes; what is behind it is left in *bytes. True: it is complete.
static bool read_request(http *h, text *bytes, int64_t now) {
    if (!h->state && !new_state(h)) {
        connection_cut(h->connection);
        return false;
    }
    struct http_state *s = h->state;
    if (s->bytes.len == 0)
        h->since = now;
    if (!check_head(&s->head, *bytes)) {
        *bytes = text_skip(*bytes, bytes->len);
        http_refuse(h, 400);
        return false;
    }
    llhttp_errno_t error = llhttp_execute(&s->parser, bytes->at, bytes->len);
    if (h->is_answering) {
        *bytes = text_skip(*bytes, (size_t)(llhttp_get_error_pos(&s->parser) - bytes->at));
        h->keep = llhttp_should_keep_alive(&s->parser) != 0;
        h->is_head = s->parser.method == HTTP_HEAD;
        finish_request(s, now);
        return believe_proxy(h, &s->request);
    }
    *bytes = text_skip(*bytes, bytes->len);
    if (error != HPE_OK)
        http_refuse(h, s->status ? s->status : 400);
    return false;
}

// The connection belongs to the WebSocket now, with the bytes after the request.
static void hand_over(http *h, text rest, int64_t now) {
    connection *c = h->connection;
    drop_state(h);
    free(h);
    if (rest.len && !c->closing)
        c->events->on_bytes(c, rest, now);
}

static void feed(http *h, text bytes, int64_t now) {
    h->is_feeding = true;
    while (bytes.len && !h->connection->closing && read_request(h, &bytes, now)) {
        h->events->on_request(h, &h->state->request);
        if (h->upgraded) {
            hand_over(h, bytes, now);
            return;
        }
        if (h->is_answering) { // later
            hold_rest(h, bytes);
            connection_pause(h->connection);
            break;
        }
        drop_state(h);
        if (connection_is_spent(h->connection)) {
            connection_keep(h->connection, bytes);
            break;
        }
    }
    h->is_feeding = false;
}

// Pausing stops the socket, but TLS may still hold decrypted bytes: they wait for the answer too.
static void on_connection_bytes(connection *c, text bytes, int64_t now) {
    http *h = c->owner;
    if (h->is_answering)
        hold_rest(h, bytes);
    else
        feed(h, bytes, now);
}

static void on_connection_gone(connection *c, const char *why) {
    http *h = c->owner;
    h->events->on_gone(h, why);
    drop_state(h);
    free(h);
}

// --- answers ------------------------------------------------------------------------------------

// The words of every status that the server sends.
static const char *status_words(int status) {
    static const struct {
        int status;
        const char *words;
    } all[] = {
        {200, "OK"},
        {201, "Created"},
        {304, "Not Modified"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {409, "Conflict"},
        {413, "Payload Too Large"},
        {417, "Expectation Failed"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {503, "Service Unavailable"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].status == status)
            return all[i].words;
    return "Unknown";
}

static void send_reply(http *h, const http_reply *reply) {
    char head[2048];
    writer w = writer_on(head, sizeof head);
    write_format(&w, "HTTP/1.1 %d %s\r\n", reply->status, status_words(reply->status));
    if (reply->type)
        write_format(&w, "Content-Type: %s\r\n", reply->type);
    if (reply->status !=
        HTTP_STATUS_NOT_MODIFIED) // which would speak of the length it does not send
        write_format(&w, "Content-Length: %zu\r\n", reply->body.len);
    write_format(&w, "Connection: %s\r\n%s\r\n", h->keep ? "keep-alive" : "close",
                 reply->extra ? reply->extra : "");
    connection_send(h->connection, (text){head, w.used});
    if (!h->is_head)
        connection_send(h->connection, reply->body);
    if (!h->keep)
        connection_close(h->connection, "answered");
}

void http_answer(http *h, const http_reply *reply) {
    if (!h->is_answering)
        return;
    h->is_answering = false;
    h->since = clock_us();
    send_reply(h, reply);
    if (h->is_feeding || h->connection->closing)
        return;
    buffer rest = h->state->rest;
    h->state->rest = (buffer){0};
    drop_state(h);
    connection_resume(h->connection);
    if (rest.len)
        feed(h, buffer_text(&rest), h->since);
    buffer_free(&rest);
}

void http_refuse(http *h, int status) {
    h->keep = false;
    h->is_head = false;
    http_reply reply = {
        .status = status, .type = "text/plain", .body = text_of(status_words(status))};
    send_reply(h, &reply);
}

int64_t http_waiting_since(const http *h) { return h->is_answering ? 0 : h->since; }
