// The words of a line of moves, as people and programs write them: move numbers between the moves,
// and a move as two squares. Nothing is kept between calls.
#ifndef KRATON_RECORDS_WORDS_H
#define KRATON_RECORDS_WORDS_H

#include "base/text.h"

// Whether a word is nothing but a square of either game: a1, i10.
bool words_is_square(text word);

// Cuts a move number such as "12." or "3..." off a word; what is left may be empty.
text words_skip_number(text word);

// Cuts the next move off a line, past any numbers; empty at the end. Two squares in a row, `c2 c3`,
// are one move and come back joined in the buffer.
enum { WORDS_JOINED_SIZE = 8 };
text words_next_move(text *line, char joined[WORDS_JOINED_SIZE]);

#endif
