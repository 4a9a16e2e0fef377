// The four protocols that engines speak, as lines to and from messages. No input or output happens
// here: the caller owns the pipes and hands over whole lines without their end.
//
//   uci    UCI as Pikafish (squares a0..i9) and Fairy-Stockfish (a1..i10) speak it; for Surakarta
//          the same commands with Kraton's FEN and moves written c2c3
//   ucci   UCCI 3.0
//   cecp   the xboard protocol, version 2
//   sau    the Chinese contest's platform protocol for Surakarta: no clock, no set-up
//
// This header has what both ends share. manager/manager.h is the end of the program that runs
// engines, engine/engine.h is the end of the engine.
#ifndef KRATON_DIALECT_DIALECT_H
#define KRATON_DIALECT_DIALECT_H

#include "rules/rules.h"

typedef enum { DIALECT_UCI, DIALECT_UCCI, DIALECT_CECP, DIALECT_SAU, DIALECTS } dialect_id;

enum {
    DIALECT_LINE_MAX = 32768, // the longest line read from an engine
    DIALECT_TEXT_MAX = 65536  // room for everything one call writes, except the position line
};

// "uci", "ucci", "cecp" (also "xboard"), "sau".
bool dialect_find(text name, dialect_id *id);
const char *dialect_name(dialect_id id);
// Whether the dialect has words for the game: SAU is for Surakarta only.
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
// Whether there is a Xiangqi move with a rank of 10 among these words. Ranks 0..9 never have two
// digits.
bool dialect_has_rank_ten(const rules_game *game, text words);

#endif
