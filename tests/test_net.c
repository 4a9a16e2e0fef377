// The component net over pairs of sockets: requests in any pieces, answers that come later, readers
// that are slow and readers that do not read, frames.
#include "net/http.h"
#include "net/websocket.h"
#include "os/clock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

// A loop with its turns, and what its one connection saw.
typedef struct {
    uv_loop_t loop;
    loop_turns turns;
    connection *connection;
    int fd; // the client's end
    http *later;
    int requests;
    char bodies[8][64];
    char why[64]; // it ended; empty: it has not
    char heard[65536];
    size_t len;
} place;

static turn_state commit(void *context, bool waits) {
    (void)context;
    (void)waits;
    return TURN_STORED;
}

static void after(void *context) { (void)context; }

static int set_up(void **state) {
    place *p = calloc(1, sizeof *p);
    int pair[2];
    assert_non_null(p);
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(uv_loop_init(&p->loop), 0);
    turns_events events = {.commit = commit, .after = after, .context = p};
    turns_open(&p->turns, &p->loop, &events);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    p->fd = pair[1];
    p->connection = connection_adopt(&p->turns, pair[0]);
    assert_non_null(p->connection);
    *state = p;
    return 0;
}

static int tear_down(void **state) {
    place *p = *state;
    close(p->fd);
    turns_close(&p->turns);
    uv_run(&p->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&p->loop), 0);
    free(p);
    return 0;
}

static void turn(place *p, int times) {
    while (times-- > 0)
        uv_run(&p->loop, UV_RUN_NOWAIT);
}

static void say(place *p, const char *bytes, size_t len) {
    assert_int_equal(send(p->fd, bytes, len, 0), len);
    turn(p, 2);
}

// Reads what there is, up to `most` bytes; all of it is kept.
static size_t hear(place *p, size_t most) {
    size_t room = sizeof p->heard - 1 - p->len;
    ssize_t got = recv(p->fd, p->heard + p->len, most < room ? most : room, MSG_DONTWAIT);
    p->len += got > 0 ? (size_t)got : 0;
    p->heard[p->len] = '\0';
    return got > 0 ? (size_t)got : 0;
}

static int count_of(const place *p, const char *word) {
    int count = 0;
    for (const char *at = p->heard; (at = strstr(at, word)); at++)
        count++;
    return count;
}

// --- HTTP ---------------------------------------------------------------------------------------

static void answer(http *h, const char *words) {
    http_reply reply = {.status = 200, .type = "text/plain", .body = text_of(words)};
    http_answer(h, &reply);
}

static void on_request(http *h, const http_request *r) {
    place *p = h->owner;
    snprintf(p->bodies[p->requests++ % 8], 64, "%.*s", (int)r->body.len, r->body.at);
    if (text_is(r->path, "/later")) {
        assert_null(p->later);
        p->later = h;
    } else {
        answer(h, "now");
    }
}

static void on_gone(http *h, const char *why) {
    place *p = h->owner;
    snprintf(p->why, sizeof p->why, "%s", why);
}

static const http_events http_handlers = {.on_request = on_request, .on_gone = on_gone};

static void open_http(place *p) {
    assert_non_null(http_new(p->connection, &http_handlers, p));
    connection_resume(p->connection);
}

static void test_requests_come_in_any_pieces(void **state) {
    place *p = *state;
    static const char talk[] = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
                               "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                               "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Trailer: not the body\r\n\r\n"
                               "GET /c?x=1 HTTP/1.1\r\nHost: x\r\n\r\n";
    open_http(p);
    for (size_t i = 0; i < sizeof talk - 1; i++)
        say(p, &talk[i], 1);
    assert_int_equal(p->requests, 3);
    assert_string_equal(p->bodies[0], "hello");
    assert_string_equal(p->bodies[1], "abcde");
    assert_string_equal(p->bodies[2], "");
    hear(p, sizeof p->heard);
    assert_int_equal(count_of(p, "HTTP/1.1 200 OK"), 3);
}

