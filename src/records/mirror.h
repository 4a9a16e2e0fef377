// A position and its mirror images as one: a board seen in a mirror, or a square one in any of the
// eight ways it can be turned over. Opening books and opening names know positions by the key
// below, so that what is known of one image is known of all.
//
// The key is part of file formats (docs/books.md) and therefore not the rules' Zobrist key: FNV-1a,
// 64 bits, over the FEN letters of the points in the game's numbering ('.' for empty) and '0' or
// '1' for the side to move, of that image whose letters come first in the alphabet. Counters and
// history are left out.
//
// Nothing here allocates or keeps state.
#ifndef KRATON_RECORDS_MIRROR_H
#define KRATON_RECORDS_MIRROR_H

#include "rules/game.h"

enum { MIRROR_IMAGES = RULES_MAX_IMAGES };

typedef struct {
    const rules_game *game;
    uint64_t key;
    uint8_t ways; // bit i: image i of the position is the one the key is taken of
} mirror;

mirror mirror_of(const rules_state *s);
mirror mirror_of_position(const rules_game *game, const rules_pos *pos);

// How a move of the position is called in the key's image; of several names the least.
rules_move mirror_move(const mirror *m, rules_move move);

// The moves of the position that such a name stands for: one, or where the position is symmetric up
// to MIRROR_IMAGES, all different.
int mirror_moves(const mirror *m, rules_move named, rules_move moves[MIRROR_IMAGES]);

#endif
