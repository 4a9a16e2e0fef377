#include "client/join.h"

#include "client/boards.h"
#include "net/connection.h"
#include "os/clock.h"
#include "os/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { RETRY_MS = 200, RETRY_MOST_MS = 5000, QUIET_S = 40 };

typedef struct {
    const join_plan *plan;
    uv_loop_t loop;
    loop_turns turns;
    tls_context *tls;
    connection *connection; // NULL: not connected
    lines lines;
    boards *boards;
    uv_timer_t retry, watch;
    uv_signal_t signals[2];
    uv_getaddrinfo_t resolve;
    int wait_ms, seeking, played;
    int tries; // calls that led to no login
    bool is_in, is_leaving, was_refused, is_resolving;
    fault why;
} bridge;

static void connect_again(bridge *b);

// --- talking ------------------------------------------------------------------------------------

static void say(bridge *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(bridge *b, const char *format, ...) {
    char line[LINES_MAX];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (!b->connection || len < 0 || (size_t)len >= sizeof line - 1)
        return;
    line[len++] = '\n';
    connection_send(b->connection, (text){line, (size_t)len});
}

static bool wants_more(const bridge *b) {
    int taken = boards_count(b->boards) + b->seeking;
    return taken < b->plan->at_once && (b->plan->games == 0 || b->played + taken < b->plan->games);
}

static void seek(bridge *b) {
    while (b->is_in && b->plan->seek && wants_more(b)) {
        b->seeking++;
        say(b, "seek %s", b->plan->seek);
    }
}

static void leave(bridge *b) {
    if (b->is_leaving)
        return;
    b->is_leaving = true;
    boards_stop(b->boards);
    say(b, "quit");
    if (!b->connection)
        turns_close(&b->turns);
    else if (b->connection->is_calling)
        connection_cut(b->connection);
    else
        connection_close(b->connection, "left");
    uv_close((uv_handle_t *)&b->retry, NULL);
    uv_close((uv_handle_t *)&b->watch, NULL);
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t *)&b->signals[i], NULL);
}

static void send_line(void *context, const char *line) { say(context, "%s", line); }

static void on_no_engine(void *context, const char *words) {
    bridge *b = context;
    b->was_refused = true;
    fault_set(&b->why, "the engine %s", words);
    leave(b);
}

// --- what the server says -----------------------------------------------------------------------

static int64_t number_of(const request *r, const char *key) {
    int64_t n = 0;
    fault why;
    return request_number(r, key, INT64_MIN, INT64_MAX, 0, &n, &why) ? n : 0;
}

static void on_game(bridge *b, const request *r) {
    int64_t id = number_of(r, "id");
    if (text_is(request_text(r, "you"), "none"))
        return;
    if (!boards_has(b->boards, id))
        b->seeking -= b->seeking > 0;
    boards_set(b->boards, id, r);
}

static void on_turn(bridge *b, const request *r) {
    const int64_t clocks[2] = {number_of(r, "first"), number_of(r, "second")};
    boards_turn(b->boards, number_of(r, "game"), (uint32_t)number_of(r, "ply"), clocks,
                (int32_t)number_of(r, "togo"));
}

static void on_moved(bridge *b, const request *r) {
    boards_moved(b->boards, number_of(r, "game"), number_of(r, "ply"), request_text(r, "move"));
}

static void on_result(bridge *b, const request *r) {
    int64_t id = number_of(r, "game");
    if (!boards_has(b->boards, id))
        return;
    printf("game %" PRId64 ": %.*s (%.*s)\n", id, (int)request_text(r, "outcome").len,
           request_text(r, "outcome").at, (int)request_text(r, "words").len,
           request_text(r, "words").at);
    fflush(stdout);
    boards_close(b->boards, id);
    b->played++;
    if (b->plan->games && b->played >= b->plan->games) {
        leave(b);
    } else {
        boards_share(b->boards);
        seek(b);
    }
}

static void on_challenge(bridge *b, const request *r) {
    const rules_game *rules = rules_find(request_text(r, "game"));
    bool can = rules && dialect_can_play(b->plan->engine->dialect, rules) && wants_more(b);
    say(b, "%s id=%" PRId64, can ? "accept" : "decline", number_of(r, "id"));
}

static void on_welcome(bridge *b) {
    b->is_in = true;
    b->wait_ms = RETRY_MS;
    b->seeking = 0;
    boards_forget_mentions(b->boards);
    if (b->plan->tournament)
        say(b, "enter tournament=%" PRId64, b->plan->tournament);
    say(b, "ping n=all"); // its answer comes behind the games we are in
}

// Games that the server did not list ended while we were disconnected.
static void on_all_told(bridge *b) {
    b->played += boards_close_unmentioned(b->boards);
    seek(b);
}

static void on_error(bridge *b, const request *r) {
    text code = request_text(r, "code"), words = request_text(r, "words");
    if (text_is(code, "token")) {
        b->was_refused = true;
        fault_set(&b->why, "the server does not know this token");
        leave(b);
    } else if (!text_is(code, "tournament")) { // it has been entered before
        fprintf(stderr, "the server: %.*s\n", (int)words.len, words.at);
    }
}

