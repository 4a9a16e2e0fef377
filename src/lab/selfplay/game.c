#include "lab/selfplay/game.h"

#include "base/rng.h"
#include "lab/data/positions.h"
#include "os/clock.h"
#include "search/search.h"

#include <stdlib.h>

struct selfplayer {
    const selfplay_terms *terms;
    const atomic_bool *stop;
    search *search;
    rules_state *state;
    int ahead, even; // plies in a row in which the game looked won, or drawn
};

selfplayer *selfplayer_new(const selfplay_terms *terms, const atomic_bool *stop) {
    selfplayer *p = calloc(1, sizeof *p);
    void *memory = malloc(rules_state_size(PACKED_MAX_PLIES));
    search *s = search_new();
    if (!p || !memory || !s || !search_set_hash(s, SELFPLAY_HASH_MB)) {
        free(p);
        free(memory);
        search_free(s);
        return NULL;
    }
    rules_set set = rules_default_set(terms->game);
    *p = (selfplayer){.terms = terms, .stop = stop, .search = s};
    p->state = rules_state_new(memory, terms->game, &set, PACKED_MAX_PLIES);
    search_set_tables(s, terms->tables);
    return p;
}

void selfplayer_free(selfplayer *p) {
    if (!p)
        return;
    search_free(p->search);
    free(p->state);
    free(p);
}

static bool is_stopped(const selfplayer *p) {
    const atomic_bool *asked = p->terms->stop;
    return atomic_load_explicit(p->stop, memory_order_relaxed) ||
           (asked && atomic_load_explicit(asked, memory_order_relaxed));
}

// Plays a move and writes it down.
static bool play(selfplayer *p, packed_game *g, rules_move move, int32_t score) {
    fault why;
    g->plies[g->ply_count++] = (packed_ply){.move = move,
                                            .score = (int16_t)score,
                                            .in_check = rules_in_check(p->state),
                                            .is_capture = rules_is_capture(p->state, move)};
    return rules_play(p->state, move, &why);
}

// Random moves from the start position: between half of terms->random_plies and all of them.
static bool play_opening(selfplayer *p, uint32_t number, packed_game *g, uint64_t *opening) {
    rng random = {p->terms->seed + number * 0x9e3779b97f4a7c15u};
    int half = p->terms->random_plies / 2;
    int plies = half + (int)rng_below(&random, (uint32_t)(p->terms->random_plies - half) + 1);
    search_clear(p->search);
    while (rules_undo(p->state))
        ;
    p->ahead = p->even = 0;
    g->number = number;
    g->fen[0] = 0;
    g->ply_count = 0;
    for (int i = 0; i < plies; i++) {
        rules_move moves[RULES_MAX_MOVES];
        int n = rules_legal_moves(p->state, moves);
        if (n == 0 || !play(p, g, moves[rng_below(&random, (uint32_t)n)], PACKED_NO_SCORE))
            return false;
    }
    g->opening_plies = g->ply_count;
    *opening = position_key(p->state);
    return rules_result(p->state).outcome == RULES_ONGOING;
}

static search_result think(selfplayer *p) {
    search_limits limits = {.nodes = p->terms->nodes, .clock_us = -1, .start_us = clock_us()};
    search_set_state(p->search, p->state);
    search_start(p->search, &limits, NULL);
    return search_wait(p->search);
}

static void end_game(packed_game *g, packed_end end, rules_outcome outcome) {
    g->end = end;
    g->half_points = outcome == RULES_FIRST_WINS ? 2 : outcome == RULES_DRAW ? 1 : 0;
}

// Ends a game whose result is clear: for some plies the score, for the side to move, is beyond a
// bound, or close to zero.
static bool adjudicate(selfplayer *p, packed_game *g, int32_t score) {
    const selfplay_terms *t = p->terms;
    bool is_late = (int)rules_ply(p->state) >= t->draw_after;
    p->ahead = abs(score) >= t->win_score ? p->ahead + 1 : 0;
    p->even = is_late && abs(score) <= t->draw_score ? p->even + 1 : 0;
    if (t->win_score > 0 && p->ahead >= t->win_plies) {
        bool first_wins = (score > 0) == (rules_side_to_move(p->state) == 0);
        end_game(g, PACKED_ADJUDICATED_WIN, first_wins ? RULES_FIRST_WINS : RULES_SECOND_WINS);
        return true;
    }
    if (t->draw_plies > 0 && p->even >= t->draw_plies) {
        end_game(g, PACKED_ADJUDICATED_DRAW, RULES_DRAW);
        return true;
    }
    return false;
}

selfplay_end selfplayer_play(selfplayer *p, uint32_t number, packed_game *g, uint64_t *opening) {
    if (!play_opening(p, number, g, opening))
        return SELFPLAY_REJECTED;
    while (g->ply_count < p->terms->max_plies) {
        rules_verdict verdict = rules_result(p->state);
        if (verdict.outcome != RULES_ONGOING) {
            end_game(g, PACKED_BY_RULES, verdict.outcome);
            return SELFPLAY_DONE;
        }
        search_result result = think(p);
        if (is_stopped(p))
            return SELFPLAY_STOPPED;
        if (g->ply_count == g->opening_plies && abs(result.score) > p->terms->balance)
            return SELFPLAY_REJECTED;
        if (adjudicate(p, g, result.score))
            return SELFPLAY_DONE;
        if (result.best == MOVE_NONE || !play(p, g, result.best, result.score))
            return SELFPLAY_REJECTED;
    }
    end_game(g, PACKED_TOO_LONG, RULES_DRAW);
    return SELFPLAY_DONE;
}

selfplay_end selfplayer_open(selfplayer *p, uint32_t number, char fen[RULES_FEN_SIZE],
                             uint64_t *opening) {
    packed_game *g = malloc(sizeof *g);
    bool is_playable = g && play_opening(p, number, g, opening);
    free(g);
    if (!is_playable)
        return SELFPLAY_REJECTED;
    search_result result = think(p);
    if (is_stopped(p))
        return SELFPLAY_STOPPED;
    if (result.best == MOVE_NONE || abs(result.score) > p->terms->openings_within)
        return SELFPLAY_REJECTED;
    writer out = writer_on(fen, RULES_FEN_SIZE);
    rules_format_fen(p->state, &out);
    return SELFPLAY_DONE;
}
