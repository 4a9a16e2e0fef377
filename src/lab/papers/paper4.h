// The player of paper 4, as the paper describes it: minimax with alpha-beta to a fixed depth of
// five or six plies, an evaluation that counts material alone, and openings of eleven ECCO codes.
// No move ordering but the generator's (captures first), no quiescence, no memory: an opponent to
// measure others by, and the paper's own for whoever wants to play it.
//
// What the paper leaves open is decided so: mates that come sooner count for more, of equal moves
// the first is taken, and the openings' mirror images and continuations are those of
// data/openings/xiangqi.txt. Perpetual checks and chases are no concern of its.
//
// Nothing is kept between calls; any thread may ask.
#ifndef KRATON_LAB_PAPERS_PAPER4_H
#define KRATON_LAB_PAPERS_PAPER4_H

#include "base/rng.h"
#include "rules/rules.h"

enum {
    PAPER4_DEPTH = 5, // the paper's user chooses 5 or 6
    PAPER4_MAX_DEPTH = 10,
    PAPER4_PAWN = 2, // points of a soldier before the river: 100 centipawns
    PAPER4_GENERAL = 200
};

typedef struct {
    int depth;                     // plies, 1 to PAPER4_MAX_DEPTH
    bool has_book;                 // plays its openings
    rng *random;                   // chooses among them; NULL: the first
    bool (*should_stop)(void *of); // asked now and then; true ends the search. NULL: never
    void *of;
} paper4_options;

typedef struct {
    rules_move move; // MOVE_NONE where there is no legal one
    bool is_book;
    int points; // for the side to move, material in the paper's points; 0 for a book move
    uint64_t nodes;
    rules_move line[PAPER4_MAX_DEPTH]; // what it expects, its move first
    int line_length;
} paper4_thought;

// Chooses a move. Stopped early, it is the best of the moves looked at, and at least a legal one.
paper4_thought paper4_choose(const rules_state *s, const paper4_options *options);

// The book move alone, or MOVE_NONE.
rules_move paper4_book_move(const rules_state *s, rng *random);

#endif
