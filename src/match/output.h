// The files a run writes beside its journal: games as JSON lines, PGN, contest records, and the
// transcript. All in schedule order but the transcript, which is in order of time.
#ifndef KRATON_MATCH_OUTPUT_H
#define KRATON_MATCH_OUTPUT_H

#include "match/game.h"

typedef struct match_output match_output;

typedef struct {
    const char *json, *pgn; // paths; NULL: none
    const char *records;    // an existing folder
    const char *transcript;
} match_output_plan;

// With `again`, files of an interrupted run are written anew from the journal, and the transcript
// is continued; else existing files are refused. NULL on failure, with the reason.
match_output *match_output_open(const match_output_plan *plan, bool again, fault *why);
void match_output_close(match_output *o);
MUST_USE bool match_output_game(match_output *o, const match_game *g, const match_game_style *style,
                                fault *why);
void match_output_talk(match_output *o, uint32_t index, const char *engine, bool to_engine,
                       text line, int64_t at_us);
// Where engines' standard error goes: the transcript, or nowhere (-1).
int match_output_error_fd(const match_output *o);
// Everything written is on its way to the disk. False: something was not.
MUST_USE bool match_output_sync(match_output *o, fault *why);

#endif
