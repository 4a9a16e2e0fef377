// What a move cost its player, and the mark it gets. This is the one definition of a mistake:
// `kraton analyse`, the server's analysis and the page use it. Scores are in hundredths, from the
// mover's point of view before and after the move. Pure functions.
#ifndef KRATON_MATCH_MARK_H
#define KRATON_MATCH_MARK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MARK_NOTED = 10,     // smaller losses say more about the search than about the move
    MARK_DECIDED = 1000, // in losses, scores beyond count as this
    MARK_WON = 20000,
    MARK_MATE = 30000
};

// A score, or a mate in so many moves, as one number: MATE less the moves; WON where nobody says in
// how many; everything else is below that.
int32_t mark_score(bool is_mate, int32_t score);

// What was lost, in hundredths; 0 where it is not worth noting or the move was the best one.
int32_t mark_loss(int32_t before, int32_t after, bool is_best);

// The chance to win at a score of mark_score, 0 to 1: 1 / (1 + e^(-score / 250)).
double mark_chance(int32_t score);

// "?!", "?" or "??" for a move that loses 5, 10 or 20 % of winning chance; else "". The best move
// has no mark.
const char *mark_of(int32_t before, int32_t after, bool is_best);

#endif
