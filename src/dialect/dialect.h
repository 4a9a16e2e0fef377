// The four protocols that engines speak, as lines to and from messages. No input or output happens
// here: the caller owns the pipes and hands over whole lines without their end.
//
//   uci    UCI as Pikafish (squares a0..i9) and Fairy-Stockfish (a1..i10) speak it; for games they
//          do not know the same commands with Kraton's FEN and moves as two squares
//   ucci   UCCI 3.0
//   cecp   the xboard protocol, version 2
//   sau    the Chinese contest's platform protocol: no clock, no set-up
//
// This header has what both ends share. manager/manager.h is the end of the program that runs
// engines, engine/engine.h is the end of the engine.
#ifndef KRATON_DIALECT_DIALECT_H
#define KRATON_DIALECT_DIALECT_H

#include "rules/rules.h"

typedef enum {
    DIALECT_UCI,
    DIALECT_UCCI,
    DIALECT_CECP,
    DIALECT_SAU,
    DIALECTS,
    DIALECT_OWN = DIALECT_UCI // what our programs speak with each other
} dialect_id;

enum {
    DIALECT_LINE_MAX = 32768, // the longest line read from an engine
    DIALECT_TEXT_MAX = 65536  // room for everything one call writes, except the position line
};

// Whether something can be done: with every engine, with those that offer it, or with none.
typedef enum { SUPPORT_ALWAYS, SUPPORT_IF_OFFERED, SUPPORT_NEVER } dialect_support;

// What a protocol is like, for code that treats all protocols alike.
typedef struct {
    const char *name, *name_too; // "cecp", and "xboard" for the same; NULL: no other name
    rules_notation notation;     // a game must have it to be played
    bool greeting_is_optional;   // an engine may start without a word
    bool tells_limits;           // engines are told of clocks, and say what they think
    bool thinks_until_stopped;   // without a limit, an engine thinks until it is told to stop
    dialect_support set_up;      // games can start from any position
    bool sends_whole_game;       // every question has the game from its start
    bool asks_again;             // an engine may be asked for another move after an illegal one
    bool claims_results;         // the engine says how the game has ended
    bool ponders_unasked;        // the engine thinks on the opponent's time by itself
    dialect_support reuse;       // a process can play another game
    int64_t clock_step_us;       // clocks are told in whole steps; 0: exactly
    int64_t move_time_step_us;   // the same for the time of a single move
    const char *rules_option;    // the option that takes the rules of the game
    const char *ponder_option;   // and the one that allows pondering
    const char *rule_set;        // the rules games are played by if nobody says; NULL: default
} dialect_properties;

const dialect_properties *dialect_properties_of(dialect_id id);
// The protocol of that name.
bool dialect_find(text name, dialect_id *id);
const char *dialect_name(dialect_id id);
// Whether the protocol has words for the game.
bool dialect_can_play(dialect_id id, const rules_game *game);

// How long a move may take; whatever is 0 (or -1 for the clocks) does not limit.
typedef struct {
    int64_t clock_us[2]; // left to each side, by side; -1: no clock
    int64_t increment_us[2];
    int32_t moves_to_go;  // until the next time control; 0: sudden death
    int64_t move_time_us; // fixed time for the move
    int32_t depth;
    int64_t nodes;
} dialect_limits;

// How our engines begin the line that goes with a move from their opening book.
#define DIALECT_FROM_BOOK "from the opening book"

// Scores of a game that is won by an endgame table or by a rule on repetition or on moves without
// capture. Our engines report DECIDED minus the plies until then, as others do. Scores of an
// evaluation never exceed WON.
enum { DIALECT_DECIDED = 20000, DIALECT_WON = 15000 };

// What an engine reports while it thinks.
typedef struct {
    bool has_score, is_mate; // score in centipawns, or moves to mate (negative: being mated)
    int32_t score;           // from the mover's point of view
    int32_t depth, seldepth; // 0: not said
    int64_t nodes;           // -1: not said
    int64_t time_ms;         // -1: not said
    int32_t variation;       // multipv; 0: not said
    bool is_bound;           // the score is a bound only
    text pv;                 // in the engine's own notation
} dialect_info;

// --- for the two ends ---------------------------------------------------------------------------

// ` word number`
void dialect_write_field(writer *out, const char *word, int64_t number);
// Whether there is a move with a rank of 10 among these words, in a game whose ranks count from 0
// or from 1. Ranks 0..9 never have two digits.
bool dialect_has_rank_ten(const rules_game *game, text words);

#endif
