// The vote among threads: which thread's result is given. Pure arithmetic.
//
// Each thread votes for its best move, with more weight the deeper it has searched and the better
// its score; the moves with the most votes win. A mate that some thread has proved needs no
// majority: the shortest wins.
#ifndef KRATON_SEARCH_VOTE_H
#define KRATON_SEARCH_VOTE_H

#include "search/types.h"

typedef struct {
    rules_move move;
    int32_t score;
    int depth; // completed; 0: the thread has no result
} ballot;

// The number of the thread whose result is best; 0 if none has one.
int vote(const ballot *ballots, int count);

#endif