static void take_line(bridge *b, text line) {
    request r;
    fault why;
    if (!request_read_line(&r, line, &why))
        return;
    if (text_is(r.verb, "kraton"))
        say(b, "login token=%s", b->plan->token);
    else if (text_is(r.verb, "welcome"))
        on_welcome(b);
    else if (text_is(r.verb, "game"))
        on_game(b, &r);
    else if (text_is(r.verb, "moved"))
        on_moved(b, &r);
    else if (text_is(r.verb, "turn"))
        on_turn(b, &r);
    else if (text_is(r.verb, "result"))
        on_result(b, &r);
    else if (text_is(r.verb, "challenge"))
        on_challenge(b, &r);
    else if (text_is(r.verb, "ping"))
        say(b, "pong");
    else if (text_is(r.verb, "pong") && text_is(request_text(&r, "n"), "all"))
        on_all_told(b);
    else if (text_is(r.verb, "error"))
        on_error(b, &r);
}

// --- the connection -----------------------------------------------------------------------------

static void on_bytes(connection *w, text bytes, int64_t now) {
    (void)now;
    bridge *b = w->owner;
    text line;
    lines_status status = LINES_NONE;
    while (!b->is_leaving && (status = lines_next(&b->lines, &bytes, &line)) == LINES_ONE)
        take_line(b, line);
    if (status == LINES_TOO_LONG)
        connection_close(w, "a line without end");
}

static void on_connection_gone(connection *w, const char *why) {
    bridge *b = w->owner;
    b->connection = NULL;
    b->tries += !b->is_in;
    b->is_in = false;
    lines_free(&b->lines);
    if (b->is_leaving) {
        turns_close(&b->turns);
        return;
    }
    fprintf(stderr, "the connection is lost (%s); trying again\n", why);
    connect_again(b);
}

static const connection_events handlers = {on_bytes, on_connection_gone};

// Each try takes the next of the host's addresses: of localhost's two the first may be one where
// nobody listens.
static const struct sockaddr *choose(const struct addrinfo *found, int tries) {
    int count = 0;
    for (const struct addrinfo *a = found; a; a = a->ai_next)
        count++;
    for (int left = tries % count; left > 0; left--)
        found = found->ai_next;
    return found->ai_addr;
}

static void on_resolved(uv_getaddrinfo_t *resolve, int status, struct addrinfo *found) {
    bridge *b = resolve->data;
    b->is_resolving = false;
    if (!b->is_leaving && status == 0)
        b->connection = connection_call(&b->turns, choose(found, b->tries), b->tls, b->plan->host,
                                        &handlers, b);
    if (!b->is_leaving && !b->connection)
        connect_again(b);
    uv_freeaddrinfo(found);
}

static void on_retry(uv_timer_t *timer) {
    bridge *b = timer->data;
    char port[16];
    snprintf(port, sizeof port, "%d", b->plan->port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    b->resolve.data = b;
    b->is_resolving =
        uv_getaddrinfo(&b->loop, &b->resolve, on_resolved, b->plan->host, port, &hints) == 0;
    if (!b->is_resolving)
        connect_again(b);
}

static void connect_again(bridge *b) {
    uv_timer_start(&b->retry, on_retry, (uint64_t)b->wait_ms, 0);
    b->wait_ms = b->wait_ms * 2 > RETRY_MOST_MS ? RETRY_MOST_MS : b->wait_ms * 2;
}

// A connection that was cut sends nothing: after a silence it is pinged, then given up.
static void on_watch(uv_timer_t *timer) {
    bridge *b = timer->data;
    int64_t silent = b->connection ? clock_us() - b->connection->heard : 0;
    if (b->connection && b->is_in && silent > QUIET_S * 1000000LL)
        connection_cut(b->connection);
    else if (silent > QUIET_S / 4 * 1000000LL)
        say(b, "ping");
}

static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    leave(handle->data);
}

static turn_state commit(void *context, bool waits) {
    (void)context;
    (void)waits;
    return TURN_STORED;
}

static void after(void *context) { (void)context; }

static void start(bridge *b) {
    const int numbers[] = {SIGINT, SIGTERM};
    turns_events events = {.commit = commit, .after = after, .context = b};
    turns_open(&b->turns, &b->loop, &events);
    for (int i = 0; i < 2; i++) {
        uv_signal_init(&b->loop, &b->signals[i]);
        b->signals[i].data = b;
        uv_signal_start(&b->signals[i], on_signal, numbers[i]);
    }
    uv_timer_init(&b->loop, &b->retry);
    uv_timer_init(&b->loop, &b->watch);
    b->retry.data = b->watch.data = b;
    uv_timer_start(&b->watch, on_watch, 5000, 5000);
    on_retry(&b->retry);
}

static void give_back(bridge *b) {
    tls_context_free(b->tls);
    uv_loop_close(&b->loop);
    boards_free(b->boards);
    free(b);
}

bool join_run(const join_plan *plan, fault *why) {
    bridge *b = calloc(1, sizeof *b);
    if (!b || uv_loop_init(&b->loop) != 0) {
        free(b);
        return fault_set(why, "out of memory");
    }
    b->plan = plan;
    b->wait_ms = RETRY_MS;
    b->lines.most = LINES_SERVER_MAX;
    b->boards = boards_new(&(boards_terms){.loop = &b->loop,
                                           .engine = plan->engine,
                                           .guard = plan->guard,
                                           .at_once = plan->at_once,
                                           .send = send_line,
                                           .on_no_engine = on_no_engine,
                                           .context = b});
    os_process_ignore_broken_pipes();
    bool good = b->boards || fault_set(why, "out of memory");
    if (good && plan->tls)
        good = (b->tls = tls_context_new_client(plan->authorities, why)) != NULL;
    if (good) {
        start(b);
        uv_run(&b->loop, UV_RUN_DEFAULT);
        good = !b->was_refused;
        if (!good)
            *why = b->why;
    }
    give_back(b);
    return good;
}
