// A game under way: the referee, the clock's timer, two seats, those who watch. Its state is in the
// store's row and journal, so that a new process makes the same game from them. The clock of the
// side to move runs from the moment the request was handed to the system; who is not here has been
// asked all the same.
#ifndef KRATON_SERVER_GAME_H
#define KRATON_SERVER_GAME_H

#include "referee/referee.h"
#include "server/session.h"
#include "store/games.h"
#include "timer/deadline.h"

enum {
    GAME_MOST = 20000,        // live at once
    GAME_MOST_OF_ONE = 256,   // live games of one member
    GAME_LINGER_MS = 120000,  // how long a finished one can be asked for a rematch,
    GAME_MOST_OVER = 5000,    // and how many
    GAME_LAG_MOVE = 100000,   // lag credit: us a move,
    GAME_LAG_STORE = 1000000, // in store,
    GAME_LAG_REGAIN = 20000,  // regained a move
    GAME_STALL_S = 3600,      // how long a side without a clock may think
    GAME_LEAST_GRACE_S = 2,   // after a restart, unless the operator says less
    GAME_LEAST_AWAY_S = 15    // until an opponent may claim the game, unless it says less
};

struct seat {
    game *game;
    int side;
    member *member;   // held
    list_link link;   // in member.seats, while the game is live
    int64_t lag_left; // credit in store
    bool offers_takeback, offers_rematch;
    bool has_chat;      // wants to talk to the other player
    int64_t away_since; // server time since when its player is not here; 0: it is
};

struct watch {
    session *session;
    game *game;
    list_link link_of_game, link_of_session; // in the watches of each
    uint64_t batch;                          // what is held before that one,
    size_t lines_from, jsons_from;           // and before that of it, is not for it
};

// Messages that spectators are sent together, written out in both forms.
typedef struct {
    buffer lines, jsons;
    uint64_t number; // of the game's batches
} crowd_batch;

// What a link is in: member.seats, game.watches, session.watches. NULL for NULL.
static inline seat *seat_of(list_link *l) { return LIST_ITEM(l, seat, link); }
static inline watch *watch_of_game(list_link *l) { return LIST_ITEM(l, watch, link_of_game); }
static inline watch *watch_of_session(list_link *l) { return LIST_ITEM(l, watch, link_of_session); }

// Why a clock that should run does not: any of these, or none (0). The journal keeps them.
enum {
    HOLD_RESTART = 1,    // until its player is here, or the grace is over
    HOLD_PAUSE = 2,      // the arbiter
    HOLD_TOURNAMENT = 4, // the tournament is paused
    HOLD_DISK = 8        // the disk is full
};

struct game {
    server *server;
    stored_game row;
    const rules_game *rules;
    referee *judge; // owned
    seat seats[2];
    linked_list watches;
    int watch_count;
    stored_move *moves; // owned; one a ply
    size_t move_capacity;
    int64_t asked_at;    // when the present request to move was queued
    int64_t sent_at;     // and when it was handed to the system
    int64_t clock_from;  // when the clock of the side to move last started
    int64_t used_before; // time used for the present move before clock_from
    int64_t late_credit; // given back for the present move, because the server was late
    struct {
        int64_t hour;  // of the game, from 0
        int64_t given; // in that hour, for moves before the present one
        bool is_told;  // it was more than may be given, and arbiters have been told
    } late;
    int hold; // why the clock stands; 0: it runs
    game *next_asked, *next_flag;
    bool is_asked;       // in server.asked
    bool is_flag_due;    // in server.flags_due: its flag is to be judged
    deadline deadline;   // the flag; the grace after a restart; when it leaves memory. Server time
    int64_t first_entry; // of the journal that this game needs; 0: none yet
    bool is_counted;     // among server.games_over
    int64_t delay_us;    // spectators see moves so much later while it goes on; 0: at once
    uint32_t shown;      // plies they have seen, where there is a delay
    struct {
        crowd_batch held;  // messages that wait
        bool is_anew;      // the whole game waits instead
        bool hurries;      // they are due at once
        crowd_batch shown; // those that are being sent,
        bool is_showing;
        watch *next_watch; // to whom next; NULL: all have them
        int64_t shown_at;  // clock_us when it was last begun
        bool waits;        // in server.crowds, while there is something to show
        game *next;
    } crowd; // many spectators: see game_crowd.c
};

