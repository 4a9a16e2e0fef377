// What the fuzzers of the dialects share: any bytes as the lines an engine sends its manager.
#ifndef KRATON_FUZZ_DIALECT_H
#define KRATON_FUZZ_DIALECT_H

#include "dialect/manager/manager.h"

#include <stdlib.h>

static inline void fuzz_check(bool good) {
    if (!good)
        abort();
}

static inline bool fuzz_within(text part, text whole) {
    return part.len == 0 || (part.at >= whole.at && part.at + part.len <= whole.at + whole.len);
}

// Every slice an event has is one of the line, or a constant that says why it is malformed; a move
// it takes is legal. The ends are used after each line as a manager would.
static inline void fuzz_line(dialect_host *h, rules_state *s, text line) {
    char buffer[DIALECT_TEXT_MAX];
    writer out = writer_on(buffer, sizeof buffer);
    rules_move move;
    bool answers;
    dialect_event e = dialect_read(h, line);
    fuzz_check(e.kind == EVENT_MALFORMED || fuzz_within(e.text, line));
    fuzz_check(fuzz_within(e.info.pv, line));
    fuzz_check(memchr(h->name, '\0', sizeof h->name) && memchr(h->variant, '\0', 32));
    if (e.kind == EVENT_HELLO) {
        dialect_limits limits = {.clock_us = {1000000, 1000000}};
        dialect_write_new_game(h, 0, &limits, &answers, &out);
    }
    if (e.kind == EVENT_MOVE && dialect_parse_move(h, s, e.text, &move, NULL)) {
        fuzz_check(rules_is_legal(s, move));
        if (dialect_played(h, s, move, true, &out))
            fuzz_check(rules_play(s, move, NULL) || rules_ply(s) > 0);
    }
    fuzz_check(!out.overflow);
}

static inline int fuzz_dialect(dialect_id id, const uint8_t *data, size_t size) {
    text rest = {(const char *)data, size};
    if (size == 0)
        return 0;
    const rules_game *game = rules_nth(id == DIALECT_SAU ? 0 : data[0] % RULES_GAMES);
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(64));
    rules_state *s = rules_state_new(memory, game, &set, 64);
    dialect_host h;
    char none[256];
    writer out = writer_on(none, sizeof none);
    dialect_host_init(&h, id, game);
    fuzz_check(dialect_begin(&h, NULL, &out));
    for (rest = text_skip(rest, 1); rest.len;)
        fuzz_line(&h, s, text_next_line(&rest));
    dialect_host_free(&h);
    free(memory);
    return 0;
}

#endif
