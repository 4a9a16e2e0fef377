// An engine in a game: its process, its protocol, and the state of their conversation. The player
// keeps the order of the protocol (greeting, options, new game, thinking, quit) and its timeouts.
// Thinking time is the referee's business.
//
// A player belongs to whoever started it until player_drop; it frees itself when its process has
// ended after that. All calls and events happen on the loop's thread.
#ifndef KRATON_MATCH_PLAYER_H
#define KRATON_MATCH_PLAYER_H

#include "dialect/manager/manager.h"
#include "match/process.h"
#include "referee/referee.h"

enum {
    ENGINE_WORDS = 64,
    ENGINE_OPTIONS = 64,
    FIRST_LINES_MAX = 4096,
    PLAYER_KEPT = 8,
    PLAYER_ANSWER_SIZE = 128
};

typedef enum { RESTART_AUTO, RESTART_ALWAYS } match_restart; // auto: only after a failure

// Settings of an engine, from the user.
typedef struct {
    char name[64];
    char *command[ENGINE_WORDS + 1]; // NULL-terminated, owned
    char *directory;                 // owned; NULL: here
    char *first_lines;               // owned; sent before the greeting; NULL: none
    struct {
        char name[64], value[512];
    } options[ENGINE_OPTIONS];
    int option_count;
    bool dialect_known;
    dialect_id dialect;
    referee_control control;
    referee_control limits; // st, depth and nodes that were given beside tc
    match_restart restart;
    bool ponder;
} match_engine;

typedef enum {
    PLAYER_HELLO,    // waiting for its greeting
    PLAYER_SETUP,    // waiting until it has taken its options
    PLAYER_IDLE,     // may be given a game or a position
    PLAYER_NEW_GAME, // waiting until it is ready for the game
    PLAYER_THINKING,
    PLAYER_PONDERING, // on the opponent's time
    PLAYER_STOPPING,  // told to stop pondering; its answer will be ignored
    PLAYER_GONE       // not used any more
} player_state;

// Why a player is gone.
typedef enum {
    GONE_CRASHED,
    GONE_EXITED,
    GONE_CLOSED, // its input or output, without ending
    GONE_NOT_STARTED,
    GONE_STALLED,
    GONE_NO_MEANS // the manager itself could not start it: no more processes, files, memory
} player_fate;

typedef struct player player;

typedef struct {
    // The engine is ready for a new game or for the first position.
    void (*on_idle)(player *p);
    // Messages of a thinking engine. Protocol errors may come at any time.
    void (*on_event)(player *p, const dialect_event *event, int64_t now);
    // It has failed, never told from inside a call of the functions below but player_start;
    // `detail` is the signal or the exit status, `words` a line about it. The player
    // is still to be dropped.
    void (*on_gone)(player *p, player_fate fate, int detail, const char *words);
    // Every line in both directions, for transcripts; may be NULL.
    void (*on_talk)(player *p, bool to_engine, text line, int64_t now);
    // Options of its settings that the engine does not have, as "has no option X"; may be NULL.
    void (*on_warning)(player *p, const char *words);
} player_events;

// What became of an option of the settings: whether the engine has it, else the most similar name.
typedef struct {
    bool is_offered;
    int mistakes;
    char similar[64];
} player_option;

// Shared by all players of a run.
typedef struct {
    uv_loop_t *loop;
    const rules_game *game;
    const char *kraton; // path of kraton, which has the guard and our engines beside it
    bool in_sessions;   // engines run in sessions of their own: for measurements
    const char *rules;  // told to engines that have an option Rules; NULL: they are not told
    int error_fd;
    int64_t hello_us, ready_us; // timeouts of the greeting and of readiness
    bool must_greet;            // also engines whose protocol lets them start without a word
    int64_t began_to_listen;    // when the loop last began to wait for input; set by its owner
    int64_t woke;               // when input first came after that; earlier: it has not come yet
    char read_buffer[PROCESS_READ];
} player_world;

struct player {
    process process;
    dialect_host host;
    const match_engine *engine;
    player_world *world;
    const player_events *events;
    void *owner;
    player_state state;
    uv_timer_t timer;
    bool dropped, told, timer_closed, process_ended, killed, never_spoke;
    bool has_rules;         // it has an option of that name, and its owner said nothing about it
    player_option *options; // as many as the settings have; NULL: none
    int64_t request_written, first_byte; // stamps of the present request
    uint32_t protocol_errors;            // lines that its protocol does not allow
    uint32_t games;                      // played to their end
    bool in_game;                        // from on_idle of player_new_game to player_end_game
    bool answered_unasked;               // in this game
    uint32_t unasked_games;              // games in which it answered unasked
    // Answers that nobody had asked for, oldest first. Each is the answer to a later request: if it
    // had come later, it would have been taken for that too.
    char kept[PLAYER_KEPT][PLAYER_ANSWER_SIZE];
    int kept_count;
    player_fate fate; // what on_gone is to be told when the timer goes off
    const char *words;
    fault why; // why it could not be started
};

// Starts an engine; on_idle or on_gone follows. NULL only when memory runs out.
player *player_start(player_world *world, const match_engine *engine, const player_events *events,
                     void *owner);
// The same on one processor; -1: on any.
player *player_start_on(player_world *world, const match_engine *engine, int processor,
                        const player_events *events, void *owner);
// A new game from this FEN (NULL: the start position), the engine playing `side`. on_idle follows.
void player_new_game(player *p, int side, const dialect_limits *control, const char *fen);
// The same for an engine that cannot set up positions: from the start position, with these moves
// played before it has a say.
void player_new_game_by_moves(player *p, int side, const dialect_limits *control,
                              const rules_move *moves, int count);
// Tells it a move; `before` is the state it was played in.
void player_played(player *p, const rules_state *before, rules_move move, bool own);
// Asks for a move. The request's stamp is in request_written.
void player_think(player *p, int side, const dialect_limits *limits);
// Asks a thinking engine to answer now, if the protocol can.
void player_hurry(player *p);
// Sets an option of its own while it is idle.
void player_set_option(player *p, text name, text value);
// Lets it ponder on the opponent's time. Does nothing if its protocol cannot.
void player_ponder(player *p, const rules_state *now, rules_move guess,
                   const dialect_limits *limits);
// The guess was right: it thinks on its own time now.
void player_ponder_hit(player *p);
// The guess was wrong: on_idle follows.
void player_stop_pondering(player *p);
// The engine has answered and is idle again.
void player_rest(player *p);
void player_retry(player *p); // SAU: asks for another move
void player_end_game(player *p, rules_outcome outcome, const char *reason);
// Ends it: with `quit` first, or at once.
void player_drop(player *p, bool at_once);

#endif
