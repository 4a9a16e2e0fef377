// Any bytes as a Xiangqi FEN. What is accepted is written and read back as itself, and can be
// drawn.
#include "rules/xiangqi/text.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

static void check_drawing(const xq_pos *pos) {
    for (int kind = 0; kind < 8; kind++) {
        rules_drawing how = {.unicode = kind & 1, .colour = kind & 2, .flipped = kind & 4};
        char board[RULES_BOARD_SIZE];
        writer w = writer_on(board, sizeof board);
        xq_draw(pos, &how, &w);
        check(!w.overflow);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    xq_pos pos, back;
    fault why = {""};
    if (!xq_parse_fen(&pos, (text){(const char *)data, size}, &why)) {
        check(why.line[0] != '\0' && !strchr(why.line, '\n'));
        return 0;
    }
    char line[RULES_FEN_SIZE], again[RULES_FEN_SIZE];
    writer w = writer_on(line, sizeof line);
    xq_format_fen(&pos, &w);
    check(!w.overflow && xq_parse_fen(&back, text_of(line), &why));
    w = writer_on(again, sizeof again);
    xq_format_fen(&back, &w);
    check(strcmp(line, again) == 0 && pos.key == back.key);
    check_drawing(&pos);
    return 0;
}
