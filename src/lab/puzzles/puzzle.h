// A puzzle: a position, the line to find and how hard it is. Files hold one a line:
//
//     NUMBER | KIND | RATING | FEN | MOVES
//
// Numbers count from 1. The solver plays the first, third, ... move; the others are the replies.
// The last move is the solver's. Kinds:
//
//   mate    wins on the board, by force
//   tactic  wins material; no other move does
//   loop    the same by a capture round the loops, where there is a choice of captures
//   draw    the only move that does not lose, by the endgame tables
//   win     the only move that wins, by the endgame tables, where it is neither of the two above
#ifndef KRATON_LAB_PUZZLES_PUZZLE_H
#define KRATON_LAB_PUZZLES_PUZZLE_H

#include "rules/rules.h"

#include <stdio.h>

typedef enum { PUZZLE_MATE, PUZZLE_TACTIC, PUZZLE_LOOP, PUZZLE_DRAW, PUZZLE_WIN } puzzle_kind;
enum { PUZZLE_KINDS = PUZZLE_WIN + 1, PUZZLE_MAX_MOVES = 11 };

typedef struct {
    puzzle_kind kind;
    int rating;
    char fen[RULES_FEN_SIZE];
    rules_move moves[PUZZLE_MAX_MOVES];
    int count;
} puzzle;

const char *puzzle_kind_name(puzzle_kind kind);

// Chooses `wanted` of `count` puzzles: as many of each kind and of each range of difficulty as
// there are. They come to the front of the list, the easiest first. Returns how many were chosen.
int puzzles_choose(puzzle *list, int count, int wanted);

// Writes one line. False if the moves break the rules.
MUST_USE bool puzzle_write(FILE *to, int number, const puzzle *p, rules_state *state);

#endif
