// The files a run writes beside its journal: games as JSON lines, PGN, contest records, the
// transcript and the events. All in schedule order but the last two, which are in order of time.
#ifndef KRATON_MATCH_OUTPUT_H
#define KRATON_MATCH_OUTPUT_H

#include "match/tally.h"

typedef struct match_output match_output;

typedef struct {
    const char *json, *pgn; // paths, or "-" for standard output; NULL: none
    const char *records;    // an existing folder
    const char *transcript;
    const char *events;
} match_output_plan;

// What to do with files that exist.
typedef enum {
    OUTPUT_NEW,     // refuse them
    OUTPUT_REPLACE, // write them anew
    OUTPUT_APPEND,
    OUTPUT_RESUME, // write the games anew from the journal; continue transcript and events
} match_output_mode;

// NULL on failure, with the reason; then no file has changed. The plan's paths must stay.
match_output *match_output_open(const match_output_plan *plan, match_output_mode mode, fault *why);
void match_output_close(match_output *o);
// Closes the files of a run that failed before its first game ended. Those made for it are removed
// where they are empty.
void match_output_abandon(match_output *o);
// Empties the files of games that are written anew. The first match_output_game does it too.
MUST_USE bool match_output_begin(match_output *o, fault *why);
MUST_USE bool match_output_game(match_output *o, const match_game *g, const match_game_style *style,
                                fault *why);
void match_output_talk(match_output *o, uint32_t index, const char *engine, bool to_engine,
                       text line, int64_t at_us);
// Writes an event, a line of JSON with its end, at once. Does nothing if nobody wants events.
MUST_USE bool match_output_event(match_output *o, const buffer *line, fault *why);
bool match_output_wants_events(const match_output *o);
// Where engines' standard error goes: the transcript, or nowhere (-1).
int match_output_error_fd(const match_output *o);
// Everything written is on its way to the disk. False: something was not.
MUST_USE bool match_output_sync(match_output *o, fault *why);

// --- events -------------------------------------------------------------------------------------

// What happens in a run, as lines of JSON for programs that watch it. docs/match.md has the schema.
// These functions append one line, its end included.

// The run begins. The names are those of the engines.
void events_start(buffer *out, const char *game, const char *const *names, int count,
                  uint32_t games);
// A game begins.
void events_begin(buffer *out, const match_game *g, const match_game_style *style);
// A move of game `index`; `ply` counts from 1.
void events_move(buffer *out, uint32_t index, uint32_t ply, int side, const match_move *move,
                 bool times);
// An engine said something wrong before its move at `ply`, or has wrong settings (ply 0).
void events_warning(buffer *out, uint32_t index, uint32_t ply, const char *engine,
                    const char *words);
// A game has ended.
void events_result(buffer *out, const match_game *g, const match_game_style *style);
// The score after a game was counted. llr may be NULL.
void events_score(buffer *out, const match_tally *t, const char *const *names, const double *llr);
// The run ends: "done", "decided" or "interrupted".
void events_end(buffer *out, const char *how);

#endif
