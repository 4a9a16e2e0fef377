// The engine's end of the protocols: it reads lines and returns commands for the engine and lines
// to send. It keeps the position of the protocol and answers what needs no thinking (the greeting,
// `isready`, illegal moves, unknown commands). It does no searching, input or output.
//
// The first line decides which protocol is spoken, unless the engine has chosen one before. One
// thread at a time may use a dialect_engine; a search that runs beside it works on a copy of the
// position.
#ifndef KRATON_DIALECT_ENGINE_ENGINE_H
#define KRATON_DIALECT_ENGINE_ENGINE_H

#include "base/buffer.h"
#include "dialect/dialect.h"

typedef enum {
    OPTION_CHECK,
    OPTION_SPIN,
    OPTION_COMBO,
    OPTION_BUTTON,
    OPTION_STRING
} dialect_option_type;

typedef struct {
    const char *name; // as in UCI; CECP's `memory` and `cores` set Hash and Threads
    const char *ucci; // its name in UCCI; NULL: the same, with '_' for blanks
    dialect_option_type type;
    const char *initial;        // NULL for a button
    int64_t low, high;          // of a spin
    const char *const *choices; // of a combo, ends with NULL
} dialect_option;

// Says that none of these options, which end with a NULL name, has the name, and suggests one.
// Returns false.
bool dialect_refuse_option(const dialect_option *options, text name, fault *why);

// What the engine says about itself; constant, and alive as long as the dialect_engine.
typedef struct {
    const char *name, *author;
    const dialect_option *options; // ends with a NULL name; may be NULL
    bool has_variant;  // UCI: offer UCI_Variant, and speak squares a1..i10 with whoever sets it
    bool has_no_setup; // CECP: knows no setboard, as small engines do
} dialect_identity;

typedef enum {
    COMMAND_NONE,       // nothing to do
    COMMAND_OPTION,     // an option of the identity, by its UCI name, has this valid value
    COMMAND_GO,         // think about the state; the answer is a dialect_engine_write_...
    COMMAND_PONDER_HIT, // the move pondered on was played: from now on the clock runs
    COMMAND_STOP,       // answer now
    COMMAND_DRAW_OFFER, // the opponent offers a draw
    COMMAND_QUIT
} dialect_command_kind;

// How to think. Limits that are not set are 0, clocks -1, as dialect_limits has them.
typedef struct {
    dialect_limits limits;
    int32_t mate;        // look for a mate in so many moves; 0: not asked for
    bool is_infinite;    // no answer before COMMAND_STOP
    bool is_ponder;      // no answer before COMMAND_PONDER_HIT or COMMAND_STOP
    bool is_analysis;    // CECP: as infinite, but no move is ever wanted
    bool has_draw_offer; // UCCI: the opponent offers a draw
    int allowed_count;   // how many moves of dialect_engine.allowed to choose from; 0: all
    bool is_void;        // UCI, UCCI: there is nothing to choose from; answer that there is no move
} dialect_search;

typedef struct {
    dialect_command_kind kind;
    // These two come first, with any kind.
    bool abandons;     // stop thinking: no answer is wanted any more
    bool is_new_game;  // what was learnt about the last game is of no use
    const char *name;  // of the option
    text value;        // of the option; a slice of the line
    dialect_search go; // of COMMAND_GO
} dialect_command;

// CECP: how the game is played, from commands that come one by one.
typedef struct {
    bool is_force;     // nobody wants a move
    bool is_analysing; // every position is thought about until the next
    int32_t moves_per_session, depth;
    int64_t base_us, increment_us, move_time_us;
    int64_t clock_us, other_clock_us; // -1: not told yet
    bool owes_pong;                   // asked while it was thinking
    int64_t pong;
} dialect_xboard;

typedef struct {
    const rules_game *game;
    const dialect_identity *identity;
    rules_state *state; // the position; the caller's memory
    bool is_known;      // the dialect is settled
    dialect_id id;
    rules_notation notation;
    bool is_thinking;  // between COMMAND_GO and its answer
    bool wants_info;   // false: thinking is kept to oneself (CECP's nopost)
    bool may_ponder;   // CECP's hard and easy
    bool milliseconds; // UCCI
    rules_move allowed[RULES_MAX_MOVES];
    rules_move banned[RULES_MAX_MOVES]; // UCCI's banmoves, SAU's errors; until the next position
    int banned_count;
    buffer line; // UCI, UCCI: the last position line, so that only new moves are played
    bool line_has_moves;
    bool is_lost; // UCI, UCCI: the last position was refused: nobody knows where the game stands
    dialect_xboard xboard;
    int side; // SAU: ours
} dialect_engine;

// `state` must have been made for `game` and stays the caller's.
void dialect_engine_init(dialect_engine *e, const rules_game *game, rules_state *state,
                         const dialect_identity *identity);
void dialect_engine_free(dialect_engine *e);
// Settles the dialect before the first line.
void dialect_engine_speak(dialect_engine *e, dialect_id id);

// Understands one line without its end. What can be answered at once is written to `out`, which
// should have DIALECT_TEXT_MAX bytes of room.
dialect_command dialect_engine_read(dialect_engine *e, text line, writer *out);

typedef struct {
    int32_t depth, seldepth; // 0: not said
    bool has_score, is_mate;
    int32_t score; // centipawns or moves to mate, from the mover's point of view
    enum { BOUND_EXACT, BOUND_LOWER, BOUND_UPPER } bound;
    int64_t nodes, time_ms; // -1: not said
    int64_t nps;            // 0: not said
    int32_t hash_full;      // per mille; -1: not said
    int64_t table_hits;     // endgame tables asked with success; 0: not said
    int32_t variation;      // multipv from 1; 0: not said
    const rules_move *pv;
    int pv_count;
} dialect_report;

void dialect_engine_write_info(const dialect_engine *e, const dialect_report *report, writer *out);
// A line for people, where the protocol has a place for it.
void dialect_engine_write_words(const dialect_engine *e, text words, writer *out);

// Names the reply that is thought about on the opponent's time (CECP): the lines of thinking that
// follow begin behind it.
void dialect_engine_write_hint(const dialect_engine *e, rules_move expected, writer *out);

typedef struct {
    rules_move move;   // legal in the state
    rules_move ponder; // MOVE_NONE: none
    bool offers_draw, resigns;
} dialect_answer;

// Ends the thinking with a move. Where the protocol does not send positions, the move is played in
// the state.
void dialect_engine_write_move(dialect_engine *e, const dialect_answer *answer, writer *out);
// Ends it without one: there is no legal move.
void dialect_engine_write_no_move(dialect_engine *e, writer *out);
// Says how the game has ended, where the protocol has words for it (CECP).
void dialect_engine_write_claim(const dialect_engine *e, rules_outcome outcome, const char *words,
                                writer *out);

#endif
