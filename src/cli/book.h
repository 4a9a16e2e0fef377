// What the subcommands of `kraton book` share.
#ifndef KRATON_CLI_BOOK_H
#define KRATON_CLI_BOOK_H

#include "cli/options.h"
#include "games/book_make.h"

typedef struct {
    const char *game, *plies, *min_games, *weight, *out, *notation;
    const char *engine, *nodes, *positions, *lines, *margin; // grow
    option_list from;
} book_options;

// Reads a number up to `most` where there is one; false after a complaint.
MUST_USE bool book_read_number(const char *name, const char *value, uint32_t most,
                               uint32_t *number);
// Does something with each line of moves in a file: an openings file or any record. False after a
// complaint, the visitor's faults included.
typedef bool book_visit(void *context, const record *line, fault *why);
MUST_USE bool book_visit_lines(const rules_game *game, const char *path, book_visit *visit,
                               void *context);
// Writes the book and says so.
int book_write(book_maker *maker, uint32_t min_games, const char *path);

// kraton book grow
int book_grow(const book_options *o, int argc, char **argv);

#endif
