// What the tests of both searches share.
#ifndef KRATON_TESTS_SEARCH_COMMON_H
#define KRATON_TESTS_SEARCH_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/search.h"

#include <stdlib.h>

// A game in progress from a FEN (NULL: the start); the caller frees it.
static inline rules_state *state_of(const char *game_name, const char *rules, const char *fen) {
    const rules_game *game = rules_find(text_of(game_name));
    rules_set set = rules_default_set(game);
    if (rules)
        assert_true(rules_set_parse(game, text_of(rules), &set, NULL));
    rules_state *state = rules_state_new(malloc(rules_state_size(512)), game, &set, 512);
    if (fen)
        assert_true(rules_set_fen(state, text_of(fen), NULL));
    return state;
}

// Thinks about a position on one thread from a blank memory.
static inline search_result think_about(search *s, const rules_state *state, search_limits limits) {
    search_set_state(s, state);
    limits.clock_us = limits.clock_us ? limits.clock_us : -1;
    search_start(s, &limits, NULL);
    return search_wait(s);
}

#endif
