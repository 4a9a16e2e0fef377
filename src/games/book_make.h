// Making opening books: from lines that somebody thought good, from games with their results, from
// other books.
//
// A move's weight is what the lines gave it, plus two for every game won with it by the side that
// played it and one for every draw or game without a known result. Where the heaviest move of a
// position would not fit the file, all of that position's are scaled down.
//
// The caller owns the maker; one thread uses it.
#ifndef KRATON_GAMES_BOOK_MAKE_H
#define KRATON_GAMES_BOOK_MAKE_H

#include "games/book.h"
#include "records/record.h"

typedef struct book_maker book_maker;

// NULL when memory runs out.
book_maker *book_maker_new(const rules_game *game);
void book_maker_free(book_maker *m);

// Gives a move of a position so much more weight. False when memory runs out.
MUST_USE bool book_maker_add_line_move(book_maker *m, const rules_state *s, rules_move move,
                                       uint32_t weight);
// The same by key and by the move's name there: see records/mirror.h.
MUST_USE bool book_maker_add_entry(book_maker *m, uint64_t key, rules_move named, uint32_t weight);
// Adds the first moves of a game, at most so many plies: as a line where weight is not 0, else with
// the game's result. Says what is wrong with a game that cannot be played.
MUST_USE bool book_maker_add_game(book_maker *m, const record *r, uint32_t plies, uint32_t weight,
                                  fault *why);
// Adds everything a book of the same game holds. False when memory runs out.
MUST_USE bool book_maker_add_book(book_maker *m, const book *b);

// Appends the file. Moves that only games had are left out where fewer than min_games had them.
// False when memory runs out.
MUST_USE bool book_maker_write(book_maker *m, uint32_t min_games, buffer *out);

#endif
