// A client that is connected: over lines or over a WebSocket, logged in or not. What it asks is
// found among the verbs of the features and answered; what it is told goes out after the
// turn's commit. Bounded in rate and memory. Ends with its connection.
#ifndef KRATON_SERVER_SESSION_H
#define KRATON_SERVER_SESSION_H

#include "net/connection.h"
#include "net/websocket.h"
#include "protocol/message.h"
#include "server/member.h"

enum {
    SESSION_BURST = 2000, // requests at once,
    SESSION_RATE = 1000,  // and a second
    SESSION_WATCHES = 64,
    SESSION_FOLLOWS = 4, // tournaments
    SESSION_ERRORS = 50, // then the connection ends; every accepted move cancels one
    SESSION_TOKENS = 3,  // wrong ones
    SESSION_MOST = 32,   // of one player: each is told everything first
    SESSION_LOGIN_S = 30,
    SESSION_SILENCE_S = 60, // then it is pinged, and closed after as long again
    SESSION_VERSION = 1     // of the protocol
};

typedef struct watch watch; // a session that watches a game: see server/game.h

struct session {
    server *server;
    connection *connection;
    websocket *socket;           // NULL: lines
    member *member;              // NULL: not logged in
    char token[TOKEN_HASH_SIZE]; // it logged in by
    list_link link;              // in server.sessions
    list_link link_of_member;    // in member.sessions
    linked_list watches;         // games it watches: see server/game.h
    int watch_count;
    bool in_lobby;                    // wants to hear of seeks
    list_link link_of_lobby;          // in server.lobby_sessions, while it does
    int64_t follows[SESSION_FOLLOWS]; // tournaments, by number; 0: none
    bool pinged;
    bool ended;
    int errors, wrong_tokens;
    text ref;           // of the present request
    int64_t idle_since; // without login, watching and following nothing
    int64_t read;       // server time of the bytes the present request came in with
    bucket bucket, analyses, chats;
    int64_t analysis; // the one under way; 0: none
    lines lines;
};

// The session of a link in server.sessions, or in member.sessions; NULL for NULL.
static inline session *session_of(list_link *l) { return LIST_ITEM(l, session, link); }
static inline session *session_of_member(list_link *l) {
    return LIST_ITEM(l, session, link_of_member);
}

// A program has connected: greets it.
session *session_open_lines(server *srv, connection *line);
// A page has connected, on behalf of a member (and by which token) or of nobody (NULL).
session *session_open_socket(server *srv, http *h, const http_request *r, member *m, text token);
// Makes it the member's, who came by that token; tells it about the member's live games, and the
// token where that is a new one.
void session_log_in(session *s, member *m, text token, bool is_new);
// The member's sessions are known by that token from now on.
void session_set_token(member *m, text token);
// Whether it hears of seeks from now on.
void session_set_lobby(session *s, bool on);
// Ends the sessions of a member, or those that came by one token only.
void session_end_all(member *m, const char *reason);
void session_end_token(member *m, text token, const char *reason);
void session_end_hash(member *m, const char hash[TOKEN_HASH_SIZE], const char *reason);
// Who shares what all share: an address, or on this machine a player or a connection.
int64_t session_visitor(const session *s);
int64_t member_visitor(const member *m);
void session_send(session *s, message *say);
// The same for what may reach others first: spectators wait for players.
void session_send_last(session *s, message *say);
// The same for messages that are written out: `plain` as lines, and as JSON, one a line.
void session_send_ready(session *s, text plain, text jsons);
// Sends a notice: a code and words for people.
void session_notice(session *s, const char *reason, const char *words);
// Answers with an error: a code of docs/protocol.md and words.
void session_refuse(session *s, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Says bye with the reason (a code, static text) and ends it.
void session_end(session *s, const char *reason);
// Understands a request: finds its verb and runs it.
void session_handle(session *s, const request *r, int64_t now);
// Once a second: pings the silent, ends the dead.
void session_sweep(server *srv, int64_t now);

#endif
