// Records for the tests: random games of both games, and reading a text in one go.
#ifndef KRATON_TESTS_RECORDS_SAMPLE_H
#define KRATON_TESTS_RECORDS_SAMPLE_H

#include "base/rng.h"
#include "records/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static inline const rules_game *game_named(const char *name) { return rules_find(text_of(name)); }

static inline void set_string(char *field, size_t size, const char *value) {
    writer w = writer_on(field, size);
    write_string(&w, value);
}

// A state for a game of at most `plies` moves; free() gives it back.
static inline rules_state *new_state(const rules_game *game, uint32_t plies) {
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(plies));
    assert_non_null(memory);
    return rules_state_new(memory, game, &set, plies);
}

// Fills a record with a random game, from the start or from some way into another one.
static inline void random_record(rng *r, const rules_game *game, record *out) {
    enum { LONGEST = 160 };
    record_init(out, game);
    rules_state *s = new_state(game, LONGEST);
    uint32_t head = rng_below(r, 2) ? 2 * rng_below(r, 30) : 0, plies = head + rng_below(r, 90);
    for (uint32_t ply = 0; ply < plies; ply++) {
        rules_move moves[RULES_MAX_MOVES];
        int n = rules_legal_moves(s, moves);
        if (n == 0)
            break;
        rules_move m = moves[rng_below(r, (uint32_t)n)];
        if (ply == head && head) {
            writer w = writer_on(out->fen, sizeof out->fen);
            rules_format_fen(s, &w);
        }
        if (ply >= head)
            assert_true(record_add_move(out, m));
        assert_true(rules_play(s, m, NULL));
    }
    rules_verdict end = rules_result(s);
    bool decided = end.reason == REASON_WIPED_OUT || end.reason == REASON_MATE ||
                   end.reason == REASON_STALEMATE;
    out->result = decided ? end.outcome : (rules_outcome)rng_below(r, 4);
    free(s);
    set_string(out->first, sizeof out->first, "东北大学 \"一队\"");
    set_string(out->second, sizeof out->second, "B\\C 队");
    set_string(out->site, sizeof out->site, "沈阳");
    set_string(out->date, sizeof out->date, "2026-11-15 14:05");
}

static inline void expect_same_game(const record *a, const record *b) {
    assert_ptr_equal(a->game, b->game);
    assert_string_equal(a->fen, b->fen);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->moves ? (const void *)a->moves : "",
                        b->moves ? (const void *)b->moves : "", a->count * sizeof *a->moves);
}

static inline void expect_same_heading(const record *a, const record *b) {
    assert_int_equal(a->result, b->result);
    assert_string_equal(a->first, b->first);
    assert_string_equal(a->second, b->second);
    assert_string_equal(a->site, b->site);
    assert_string_equal(a->date, b->date);
}

// Reads the only game of a text.
static inline void read_one(text bytes, record_format format, const rules_game *game, record *r) {
    fault why;
    record_reader reader = record_read(bytes, format, game);
    record_init(r, game);
    if (record_next(&reader, r, &why) != RECORD_OK)
        fail_msg("%s: %s", record_format_name(format), why.line);
    record other;
    record_init(&other, game);
    assert_int_equal(record_next(&reader, &other, &why), RECORD_END);
    record_free(&other);
}

// The first game of a text is bad, for this reason.
static inline void expect_bad(const char *bytes, record_format format, const rules_game *game,
                              const char *words) {
    record r;
    fault why = {""};
    record_reader reader = record_read(text_of(bytes), format, game);
    record_init(&r, game);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
    assert_string_equal(why.line, words);
    record_free(&r);
}

#endif
