// Any bytes as a Surakarta FEN: what is accepted is a sound position and is written and read back
// as itself.
#include "rules/surakarta/text.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sk_pos pos, again;
    fault why = {""};
    if (!sk_parse_fen(&pos, (text){(const char *)data, size}, &why)) {
        check(why.line[0] != '\0' && !strchr(why.line, '\n'));
        return 0;
    }
    check((pos.pieces[SK_BLACK] & pos.pieces[SK_WHITE]) == 0 && sk_occupied(&pos) <= SK_BOARD);
    check(bits_count(pos.pieces[SK_BLACK]) <= SK_MAX_PIECES);
    check(bits_count(pos.pieces[SK_WHITE]) <= SK_MAX_PIECES);
    check(pos.key == sk_compute_key(&pos));

    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    sk_format_fen(&pos, &w);
    check(!w.overflow && sk_parse_fen(&again, text_of(fen), &why));
    check(again.key == pos.key && again.quiet == pos.quiet && again.number == pos.number);

    rules_move moves[SK_MAX_MOVES];
    check(sk_generate(&pos, moves) == sk_count_moves(&pos));
    char board[RULES_BOARD_SIZE];
    rules_drawing how = {.unicode = size & 1, .colour = size & 2, .flipped = size & 4};
    w = writer_on(board, sizeof board);
    sk_draw(&pos, &how, &w);
    check(!w.overflow);
    return 0;
}
