// Manual pages in roff. Programs make theirs from the tables that they read their options by, so a
// page cannot differ from what the program does.
#ifndef KRATON_BASE_MANUAL_H
#define KRATON_BASE_MANUAL_H

#include "base/buffer.h"

// The head and the name: manual_begin(out, "kraton-judge", "Judges a game.").
void manual_begin(buffer *out, const char *name, const char *summary);
// A line of text with whatever characters in it.
void manual_line(buffer *out, const char *words);
// Lines of text; those that begin with blanks are examples, empty ones end a paragraph.
void manual_text(buffer *out, const char *lines);
// An entry of a list: a name in bold and what it is.
void manual_item(buffer *out, const char *name, const char *help);
// An option. letter 0 and value NULL: it has none.
void manual_option(buffer *out, char letter, const char *name, const char *value, const char *help);

#endif
