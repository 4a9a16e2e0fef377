// The manager's end of the protocols: what the program that runs engines sends, and what it reads.
//
// One thread at a time may use a dialect_host. Nothing allocates after init except the position
// line, which grows with the game; dialect_host_free frees it.
#ifndef KRATON_DIALECT_MANAGER_MANAGER_H
#define KRATON_DIALECT_MANAGER_MANAGER_H

#include "base/buffer.h"
#include "dialect/dialect.h"

// The first of these limits that the dialect cannot tell an engine ("nodes", "clock", ...), so that
// only the manager can enforce it; NULL: it can tell them all.
const char *dialect_untold_limit(dialect_id id, const dialect_limits *limits);

typedef enum {
    EVENT_NONE,     // a line the manager can ignore
    EVENT_NAME,     // what the engine calls itself: .text
    EVENT_OPTION,   // an option it has: .text is its name (the host's on_option gets all of a line)
    EVENT_HELLO,    // it is ready to be set up: uciok, ucciok, feature done=1, SAU's name
    EVENT_WAIT,     // it asks for more time before that: feature done=0
    EVENT_READY,    // readyok, pong
    EVENT_INFO,     // it thinks: .info
    EVENT_WORDS,    // it says something to people: .text (UCI, UCCI)
    EVENT_MOVE,     // its move: .text as written (may be empty: no move), .draw_offer, .resigns
    EVENT_NO_MOVE,  // bestmove (none), nobestmove
    EVENT_RESIGN,   // it gives up
    EVENT_DRAW,     // it offers or claims a draw
    EVENT_RESULT,   // it claims a result: .text
    EVENT_REFUSED,  // it calls our move illegal or does not know a command: .text
    EVENT_BYE,      // UCCI's goodbye
    EVENT_MALFORMED // a line of the protocol that makes no sense: .text says why
} dialect_event_kind;

typedef struct {
    dialect_event_kind kind;
    text text;   // a slice of the line or of a constant
    text ponder; // a move: the reply the engine expects; may be empty
    bool draw_offer, resigns;
    bool is_binary; // the line has bytes that no text has, whatever else it says
    dialect_info info;
} dialect_event;

// One engine as the manager speaks to it.
typedef struct {
    dialect_id id;
    const rules_game *game;
    rules_notation notation; // squares, fixed for the session: by option, by protocol, or a rank 10
    bool notation_is_fixed; // set by the manager with the above: nothing the engine says changes it
    bool wants_variations;  // set by the manager: report all of several variations, not the first
    // Set by the manager: called for every option that the engine has; NULL: not called.
    void (*on_option)(void *context, text name);
    void *option_context;
    char name[64]; // what the engine calls itself, in every dialect; empty: not said yet
    // UCCI: time goes out in milliseconds; options the engine has and is still to be told of.
    bool milliseconds, must_set_milliseconds, has_newgame;
    // CECP features, and which of them are still to be acknowledged.
    bool can_ping, can_setboard, can_usermove, wants_colours, has_done, wants_clock, is_reusable;
    uint32_t features;
    int side;      // CECP, SAU: the engine's, as of the last new game
    bool is_force; // CECP: the engine is not thinking on its own; SAU: its game has not begun
    uint32_t pings;
    char pending[RULES_MOVE_SIZE]; // CECP, SAU: the opponent's move, to be sent with the next go
    char variant[32];              // UCI_Variant or CECP variant to ask for; empty: none
    buffer position; // UCI, UCCI: the position line, its end included, grown by dialect_played
    size_t position_moves; // where its moves begin; 0: it has none yet
} dialect_host;

void dialect_host_init(dialect_host *h, dialect_id id, const rules_game *game);
void dialect_host_free(dialect_host *h);

// Each writes the lines to send, line ends included; nothing where the protocol has none.
void dialect_write_hello(dialect_host *h, writer *out);
void dialect_write_option(dialect_host *h, text name, text value, writer *out);
// A new game: after it, wait for EVENT_READY if `*answers` is set. side: the one the engine plays.
void dialect_write_new_game(dialect_host *h, int side, const dialect_limits *control, bool *answers,
                            writer *out);
// Asks for a sign of life where the protocol can; *answers says whether EVENT_READY will come.
void dialect_write_ping(dialect_host *h, bool *answers, writer *out);
// The game starts from this FEN (NULL: the start position). False where the protocol cannot.
MUST_USE bool dialect_begin(dialect_host *h, const char *fen, writer *out);
// Whether it can start from any position. Known once the engine has greeted.
bool dialect_can_set_up(const dialect_host *h);
// A move was played, by either side; `before` is the state it was played in. `own`: the engine
// itself answered it. Moves of an opening are not its own. Only CECP sends anything now, and only
// moves of an opening: the opponent's move goes out with dialect_write_go, when the clock starts.
// False where the protocol cannot (SAU knows no opening) or memory runs out.
MUST_USE bool dialect_played(dialect_host *h, const rules_state *before, rules_move move, bool own,
                             writer *out);
// Asks for a move in the present position; side is to move. Returns the text to send in two parts:
// the position line (a slice of h, may be empty), then what `out` was given.
text dialect_write_go(dialect_host *h, int side, const dialect_limits *limits, writer *out);
// Has the engine think on the opponent's time: as if `guess` had been played in `now`. False where
// the protocol cannot; stop or hit ends it.
MUST_USE bool dialect_write_ponder(dialect_host *h, const rules_state *now, rules_move guess,
                                   const dialect_limits *limits, writer *out);
void dialect_write_ponder_hit(dialect_host *h, writer *out); // the guess was played
void dialect_write_stop(dialect_host *h, writer *out);
// SAU's `error`: the move was illegal, send another.
void dialect_write_retry(dialect_host *h, writer *out);
void dialect_write_result(dialect_host *h, rules_outcome outcome, const char *reason, writer *out);
void dialect_write_quit(dialect_host *h, writer *out);

// Whether the process can play another game. Known once the engine has greeted.
bool dialect_is_reusable(const dialect_host *h);

// Understands one line from the engine. The slices of the event live as long as the line.
dialect_event dialect_read(dialect_host *h, text line);
// Reads a move as this engine writes moves; it must be legal in s.
MUST_USE bool dialect_parse_move(const dialect_host *h, const rules_state *s, text word,
                                 rules_move *move, fault *why);

#endif
