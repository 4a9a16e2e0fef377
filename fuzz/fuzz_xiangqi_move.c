// Any bytes as a Xiangqi move: `FEN newline MOVE`, or a move from the start. What is accepted is
// legal, and is written and read back as itself in every notation.
#include "rules/xiangqi/text.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

static void check_written(const xq_pos *pos, rules_move move) {
    static const rules_notation notations[] = {NOTATION_NATIVE,  NOTATION_ICCS, NOTATION_WXF,
                                               NOTATION_CHINESE, NOTATION_UCI0, NOTATION_UCI1};
    for (size_t i = 0; i < sizeof notations / sizeof notations[0]; i++) {
        char line[RULES_MOVE_SIZE];
        writer w = writer_on(line, sizeof line);
        rules_move back;
        fault why;
        xq_format_move(pos, move, notations[i], &w);
        check(!w.overflow && xq_parse_move(pos, (int)notations[i], text_of(line), &back, &why) &&
              back == move);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char start[] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    text rest = {(const char *)data, size}, whole = rest, first = text_next_line(&rest);
    xq_pos pos;
    if (!xq_parse_fen(&pos, first, NULL)) {
        check(xq_parse_fen(&pos, text_of(start), NULL));
        rest = whole;
    }
    for (int notation = -1; notation <= NOTATION_CONTEST; notation++) {
        rules_move move;
        fault why = {""};
        if (!xq_parse_move(&pos, notation, rest, &move, &why)) {
            check(why.line[0] != '\0' && !strchr(why.line, '\n'));
            continue;
        }
        check(xq_is_legal(&pos, move));
        check_written(&pos, move);
    }
    return 0;
}
