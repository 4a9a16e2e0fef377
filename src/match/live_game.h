// A game in progress between two engines: starts them, asks them for moves in turn, and gives their
// moves to the referee until there is a result. A live_game plays one game after another. It keeps
// its engines running between games when the same engines play the next one.
//
// The runner owns it. All calls and callbacks are on the thread of the event loop. A game of more
// than RULES_LONGEST_GAME plies is ended as by the move limit.
#ifndef KRATON_MATCH_LIVE_GAME_H
#define KRATON_MATCH_LIVE_GAME_H

#include "match/game.h"
#include "match/player.h"
#include "match/pv_check.h"
#include "records/openings.h"
#include "timer/deadline.h"

typedef struct live_game live_game;

typedef struct {
    live_game *live;
    int side;
    player *player;   // NULL: not started
    bool waiting;     // until the player is idle
    bool anew;        // restarted after its last game; not told about this game yet
    int retries;      // SAU: illegal moves in this game that were not the end of it
    rules_move guess; // the opponent's move that it ponders on
} live_game_seat;

// Settings of all games of a run.
typedef struct {
    player_world *world;
    rules_set set;
    referee_limits limits;
    int sau_retries;
    int64_t stall_us; // how long an engine without a clock may think
    bool checks_pv;   // the last variation before each move: legal moves, and mates as claimed
    void (*on_move)(live_game *live, const match_move *move); // may be NULL
    // Something is wrong with what an engine says or with its settings (then ply is 0). May be
    // NULL.
    void (*on_warning)(live_game *live, int side, uint32_t ply, const char *words);
    void (*on_over)(live_game *live);
    void (*on_talk)(live_game *live, const player *p, bool to_engine, text line,
                    int64_t now); // may be NULL
} live_game_terms;

// Where a game starts.
typedef struct {
    const char *fen; // NULL: the start position
    rules_move moves[OPENINGS_LINE_MAX];
    int plies; // the moves that lead there, for engines that cannot set it up; -1: not known
} live_game_opening;

typedef enum {
    LIVE_GAME_FREE,
    LIVE_GAME_SEATING,
    LIVE_GAME_READYING,
    LIVE_GAME_PLAYING
} live_game_stage;

struct live_game {
    const live_game_terms *terms;
    void *owner;
    live_game_stage stage;
    live_game_seat seats[2];
    referee *judge; // owned
    match_game game;
    const match_engine *engines[2];
    live_game_opening opening;
    dialect_info said; // what the engine has said about the current move
    pv_check *checker; // owned; NULL: variations are not checked
    int processor;     // the one its engines are kept on; -1: any
    int64_t began;     // time of the first request
    deadline deadline; // of the side to move
};

MUST_USE bool live_game_init(live_game *live, const live_game_terms *terms, void *owner);
// Plays a game; on_over follows, with the result in live->game, which is valid until the next.
void live_game_begin(live_game *live, const schedule_game *pairing, const match_engine *first,
                     const match_engine *second, const live_game_opening *opening);
// Ends the engines and closes the timer. It may be freed after the loop has run once more.
void live_game_close(live_game *live);

#endif
