// What happens in a run, as lines of JSON for programs that watch it. docs/match.md has the schema.
// These functions append one line, its end included.
#ifndef KRATON_MATCH_EVENTS_H
#define KRATON_MATCH_EVENTS_H

#include "match/tally.h"

// The run begins. The names are those of the engines.
void events_start(buffer *out, const char *game, const char *const *names, int count,
                  uint32_t games);
// A game begins.
void events_begin(buffer *out, const match_game *g, const match_game_style *style);
// A move of game `index`; `ply` counts from 1.
void events_move(buffer *out, uint32_t index, uint32_t ply, int side, const match_move *move,
                 bool times);
// An engine said something wrong.
void events_warning(buffer *out, uint32_t index, const char *engine, const char *words);
// A game has ended.
void events_result(buffer *out, const match_game *g, const match_game_style *style);
// The score after a game was counted. llr may be NULL.
void events_score(buffer *out, const match_tally *t, const char *const *names, const double *llr);
// The run ends: "done", "decided" or "interrupted".
void events_end(buffer *out, const char *how);

#endif
