// What a move cost its player, and the mark it earns: for whoever annotates games. Scores are in
// hundredths, from the mover's point of view before and after. Pure functions.
#ifndef KRATON_MATCH_MARK_H
#define KRATON_MATCH_MARK_H

#include "dialect/dialect.h"

// Losses from which on a move is marked, and the score beyond which nobody cares any more.
// Smaller ones than the first say more about the search than about the move.
enum {
    MARK_NOTED = 10,
    MARK_DUBIOUS = 50,
    MARK_MISTAKE = 100,
    MARK_BLUNDER = 250,
    MARK_DECIDED = 1000,
    MARK_WON = 20000,
    MARK_MATE = 30000
};

// A score, or a mate in so many moves, as one number: MATE less the moves; WON where nobody says in
// how many; everything else is below that.
static inline int32_t mark_score(bool is_mate, int32_t score) {
    int32_t size = score < 0 ? -score : score, sign = score > 0 ? 1 : -1;
    if (is_mate)
        return sign * (MARK_MATE - size);
    return size < DIALECT_WON ? score : sign * MARK_WON;
}

static inline int32_t mark_clip(int32_t score) {
    return score > MARK_DECIDED ? MARK_DECIDED : score < -MARK_DECIDED ? -MARK_DECIDED : score;
}

// What was lost; 0 where it is not worth noting or the move was the best one.
static inline int32_t mark_loss(int32_t before, int32_t after, bool is_best) {
    int32_t loss = mark_clip(before) - mark_clip(after);
    return is_best || loss < MARK_NOTED ? 0 : loss;
}

// "", "?!", "?", "??"
static inline const char *mark_of_loss(int32_t loss) {
    return loss >= MARK_BLUNDER   ? "??"
           : loss >= MARK_MISTAKE ? "?"
           : loss >= MARK_DUBIOUS ? "?!"
                                  : "";
}

#endif
