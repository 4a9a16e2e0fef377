#include "match/tally.h"

#include <stdlib.h>

bool match_tally_init(match_tally *t, int engines) {
    size_t n = (size_t)engines;
    *t = (match_tally){.engines = engines};
    t->accounts = calloc(n, sizeof *t->accounts);
    t->between = calloc(n * n, sizeof *t->between);
    t->open_pairs = calloc(n * n, sizeof *t->open_pairs);
    if (!t->accounts || !t->between || !t->open_pairs) {
        match_tally_free(t);
        return false;
    }
    return true;
}

void match_tally_free(match_tally *t) {
    free(t->accounts);
    free(t->between);
    free(t->open_pairs);
    *t = (match_tally){0};
}

// Scores a game for `a` against `b`. Two games from one opening are a pair; they stand side by side
// in the schedule.
static void add_score(match_tally *t, int a, int b, uint32_t opening, int half_points) {
    size_t i = (size_t)(a * t->engines + b);
    struct match_open_pair *pair = &t->open_pairs[i];
    contest_add_game(&t->between[i], half_points);
    if (pair->open && pair->opening == opening) {
        contest_add_pair(&t->between[i], pair->half_points + half_points);
        pair->open = false;
    } else {
        *pair = (struct match_open_pair){true, opening, half_points};
    }
}

static void add_moves(match_tally *t, const match_game *g, int engine, uint32_t from) {
    match_account *a = &t->accounts[engine];
    for (uint32_t i = from; i < g->count; i += 2) {
        const match_move *m = &g->moves[i];
        a->moves++;
        a->time_us += m->used;
        if (m->depth > 0) {
            a->depths += m->depth;
            a->depth_moves++;
        }
        if (m->nodes >= 0) {
            a->nodes += m->nodes;
            a->node_time_us += m->used;
        }
    }
}

void match_tally_add(match_tally *t, const match_game *g) {
    int first = g->pairing.first, second = g->pairing.second;
    const int players[2] = {first, second};
    t->games++;
    t->plies += g->count;
    if (g->verdict.outcome == RULES_ONGOING) {
        t->aborted++;
        return;
    }
    int half = match_half_points(g->verdict.outcome);
    t->first_wins += half == 2;
    t->draws += half == 1;
    t->second_wins += half == 0;
    add_score(t, first, second, g->pairing.opening, half);
    add_score(t, second, first, g->pairing.opening, 2 - half);
    for (int side = 0; side < 2; side++) {
        match_account *a = &t->accounts[players[side]];
        int points = side == 0 ? half : 2 - half;
        a->games++;
        a->wins += points == 2;
        a->draws += points == 1;
        a->losses += points == 0;
        if (points == 0)
            a->lost_by[g->verdict.reason]++;
        a->protocol_errors += g->protocol_errors[side];
        a->wrong_claims += g->wrong_claims[side];
        a->warnings += g->warnings[side];
        add_moves(t, g, players[side], (uint32_t)(side ^ g->begins));
    }
}
