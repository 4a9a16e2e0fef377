// Files of packed games: what self-play writes and the tuner and trainers read. A game is its start
// position, then move and score per ply: four bytes a position. No knowledge of the rules is needed
// to replay one, so that a script can read them too. docs/tuning.md specifies the format.
//
// A writer belongs to one thread; it locks its file against other processes. A reader maps its
// file; any thread may read from it with a place of its own.
#ifndef KRATON_LAB_DATA_PACKED_H
#define KRATON_LAB_DATA_PACKED_H

#include "base/buffer.h"
#include "os/file.h"
#include "os/map.h"
#include "rules/rules.h"

enum {
    PACKED_MAX_PLIES = 1024,
    PACKED_SETTINGS_SIZE = 1024,
    PACKED_NO_SCORE = INT16_MIN, // of the random moves of an opening
};

// Why a game ended.
typedef enum {
    PACKED_BY_RULES,
    PACKED_ADJUDICATED_WIN,
    PACKED_ADJUDICATED_DRAW,
    PACKED_TOO_LONG, // counted as a draw
} packed_end;

typedef struct {
    rules_move move;
    int16_t score; // of the search, for the side to move
    bool in_check; // the side to move is
    bool is_capture;
} packed_ply;

typedef struct {
    uint32_t number; // in its file, rising; the seed of its opening is made from it
    uint16_t ply_count;
    uint16_t opening_plies; // at its beginning, without scores
    uint8_t half_points;    // of the first side: 2, 1, 0
    packed_end end;
    char fen[RULES_FEN_SIZE]; // where it starts; empty: the game's start position
    packed_ply plies[PACKED_MAX_PLIES];
} packed_game;

// Appends the bytes of a game.
void packed_encode(const packed_game *g, buffer *out);

// --- reading ------------------------------------------------------------------------------------

typedef struct {
    os_map map;
    char settings[PACKED_SETTINGS_SIZE]; // lines `NAME VALUE`
    size_t first;                        // where the first game begins
} packed_file;

// Whether the file begins as one of packed games.
bool packed_is(const char *path);
// False, with the reason, if the file cannot be read or its header is damaged.
MUST_USE bool packed_open(packed_file *f, const char *path, fault *why);
void packed_close(packed_file *f);
// False, with the reason, if the file's games are not of this game.
MUST_USE bool packed_check_game(const packed_file *f, const char *path, const rules_game *game,
                                fault *why);

typedef enum { PACKED_GAME, PACKED_AT_END, PACKED_DAMAGED } packed_found;
// Reads the game at *place and moves on to the next. PACKED_DAMAGED: from here on the file is cut
// off or changed, as after a crash.
packed_found packed_next(const packed_file *f, size_t *place, packed_game *g);

// --- writing ------------------------------------------------------------------------------------

typedef struct {
    os_file file;
} packed_writer;

// Makes a file; one that is there already is refused.
MUST_USE bool packed_create(packed_writer *w, const char *path, const char *settings, fault *why);
// Opens a file to go on with it. Its settings must be the same. on_game is called for each game in
// it; a damaged end is cut off.
MUST_USE bool packed_resume(packed_writer *w, const char *path, const char *settings,
                            bool (*on_game)(void *context, const packed_game *g), void *context,
                            fault *why);
// Appends encoded games. False, with the reason in errno, if they cannot be written.
MUST_USE bool packed_write(packed_writer *w, text games);
// Returns false if bytes written before could not be stored. Allowed on a writer that failed to
// open, and twice.
bool packed_finish(packed_writer *w);

#endif
