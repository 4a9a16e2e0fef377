// One game of the engine against itself: a random opening, then a fixed number of nodes a move.
// A player has a search of its own and belongs to one thread.
#ifndef KRATON_LAB_SELFPLAY_GAME_H
#define KRATON_LAB_SELFPLAY_GAME_H

#include "lab/data/packed.h"
#include "lab/selfplay/selfplay.h"

typedef struct selfplayer selfplayer;

// NULL when out of memory. `stop` ends a game after the move being searched, as
// terms->stop does.
selfplayer *selfplayer_new(const selfplay_terms *terms, const atomic_bool *stop);
void selfplayer_free(selfplayer *p); // NULL is allowed

typedef enum {
    SELFPLAY_DONE,
    SELFPLAY_REJECTED, // the opening ends the game or favours a side
    SELFPLAY_STOPPED,
} selfplay_end;

// Plays the game of that number. *opening is the key of the position after the random moves.
selfplay_end selfplayer_play(selfplayer *p, uint32_t number, packed_game *g, uint64_t *opening);
// Makes the opening of that number only. SELFPLAY_DONE: it is balanced, and its FEN is in `fen`.
selfplay_end selfplayer_open(selfplayer *p, uint32_t number, char fen[RULES_FEN_SIZE],
                             uint64_t *opening);

#endif
