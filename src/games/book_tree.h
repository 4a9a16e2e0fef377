// Growing an opening book by asking an engine: a tree of positions, each with what the engine
// thinks of its best moves. The position most likely to come up in play from the book is asked
// about next; at the end the opinions are carried back from the leaves to the root, and moves are
// weighed by what they are worth in the light of everything behind them.
//
//   worth of a move     what its position is worth to the other side, negated, where that was asked
//                       about; else the engine's score for the move
//   worth of a position the best of its moves'
//   weight of a move    1000 / e^(loss / temperature), loss being what it is worth less than the
//   best
//                       one; 0 where it loses more than the margin
//   chance of a position the sum over the ways to it of the shares of the weights, 1 for the start.
//                       Lines are asked about first, whatever their chance, and where one ends
//                       in an only move, what is behind that
//
// Positions are known up to mirror images, so transpositions and reflections meet. The tree talks
// to nobody: whoever owns it asks the engine. One thread uses it.
#ifndef KRATON_GAMES_BOOK_TREE_H
#define KRATON_GAMES_BOOK_TREE_H

#include "games/book_make.h"

enum { BOOK_TREE_PLIES = 60 };

typedef struct {
    int plies;       // positions further from the start are not asked about (lines are)
    int margin;      // centipawns
    int temperature; // centipawns
} book_tree_terms;

// What the engine says of a move, from the mover's point of view.
typedef struct {
    rules_move move;
    int32_t score; // centipawns
} book_opinion;

typedef struct book_tree book_tree;

// NULL when memory runs out.
book_tree *book_tree_new(const rules_game *game, const book_tree_terms *terms);
void book_tree_free(book_tree *t);

// Puts the positions of a line into the tree, to be asked about. Lines that do not start at the
// start position are refused, and so are those of more than BOOK_TREE_PLIES plies.
MUST_USE bool book_tree_add_line(book_tree *t, const record *line, fault *why);

// The position to ask about next, set up in a state with room for BOOK_TREE_PLIES moves; false when
// there is none.
bool book_tree_next(book_tree *t, rules_state *s);
// The answer to that, none where there is no move; the state is left as it was. False when memory
// runs out.
MUST_USE bool book_tree_answer(book_tree *t, rules_state *s, const book_opinion *opinions,
                               int count);

// Positions asked about, and those of lines that wait for it.
uint32_t book_tree_asked(const book_tree *t);
uint32_t book_tree_waiting(const book_tree *t);

// Carries everything back to the start. To be called before the two below.
void book_tree_settle(book_tree *t);
// What a move loses by the tree; false where the tree does not know.
bool book_tree_loss(const book_tree *t, const rules_state *s, rules_move move, int32_t *loss);
// Adds the moves of all positions asked about. False when memory runs out.
MUST_USE bool book_tree_give(const book_tree *t, book_maker *maker);

#endif