// What two players agree on.
typedef struct {
    const rules_game *rules;
    rules_set set;
    referee_control control;
    char fen[RULES_FEN_SIZE]; // empty: the start position
    bool rated;
} game_terms;

// Reads game, rules, tc, fen and rated from a request.
MUST_USE bool game_read_terms(const request *r, game_terms *t, fault *why);
void game_write_terms(const game_terms *t, message *m);
// Whether two terms are the same game.
bool game_same_terms(const game_terms *a, const game_terms *b);

// Begins a game: stored, both told. NULL, with the reason, where it cannot be: too many at once, or
// a rated one between two who may not play such.
game *game_begin(server *srv, const game_terms *t, member *first, member *second,
                 int64_t tournament, int round, fault *why);
game *game_find(server *srv, int64_t id); // NULL: not in memory
bool game_is_over(const game *g);
bool game_has_limit(const game *g); // players can lose by time: not tc=inf
// The game a request names and the side of the player who sent it; the game may be over. NULL after
// a refusal.
game *game_of_player(session *s, const request *r, int *side);
// "first" and "second", as messages name the sides.
extern const char *const game_side_names[2];
int game_side_of(const game *g, const member *m); // 0, 1, or -1: not at the board

// What a seat does. Illegal or late things are answered by the referee or refused with a code
// (NULL: done). `read`: server time when the bytes came in.
typedef struct {
    int ply; // plies on the board before it; -1: not said
    text move;
    int64_t read;
    bool offers_draw;
    bool has_score, is_mate;
    int32_t score, depth;
    int64_t nodes;
    int64_t round_trip; // as the kernel has it; -1: not known
} game_move;
const char *game_play(game *g, int side, const game_move *m, fault *why);
void game_resign(game *g, int side);
void game_fail(game *g, int side, const char *what); // a house bot is of no more use
// Stops the clock for a reason, or lets that reason go: it runs again after the last one.
void game_hold_clock(game *g, int why, bool on);
// The player of that side was away for too long: it loses, or the game is drawn. Before the second
// move there is no result.
void game_abandon(game *g, int side, bool is_draw);
// What an arbiter does.
void game_void(game *g, const char *why);
void game_decide(game *g, int loser, const char *why); // -1: a draw

// Tells a session everything about the game: terms, moves, clocks, and the turn where it is its;
// or (NULL) both players all but the turn.
void game_tell_all(game *g, session *s);
// The member has another name: tells it, and everybody at the boards it sits at.
void game_tell_renamed(member *m);
MUST_USE bool game_watch(game *g, session *s, fault *why);
void game_unwatch(watch *w);

