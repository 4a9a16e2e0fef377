// The words of a line of moves, as people and programs write them: move numbers between the moves,
// and a move as two squares. In games with NOTATION_UCI1 ranks count from 0 or from 1, h2e2 or
// h3e3, and no move tells which: only a rank of 10 somewhere in a list of moves does. Also what PGN
// puts between moves: dots, marks, durations. Nothing is kept between calls.
#ifndef KRATON_RECORDS_WORDS_H
#define KRATON_RECORDS_WORDS_H

#include "rules/rules.h"

// Whether a word is nothing but a square of some game: a1, i10.
bool words_is_square(text word);

// Cuts a move number such as "12." or "3..." off a word; what is left may be empty.
text words_skip_number(text word);

// Cuts the next move off a line, past any numbers; empty at the end. Two squares in a row, `c2 c3`,
// are one move and come back joined in the buffer.
enum { WORDS_JOINED_SIZE = 8 };
text words_next_move(text *line, char joined[WORDS_JOINED_SIZE]);

// How the moves of a list are read: in a rules_notation, or in any, with squares a0 to i9 or a1 to
// i10.
enum { WORDS_ANY = -1, WORDS_ANY_FROM_1 = -2 };

// Whether a word has a square with a rank of 10, alone or in a move: i10, a10a9.
bool words_has_rank_10(const rules_game *game, text word);
// WORDS_ANY, or WORDS_ANY_FROM_1 where a word of the line has a rank of 10.
int words_settle(const rules_game *game, text line);
// Reads a legal move.
MUST_USE bool words_parse_move(const rules_state *s, int how, text word, rules_move *move,
                               fault *why);

// Cuts off the dots …… that Chinese records write where others write three.
text words_skip_dots(text word);
// Cuts the marks off the end of a word and returns their NAG; 0 where there are none.
int words_cut_marks(text *word);
// Reads h:mm:ss or ss, with or without a fraction, into microseconds.
MUST_USE bool words_parse_duration(text word, int64_t *us);

#endif
