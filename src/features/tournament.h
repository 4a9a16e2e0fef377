// Tournaments: round robin, gauntlet, Swiss, knockout, played out by themselves. The schedule is
// made by `contest`; what has happened is in the store, and a restarted server makes the same
// schedule from it: pairings and results, and in a log who withdrew and which results were changed,
// with how many pairings there were by then.
//
// A pairing is open until its game begins: while there is no room for it, while the tournament is
// paused, and again when its game is voided. A withdrawn player is not paired again and
// forfeits the pairings already drawn; if both have withdrawn, both lose. A player who is not here
// loses on time.
//
// tournament.c: one of them, from the store and back, and its messages; tournament_play.c: what
// moves it on; tournament_match.c: openings, and the test between two; tournament_http.c: routes
// and verbs.
#ifndef KRATON_FEATURES_TOURNAMENT_H
#define KRATON_FEATURES_TOURNAMENT_H

#include "contest/schedule.h"
#include "contest/stats.h"
#include "records/openings.h"
#include "server/feature.h"
#include "server/game.h"
#include "store/tournaments.h"

enum {
    TOURNAMENT_RECENT = 16, // not running but kept in memory: replaying a schedule is slow
    TOURNAMENT_PLAYERS = SCHEDULE_MAX_PLAYERS,
    TOURNAMENT_SHOWN = 20000,  // most pairings in one answer, the last ones
    TOURNAMENT_OF_ONE = 5,     // not over, of one owner
    TOURNAMENT_GAMES = 100000, // of one tournament
    TOURNAMENT_MEETING = 10000 // of one meeting
};

typedef enum { PAIRING_OPEN, PAIRING_LIVE, PAIRING_PLAYED, PAIRING_STATES } pairing_state;

// What is done to all games under way, some in each turn.
typedef enum { TASK_NONE, TASK_HOLD, TASK_RELEASE, TASK_VOID } tournament_task;

typedef struct tournament tournament;
struct tournament {
    server *server;
    stored_tournament row;
    int count;
    struct {
        int64_t player;
        bool has_withdrawn;
        int live; // games
        char name[PLAYER_NAME_SIZE];
    } entrants[TOURNAMENT_PLAYERS];
    schedule *schedule; // NULL until it starts
    stored_pairing *pairings;
    int pairing_count;
    size_t pairing_capacity;
    int pairings_now[PAIRING_STATES]; // how many of each
    int open_from;                    // no pairing before it is open
    stored_tournament_entry *log;
    int log_count;
    size_t log_capacity;
    openings *book;  // NULL: the start position, or not asked for yet
    bool has_news;   // not told yet
    int64_t told_at; // when news were last told (clock_us), and in which state it was then
    tournament_state told_state;
    bool is_deciding; // many results are coming: it goes on behind the last
    buffer shown;     // as JSON, until something changes; empty: not asked for yet
    bool is_arbiters; // its owner is an arbiter: known once it runs
    int holds;        // of one that does not run: whoever got it
    uint64_t changes; // of the schedule, to see whether a round that was drawn still fits
    bool is_drawing;  // a job draws the next round
    bool wants_more;  // games are to begin in the next turn
    tournament_task task;
    int task_at; // the pairing it has come to
    int64_t slice_until;
};

// Whether a game of a tournament that an arbiter made is being played by two who are here: it has
// the machine to itself. Anybody can make a tournament, so others do not count.
bool tournaments_need_quiet(server *srv);

// The feature's functions in other files than tournament.c.
extern const verb tournament_verbs[];
extern const api_route tournament_routes[];
// Takes up those that run; after the games. One that cannot be is left as it is, and logged.
void tournaments_recover(server *srv);
void tournaments_on_result(server *srv, const stored_game *row);
// An arbiter has given a finished game another result.
void tournaments_on_corrected(server *srv, const stored_game *row, int before);

// One by its number: from memory while it runs or was asked for lately, else read. NULL: there is
// none. Whoever got one that does not run gives it back.
tournament *tournament_get(server *srv, int64_t id);
void tournament_release(tournament *t);

// What may be done to it. False with the reason. A tournament that ran may be over, and gone, after
// these.
MUST_USE bool tournament_enter(tournament *t, const member *m, fault *why);
MUST_USE bool tournament_withdraw(tournament *t, const member *m, fault *why);
MUST_USE bool tournament_start(tournament *t, fault *why);
MUST_USE bool tournament_pause(tournament *t, bool pause, fault *why);
MUST_USE bool tournament_call_off(tournament *t, fault *why);

// For the files that share its inside.
void tournament_begin_slice(tournament *t);
bool tournament_is_spent(const tournament *t);
void tournament_want_work(tournament *t); // it is called again in the next turn
void tournament_work(tournament *t);      // the next slice; may free it
void tournament_set_task(tournament *t, tournament_task task);
const char *tournament_state_name(tournament_state state);
bool tournament_is_running(const tournament *t); // or paused
pairing_state tournament_pairing_state(const stored_pairing *p);
bool tournament_reserve(tournament *t);                             // room for a pairing
void tournament_add_pairing(tournament *t, const schedule_game *g); // there is room; open
void tournament_set_pairing(tournament *t, int i, int64_t played, int half_points);
void tournament_log(tournament *t, tournament_log_kind kind, int subject, int before, int now);
void tournament_set_state(tournament *t, tournament_state state);
void tournament_note_change(tournament *t); // to be told, and shown anew
void tournament_tell(tournament *t);        // the news, to the lobby and whoever follows it
void tournament_go_on(tournament *t);       // begins what can begin; may free it
void tournament_forget(tournament *t);      // it runs no more: out of the table, freed
tournament *tournament_running(server *srv, int64_t id);       // NULL: it does not run
bool tournament_set_running(tournament *t);                    // false: no memory
int tournament_number_of(const tournament *t, int64_t player); // as an entrant; -1: it is none
void tournament_put_entrant(tournament *t, const stored_entrant *e); // in memory
MUST_USE bool tournament_make_schedule(tournament *t, fault *why);

// Openings and the test between two.
// Reads `openings` and `sprt` of a request into the row; *list is the FENs, in the request.
MUST_USE bool tournament_read_match(const request *r, const rules_game *rules, stored_tournament *t,
                                    text *list, fault *why);
// Writes the FEN a pairing starts from; empty: the start position.
MUST_USE bool tournament_opening(tournament *t, int number, char fen[RULES_FEN_SIZE], fault *why);
// The score of the first of two entrants against the other.
contest_score tournament_score(const tournament *t);
// What the test says. It is fed in the order of the schedule, whichever games end first, and stops
// at the first verdict; *judged is the score by then.
contest_sprt_verdict tournament_judge(const tournament *t, contest_score *judged);
// The test of a row that has one.
contest_sprt tournament_test(const stored_tournament *t);

#endif
