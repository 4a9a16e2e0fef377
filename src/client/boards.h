// Inside `kraton join`: the games in progress and the engines that play them. There are never more
// engine processes than at_once; if there are more games, an engine goes from one to the other
// between moves. A game is named by its number at the server, which is never 0.
//
// All calls and events happen on the loop's thread.
#ifndef KRATON_CLIENT_BOARDS_H
#define KRATON_CLIENT_BOARDS_H

#include "match/player.h"
#include "protocol/message.h"

typedef struct {
    uv_loop_t *loop;
    const match_engine *engine; // complete, its dialect known
    const char *guard;          // this program
    int at_once;                // engine processes
    // Sends the server a line, given without its end: a move or a resignation.
    void (*send)(void *context, const char *line);
    // The engine cannot be started, and all games have been resigned; boards_stop is to follow.
    void (*on_no_engine)(void *context, const char *words);
    void *context;
} boards_terms;

typedef struct boards boards;

// A copy of the terms is kept. NULL: out of memory.
boards *boards_new(const boards_terms *terms);
// Closes all games and tells the engines to quit. They end in the loop, before boards_free.
void boards_stop(boards *all);
void boards_free(boards *all); // NULL is allowed

// How many games there are.
int boards_count(const boards *all);
bool boards_has(const boards *all, int64_t id);

// The server's message `game`: a new game, or all moves of one that there is. One that cannot be
// played is resigned.
void boards_set(boards *all, int64_t id, const request *r);
// It is the engine's turn at this ply.
void boards_turn(boards *all, int64_t id, uint32_t ply, const int64_t clocks_us[2],
                 int32_t moves_to_go);
// A move that leads to this ply.
void boards_moved(boards *all, int64_t id, int64_t ply, text move);
// The game is over. Its engine is free for another once boards_share is called.
void boards_close(boards *all, int64_t id);
// Gives engines to the games that have none.
void boards_share(boards *all);

// After a lost connection: forgets which games the server has mentioned, and, when it has listed
// those in progress, closes the others. Returns how many.
void boards_forget_mentions(boards *all);
int boards_close_unmentioned(boards *all);

#endif
