// An opening book: for positions, the moves worth playing with their weights and with how games
// went on from them. Positions are known up to mirror images (records/mirror.h), so whatever is in
// the book is there for the other wing as well. docs/books.md specifies the file.
//
// A book is read whole and does not change: any number of threads may ask it. The caller owns it.
// book_make.h makes books.
#ifndef KRATON_GAMES_BOOK_H
#define KRATON_GAMES_BOOK_H

#include "base/rng.h"
#include "rules/rules.h"

enum {
    BOOK_VERSION = 1,
    BOOK_MAX_BYTES = 1 << 28, // of a file
    BOOK_HEADER_BYTES = 32,
    BOOK_ENTRY_BYTES = 24,
    BOOK_MAX_WEIGHT = UINT16_MAX
};

typedef struct book book;

// A move of the book for one position.
typedef struct {
    rules_move move;
    uint16_t weight;              // of the moves of one position; 0: known, not to be played
    bool is_image;                // the mirror image of a move listed before it, to the same effect
    uint32_t wins, draws, losses; // of the side that played it
} book_move;

// The book in a file. NULL, with what is wrong, where it cannot be read, is damaged, or is for
// another game than the one asked for (NULL: whichever it is for).
book *book_open(const char *path, const rules_game *game, fault *why);
// The same with the bytes of a file; they are copied.
book *book_read(text bytes, const rules_game *game, fault *why);
// The book that comes with the program. NULL when memory runs out.
book *book_built_in(const rules_game *game);
void book_free(book *b);

const rules_game *book_game(const book *b);
// Moves of all positions, and how many positions.
uint32_t book_entry_count(const book *b);
uint32_t book_position_count(const book *b);

// The legal moves the book has here, heaviest first, each image behind its original; 0 where it has
// none or is for another game.
int book_moves(const book *b, const rules_state *s, book_move moves[RULES_MAX_MOVES]);

// A move to play: by weight with random numbers, or the heaviest without (NULL). MOVE_NONE where
// the book has none, and where the position has been on the board before: a book is no reason to
// go round in circles.
rules_move book_probe(const book *b, const rules_state *s, rng *random);

// --- the file -----------------------------------------------------------------------------------

// For those who write books (book_make). Numbers are little-endian; docs/books.md has the tables.

// An entry as it is stored: the move in the image of the position that the key is taken of.
typedef struct {
    uint64_t key;
    rules_move move;
    uint16_t weight;
    uint32_t wins, draws, losses;
} book_entry;

#define BOOK_MAGIC "KRATBOOK"

// The n-th entry of a book, in the order of the file: by key, then by move.
book_entry book_entry_at(const book *b, uint32_t n);

void book_entry_write(const book_entry *e, uint8_t bytes[BOOK_ENTRY_BYTES]);
// The header of a book with these entries, its checksum included.
void book_header_write(const rules_game *game, const uint8_t *entries, uint32_t count,
                       uint8_t bytes[BOOK_HEADER_BYTES]);

// The order of entries in a file.
int book_entry_compare(const book_entry *a, const book_entry *b);

#endif
