// One game between two engines, from finding them at the board to the verdict: players below,
// referee beside. A bout plays one game after the other and keeps its engines running between them
// where the same ones play on. It belongs to the runner; everything happens on the loop's thread.
#ifndef KRATON_MATCH_BOUT_H
#define KRATON_MATCH_BOUT_H

#include "loop/deadline.h"
#include "match/game.h"
#include "match/player.h"
#include "records/openings.h"

typedef struct bout bout;

typedef struct {
    bout *bout;
    int side;
    player *player;   // NULL: nobody sits here
    bool waiting;     // for the player to become idle
    bool anew;        // it left after its last game and was started again: it knows of no game yet
    int retries;      // SAU: illegal moves forgiven in this game
    rules_move guess; // the reply it ponders on
} bout_seat;

// What all games of a run have in common.
typedef struct {
    player_world *world;
    rules_set set;
    referee_limits limits;
    int sau_retries;
    int64_t stall_us; // how long an engine without a clock may think
    void (*on_over)(bout *b);
    void (*on_talk)(bout *b, const player *p, bool to_engine, text line, int64_t now); // or NULL
} bout_terms;

// Where a game starts.
typedef struct {
    const char *fen; // NULL: the start position
    rules_move moves[OPENINGS_LINE_MAX];
    int plies; // the moves that lead there, for engines that cannot set it up; -1: not known
} bout_opening;

typedef enum { BOUT_FREE, BOUT_SEATING, BOUT_READYING, BOUT_PLAYING } bout_stage;

struct bout {
    const bout_terms *terms;
    void *owner;
    bout_stage stage;
    bout_seat seats[2];
    referee *judge; // owned
    match_game game;
    const match_engine *engines[2];
    bout_opening opening;
    dialect_info said; // about the move being thought of
    int64_t began;     // clock when the first request was written
    deadline deadline; // of the side to move
};

enum { BOUT_PLIES = 4096 }; // a longer game is cut off as by the move limit

MUST_USE bool bout_init(bout *b, const bout_terms *terms, void *owner);
// Plays a game; on_over follows, with the result in b->game, which is valid until the next.
void bout_begin(bout *b, const schedule_game *pairing, const match_engine *first,
                const match_engine *second, const bout_opening *opening);
// Lets the engines go and closes the timer; afterwards the bout may be freed once the loop has run.
void bout_close(bout *b);

#endif
