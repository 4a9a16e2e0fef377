// Inside the manager's end: what each dialect answers, and what several of them share. Included by
// the dialects' own files only.
#ifndef KRATON_DIALECT_HOST_H
#define KRATON_DIALECT_HOST_H

#include "dialect/dialect.h"

// One dialect. The functions are those of dialect.h without their prefix; NULL: nothing to do.
typedef struct {
    const char *name;
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
// Remembers the engine's name, as much of it as fits, and reports it.
dialect_event dialect_note_name(dialect_host *h, text name);
// Whether there is a Xiangqi move with a rank of 10 among these words; ranks 0..9 never have two
// digits.
bool dialect_has_rank_ten(const rules_game *game, text words);
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

// ` word number`
void dialect_write_field(writer *out, const char *word, int64_t number);
// The FEN as this program writes it, whatever form it came in; false when it makes no sense.
MUST_USE bool dialect_clean_fen(const rules_game *game, const char *fen, writer *out);

// --- the position line of UCI and UCCI ----------------------------------------------------------

bool dialect_position_begin(dialect_host *h, const char *fen, writer *out);
bool dialect_position_played(dialect_host *h, const rules_state *before, rules_move move, bool own,
                             writer *out);
// Rewrites the line's moves from ranks 0..9 to 1..10; false, and no change, without memory.
MUST_USE bool dialect_position_renumber(dialect_host *h);

#endif
