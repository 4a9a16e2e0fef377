// Inside the engine's end: the functions of each protocol, and what several of them share.
// Included by the files of this folder only.
#ifndef KRATON_DIALECT_ENGINE_PROTOCOL_H
#define KRATON_DIALECT_ENGINE_PROTOCOL_H

#include "dialect/engine/engine.h"

// One protocol; NULL: it has no such message.
typedef struct {
    void (*init)(dialect_engine *e);
    // The command is given as COMMAND_NONE, without clocks.
    void (*read)(dialect_engine *e, text line, dialect_command *c, writer *out);
    void (*info)(const dialect_engine *e, const dialect_report *r, writer *out);
    void (*words)(const dialect_engine *e, text words, writer *out);
    void (*hint)(const dialect_engine *e, rules_move expected, writer *out);
    void (*move)(dialect_engine *e, const dialect_answer *a, writer *out);
    void (*no_move)(dialect_engine *e, writer *out);
    void (*claim)(const dialect_engine *e, rules_outcome outcome, const char *words, writer *out);
} dialect_engine_protocol;

extern const dialect_engine_protocol dialect_engine_uci, dialect_engine_ucci, dialect_engine_cecp,
    dialect_engine_sau;

// --- options ------------------------------------------------------------------------------------

// Whether two names are one, capitals aside.
bool dialect_same_name(text a, const char *b);
// The identity's option of that UCI name, or NULL.
const dialect_option *dialect_find_option(const dialect_engine *e, text name);
// Makes an option with a checked value the command; false where the value is not one of its.
MUST_USE bool dialect_take_option(const dialect_option *option, text value, dialect_command *c);
// `type spin default 16 min 1 max 1024`, the same in UCI and UCCI.
void dialect_write_option_type(const dialect_option *option, writer *out);

// --- positions and moves ------------------------------------------------------------------------

// `startpos` or `fen F`, then `moves ...`: sets the state, playing only the moves that are new
// since the last line. False, with the reason, where something is wrong; the moves before it are
// played.
MUST_USE bool dialect_take_position(dialect_engine *e, text rest, fault *why);
// A move with a rank of 10 among these words settles the squares for the session.
void dialect_settle_squares(dialect_engine *e, text words);
// Whether a question is about the position on the manager's board, as far as anybody knows; else
// it is void, and `why` says so.
MUST_USE bool dialect_knows_position(const dialect_engine *e, dialect_search *go, fault *why);
// Reads the legal moves among the words, passing over the others; returns how many.
int dialect_take_moves(const dialect_engine *e, text rest, rules_move moves[RULES_MAX_MOVES]);
// Plays a move of the state's side; false, with the reason, where it is illegal.
MUST_USE bool dialect_take_move(dialect_engine *e, text word, fault *why);
// Leaves only the moves that are not banned to choose from.
void dialect_apply_bans(dialect_engine *e, dialect_search *go);

// --- writing ------------------------------------------------------------------------------------

// ` depth 5 ... pv h2e2 h9g7`; `score` is what stands before one in centipawns.
void dialect_write_report(const dialect_engine *e, const dialect_report *r, const char *score,
                          writer *out);
void dialect_write_moves(const dialect_engine *e, const rules_move *moves, int count, writer *out);
// `bestmove M [ponder M]`, without the end of the line.
void dialect_write_bestmove(const dialect_engine *e, const dialect_answer *a, writer *out);

#endif
