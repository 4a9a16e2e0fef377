// Games in the database: the row of each, the journal of those under way, the moves of those that
// are over. Times of moves are server time (see server/server.h).
#ifndef KRATON_STORE_GAMES_H
#define KRATON_STORE_GAMES_H

#include "store/store.h"

typedef struct {
    int64_t id;
    char game[16];      // its rules' name
    char rules[192];    // as rules_set_format writes it
    char fen[128];      // empty: the start position
    char control[160];  // as referee_control_format writes it, both sides the same
    int64_t players[2]; // by side
    bool rated;
    int64_t tournament; // 0: none
    int round;
    int64_t started; // since 1970
    int64_t begun;   // server time
    int64_t ended;   // since 1970; 0: under way
    int outcome;     // rules_outcome
    char reason[32]; // the referee's name for it
    int side;
    char words[192];
    int plies;
    int rematch; // sides that offer one: 1, 2
} stored_game;

// What is kept of a move. Stamps in server time: the request to move was queued, handed to the
// system; the bytes of the answer were read, the move was accepted.
typedef struct {
    char move[8];
    int64_t queued, written, read, accepted;
    int64_t lag;       // credit given for the way there and back
    int64_t late;      // not charged either: the server was late by so much
    int64_t used;      // charged to the mover; -1: unknown
    int64_t remaining; // to the mover afterwards, its increment included; -1: no clock
    bool has_score, is_mate;
    int32_t score; // what a program said of its move, from its own point of view
    int32_t depth; // 0: not said
    int64_t nodes; // -1: not said
} stored_move;

typedef enum {
    JOURNAL_MOVE,
    JOURNAL_TAKEBACK, // `ply` plies are left on the board
    JOURNAL_CLOCK,
    JOURNAL_OFFER,
    JOURNAL_ANEW, // the whole game follows once more; what came before does not count
    JOURNAL_LATE  // of no game: of all whose clocks ran
} journal_kind;
typedef enum { OFFER_DRAW, OFFER_TAKEBACK, OFFER_REFUSED } journal_offer; // the last: of its side

// One thing that happened in a live game, or in all of them.
typedef struct {
    int64_t id;
    int64_t game; // 0: in all of them
    journal_kind kind;
    bool is_damaged; // its checksum is wrong: nothing else of it can be trusted
    int ply;         // plies on the board after it
    int64_t at;      // server time
    union {
        stored_move move; // JOURNAL_MOVE; its `accepted` is the same as `at`
        // JOURNAL_CLOCK: the clock of the side to move was stopped or started.
        struct {
            int64_t used; // for this move by then
            bool runs;
            int hold; // why it stands (server/game.h); 0 where it runs
        } clock;
        // JOURNAL_OFFER
        struct {
            journal_offer kind;
            int side; // that made it
        } offer;
        // JOURNAL_LATE: the server was late by so much until then and gave it back to every clock
        // that ran, or what that clock had run where that is less.
        int64_t late_us;
    };
} journal_entry;

// Adds a game and fills in its id.
void store_add_game(store *s, stored_game *g);
// Takes back store_add_game.
void store_remove_game(store *s, int64_t id);
// Which sides offer a rematch: 1, 2, both 3.
void store_set_rematch(store *s, int64_t id, int sides);
// The end of a game that cannot be read: the row's result, and what moves the journal has.
void store_end_unread_game(store *s, const stored_game *g);
// The end: the row's result, its moves to the archive.
void store_end_game(store *s, const stored_game *g, const stored_move *moves);
// Whether a finished game is as it was when it ended, by its checksum. One that has none yet gets
// it.
typedef enum { GAME_SOUND, GAME_DAMAGED, GAME_UNSIGNED } game_soundness;
game_soundness store_check_game(store *s, int64_t id);
// Keeps the checksum of a game as it is now.
void store_sign_game(store *s, int64_t id);
// The next finished games behind that id; returns how many.
int store_finished_games(store *s, int64_t after, int64_t *ids, int count);
// Another result than the one it had; `why` is kept with it.
void store_correct_game(store *s, int64_t id, int outcome, int side, const char *reason,
                        const char *words, const char *why);
MUST_USE bool store_find_game(store *s, int64_t id, stored_game *g);
// Reads the moves of a finished game into a block of g->plies (malloc); NULL where there are none.
stored_move *store_game_moves(store *s, int64_t id, int *count);

int64_t store_add_entry(store *s, const journal_entry *e); // returns its id
// Cuts off the journal's entries before the id.
enum { STORE_TRIM = 10000 };
// Removes entries from the front of the journal, some thousands at a time. False: more are left.
bool store_trim_journal(store *s, int64_t before);

// Everything a new server takes up again: games under way, in order of id, then their entries in
// order. The callbacks must not write.
void store_each_live_game(store *s, void (*take)(void *context, const stored_game *g),
                          void *context);
// The games played here that ended since, at most so many of the latest.
void store_each_recent_game(store *s, int64_t since, int limit,
                            void (*take)(void *context, const stored_game *g), void *context);
void store_each_entry(store *s, void (*take)(void *context, const journal_entry *e), void *context);

// The latest server time anything was stored at: the heartbeat, the last move, the last game's
// beginning; and writing the heartbeat.
int64_t store_heartbeat(store *s);
bool store_has_live_games(store *s);
void store_beat(store *s, int64_t now);

// What an arbiter did, to what, and why.
void store_audit(store *s, int64_t at, int64_t arbiter, const char *action, const char *subject,
                 text reason);

typedef struct {
    int64_t id, at;
    char arbiter[32], action[16], subject[64], reason[256];
} stored_audit;
// The latest entries before that id, newest first.
void store_each_audit(store *s, int64_t before, int limit,
                      void (*take)(void *context, const stored_audit *a), void *context);

// --- offers --------------------------------------------------------------------------------------

// Offers that wait for somebody: challenges, and seeks given to a friend by number.

typedef struct {
    int64_t id;
    int64_t player, opponent; // opponent 0: whoever has the number
    int side;                 // the player's; -1: either
    char game[16], rules[192], control[160], fen[128];
    bool rated;
    int64_t made; // since 1970
} stored_offer;

void store_add_offer(store *s, const stored_offer *o);
void store_remove_offer(store *s, int64_t id);
// In the order they were made. The callback must not write.
void store_each_offer(store *s, void (*take)(void *context, const stored_offer *o), void *context);

#endif
