// A whole server in memory for fuzzers: store, lobby, games, everything but ports, engines and the
// heartbeat. Clients are the other ends of socket pairs. To make one takes longer than most inputs,
// so it serves FUZZ_INPUTS of them and is then taken down, when everything must have been given
// back. What is found and does not show again alone came of an input before it.
#ifndef KRATON_FUZZ_SERVE_H
#define KRATON_FUZZ_SERVE_H

#include "features/features.h"
#include "server/account.h"
#include "server/api.h"
#include "server/background.h"
#include "server/game.h"
#include "server/lobby.h"
#include "server/pages.h"
#include "server/ratelimit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_INPUTS = 64 };

typedef struct {
    uv_loop_t loop;
    serve_options options;
    server *server;
    int inputs; // it has served
} fuzz_server;

static inline turn_state fuzz_commit(void *context, bool waits) {
    (void)waits;
    fault why;
    if (!store_commit(((server *)context)->store, &why))
        abort(); // nothing a client says makes the store fail
    return TURN_STORED;
}

static inline void fuzz_after(void *context) {
    server *srv = context;
    game_start_clocks(srv, &srv->asked);
}

static inline void fuzz_must(bool good) {
    if (!good)
        abort();
}

// A folder without a page and with an empty database, made once.
static inline const char *fuzz_empty_folder(void) {
    static char folder[32];
    if (!folder[0]) {
        memcpy(folder, "/tmp/kraton-fuzz-XXXXXX", 24);
        fuzz_must(mkdtemp(folder) != NULL);
        fault why;
        store_close(store_open(folder, STORE_NEW, &why)); // what searches of the archive open
    }
    return folder;
}

static inline void fuzz_late(void *context, int64_t us) { game_credit_late(context, us); }

static inline void fuzz_drained(void *context, int64_t then) {
    game_judge_flags(context, server_time(context, then));
}

static inline void fuzz_open(fuzz_server *f) {
    signal(SIGPIPE, SIG_IGN);
    const char *folder = fuzz_empty_folder();
    f->options = (serve_options){
        .data = folder, .web = folder, .grace_s = 1, .program = "/nowhere/kraton", .version = "0"};
    server *srv = f->server = calloc(1, sizeof *srv);
    fault why;
    fuzz_must(srv && uv_loop_init(&f->loop) == 0);
    srv->loop = &f->loop;
    srv->options = &f->options;
    turns_events events = {.commit = fuzz_commit,
                           .after = fuzz_after,
                           .context = srv,
                           .late = fuzz_late,
                           .drained = fuzz_drained};
    turns_open(&srv->turns, srv->loop, &events);
    fuzz_must((srv->store = store_open(NULL, 0, &why)) != NULL);
    srv->offset = -clock_us();
    fuzz_must((srv->pages = pages_new(folder, &why)) && (srv->lobby = lobby_new(srv)) &&
              (srv->accounts = accounts_new(srv)) && (srv->ratelimit = ratelimit_new()) &&
              (srv->background = background_new()) && features_start(srv, features_all, &why));
}

static inline void fuzz_turn(fuzz_server *f, int times) {
    while (times-- > 0)
        uv_run(&f->loop, UV_RUN_NOWAIT);
}

static inline void fuzz_close(fuzz_server *f) {
    server *srv = f->server;
    srv->stopping = true;
    features_stop(srv);
    game_close_all(srv);
    turns_close(&srv->turns);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    background_free(srv->background);
    features_free(srv);
    lobby_free(srv->lobby);
    ratelimit_free(srv->ratelimit);
    accounts_free(srv->accounts);
    pages_free(srv->pages);
    fuzz_must(srv->session_count == 0 && list_is_empty(&srv->sessions) &&
              list_is_empty(&srv->http_clients));
    fuzz_must(srv->members.count == 0);
    store_close(srv->store);
    table_free(&srv->games);
    table_free(&srv->members);
    free(srv);
    fuzz_must(uv_loop_close(&f->loop) == 0);
}

// The server for the next input; and when that is done, its clients' ends closed.
static inline fuzz_server *fuzz_begin(void) {
    static fuzz_server one;
    if (!one.server)
        fuzz_open(&one);
    return &one;
}

static inline void fuzz_end(fuzz_server *f) {
    for (int i = 0; i < 1000 && (f->server->sessions.first || f->server->http_clients.first); i++)
        fuzz_turn(f, 1);
    if (++f->inputs < FUZZ_INPUTS)
        return;
    fuzz_close(f);
    memset(f, 0, sizeof *f);
}

// A new connection to the programs' port or to the pages'; the client's end.
static inline int fuzz_connect(fuzz_server *f, bool web) {
    int pair[2];
    fuzz_must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    connection *w = connection_adopt(&f->server->turns, pair[0]);
    fuzz_must(w && (web ? api_accept(f->server, w) : session_open_lines(f->server, w) != NULL));
    connection_resume(w);
    return pair[1];
}

// Sends; what does not fit is lost. And reads whatever has come back.
static inline void fuzz_send(int fd, const void *bytes, size_t len) {
    (void)!send(fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static inline void fuzz_drain(int fd) {
    static char sink[65536];
    while (recv(fd, sink, sizeof sink, MSG_DONTWAIT) > 0) {
    }
}

static inline void fuzz_upgrade(int fd) {
    static const char handshake[] =
        "GET /api/v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    fuzz_send(fd, handshake, sizeof handshake - 1);
}

// All the bytes, in pieces of so many.
static inline void fuzz_send_pieces(fuzz_server *f, int fd, const uint8_t *data, size_t size,
                                    size_t step) {
    for (size_t from = 0; from < size; from += step) {
        fuzz_send(fd, data + from, size - from < step ? size - from : step);
        fuzz_turn(f, 1);
        fuzz_drain(fd);
    }
}

#endif
