// Our own engines as child processes, a few at a time, one question each: what house bots and
// visitors' analysis ask. Questions wait in line; moves before analysis, and that before whole
// games. Visitors take turns: whoever has asked much waits behind whoever has asked little, and an
// analysis that others wait for is cut short. An engine that fails is replaced, and its question
// asked once more. Bounded in number, memory and priority.
#ifndef KRATON_FEATURES_ENGINES_H
#define KRATON_FEATURES_ENGINES_H

#include "dialect/dialect.h"
#include "server/server.h"

enum {
    ENGINES_WAITING = 512,    // questions in line at most
    ENGINES_LEVELS = 10,      // 1 to so many; 0 is full strength
    ENGINES_MEMORY_MB = 1024, // of one process, mapped tables included, where the system can tell
    ENGINES_CPU_S = 3600,     // of processor time, then another one takes its place
    ENGINES_PATIENCE_S = 40,  // no answer takes longer
    ENGINES_SHORT_S = 2,      // an analysis is not cut short before
    ENGINES_IDLE_S = 60       // a process without a question is let go after it
};

typedef struct engines engines;

// Who asked: so that a question can be taken back. A number of the asker's choice and its kind.
// In the order they are served.
typedef enum { ASKER_BOT, ASKER_ANALYSIS, ASKER_REVIEW, ASKERS } asker_kind;

typedef struct {
    asker_kind kind;
    int64_t id;               // bots and reviews: the game; analysis: its own number
    int64_t visitor;          // for whom: see session_visitor
    const rules_state *state; // copied
    const char *start;        // FEN the state's moves begin at; empty: the start position
    int level;
    int variations;
    dialect_limits limits;
} engine_question;

typedef struct {
    // While it thinks; the moves are in the game's own notation and legal, and live for the call;
    // `number` is the variation from 1 on. May be NULL.
    void (*on_line)(server *srv, int64_t id, const dialect_info *info, int number);
    // The answer: a legal move, or MOVE_NONE with the reason. The last line is with it.
    void (*on_answer)(server *srv, int64_t id, rules_move move, const dialect_info *info,
                      const char *why);
} engine_asker;

// The pool of this server; it starts before the features that ask it. Who asks sets what is to be
// called with the answers.
engines *engines_of(const server *srv);
void engines_set_asker(engines *e, asker_kind kind, engine_asker asker);
// False where the line is too long, or there are no engines.
MUST_USE bool engines_ask(engines *e, const engine_question *q);
// Takes back a question; no answer comes.
void engines_forget(engines *e, asker_kind kind, int64_t id);
int engines_waiting(const engines *e, asker_kind kind);

#endif
