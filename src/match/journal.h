// The journal of a run: a header line with the run's settings, then a line for each finished game
// in the order they ended. A game is written as soon as it ends, so a run that was killed can be
// resumed: no finished game is lost or played again.
#ifndef KRATON_MATCH_JOURNAL_H
#define KRATON_MATCH_JOURNAL_H

#include "match/game.h"

typedef struct journal journal;

// Starts a journal; `settings` is one line that must be the same when the run is taken up again.
// With `resume`, an existing journal is read instead: a torn last line is cut off, and games whose
// settings differ are refused. With `replace`, an existing one is given up, but not before
// journal_begin. The path and the settings must stay. NULL on failure, with the reason.
journal *journal_open(const char *path, text settings, bool resume, bool replace, fault *why);
void journal_close(journal *j);
// Closes the journal of a run that failed before its first game ended. A file made for it is
// removed.
void journal_abandon(journal *j);

// Gives up the journal that is replaced. The first journal_add does it too.
MUST_USE bool journal_begin(journal *j, fault *why);

// Adds a game's line (its end included). False when it could not be written: the disk is full.
MUST_USE bool journal_add(journal *j, uint32_t index, text line, fault *why);
// How many games it holds.
uint32_t journal_count(const journal *j);
bool journal_has(const journal *j, uint32_t index);
// Reads a game's line back; the buffer is emptied first.
MUST_USE bool journal_read(journal *j, uint32_t index, buffer *line, fault *why);

#endif
