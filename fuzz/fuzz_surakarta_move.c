// Any bytes as a Surakarta move: `FEN newline MOVE`, or a move from the start. What is accepted is
// legal, and is written and read back as itself in every notation.
#include "rules/surakarta/text.h"

#include <stdlib.h>

static void check(bool good) {
    if (!good)
        abort();
}

static void check_written(const sk_pos *pos, rules_move move, rules_notation notation) {
    char line[RULES_MOVE_SIZE];
    writer w = writer_on(line, sizeof line);
    rules_move back;
    fault why;
    sk_format_move(pos, move, notation, &w);
    check(!w.overflow && sk_parse_move(pos, (int)notation, text_of(line), &back, &why) &&
          back == move);
}

static void check_contest(const sk_pos *pos, rules_move move) {
    char line[RULES_MOVE_SIZE];
    writer w = writer_on(line, sizeof line);
    rules_move back;
    fault why;
    sk_format_contest_move(pos, move, &w);
    check(!w.overflow && sk_parse_contest_move(pos, text_of(line), &back, &why) && back == move);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    text rest = {(const char *)data, size}, whole = rest, first = text_next_line(&rest);
    sk_pos pos;
    fault why = {""};
    if (!sk_parse_fen(&pos, first, NULL)) {
        pos = sk_start();
        rest = whole;
    }
    for (int notation = -1; notation <= NOTATION_ICCS; notation++) {
        rules_move move;
        if (!sk_parse_move(&pos, notation, rest, &move, &why)) {
            check(why.line[0] != '\0' && !strchr(why.line, '\n'));
            continue;
        }
        check(sk_is_legal(&pos, move));
        check_written(&pos, move, NOTATION_NATIVE);
        check_written(&pos, move, NOTATION_SAU);
        check_contest(&pos, move);
        rules_route routes[4];
        bool capture = sk_occupied(&pos) >> move_to(move) & 1;
        check((sk_capture_routes(&pos, move, routes) > 0) == capture);
    }
    return 0;
}
