// The plain way to generate captures on bitboards: walk from each piece, station by station, both
// ways along its circuits. Kept as the yardstick of `kraton bench rules` and as a third opinion in
// the tests; everything else uses surakarta.h.
#ifndef KRATON_RULES_SURAKARTA_WALK_H
#define KRATON_RULES_SURAKARTA_WALK_H

#include "rules/surakarta/surakarta.h"

// All legal moves, captures first; returns how many.
int sk_walk_generate(const sk_pos *pos, rules_move list[SK_MAX_MOVES]);
// As sk_perft; leaves are the length of a move list.
uint64_t sk_walk_perft(const sk_pos *pos, int depth, uint64_t *captures);

#endif
