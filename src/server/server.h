// Everything one server holds: the loop, the store, who is here, what is being played. Made by
// server/serve.c, handed to every module. Loop's thread only.
//
// Server time: microseconds that never go back and stand still while the server is down or starts:
// it goes on from the heartbeat in the store when the loop begins to run. So all stamps of a game,
// over any number of restarts, are on one scale. Wall time is for people and never for clocks.
#ifndef KRATON_SERVER_SERVER_H
#define KRATON_SERVER_SERVER_H

#include "base/list.h"
#include "base/table.h"
#include "net/connection.h"
#include "os/clock.h"
#include "protocol/message.h"
#include "server/log.h"
#include "store/store.h"

typedef struct {
    const char *address;                   // to listen on
    int port, bot_port;                    // 0: any
    const char *data;                      // folder
    const char *store;                     // place of the database; NULL: the folder
    const char *tls_certificate, *tls_key; // NULL: no TLS
    const char *log;                       // file to append to; NULL: standard error
    const char *access_log;                // file for a line a request; NULL: none
    const trusted_proxies *metrics_for;    // who may read /metrics
    const char *metrics_token;             // whoever has it may too; NULL: there is none
    const char *web;                       // folder of the page's files; NULL: no page
    const trusted_proxies *proxies;        // whom to believe whose a request is; NULL: nobody
    const char *user;                      // to become after listening; NULL: stay
    bool durable;
    bool is_new;           // the data folder may be without a database: it begins with nothing
    bool lag_credit_rated; // people get it in rated games too
    int reserve_mb;        // of disk: with less left it stands still
    int grace_s;           // after a restart: clocks of absent players start by then
    int late_credit_s;     // most that is given back to a game in an hour for delays of the server
    int away_s;            // a player who is away so long has left the game; claims come earlier
    int keep_short_days;   // short unrated games are kept so long; 0: for good
    int house_bots;        // engine processes at most; 0: none
    const char *program;   // path of this program: the guard and the engines beside it
    const char *version;
} serve_options;

enum {
    SERVER_PASS_ON = 16,
    SERVE_RESERVE_MB = 64,
    SERVE_LATE_CREDIT_S = 10,
    SERVE_AWAY_S = 120,
    SERVER_SIGNALS = 4
};

// Counted since the start; /metrics prints them.
typedef struct {
    uint64_t moves, games_started, games_ended, seeks, logins, failed_logins;
    uint64_t lines_in, messages_out, requests, bad_requests, floods, flags, illegal_moves;
    uint64_t commits, commit_us;
    uint64_t late_us;                        // the loop was late
    uint64_t late_given_us, late_charged_us; // of it, to clocks: given back, and beyond the limit
    uint64_t cut;                            // connections ended for what the peer did
    uint64_t pass_on[SERVER_PASS_ON]; // moves passed on within 64 us * 2^n; the last: all others
    uint64_t pass_on_us;              // all of them together
} server_counters;

typedef struct game game;
typedef struct seat seat;
typedef struct member member;
typedef struct session session;
typedef struct http_client http_client;
typedef struct lobby lobby;
typedef struct accounts accounts;
typedef struct pages pages;
typedef struct feature_slot feature_slot; // server/feature.h
typedef struct background background;
typedef struct ratelimit ratelimit;

typedef struct server {
    uv_loop_t *loop;
    const serve_options *options;
    loop_turns turns;
    uint64_t worked_in; // the turn in which features last worked
    store *store;
    int64_t offset;   // server time less clock_us
    bool is_starting; // server time stands still,
    int64_t resumed;  // at this moment
    int64_t started;
    table members; // by player id: everybody who is here or plays
    table games;   // by id: under way, or over a moment ago
    linked_list sessions;
    linked_list lobby_sessions; // those that hear of seeks
    linked_list http_clients;   // HTTP, see server/api.h
    game *asked;                // games whose request to move goes out with the next commit
    game *asked_sealed;         // and with the one that is pending
    game *flags_due;            // games whose time seems to be up: judged once all sockets are read
    uint32_t session_count, live_games, spectators;
    uint32_t games_over; // finished ones still in memory
    int64_t last_entry;  // of the journal
    int64_t trimmed;     // the last one when its front was last removed
    uint32_t damaged;    // finished games whose checksum is wrong
    table aside;         // live games that could not be read, by id: see game_journal.c
    server_counters count;
    bucket complaints; // lines in the log about connections
    lobby *lobby;
    accounts *accounts;
    pages *pages;
    background *background;
    ratelimit *ratelimit;
    feature_slot *features;
    int feature_count;
    tls_context *tls;
    listener web, programs;
    game *crowds;          // games whose spectators are to be shown something: see game_crowd.c
    uv_timer_t showing;    // runs while there are some
    uv_poll_t store_ready; // listens while a commit is pending,
    int watched;           // for these events
    bool can_wait;         // it is open
    bool is_sealed;        // a commit is pending
    int64_t commit_from;   // clock_us when it began; 0: none did
    uv_timer_t beat;       // heartbeat, and every other time the second's work
    uint64_t beats;
    uv_signal_t signals[SERVER_SIGNALS];
    bool is_full;     // the disk: see check_disk in server/serve.c
    bool is_draining; // no new games; it stops when the last one has ended
    bool stopping;
    fault failure; // why it had to stop; empty: it was asked to
} server;

// Server time now, and of a stamp taken with clock_us.
static inline int64_t server_now(const server *srv) {
    return srv->is_starting ? srv->resumed : clock_us() + srv->offset;
}
static inline int64_t server_time(const server *srv, int64_t stamp) { return stamp + srv->offset; }
// Where its database is.
static inline const char *server_store_place(const server *srv) {
    return srv->options->store ? srv->options->store : srv->options->data;
}
// Microseconds since 1970.
int64_t server_wall(void);
// What clients are told who are refused because the disk is full.
extern const char server_full_words[];
// Begins no more games and stops when none is left.
void server_drain(server *srv);
extern const char server_draining_words[];
// A moment as people write it: 2026-11-15T11:20:00Z.
void server_write_moment(writer *out, int64_t wall_us);
// A connection is over: where the peer is to blame it is counted and, not too often, logged.
// `name`: who it was, NULL where that is not known.
void server_note_end(server *srv, const char *name, const char *address, const char *why);
#endif
