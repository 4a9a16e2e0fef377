// A finished game of a match: players, result, and for every move what the engine said and when.
// The journal and the JSON output hold it as one line of JSON; docs/match.md lists the fields. A
// match_game owns its moves.
#ifndef KRATON_MATCH_GAME_H
#define KRATON_MATCH_GAME_H

#include "contest/schedule.h"
#include "records/record.h"
#include "referee/referee.h"

// Times in microseconds; stamps count from the start of the game.
typedef struct {
    rules_move move;
    char text[8]; // as the game writes it: h2e2, c2-c3
    referee_score score;
    int32_t depth;                     // 0: not said
    int64_t nodes;                     // -1: not said
    int64_t used, left;                // left: -1 without a clock
    int64_t written, first_byte, read; // request written, first byte of the answer, its line read
} match_move;

typedef struct {
    schedule_game pairing;
    char started[32];         // UTC, 2026-11-15T09:00:00Z
    char fen[RULES_FEN_SIZE]; // empty: the start position
    int begins; // the side to move at the start: a set-up position may be the second side's
    referee_verdict verdict;
    uint32_t protocol_errors[2]; // lines of each side that its protocol does not allow
    uint32_t wrong_claims[2];
    uint32_t warnings[2]; // wrong variations: live_game_terms.checks_pv
    uint32_t count;
    size_t capacity;
    match_move *moves;
} match_game;

typedef struct {
    const rules_game *game;
    const char *first, *second;        // the players' names
    bool times;                        // write the fields that differ from run to run
    const referee_control *control[2]; // of each side; NULL: not known
} match_game_style;

void match_game_free(match_game *g);
MUST_USE bool match_game_add(match_game *g, const match_move *move);

// Half points of the side that moved first: 2, 1, 0; 1 where there is no result.
int match_half_points(rules_outcome outcome);

// Appends `,"key":"value"`.
void match_write_string(buffer *out, const char *key, const char *value);
// Appends the fields of a move, without braces.
void match_move_write(const match_move *m, bool times, buffer *out);
// Appends the game as one line, its end included.
void match_game_write(const match_game *g, const match_game_style *style, buffer *out);
// Reads such a line; moves must be legal in this game.
MUST_USE bool match_game_read(match_game *g, const rules_game *game, text line, fault *why);
// The game as a record, for PGN and contest files. False when memory runs out.
MUST_USE bool match_game_record(const match_game *g, const match_game_style *style, record *r);

#endif