// For the files that share a game's inside: game_clock.c, game_send.c, game_crowd.c, game_verbs.c
// and game_journal.c.
void game_send(game *g, message *m);                // to both seats and all who watch
void game_show_delayed(server *srv);                // moves whose delay is over, to spectators
void game_build_all(game *g);                       // into what waits for spectators
uint32_t game_plies_shown(const game *g);           // to everybody but the players
void game_add_clocks(const game *g, message *m);    // adds both clocks as they are now
void game_tell_turn(game *g, session *s);           // NULL: to all sessions of the side to move
void game_build_result(const game *g, message *m);  // builds it
void game_tell_clock(game *g);                      // its state, to everybody
void game_ask(game *g);                             // the side to move is to be asked
void game_check_over(game *g);                      // ends it where the referee says so
void game_tell_move(game *g, bool offers_draw);     // the last one
bool game_keep_move(game *g, const stored_move *m); // the last one; false: no memory
// game_crowd.c: to all who watch and do not play. `own` (NULL: none) is what that owner of a
// program sees instead. A crowd is shown it a little later, with what follows.
void game_show(game *g, message *m, message *own, int64_t owner);
void game_show_anew(game *g);       // the whole game, when it is due, instead of what waits
void game_show_soon(game *g);       // what waits is due
void game_show_held(game *g);       // what waits, all of it now
void game_show_crowds(server *srv); // the same for every game
void game_skip_held(watch *w);      // it has seen what waits
// To the session, or (NULL) into what waits for spectators.
void game_say(game *g, session *s, message *m);
// game_journal.c: what happens is appended to the journal.
void game_log_move(game *g, const stored_move *m); // the last one
void game_log_takeback(game *g);
void game_log_clock(game *g, int64_t at); // it was stopped or started, as g->hold says
int64_t game_log_late(server *srv, int64_t now,
                      int64_t us);        // one entry for all running clocks; its id
void game_trim_journal(server *srv);      // what no live game needs goes from its front
void game_trim_long_journal(server *srv); // once a second: that, if there is much of it
void game_tell_aside(member *arbiter);
// What of a delay may be given to the game at that server time; and counting what was given.
int64_t game_late_allowance(const game *g, int64_t at, int64_t us);
void game_count_late(game *g, int64_t at, int64_t us);
void game_retire(game *g, int64_t since); // it ended at that server time: its seats are left
void game_log_offer(game *g, journal_offer kind, int side); // of a draw, of a takeback
bool game_set_up(game *g, fault *why);          // the referee, from the row, before the first move
int64_t game_take_lag(seat *s, int64_t credit); // out of the store; returns what it gave
void game_on_timer(deadline *d);                // of game.deadline
bool game_gets_lag_credit(const game *g, int side);
void game_set_deadline(game *g, int64_t at);                      // server time
game *game_make(server *srv, const stored_game *row, fault *why); // in memory, nobody told
void game_free(game *g);

// game_clock.c: who has left a game under way, and what the opponent may make of it.
// How long a player who is away is waited for: a tenth of the base time within bounds. It is time
// to think for nothing.
int64_t game_patience(const game *g, int least_s, int most_s);
void game_on_claim(session *s, const request *r); // the verb
void game_note_left(member *m);
void game_note_back(member *m);
void game_tell_away(game *g, session *s); // whoever is away: as game_say

// What house bots answer to offers (game_verbs.c).
void offers_grant_takeback(game *g, int side); // the side that asked
void offers_grant_rematch(game *g);
void offers_decline_rematch(game *g); // it may be asked again

// The member has come: clocks held since a restart go on; an arbiter hears of games set aside.
void game_on_arrived(member *m);
// After the output of a turn: clocks of the games asked in it start, and the list is empty.
void game_start_clocks(server *srv, game **asked);
// Takes it out of these lists.
void game_forget_request(game *g);
// The loop has been late by so much until now: running clocks are given it back. The journal has
// one entry for all of them. A game gets options.late_credit_s an hour at most; beyond that
// arbiters are told. False if no game with a clock is running.
bool game_credit_late(server *srv, int64_t us);
// Whatever came in before that server time has been read: flags that were down by then fall.
void game_judge_flags(server *srv, int64_t then);
// Takes up every live game of the store, and those that ended a moment ago. One that cannot be read
// is set aside: logged, told to arbiters, left in the store for another start or another version.
// False with the reason where the store cannot be read.
MUST_USE bool game_recover(server *srv, fault *why);
// An arbiter gives up a game that was set aside. False where it was not.
bool game_void_aside(server *srv, int64_t id, const char *why);
// Lets all of them go; the store keeps them.
void game_close_all(server *srv);

#endif
