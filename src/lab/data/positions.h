// The positions of files of packed games that are worth learning from, in a random order that the
// seed decides. Games are visited in random order, and their positions pass through a window from
// which they leave at random, so that memory stays bounded whatever the size of the files.
//
// A reader owns its memory and belongs to one thread.
#ifndef KRATON_LAB_DATA_POSITIONS_H
#define KRATON_LAB_DATA_POSITIONS_H

#include "lab/data/packed.h"

typedef struct {
    uint64_t seed;
    int window;      // positions held for shuffling; 0: in the order of the files
    int max_score;   // of the search, either way
    bool checks;     // also positions in which the side to move is in check
    bool captures;   // also those whose best move is a capture
    bool duplicates; // also those seen before, in the mirror or not
} position_filter;

// No checks, no captures, no duplicates, scores up to 2000, a window of 100,000.
position_filter position_filter_default(void);

typedef struct {
    char fen[RULES_FEN_SIZE];
    rules_move move;
    uint16_t ply;        // of its game
    int16_t score;       // of the search, for the first side
    uint8_t half_points; // of the first side in that game
} position;

// What became of the positions read so far.
typedef struct {
    uint64_t games, plies;
    uint64_t openings, checks, captures, scores, duplicates; // left out
    uint64_t kept;
} position_counts;

typedef struct position_reader position_reader;

// False, with the reason, if a file cannot be read, is damaged or of another game. A file that is
// cut off counts as far as it goes: it may still be written.
MUST_USE bool positions_open(position_reader **opened, const rules_game *game,
                             const char *const *paths, int count, const position_filter *filter,
                             fault *why);
void positions_close(position_reader *r); // NULL is allowed
// The next position; *more is false at the end. False, with the reason, if a game breaks the rules
// or memory runs out.
MUST_USE bool positions_next(position_reader *r, position *next, bool *more, fault *why);
position_counts positions_count(const position_reader *r);

// The key of a position and its mirror images.
uint64_t position_key(const rules_state *s);

// --- duplicates ---------------------------------------------------------------------------------

// A set of 64-bit keys, to find duplicates among millions of positions. Zeroed it is empty; the
// owner frees it. For one thread.
typedef struct {
    uint64_t *slots; // 0: free
    size_t capacity; // a power of two, or 0
    size_t count;
} keyset;

// Adds a key; *is_new says whether it was not there. False without memory.
MUST_USE bool keyset_add(keyset *s, uint64_t key, bool *is_new);
void keyset_free(keyset *s);

#endif
