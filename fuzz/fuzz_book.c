// Any bytes as an opening book, once as they are and once under a header that fits them: what is
// accepted gives legal moves, and made anew it is the same book.
#include "games/book.h"
#include "games/book_make.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

static void ask(const book *b) {
    rules_set set = rules_default_set(book_game(b));
    void *memory = malloc(rules_state_size(8));
    rules_state *s = rules_state_new(memory, book_game(b), &set, 8);
    rng random = {1};
    for (rules_move move; (move = book_probe(b, s, &random)) != MOVE_NONE;) {
        fault why;
        book_move moves[RULES_MAX_MOVES];
        int n = book_moves(b, s, moves);
        check(n > 0);
        for (int i = 0; i < n; i++)
            check(rules_is_legal(s, moves[i].move));
        if (!rules_play(s, move, &why))
            break;
    }
    free(memory);
}

static void read_bytes(text bytes, const rules_game *game) {
    fault why = {""};
    book *b = book_read(bytes, game, &why);
    if (!b) {
        check(why.line[0] != '\0' && !strchr(why.line, '\n'));
        return;
    }
    ask(b);
    book_maker *m = book_maker_new(book_game(b));
    buffer out = {0};
    check(book_maker_add_book(m, b) && book_maker_write(m, 0, &out));
    book *again = book_read((text){out.bytes, out.len}, book_game(b), &why);
    check(again && book_entry_count(again) == book_entry_count(b) &&
          book_position_count(again) == book_position_count(b));
    book_free(again);
    buffer_free(&out);
    book_maker_free(m);
    book_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    const rules_game *game = rules_nth(data[0] % RULES_GAMES);
    text bytes = {(const char *)data + 1, size - 1};
    read_bytes(bytes, NULL);
    uint32_t count = (uint32_t)(bytes.len / BOOK_ENTRY_BYTES);
    size_t total = BOOK_HEADER_BYTES + (size_t)count * BOOK_ENTRY_BYTES;
    uint8_t *file = malloc(total);
    memcpy(file + BOOK_HEADER_BYTES, bytes.at, total - BOOK_HEADER_BYTES);
    book_header_write(game, file + BOOK_HEADER_BYTES, count, file);
    read_bytes((text){(const char *)file, total}, game);
    free(file);
    return 0;
}