// While an answer is being made what comes behind the request waits, over TLS too, where pausing
// the socket does not stop it.
static void test_an_answer_may_come_later(void **state) {
    place *p = *state;
    static const char first[] =
        "GET /later HTTP/1.1\r\nHost: x\r\n\r\nGET /x HTTP/1.1\r\nHost: x\r\n\r\nGET /la";
    open_http(p);
    say(p, first, sizeof first - 1);
    assert_int_equal(p->requests, 1);
    p->connection->events->on_bytes(p->connection, text_of("ter HTTP/1.1\r\nHost: x\r\n\r\n"), 1);
    assert_int_equal(p->requests, 1);
    http *h = p->later;
    p->later = NULL;
    answer(h, "at last");
    turn(p, 2);
    assert_int_equal(p->requests, 3);
    assert_ptr_equal(p->later, h);
    hear(p, sizeof p->heard);
    assert_int_equal(count_of(p, "at last"), 1);
    assert_int_equal(count_of(p, "HTTP/1.1 200 OK"), 2);
}

static void test_too_much_behind_a_request_ends_it(void **state) {
    place *p = *state;
    static char much[TURNS_READ];
    open_http(p);
    say(p, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n", 23);
    memset(much, 'x', sizeof much);
    for (int i = 0; i < 4 && !p->connection->closing; i++)
        p->connection->events->on_bytes(p->connection, (text){much, sizeof much}, 1);
    assert_true(p->connection->closing);
}

// What is no request, or whose length is doubtful, is refused at its last byte at the latest.
static void test_bad_requests_are_refused(void **state) {
    static const struct {
        const char *request;
        int status;
    } all[] = {
        {"GARBAGE\r\n\r\n", 400},
        {"GET / HTTP/3.7\r\n\r\n", 400},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
        {"PRI / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"DESCRIBE / RTSP/1.0\r\n\r\n", 400},
        {"GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: x\nX: y\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: x\r\nX: \x01\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 5\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551617\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
         400},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\nContent-Length: 5\r\n\r\nhello", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n", 400},
        {"GET / RTSP/1.0\r\n\r\n", 400},
        {"GET / ICE/1.0\r\n\r\n", 400},
        {"GET /\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: x, y\r\n\r\n", 400},
        {"GET / HTTP/1.1\nHost: x\n\n", 400},
        {"GET / HTTP/1.1\r\nHost: x\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: x\r\n\n", 400},
        {"GET / HTTP/1.1\rHost: x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: x\r\n y\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n\tHost: x\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nContent-Length: 1\r\n\r\nx", 417},
        {"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 65537\r\n\r\n",
         413},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n", 413},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        place *p = *state;
        char wanted[32];
        open_http(p);
        for (const char *c = all[i].request; *c && !p->connection->closing; c++)
            say(p, c, 1);
        hear(p, sizeof p->heard);
        snprintf(wanted, sizeof wanted, "HTTP/1.1 %d ", all[i].status);
        if (p->requests || strncmp(p->heard, wanted, strlen(wanted)) != 0)
            fail_msg("%s: %d requests, %s", all[i].request, p->requests, p->heard);
        tear_down(state);
        set_up(state);
    }
}

// Requests behind one another: no body for HEAD, and the last one closes the connection.
static void test_methods_and_connections(void **state) {
    place *p = *state;
    static const char talk[] = "HEAD /a HTTP/1.1\r\nHost: x\r\nX:\r\nY: \xc3\xa4\r\n\r\n"
                               "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"
                               "GET /b HTTP/1.0\r\n\r\nGET /never HTTP/1.1\r\nHost: x\r\n\r\n";
    open_http(p);
    say(p, talk, sizeof talk - 1);
    assert_int_equal(p->requests, 3);
    hear(p, sizeof p->heard);
    assert_int_equal(count_of(p, "HTTP/1.1 200 OK"), 3);
    assert_int_equal(count_of(p, "Connection: keep-alive"), 2);
    assert_int_equal(count_of(p, "Connection: close\r\n\r\nnow"), 1);
    assert_int_equal(count_of(p, "now"), 2); // HEAD has no body
}

// A client that asks first is told to go on before it sends the body.
static void test_a_client_that_expects_is_told_to_continue(void **state) {
    place *p = *state;
    static const char head[] = "\r\nPOST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\n"
                               "Content-Length: 5\r\n\r\n";
    open_http(p);
    say(p, head, sizeof head - 1);
    hear(p, sizeof p->heard);
    assert_string_equal(p->heard, "HTTP/1.1 100 Continue\r\n\r\n");
    say(p, "hello", 5);
    hear(p, sizeof p->heard);
    assert_int_equal(count_of(p, "HTTP/1.1 200 OK"), 1);
    assert_string_equal(p->bodies[0], "hello");
}

// --- readers ------------------------------------------------------------------------------------

static void on_bytes(connection *w, text bytes, int64_t now) {
    (void)w;
    (void)bytes;
    (void)now;
}

static void on_connection_gone(connection *w, const char *why) {
    place *p = w->owner;
    snprintf(p->why, sizeof p->why, "%s", why);
    p->connection = NULL;
}

static const connection_events connection_handlers = {on_bytes, on_connection_gone};

static void open_wire(place *p) {
    p->connection->events = &connection_handlers;
    p->connection->owner = p;
    connection_resume(p->connection);
}

static void test_who_does_not_read_is_dropped(void **state) {
    place *p = *state;
    static char much[65536];
    open_wire(p);
    for (int i = 0; i < 100 && p->connection; i++) {
        connection_send(p->connection, (text){much, sizeof much});
        turn(p, 2);
    }
    assert_string_equal(p->why, "slow reader");
    assert_int_equal(p->turns.dropped, 1);
    assert_int_equal(p->turns.in_flight, 0);
}

// What others leave unread is not held against one who reads, unless it wants much.
static void test_a_reader_among_many_who_do_not(void **state) {
    place *p = *state;
    static char much[CONNECTION_SMALL + 1];
    open_wire(p);
    p->turns.in_flight = (size_t)TURNS_IN_FLIGHT + 1;
    connection_send(p->connection, text_of("a move\n"));
    turn(p, 2);
    assert_non_null(p->connection);
    assert_int_equal(hear(p, 7), 7);
    connection_send(p->connection, (text){much, sizeof much});
    turn(p, 2);
    assert_string_equal(p->why, "slow reader");
    p->turns.in_flight = 0;
}

static void test_who_reads_slowly_gets_all_of_it(void **state) {
    place *p = *state;
    size_t size = 3 << 20, got = 0;
    char *much = calloc(1, size);
    assert_non_null(much);
    open_wire(p);
    connection_send(p->connection, (text){much, size});
    connection_close(p->connection, "answered");
    turn(p, 2);
    free(much);
    int64_t now = p->connection->linger_until - 1;
    while (got < size) {
        p->len = 0;
        size_t piece = hear(p, 30000);
        assert_true(piece > 0);
        got += piece;
        turn(p, 1);
        if (p->connection) {
            connection_linger(p->connection, now); // something was read: it stays
            now = p->connection->linger_until - 1;
        }
    }
    assert_int_equal(got, size);
}

static void test_who_stops_reading_is_cut_off(void **state) {
    place *p = *state;
    static char much[1 << 20];
    open_wire(p);
    connection_send(p->connection, (text){much, sizeof much});
    connection_close(p->connection, "answered");
    turn(p, 2);
    connection_linger(p->connection,
                      p->connection->linger_until - 1); // looked at for the first time
    connection_linger(p->connection, p->connection->linger_until);
    turn(p, 2);
    assert_null(p->connection);
}

// --- frames -------------------------------------------------------------------------------------

static void on_message(websocket *s, text message, int64_t now) {
    (void)now;
    websocket_send(s, message);
}

static void on_socket_gone(websocket *s, const char *why) {
    place *p = s->owner;
    snprintf(p->why, sizeof p->why, "%s", why);
}

static const websocket_events socket_handlers = {on_message, on_socket_gone};

static void on_upgrade(http *h, const http_request *r) {
    fault why;
    assert_true(r->wants_websocket && websocket_may_open(r, &why));
    assert_non_null(websocket_open(h, r, &socket_handlers, h->owner));
}

static const http_events upgrade_handlers = {.on_request = on_upgrade, .on_gone = on_gone};

static void open_socket(place *p) {
    static const char handshake[] =
        "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    assert_non_null(http_new(p->connection, &upgrade_handlers, p));
    connection_resume(p->connection);
    say(p, handshake, sizeof handshake - 1);
    hear(p, sizeof p->heard);
    assert_non_null(strstr(p->heard, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    p->len = 0;
}

static void test_frames_come_in_any_pieces(void **state) {
    place *p = *state;
    static const char frames[] = "\x01\x83\0\0\0\0abc\x89\x81\0\0\0\0?\x80\x82\0\0\0\0de";
    open_socket(p);
    for (size_t i = 0; i < sizeof frames - 1; i++)
        say(p, &frames[i], 1);
    hear(p, sizeof p->heard);
    assert_memory_equal(p->heard,
                        "\x8a\x01?\x81\x05"
                        "abcde",
                        10);
}

static void test_a_flood_of_pings_ends_it(void **state) {
    place *p = *state;
    open_socket(p);
    for (int i = 0; i < WEBSOCKET_PINGS + 2 && !p->connection->closing; i++)
        say(p, "\x89\x80\0\0\0\0", 6);
    assert_true(p->connection->closing);
    assert_string_equal(p->connection->why, "flood");
}

// --- lateness -----------------------------------------------------------------------------------

static void note_word(place *p, const char *word) {
    size_t len = strlen(p->why);
    snprintf(p->why + len, sizeof p->why - len, "%s ", word);
}

static void on_late(void *context, int64_t us) {
    assert_true(us >= TURNS_LATE_US);
    place *p = context;
    if (!strstr(p->why, "late")) // a slow machine may be late twice
        note_word(p, "late");
}

static void on_drained(void *context, int64_t then) {
    place *p = context;
    assert_true(then <= clock_us());
    note_word(p, "drained");
}

static void on_late_bytes(connection *w, text bytes, int64_t now) {
    (void)now;
    assert_true(bytes.len > 0);
    note_word(w->owner, "read");
}

static void on_late_gone(connection *w, const char *why) {
    (void)w;
    (void)why;
}

// The owner hears of the delay, then what waited is read, then flags may be judged.
static void test_sockets_are_read_before_flags_are_judged(void **state) {
    place *p = *state;
    static const connection_events events = {on_late_bytes, on_late_gone};
    p->turns.events.late = on_late;
    p->turns.events.drained = on_drained;
    p->connection->events = &events;
    p->connection->owner = p;
    connection_resume(p->connection);
    turn(p, 2);
    p->why[0] = '\0'; // a slow machine may have been late by now
    assert_int_equal(send(p->fd, "move", 4, 0), 4);
    usleep(TURNS_LATE_US);
    turns_want_drained(&p->turns);
    turn(p, 1);
    assert_string_equal(p->why, "late read drained ");
}

// What is read right after a little work may have waited that long.
static void test_a_short_delay_is_taken_off_the_stamp(void **state) {
    place *p = *state;
    turn(p, 2);
    // Where the machine is slow to listen, it seems to have slept: then it is tried again.
    int64_t earlier = 0;
    for (int tries = 0; tries < 100 && earlier < TURNS_LATE_US / 4; tries++) {
        usleep(TURNS_LATE_US / 4);
        turn(p, 1);
        earlier = clock_us() - turns_stamp(&p->turns);
    }
    assert_true(earlier >= TURNS_LATE_US / 4);
}

// All that is read in one poll has one stamp, however long the work on the first of it takes.
static void test_work_in_a_turn_moves_no_stamp(void **state) {
    place *p = *state;
    turn(p, 1);
    int64_t first = turns_stamp(&p->turns);
    usleep(2000);
    assert_int_equal(turns_stamp(&p->turns), first);
}

// Commits that follow each other closely are kept apart, so that what comes in meanwhile shares the
// next. It may have waited that long, and nobody is charged for it.
static void test_commits_gather_what_comes_in(void **state) {
    place *p = *state;
    turn(p, 2);
    turns_note_commit(&p->turns);
    assert_false(p->turns.gathers); // one alone delays nothing
    int64_t earlier = 0;
    for (int tries = 0; tries < 100 && earlier < TURNS_GATHER_US; tries++) {
        turns_note_commit(&p->turns);
        turns_note_commit(&p->turns);
        int64_t second = p->turns.committed;
        bool gathers = p->turns.gathers; // not if the machine was slow in between
        turn(p, 1);
        assert_true(!gathers || p->turns.slept >= second + TURNS_GATHER_US);
        earlier = clock_us() - turns_stamp(&p->turns);
    }
    assert_true(earlier >= TURNS_GATHER_US);
}

// Players get their bytes before spectators, whoever was queued first.
static void test_those_marked_last_are_sent_after_the_others(void **state) {
    place *p = *state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    connection *last = p->connection, *first = connection_adopt(&p->turns, pair[0]);
    assert_non_null(first);
    last->sends_last = true;
    connection_send(last, text_of("spectator"));
    connection_send(first, text_of("player"));
    assert_true(p->turns.dirty_last.first && p->turns.dirty.first);
    turn(p, 2);
    assert_true(first->written && first->written <= last->written);
    assert_int_equal(hear(p, 100), 9);
    last->sends_last = false; // more for the same connection that must not wait
    connection_send(last, text_of("both"));
    assert_null(p->turns.dirty_last.first);
    turn(p, 2);
    assert_int_equal(hear(p, 100), 4);
    assert_string_equal(p->heard, "spectatorboth");
    close(pair[1]);
}

// Work is measured closely, whether the thread ran or other programs did meanwhile.
static void test_processor_time_is_close(void **state) {
    loop_turns *t = &((place *)*state)->turns;
    const int64_t rounding = 2;
    for (int i = 0; i < 20000; i++) {
        if (i % 100 == 0)
            usleep(1);
        int64_t before = clock_thread_us(), got = turns_cpu_us(t), after_it = clock_thread_us();
        assert_in_range(got + rounding, before, after_it + TURNS_CLOCK_US + 2 * rounding);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_requests_come_in_any_pieces),
        TEST(test_an_answer_may_come_later),
        TEST(test_bad_requests_are_refused),
        TEST(test_methods_and_connections),
        TEST(test_a_client_that_expects_is_told_to_continue),
        TEST(test_too_much_behind_a_request_ends_it),
        TEST(test_who_does_not_read_is_dropped),
        TEST(test_a_reader_among_many_who_do_not),
        TEST(test_who_reads_slowly_gets_all_of_it),
        TEST(test_who_stops_reading_is_cut_off),
        TEST(test_frames_come_in_any_pieces),
        TEST(test_a_flood_of_pings_ends_it),
        TEST(test_sockets_are_read_before_flags_are_judged),
        TEST(test_a_short_delay_is_taken_off_the_stamp),
        TEST(test_work_in_a_turn_moves_no_stamp),
        TEST(test_processor_time_is_close),
        TEST(test_commits_gather_what_comes_in),
        TEST(test_those_marked_last_are_sent_after_the_others),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
