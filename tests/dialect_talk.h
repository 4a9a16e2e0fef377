// What the tests of the dialects share: one manager's end and one engine's end, the text each
// writes, and golden lines to compare it with.
#ifndef KRATON_TESTS_DIALECT_TALK_H
#define KRATON_TESTS_DIALECT_TALK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "dialect/engine/engine.h"
#include "dialect/manager/manager.h"

enum { TALK_PLIES = 2000 };

typedef struct {
    dialect_host host;
    dialect_engine engine;
    void *host_memory, *engine_memory;
    rules_state *state; // the game as the manager has it
    char buffer[DIALECT_TEXT_MAX];
    writer out;
} talk;

static const dialect_limits talk_no_limits = {.clock_us = {-1, -1}};

static const char *const talk_styles[] = {"Calm", "Wild", NULL};
static const dialect_option talk_options[] = {
    {.name = "Hash",
     .ucci = "hashsize",
     .type = OPTION_SPIN,
     .initial = "16",
     .low = 1,
     .high = 64},
    {.name = "Clear Hash", .type = OPTION_BUTTON},
    {.name = "Style", .type = OPTION_COMBO, .initial = "Calm", .choices = talk_styles},
    {.name = "Ponder", .ucci = "ponder", .type = OPTION_CHECK, .initial = "false"},
    {.name = "Book", .type = OPTION_STRING, .initial = ""},
    {0},
};
static const dialect_identity talk_identity = {
    .name = "Tester 1", .author = "Nobody", .options = talk_options};

static inline rules_state *talk_state(const rules_game *game, void **memory) {
    rules_set set = rules_default_set(game);
    *memory = malloc(rules_state_size(TALK_PLIES));
    assert_non_null(*memory);
    return rules_state_new(*memory, game, &set, TALK_PLIES);
}

static inline talk *talk_new(dialect_id id, const char *game_name,
                             const dialect_identity *identity) {
    const rules_game *game = rules_find(text_of(game_name));
    talk *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->out = writer_on(t->buffer, sizeof t->buffer);
    t->state = talk_state(game, &t->host_memory);
    dialect_host_init(&t->host, id, game);
    dialect_engine_init(&t->engine, game, talk_state(game, &t->engine_memory), identity);
    return t;
}

static inline void talk_free(talk *t) {
    dialect_host_free(&t->host);
    dialect_engine_free(&t->engine);
    free(t->host_memory);
    free(t->engine_memory);
    free(t);
}

static inline void assert_text(text got, const char *wanted) {
    char copy[4096];
    assert_true(got.len < sizeof copy);
    if (got.len)
        memcpy(copy, got.at, got.len);
    copy[got.len] = '\0';
    assert_string_equal(copy, wanted);
}

// What was written since the last time is exactly this.
static inline void assert_written(talk *t, const char *wanted) {
    assert_string_equal(t->buffer, wanted);
    assert_false(t->out.overflow);
    t->out = writer_on(t->buffer, sizeof t->buffer);
}

// A line from the engine to the manager.
static inline dialect_event says(talk *t, const char *line) {
    return dialect_read(&t->host, text_of(line));
}

// A line from the manager to the engine.
static inline dialect_command told(talk *t, const char *line) {
    return dialect_engine_read(&t->engine, text_of(line), &t->out);
}

// A line that is to be answered by exactly this, and nothing else is to be done.
static inline void assert_answer(talk *t, const char *line, const char *answer) {
    assert_int_equal(told(t, line).kind, COMMAND_NONE);
    assert_written(t, answer);
}

static inline rules_move move_in(const rules_state *s, const char *word) {
    rules_move m = MOVE_NONE;
    assert_true(rules_parse_move(s, text_of(word), &m, NULL));
    return m;
}

// A move is played and the manager's end told of it.
static inline void talk_play(talk *t, const char *word, bool own) {
    rules_move m = move_in(t->state, word);
    assert_true(dialect_played(&t->host, t->state, m, own, &t->out));
    assert_true(rules_play(t->state, m, NULL));
}

static inline void assert_fen(const rules_state *s, const char *wanted) {
    char fen[RULES_FEN_SIZE];
    writer w = writer_on(fen, sizeof fen);
    rules_format_fen(s, &w);
    assert_string_equal(fen, wanted);
}

#endif
