// Records for the tests: random games of both games, and reading a text in one go.
#ifndef KRATON_TESTS_RECORDS_SAMPLE_H
#define KRATON_TESTS_RECORDS_SAMPLE_H

#include "base/encoding.h"
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

// Plays the way to a node of a record, from its start position.
static inline rules_state *state_at(const record *r, uint32_t node) {
    rules_state *s = new_state(r->game, 1000);
    rules_move way[1000];
    uint32_t n = 0;
    if (r->fen[0])
        assert_true(rules_set_fen(s, text_of(r->fen), NULL));
    for (; node; node = r->nodes[node].parent)
        way[n++] = r->nodes[node].move;
    while (n)
        assert_true(rules_play(s, way[--n], NULL));
    return s;
}

// Adds random moves behind a node.
static inline void grow_line(rng *r, record *out, uint32_t node, uint32_t moves) {
    rules_state *s = state_at(out, node);
    for (; moves; moves--) {
        rules_move legal[RULES_MAX_MOVES];
        int n = rules_legal_moves(s, legal);
        if (n == 0)
            break;
        rules_move m = legal[rng_below(r, (uint32_t)n)];
        node = record_add(out, node, m);
        assert_true(node && rules_play(s, m, NULL));
    }
    free(s);
}

// Gives a record variations, variations of these, and things that are said about moves.
static inline void random_tree(rng *r, record *out) {
    static const char *const words[] = {"好棋",          "此着不如 车二进六\n另有变化；",
                                        "a (b) [c] ; d", "100% \"sure\"?!",
                                        "红优 {",        "多\n行\n注"};
    if (out->count == 0)
        return;
    for (uint32_t lines = rng_below(r, 6); lines; lines--) {
        uint32_t replaced = 1 + rng_below(r, out->node_count - 1);
        grow_line(r, out, out->nodes[replaced].parent, 1 + rng_below(r, 6));
    }
    for (uint32_t n = 0; n < out->node_count; n++) {
        if (rng_below(r, 8) == 0)
            assert_true(record_set_comment(out, n, text_of(words[rng_below(r, 6)])));
        for (uint32_t marks = rng_below(r, 12); n && marks > 9; marks--)
            assert_true(record_add_mark(out, n, 1 + (int)rng_below(r, 140)));
        if (n && rng_below(r, 10) == 0)
            out->nodes[n].clock = (int64_t)rng_below(r, 100000000) * 1000;
        if (n && rng_below(r, 10) == 0)
            out->nodes[n].used = (int64_t)rng_below(r, 100000) * 1000;
    }
}

// What of a tree must be the same.
enum { SAME_COMMENTS = 1, SAME_MARKS = 2, SAME_CLOCKS = 4, SAME_ALL = 7 };

static inline void expect_same_tree(const record *a, uint32_t x, const record *b, uint32_t y,
                                    unsigned what) {
    if (what & SAME_COMMENTS)
        assert_string_equal(record_comment(a, x), record_comment(b, y));
    if (a->node_count == 0 || b->node_count == 0)
        return;
    if (what & SAME_MARKS)
        assert_memory_equal(a->nodes[x].marks, b->nodes[y].marks, sizeof a->nodes[x].marks);
    if (what & SAME_CLOCKS) {
        assert_int_equal(a->nodes[x].clock, b->nodes[y].clock);
        assert_int_equal(a->nodes[x].used, b->nodes[y].used);
    }
    uint32_t i = a->nodes[x].next, j = b->nodes[y].next;
    for (; i && j; i = a->nodes[i].other, j = b->nodes[j].other) {
        assert_int_equal(a->nodes[i].move, b->nodes[j].move);
        expect_same_tree(a, i, b, j, what);
    }
    assert_true(i == 0 && j == 0);
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
    record_close(&reader);
}

// Writes UTF-8 in GB18030.
static inline void write_gbk(writer *w, text utf8) {
    buffer b = {0};
    assert_true(encoding_from_utf8(ENCODING_GB18030, utf8, &b));
    write_text(w, buffer_text(&b));
    buffer_free(&b);
}

// The first game of a text is bad, for this reason, where nothing is repaired.
static inline void expect_bad(const char *bytes, record_format format, const rules_game *game,
                              const char *words) {
    record r;
    fault why = {""};
    record_reader reader = record_read(text_of(bytes), format, game);
    reader.is_strict = true;
    record_init(&r, game);
    assert_int_equal(record_next(&reader, &r, &why), RECORD_BAD);
    assert_string_equal(why.line, words);
    record_free(&r);
    record_close(&reader);
}

#endif
