// A game, live or finished, as a record in any format, and as JSON with everything that is kept.
#ifndef KRATON_FEATURES_GAME_RECORD_H
#define KRATON_FEATURES_GAME_RECORD_H

#include "records/record.h"
#include "server/api.h"
#include "server/game.h"

#include <jansson.h>

// A game wherever it is: in memory while it is live, in the store afterwards. The moves of a live
// one are the game's own; game_copy_free gives those of a finished one back.
typedef struct {
    stored_game row;
    char names[2][PLAYER_NAME_SIZE];
    char event[128]; // the tournament's name; empty: it is of none
    bool is_imported;
    char site[128], date[32]; // of an imported game
    buffer record;            // the whole of it in the format JSON, where it is kept
    int count;
    const stored_move *moves;
    stored_move *owned;
} game_copy;

MUST_USE bool game_copy_get(server *srv, int64_t id, game_copy *copy);
// A finished game as the store has it, for threads with a store of their own.
void game_copy_read(store *s, const stored_game *row, bool with_moves, game_copy *copy);
void game_copy_free(game_copy *copy);
int game_copy_begins(const game_copy *copy); // the side that moves first from its first position
// An imported game is the record it came from. False with the reason.
MUST_USE bool game_copy_record(const game_copy *copy, record *r, fault *why);
// Adds it to the text in that format. False with the reason; where it is true, `why` says what the
// format could not hold, or is empty.
MUST_USE bool game_copy_write(const game_copy *copy, record_format format, buffer *out, fault *why);
// Answers with records in a format; what was lost is named in the header Kraton-Remarks.
void game_record_answer(api_call *c, record_format format, text records, const fault *loss);
// The game without its moves; and one move, ply counting from 1.
json_t *game_copy_json(const game_copy *copy);
// Adds what the record of an imported game holds besides: its headings, comments, marks and
// variations, under their keys of the format JSON.
void game_copy_add_tree(const game_copy *copy, json_t *object);
json_t *game_copy_move_json(const game_copy *copy, int ply);

#endif
