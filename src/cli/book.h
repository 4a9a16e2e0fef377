// Making opening books: from games and lines, and from what an engine says.
#ifndef KRATON_CLI_BOOK_H
#define KRATON_CLI_BOOK_H

#include "cli/cli.h"
#include "games/book_make.h"

typedef struct {
    const char *game, *plies, *min_games, *weight, *out, *notation;
    const char *engine, *nodes, *positions, *lines, *margin; // grow
    option_list from;
} book_options;

// Reads a number up to `most` where there is one; false after a complaint.
MUST_USE bool book_read_number(const char *name, const char *value, uint32_t most,
                               uint32_t *number);
// Writes the book and says so.
int book_write(book_maker *maker, uint32_t min_games, const char *path);

// kraton book build and kraton book grow
int book_build(const book_options *o, int argc, char **argv);
int book_grow(const book_options *o, int argc, char **argv);

#endif
