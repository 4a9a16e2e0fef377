// An engine that is asked for one move at a time, with blocking calls: for play against people and
// for analysis. The caller always gets an answer: a legal move, or the reason why the engine cannot
// be used any more.
//
// The caller owns it. One thread; while it waits, `keeps_waiting` is asked several times a second.
#ifndef KRATON_MATCH_THINKER_H
#define KRATON_MATCH_THINKER_H

#include "match/player.h"

enum { THINKER_LINE_MAX = 64 };

typedef struct thinker thinker;

// A line of thinking. Its moves are legal one after the other.
typedef struct {
    dialect_info info; // without its pv
    rules_move pv[THINKER_LINE_MAX];
    int pv_count;
} thinker_line;

typedef struct {
    void (*on_line)(void *context, const thinker_line *line); // may be NULL
    bool (*keeps_waiting)(void *context);                     // may be NULL: for ever
    void *context;
} thinker_listener;

typedef enum {
    THINKER_MOVES,    // .move
    THINKER_NO_MOVE,  // it says it has none
    THINKER_RESIGNS,  // it resigns
    THINKER_LEFT_OFF, // the caller stopped waiting
    THINKER_GONE,     // it has ended or is no longer talked to: .why
} thinker_end;

typedef struct {
    thinker_end end;
    rules_move move;
    bool offers_draw;
    fault why;
    bool is_from_book; // by its own words
    bool has_line;     // the last line for the first variation
    thinker_line line;
} thinker_answer;

// Starts the engine, which must be complete, its dialect known or to be found out; copied. `kraton`
// is the path of kraton. NULL, with the reason, where it cannot be had.
thinker *thinker_open(const match_engine *engine, const rules_game *game, const char *kraton,
                      const thinker_listener *listener, fault *why);
void thinker_close(thinker *t);

const char *thinker_name(const thinker *t);
// Reports all variations from now on, not the first alone.
void thinker_want_variations(thinker *t);
// Sets an option of the engine's own between two questions.
void thinker_set_option(thinker *t, const char *name, const char *value);
// The next question belongs to another game.
void thinker_forget(thinker *t);
// Asks for a move in the state, which came from the FEN `start`.
thinker_answer thinker_ask(thinker *t, const rules_state *state, const char *start,
                           const dialect_limits *limits);

#endif
