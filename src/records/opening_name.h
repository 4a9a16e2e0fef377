// The names of openings by ECCO code, in Chinese and English, out of data/openings/GAME.txt, which
// is part of the program. A game without such a file has no names.
//
// That file has a line an opening, `CODE | Chinese name | English name | MOVES`: the position after
// the moves has the name. Lines with both names empty are continuations, for books: what they reach
// behind the last named position is of that opening too. Positions are known up to mirror images,
// and however they were reached. Empty lines and everything from # on are passed over.
//
// The table is read when it is first asked for and does not change: any thread may ask.
#ifndef KRATON_RECORDS_OPENING_NAME_H
#define KRATON_RECORDS_OPENING_NAME_H

#include "records/record.h"

typedef struct {
    const char *code;    // ECCO: C44
    const char *chinese; // UTF-8
    const char *english;
    const char *moves; // that lead there, h2e2, one blank between them
} opening_name;

// The opening that has the position itself in its table, or NULL.
const opening_name *opening_name_at(const rules_state *s);
// The opening of the game so far: that of the last position in it that has one, or NULL.
const opening_name *opening_name_of(const rules_state *s);
// The same for a record, as far as it can be played.
const opening_name *opening_name_of_record(const record *r);

// The openings of a game in the order of their codes; NULL past the last.
const opening_name *opening_name_nth(const rules_game *game, int n);

// --- the text -----------------------------------------------------------------------------------

// A line of an openings file, as slices of it.
typedef struct {
    uint32_t number; // from 1
    text code, chinese, english, moves;
} opening_line;

// Whether bytes look like an openings file: the first line that says something has bars in it.
bool opening_lines_detect(text bytes);
// Cuts the next line that says something off the rest; false at the end. A line that lacks fields
// comes with why->line filled in; else that is empty.
bool opening_lines_next(text *rest, opening_line *line, fault *why);
// The text of data/openings for a game; empty where it has none.
text opening_lines_built_in(const rules_game *game);

#endif
