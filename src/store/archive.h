// Finished games: found by what they were, their positions and how the moves of openings did, and
// what the engine thought of every position.
#ifndef KRATON_STORE_ARCHIVE_H
#define KRATON_STORE_ARCHIVE_H

#include "base/buffer.h"
#include "store/games.h"

// --- search -------------------------------------------------------------------------------------

// What is asked for; whatever is 0, -1 or empty does not matter.
typedef struct {
    int64_t before;   // ids below
    int64_t player;   // on either side
    int64_t opponent; // on the other
    const char *game; // its rules' name
    int outcome;      // rules_outcome; -1: any
    const char *reason;
    const char *opening; // the beginning of its code or of a name
    int64_t tournament;
    bool rated; // only those
    bool has_key;
    uint64_t key; // of a position it came to (records/mirror.h), where has_key
    int limit;
    int64_t most_us; // stops soon after that; 0: takes what it takes
} archive_query;

// Newest first. Positions are found by index, and so are players and tournaments; other terms go
// through the games. Returns 0 when it found as many as were asked for or has looked at all games;
// else its time was over, and it is the `before` to go on with.
int64_t store_each_game(store *s, const archive_query *q,
                        void (*take)(void *, const stored_game *g), void *context);
int64_t store_count_games(store *s);
// The opening's name, for finding it.
void store_set_opening(store *s, int64_t game, const char *opening);

// --- positions ----------------------------------------------------------------------------------

// A key is of records/mirror.h, a move the number it has in the key's image.

typedef struct {
    uint16_t move;
    int64_t first, draws, second; // games that went on so and ended so
} stored_opening_move;

// The keys of all positions of a game, the first included, and the outcome they are counted under.
void store_set_keys(store *s, int64_t game, int outcome, const uint64_t *keys, int count);
void store_set_keys_outcome(store *s, int64_t game, int outcome);
// The outcome a game is counted under; -1: its keys are not kept yet.
int store_keys_outcome(store *s, int64_t game);

// The index of positions. A batch is of games that are not in it yet: which they are, and pairs of
// key and game, sorted by key. Rows that are sorted go into the index quickly: each page of it is
// written once a batch, so many games together cost less than few.
typedef struct {
    int64_t key, game;
} stored_position;
typedef struct {
    stored_position *positions;
    int64_t *games;
    size_t count, game_count;
} stored_batch;
bool store_has_unindexed(store *s);
int64_t store_count_unindexed(store *s);
// The first games that are not there yet, at most so many; none are left: game_count is 0.
void store_take_unindexed(store *s, int games, stored_batch *b);
void store_free_batch(stored_batch *b);
void store_index_positions(store *s, const stored_position *positions, size_t count);
// The pairs of the batch are all there.
void store_set_indexed(store *s, const stored_batch *b);

// Unrated games of no tournament with fewer plies than that which ended before a moment, out of
// the next `count` that ended after the one at *cursor; moves the cursor on. Games of records are
// not among them. Returns how many.
int store_short_games(store *s, int64_t *cursor, int count, int64_t before, int plies,
                      int64_t *games);
// Removes a finished game and everything about it.
void store_forget_game(store *s, int64_t game);

// Counts a game that went on with the move: `by` is 1, or -1 to take it back. Outcomes as in
// rules_outcome; a game without result does not count.
void store_count_move(store *s, uint64_t key, uint16_t move, int outcome, int by);
// The moves played from a position, in no order.
void store_each_opening_move(store *s, uint64_t key,
                             void (*take)(void *context, const stored_opening_move *m),
                             void *context);

// Games that were over before keys were kept: the next below `unindexed`, which is moved down to
// it; 0: no more.
int64_t store_next_unindexed(store *s);

// --- imported games -----------------------------------------------------------------------------

// What a record said of a game besides its row and its moves.
typedef struct {
    uint64_t fingerprint; // the same for the same game or record, see features/import.c
    char event[128], site[128], date[32];
} stored_import;

// Whether a game of the fingerprint was imported: without its record, as earlier versions did, with
// the same or with another one.
typedef enum {
    STORED_IMPORT_NONE,
    STORED_IMPORT_BARE,
    STORED_IMPORT_SAME,
    STORED_IMPORT_OTHER
} stored_import_kind;
stored_import_kind store_has_import(store *s, uint64_t fingerprint, text record);
// `record` is the whole record in the format JSON.
void store_add_import(store *s, int64_t game, const stored_import *i, text record);
// Adds the record of a game that was imported without.
void store_complete_import(store *s, uint64_t fingerprint, text record);
// False where the game was not imported.
MUST_USE bool store_find_import(store *s, int64_t game, stored_import *i);
// Adds the record to the buffer; nothing where there is none.
void store_read_import(store *s, int64_t game, buffer *record);

// --- assessments --------------------------------------------------------------------------------

typedef struct {
    int ply; // moves played
    bool is_mate;
    int32_t score; // or moves to the mate; from the first side's point of view
    int32_t depth; // 0: the game is decided here
    char best[8];  // the move it would play; empty there
} stored_assessment;

// Keeps one, in place of an earlier one.
void store_set_assessment(store *s, int64_t game, const stored_assessment *a);
// By ply, from that one on.
void store_each_assessment(store *s, int64_t game, int from,
                           void (*take)(void *context, const stored_assessment *a), void *context);
int store_count_assessments(store *s, int64_t game);

#endif
