// Games that commands read and save: from files, folders and archives of files, one game after
// another; from arguments; and to a file. Games that cannot be read are reported with file and
// line, and skipped. Remarks on a game are printed a line each; where game after game has the same
// ones, once. A file without any readable game gets one line; in a folder or an archive a file that
// is no record at all, neither by its bytes nor by its name, is skipped without a word.
#ifndef KRATON_CLI_GAMES_H
#define KRATON_CLI_GAMES_H

#include "cli/files.h"
#include "records/record.h"

// Bad games before the first good one are read up to a number; of a file so many are reported.
enum { GAMES_GIVE_UP = 10000, GAMES_HELD = 99 };

typedef struct {
    collection *source;
    const char *format;     // as asked for; NULL: whichever each file looks like
    const rules_game *rule; // as asked for; NULL: the files tell
    const char *label;      // the file, for messages
    text bytes;             // all of it
    record_reader reader;
    record game;                  // the current one
    unsigned number;              // its place in the file, from 1; bad ones count
    unsigned good, bad;           // of all files so far
    unsigned file_good, file_bad; // of this file
    bool is_empty;                // a file had no game at all
    fault held[GAMES_HELD];       // complaints held back until the file has a good game
    buffer told;                  // remarks of the last game of this file that were printed
    unsigned likewise;            // games since with the same ones
    unsigned remarked;            // games of this file whose remarks were, or were not, printed
} games;

// Whether there is such a record format; NULL and "auto" are good, too. False after a complaint:
// the usage is wrong.
MUST_USE bool games_know_format(const char *name);
// The format to be written. False after a complaint: the usage is wrong.
MUST_USE bool games_find_written(const char *name, record_format *format);
// Opens a file, "-" for standard input, a folder or an archive, in a format (NULL or "auto":
// whichever it looks like). The game may be NULL where the file tells. False after a complaint;
// else to be closed. Lists of moves that name no start begin at g->reader.start. What is set in
// g->reader (start, notation, is_strict) holds for all files.
MUST_USE bool games_open(games *g, const char *path, const char *format, const rules_game *game);
// The next game that can be read, in g->game. False at the end.
bool games_next(games *g);
// All games of a path as lines of JSON, for those who want one text of them; the bytes are the
// caller's to free(). *is_many says whether it is a folder or an archive; otherwise nothing is
// read.
MUST_USE bool games_flatten(const char *path, const rules_game *game, bool *is_many, text *bytes,
                            fault *why);
// Frees everything. STATUS_BAD if a game could not be read.
int games_close(games *g);

// The position that a command's arguments describe: a FEN, in one argument or several, and moves,
// after it or alone: `rnbakabnr/... b`, `h2e2 h9g7`, `C2=5 H8+7`. Without arguments it is the start
// position. Freed with free(). NULL after a complaint.
rules_state *game_of_arguments(const rules_game *game, int argc, char **argv);

// Saves a game that began at the FEN `start`, with the names of the players, its rules and its end,
// which the players may have agreed on. The extension of the file chooses the format: .pgn, .json,
// .moves; with any other it is that of record_format_for.
MUST_USE bool game_save(const rules_state *state, const char *start, const char *const names[2],
                        const rules_verdict *end, const char *path, fault *why);

#endif
