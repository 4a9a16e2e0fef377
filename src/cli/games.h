// The games of a file, one after the other, as `judge` and `convert` read them. Games that cannot
// be read are complained of, with file and line, and passed over. A file in which nothing makes
// sense gets one line.
#ifndef KRATON_CLI_GAMES_H
#define KRATON_CLI_GAMES_H

#include "records/record.h"

// Bad games before the first good one: how many are read, and how many complained of one by one.
enum { GAMES_GIVE_UP = 10000, GAMES_HELD = 99 };

typedef struct {
    const char *label; // the file, for messages
    text bytes;        // all of it
    record_reader reader;
    record game;            // the current one
    unsigned number;        // its place in the file, from 1; bad ones count
    unsigned good, bad;     // so far
    fault held[GAMES_HELD]; // complaints held back until there is a good game
} games;

// Opens a file, "-" for standard input, in a format (NULL or "auto": whichever it looks like). The
// game may be NULL where the file tells. False after a complaint; else to be closed. Lists of moves
// that name no start begin at g->reader.start.
MUST_USE bool games_open(games *g, const char *path, const char *format, const rules_game *game);
// The next game that can be read, in g->game. False at the end.
bool games_next(games *g);
// Gives everything back. STATUS_BAD where a game could not be read.
int games_close(games *g);

#endif
