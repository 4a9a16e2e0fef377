// The neutral judge of one game: the moves, both clocks, and the verdict with its reason. The match
// runner and the server both ask it and nobody else.
//
// A referee lives in one block of memory the caller provides and owns nothing; copying the block
// copies the game. It never reads a clock: the time is handed in, in microseconds of any monotonic
// clock, so a game can be judged again from its journal. Nothing is printed. Different referees may
// be used from different threads.
//
// The course of a game:
//
//   referee_new, perhaps referee_set_up, referee_start
//   until referee_is_over:
//       referee_turn      the request to move has been written: the clock runs
//       referee_move      the move has been read; or another of the events below
//
// The first verdict stands: whatever is reported after it changes nothing.
#ifndef KRATON_REFEREE_REFEREE_H
#define KRATON_REFEREE_REFEREE_H

#include "referee/control.h"
#include "rules/rules.h"

typedef enum {
    REFEREE_NONE,
    // by the rules of the game
    REFEREE_WIPED_OUT,
    REFEREE_REPETITION_COUNT, // a repetition after which the pieces were counted
    REFEREE_REPETITION,       // a repetition that is a draw
    REFEREE_NO_CAPTURE,
    REFEREE_NO_MOVE,
    REFEREE_MATE,
    REFEREE_STALEMATE,
    REFEREE_PERPETUAL_CHECK,
    REFEREE_PERPETUAL_CHASE,
    // by what a player did
    REFEREE_ILLEGAL_MOVE,
    REFEREE_TIME,
    REFEREE_CRASH,
    REFEREE_STALL,
    REFEREE_RESIGNATION,
    REFEREE_AGREED_DRAW,
    // by the conditions of the match
    REFEREE_BY_SCORE,
    REFEREE_BY_MOVE_LIMIT,
    REFEREE_BY_TABLE,
    REFEREE_ABORTED,    // no result
    REFEREE_BY_ARBITER, // a person's decision
    REFEREE_ABANDONED,  // a player was away for too long
    REFEREE_REASONS
} referee_reason;

// A stable name for files and tables: "illegal move", "time", "adjudication by score", ...
const char *referee_reason_name(referee_reason reason);
// The reason that stands for one of the rules.
referee_reason referee_reason_for(rules_reason reason);
// The reason of that name.
bool referee_reason_find(text name, referee_reason *reason);

typedef struct {
    rules_outcome outcome; // ongoing while the game is not over, and where it was aborted
    referee_reason reason;
    int side;        // whose doing it was (who crashed, lost on time, is mated, ...); -1: nobody's
    char words[192]; // one line without times or other things that differ from run to run
} referee_verdict;

// What an engine thinks of its own move.
typedef struct {
    bool known, is_mate; // mate: value > 0 gives mate, value <= 0 is mated
    int32_t value;       // else in centipawns, from the mover's point of view
} referee_score;

// Looks a position up right after a capture, where no history can matter. False: not known.
typedef bool referee_probe(void *context, const rules_state *s, rules_outcome *outcome);

// When a game is ended before the rules do; all zero: never.
typedef struct {
    int32_t resign_moves;    // a side loses after so many of its moves in a row with a score of
    int32_t resign_score;    // -resign_score or worse
    bool both_resign;        // and only if the other side has agreed in as many moves
    int32_t draw_moves;      // drawn after so many moves of each side in a row, none of them a
    int32_t draw_score;      // capture, with scores between -draw_score and draw_score,
    int32_t draw_from;       // not before each side has made so many moves
    uint32_t max_plies;      // the game is cut off after so many
    rules_end max_plies_end; // END_DRAW, or END_COUNT: more pieces wins
    referee_probe *probe;    // may be NULL
    void *probe_context;
} referee_limits;

typedef struct {
    const rules_game *game;
    rules_set set;
    referee_control control[2]; // by side
    referee_limits limits;
    uint32_t capacity; // most plies the game can have; then it is cut off as by max_plies
} referee_terms;

// Whether such a game is sure to end: a rule set without any limit of its own needs a move limit,
// or a clock that runs out.
MUST_USE bool referee_can_end(const referee_terms *terms, fault *why);

