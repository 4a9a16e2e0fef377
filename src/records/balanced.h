// Random positions to start games from that favour nobody at first sight: the inside of openings.
//
// A position is balanced when the game is not over, nobody is in check, both sides have the same
// men, and neither side, were it to move, has a capture that wins material when both go on taking
// on that point. What takes longer to see is left to the games: each opening is played with both
// colours.
#ifndef KRATON_RECORDS_BALANCED_H
#define KRATON_RECORDS_BALANCED_H

#include "base/rng.h"
#include "rules/game.h"

// Plays so many random moves from `start`, each of them one that leaves nothing to be taken (moves
// at random with a look at the end alone took 63 us an opening instead of 25, and were no better
// balanced), and writes them to `moves`. False where the position reached is not balanced after
// all. Its counters are those of a new game.
bool balanced_try(const rules_game *game, const rules_pos *start, int plies, rng *random,
                  rules_pos *pos, rules_move *moves);

bool balanced_check(const rules_game *game, const rules_pos *pos);

// The same for a position and its mirror images.
uint64_t balanced_key(const rules_game *game, const rules_pos *pos);

#endif
