// The bytes of a book file, for whoever reads or writes one: the inside of the books. Numbers are
// little-endian; docs/books.md has the tables.
#ifndef KRATON_GAMES_BOOK_FILE_H
#define KRATON_GAMES_BOOK_FILE_H

#include "games/book.h"

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