typedef struct referee referee;

// Bytes needed for a game of so many plies (at most RULES_MAX_PLIES).
size_t referee_size(uint32_t capacity);
// Makes a referee at the start position in memory of that size, aligned as malloc does.
referee *referee_new(void *memory, const referee_terms *terms);
// Sets up another position to start from; before referee_start.
MUST_USE bool referee_set_up(referee *r, text fen, fault *why);
// The game begins; where the position is decided already, it ends at once.
void referee_start(referee *r);

// --- what happens -------------------------------------------------------------------------------

// The side to move has been asked: its clock runs from now.
void referee_turn(referee *r, int64_t now_us);
// The side to move plays. Stops its clock; where that has run out, even if nobody called
// referee_flag in time, the game is lost by it and the move is not played. Otherwise the move is
// played and the rules and limits are looked up. False where the move is illegal: nothing has
// changed and the clock still runs, so that the caller can give another chance or call
// referee_illegal.
MUST_USE bool referee_move(referee *r, rules_move move, int64_t now_us, referee_score score);
// The timer of referee_deadline has gone off. False, and nothing done, where it was early.
bool referee_flag(referee *r, int64_t now_us);
// The side to move has written something that is no legal move; why may be NULL. The reason is the
// time where that has run out.
void referee_illegal(referee *r, text written, const char *why, int64_t now_us);
// An engine has gone: killed by a signal, or, if that is 0, by its own exit.
void referee_crash(referee *r, int side, int exit_status, int signal);
// An engine is of no more use for another cause, which counts as a crash. What follows the side's
// name: "closed its output", "could not be started: ..."
void referee_fail(referee *r, int side, const char *what);
// An engine without a clock has not answered in the time the caller gives it.
void referee_stall(referee *r, int side);
void referee_resign(referee *r, int side);
// An offer stands until the other side has moved; one that meets an offer accepts it. So report
// the offer that comes with a move before the move. True where the game is drawn by it.
bool referee_offer_draw(referee *r, int side);
// False where there is no offer.
bool referee_accept_draw(referee *r, int side);
// The other side has said no: the offer of that side is gone.
void referee_refuse_draw(referee *r, int side);
// Whether an offer of that side stands.
bool referee_offers_draw(const referee *r, int side);
// An engine says how the game ends. Who says that it has lost resigns. Anything else is believed
// only where the rules say the same; a wrong claim is counted and the game goes on. True where the
// claim was right: the verdict is the one of the rules.
bool referee_claim(referee *r, int side, rules_outcome outcome);
// Takes the last move back. The clocks keep what was charged for it, and stand until referee_turn.
// False where there is no move, or the game is over.
bool referee_take_back(referee *r);
// Stops the clock of the side to move without charging it: referee_turn with an earlier moment goes
// on from there. Returns what had been used for the move.
int64_t referee_pause(referee *r, int64_t now_us);
// A person decides: the side loses, or nobody does (-1) and the game is drawn.
void referee_decide(referee *r, int loser, const char *why);
// The side was away for too long: it loses, or the opponent calls it a draw.
void referee_abandon(referee *r, int side, bool is_draw);
// The game is broken off without a result.
void referee_abort(referee *r, const char *why);

// --- how it stands ------------------------------------------------------------------------------

bool referee_is_over(const referee *r);
const referee_verdict *referee_verdict_of(const referee *r);
const rules_state *referee_state(const referee *r);
const referee_terms *referee_terms_of(const referee *r);

// The last moment a move is in time, margin included; INT64_MAX where no clock runs.
int64_t referee_deadline(const referee *r);
// What is left to a side, as far as it has been charged; never negative. -1: it has no clock.
int64_t referee_left(const referee *r, int side);
// The same while the clock runs, for those who show it.
int64_t referee_left_now(const referee *r, int side, int64_t now_us);
// Moves a side has to make before it is given the base again; 0: sudden death.
int32_t referee_moves_to_go(const referee *r, int side);
int64_t referee_used(const referee *r, int side); // all the time it has taken
int64_t referee_last_used(const referee *r);      // by the last move, or the last attempt
int referee_wrong_claims(const referee *r, int side);

#endif
