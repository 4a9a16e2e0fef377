// Inside the manager's end: the functions of each protocol, and what several of them share.
// Included by the files of this folder only.
#ifndef KRATON_DIALECT_MANAGER_PROTOCOL_H
#define KRATON_DIALECT_MANAGER_PROTOCOL_H

#include "dialect/manager/manager.h"

// One protocol. The functions are those of manager.h without their prefix; NULL: nothing to do.
typedef struct {
    const char *(*untold_limit)(const dialect_limits *limits);
    void (*init)(dialect_host *h);
    void (*hello)(dialect_host *h, writer *out);
    void (*option)(dialect_host *h, text name, text value, writer *out);
    void (*new_game)(dialect_host *h, int side, const dialect_limits *control, bool *answers,
                     writer *out);
    void (*ping)(dialect_host *h, bool *answers, writer *out);
    bool (*begin)(dialect_host *h, const char *fen, writer *out);
    bool (*played)(dialect_host *h, const rules_state *before, rules_move move, bool own,
                   writer *out);
    text (*go)(dialect_host *h, int side, const dialect_limits *limits, writer *out);
    void (*stop)(dialect_host *h, writer *out);
    void (*retry)(dialect_host *h, writer *out);
    void (*result)(dialect_host *h, rules_outcome outcome, const char *reason, writer *out);
    void (*quit)(dialect_host *h, writer *out);
    dialect_event (*read)(dialect_host *h, text line);
} dialect_protocol;

extern const dialect_protocol dialect_uci, dialect_ucci, dialect_cecp, dialect_sau;

// --- events -------------------------------------------------------------------------------------

dialect_event dialect_event_of(dialect_event_kind kind, text about);
dialect_event dialect_malformed(const char *why);
// An option that the engine has.
dialect_event dialect_note_option(dialect_host *h, text name);
// Remembers the engine's name, as much of it as fits, and reports it.
dialect_event dialect_note_name(dialect_host *h, text name);
// Such a move among these words settles the squares for the session.
void dialect_note_squares(dialect_host *h, text words);
// `info` of UCI and UCCI, from behind that word; UCCI's score has no `cp`.
dialect_event dialect_read_info(dialect_host *h, text rest);
// `bestmove` of UCI and UCCI, from behind that word.
dialect_event dialect_read_bestmove(dialect_host *h, text rest);
// A line as both UCI and UCCI have it; `hello` ends the greeting.
dialect_event dialect_read_shared(dialect_host *h, const char *hello, text line);

// --- writing ------------------------------------------------------------------------------------

// Microseconds in milliseconds, rounded down but never below 1: engines take 0 for "no limit".
static inline int64_t dialect_milliseconds(int64_t us) { return us < 1000 ? 1 : us / 1000; }

// The FEN as this program writes it, whatever form it came in; false when it makes no sense.
MUST_USE bool dialect_clean_fen(const rules_game *game, const char *fen, writer *out);

// --- the position line of UCI and UCCI ----------------------------------------------------------

bool dialect_position_begin(dialect_host *h, const char *fen, writer *out);
bool dialect_position_played(dialect_host *h, const rules_state *before, rules_move move, bool own,
                             writer *out);
// Rewrites the line's moves from ranks 0..9 to 1..10; false, and no change, without memory.
MUST_USE bool dialect_position_renumber(dialect_host *h);

#endif
