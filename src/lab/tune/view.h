// A position as a network (games/network.h) sees it: the active rows of both perspectives, and the
// evaluation that is made by hand. The one place in the lab that knows each game's inputs.
//
// Plain values; any thread may look.
#ifndef KRATON_LAB_TUNE_VIEW_H
#define KRATON_LAB_TUNE_VIEW_H

#include "games/network.h"
#include "rules/rules.h"

enum { VIEW_PIECES = 32, VIEW_MAX_POINTS = 90 };

// Values are centipawns for the side to move.
typedef struct {
    int side;                       // to move: 0 is the first
    int count;                      // pieces on the board
    uint8_t board[VIEW_MAX_POINTS]; // by point: 0 is empty, 1 to 15 a piece
    uint16_t rows[2][VIEW_PIECES];  // active rows of the mover's perspective, of the other's
    int bucket;                     // of the output
    int32_t hand;                   // what a network that corrects is added to
    int32_t plain;                  // of the engine without a network from a file
} network_view;

// How the networks of a game are made.
typedef struct {
    const char *game;
    int inputs, points;
    int symmetries; // of the board that change no value; units come in groups of so many
    bool (*look)(const network_shape *shape, text fen, network_view *view, fault *why);
    bool (*fits)(const network *n);
    // The value of the engine's evaluation; `n` may be NULL.
    bool (*evaluate)(const network *n, text fen, int32_t *value, fault *why);
    int (*turn)(int point, int symmetry); // NULL where there is one symmetry
} network_game;

// NULL if the game has no networks.
const network_game *network_game_find(const rules_game *game);

#endif
