// What the tests of both games' levels share.
#ifndef KRATON_TESTS_LEVEL_COMMON_H
#define KRATON_TESTS_LEVEL_COMMON_H

#include "engine/level.h"
#include "search_common.h"

static thoughts heard; // too large for the stack; written by one search at a time

// The line a level plays.
static inline int choose_at(search *s, int level, rules_state *state, uint64_t seed) {
    search_limits limits = {.clock_us = -1};
    search_listener listener = thoughts_listener(&heard);
    search_result result;
    level_limit(state, level, &limits);
    thoughts_clear(&heard);
    search_set_state(s, state);
    search_start(s, &limits, &listener);
    search_wait(s);
    assert_true(thoughts_take_result(&heard, &result));
    assert_true(heard.line_count > 0);
    return level_choose(level, seed, state, &heard);
}

// The least that any legal move loses, and the score of the best line that loses no more. There is
// one, however few lines the level chooses from.
static inline int least_loss_of(rules_state *state, int32_t *score) {
    rules_move moves[RULES_MAX_MOVES];
    int n = rules_legal_moves(state, moves), least = INT32_MAX, line = 0;
    for (int i = 0; i < n; i++) {
        int loss = level_loss(state, moves[i]);
        least = loss < least ? loss : least;
    }
    while (line < heard.line_count && level_loss(state, heard.lines[line].pv[0]) > least)
        line++;
    assert_true(line < heard.line_count);
    *score = heard.lines[line].report.score;
    return least;
}

// A man is given up only by the search's own first move, and only where that is worth it.
static inline void check_move(search *s, int level, rules_state *state, uint64_t seed) {
    int line = choose_at(s, level, state, seed);
    int32_t safe_score = 0;
    int least = least_loss_of(state, &safe_score);
    if (level_loss(state, heard.lines[line].pv[0]) <= least)
        return;
    assert_int_equal(line, 0);
    assert_true(heard.lines[0].report.score > safe_score);
}

// Games of the levels against themselves: legal moves, men kept from LEVEL_SAFE on.
static inline void check_games(const char *game) {
    search *s = search_new();
    for (int level = LEVEL_SAFE; level <= 7; level++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            rules_state *state = state_of(game, NULL, NULL);
            rng random = {seed};
            for (int ply = 0; ply < 50 && rules_result(state).outcome == RULES_ONGOING; ply++) {
                rules_move moves[RULES_MAX_MOVES];
                int n = rules_legal_moves(state, moves);
                rules_move move = moves[rng_below(&random, (uint32_t)n)];
                if (ply >= 6) {
                    check_move(s, level, state, seed);
                    move = heard.lines[choose_at(s, level, state, seed)].pv[0];
                }
                assert_true(rules_play(state, move, NULL));
            }
            free(state);
        }
    search_free(s);
}

// A position in which one man hangs and every level from LEVEL_SAFE on sees to it, whatever the
// seed: none of these moves is played.
static inline void check_hanging(const char *game, const char *fen, const char *const *bad) {
    search *s = search_new();
    rules_state *state = state_of(game, NULL, fen);
    for (int level = LEVEL_SAFE; level <= LEVEL_MAX; level++)
        for (uint64_t seed = 1; seed <= 30; seed++) {
            search_clear(s);
            rules_move move = heard.lines[choose_at(s, level, state, seed)].pv[0];
            for (const char *const *b = bad; *b; b++)
                assert_int_not_equal(move, move_named(state, *b));
        }
    free(state);
    search_free(s);
}

static inline void check_choices(const char *game) {
    search *s = search_new();
    for (int level = 1; level <= 8; level++) {
        rules_state *state = state_of(game, NULL, NULL);
        int differ = 0;
        for (uint64_t seed = 1; seed <= 12; seed++) {
            search_clear(s);
            rules_move move = heard.lines[choose_at(s, level, state, seed)].pv[0];
            assert_true(rules_is_legal(state, move));
            search_clear(s);
            int line = choose_at(s, level, state, seed);
            assert_int_equal(heard.lines[line].pv[0], move); // one seed, one move
            differ += line != 0;
        }
        assert_true(level > 3 || differ > 0);
        free(state);
    }
    search_free(s);
}

#endif
