// What is plugged into the server. A feature is a table of functions: the verbs clients may send,
// the HTTP routes, and what to do when something happens. The core calls features through this
// table alone and knows none of them by name; src/features/features.c lists those of Kraton, and
// parts of the core (games, lobby) are listed in feature.c. To add a feature, write one file and
// add one line to that list.
//
// Any member may be NULL. Functions run on the loop's thread, inside the transaction of the turn,
// in the order of the list.
#ifndef KRATON_SERVER_FEATURE_H
#define KRATON_SERVER_FEATURE_H

#include "server/server.h"
#include "store/games.h"

typedef struct api_call api_call;       // server/api.h
typedef struct lobby_offer lobby_offer; // server/lobby.h

// One verb a session may send.
typedef struct {
    const char *name;
    void (*run)(session *s, const request *r);
    bool needs_login;
    bool only_reads; // allowed while the disk is full
} verb;

// One route of HTTP. A request that does not only read is refused while the disk is full.
typedef struct {
    const char *method;  // GET, POST, DELETE
    const char *pattern; // "/api/v1/games/*/record": a star stands for one part
    void (*run)(api_call *c);
    bool needs_login;
} api_route;

typedef struct feature {
    const char *name;
    const verb *verbs;       // ends with a NULL name
    const api_route *routes; // ends with a NULL pattern
    size_t body_max;         // of what is sent to one of them, in bytes; 0: HTTP_BODY_MAX

    // The page at a path of its own is asked for: writes tags for its head, for whoever previews
    // links. True: it did; no other feature is asked.
    bool (*write_head)(api_call *c, writer *out);

    // The server starts: returns the feature's own state, to be found by feature_state. NULL, with
    // the reason, stops the start. Games are not in memory yet.
    void *(*start)(server *srv, fault *why);
    void (*on_recovered)(server *srv); // the games of the store are in memory
    // Once a second; while the disk is full only where ticks_when_full is set.
    void (*tick)(server *srv);
    bool ticks_when_full;
    // After the output of a turn: a slice of long work, about a millisecond of it. True: there is
    // more, in the next turn. Not called while the disk is full.
    bool (*work)(server *srv);
    void (*stop)(server *srv); // the loop is about to end: close handles and child processes
    void (*free)(void *state); // the loop has ended

    // Clients. A player has left when its last session is closed.
    void (*on_login)(session *s);
    void (*on_session_closed)(session *s);
    void (*on_player_arrived)(member *m); // after on_login
    void (*on_player_left)(member *m);
    void (*on_player_renamed)(member *m);       // a guest has registered: new name, new kind
    void (*on_player_removed)(const member *m); // banned, or its account is closed

    // Games.
    void (*on_game_begun)(game *g);
    void (*on_turn)(game *g);      // the clock of the side to move has just started
    void (*on_game_over)(game *g); // the result is stored and sent to everybody
    // After on_game_over, and for a game set aside that was voided. May begin other games.
    void (*on_result)(server *srv, const stored_game *row);
    // An arbiter has changed a result: `now` has the new one, `before` is the old outcome.
    void (*on_corrected)(server *srv, const stored_game *now, int before);
    void (*on_offer)(game *g, const char *kind, int side); // draw, takeback or rematch, by `side`
    bool (*on_challenge)(lobby_offer *o); // true: accepted or declined, and the offer is freed
} feature;

struct feature_slot {
    const feature *feature;
    void *state;
};

// Calls that function of every feature that has it.
#define TELL_FEATURES(srv, function, ...)                                                          \
    do                                                                                             \
        for (int i_ = 0; i_ < (srv)->feature_count; i_++)                                          \
            if ((srv)->features[i_].feature->function)                                             \
                (srv)->features[i_].feature->function(__VA_ARGS__);                                \
    while (0)

// The core's own, see feature.c.
extern const feature account_feature, game_feature, lobby_feature, session_feature;

// Starts the core's features and those of the list, which ends with NULL. False with the reason.
// features_stop and features_free are to be called in any case.
MUST_USE bool features_start(server *srv, const feature *const *list, fault *why);
void features_tick(server *srv);
bool features_work(server *srv); // true: there is more
void features_stop(server *srv);
void features_free(server *srv);

// The state that start returned; NULL for a feature that was not started.
void *feature_state(const server *srv, const feature *f);
// The verb of that name; NULL: there is none.
const verb *features_find_verb(const server *srv, text name);
// Offers a challenge to the features until one has dealt with it.
void features_challenge(const server *srv, lobby_offer *o);

#endif
