// Going down and up the tree: what every node does before it may think.
#ifndef KRATON_SEARCH_WALK_H
#define KRATON_SEARCH_WALK_H

#include "base/clock.h"
#include "search/worker.h"

#include <assert.h>

enum { POLL_NODES = 512, PATIENCE_US = 2000, PATIENCE_END_US = 5000 };

// Near the plies without capture that end the game, positions are not the same any more when they
// differ in that count.
ALWAYS_INLINE uint64_t walk_table_key(const worker *w, const game_pos *pos) {
    int limit = w->shared->set.no_capture, quiet = game_quiet(pos);
    uint64_t key = game_key(pos);
    if (limit && quiet + 16 > limit)
        key ^= (uint64_t)quiet * 0x9e3779b97f4a7c15u;
    return key;
}

// The first thread keeps an eye on the clock and the nodes of all. The first depth may overrun by
// as much again, and who asks for the answer waits for it a little, since a move nobody looked at
// costs more than a millisecond; a first move that keeps even that one waiting is taken unseen.
static inline void walk_poll(worker *w) {
    search *s = w->shared;
    bool is_first = w->done_depth == 0;
    bool is_seen = !is_first || w->root[0].score > -SCORE_INFINITE;
    bool is_begun = atomic_load_explicit(&w->nodes, memory_order_relaxed) >= POLL_NODES;
    if (w->index != 0 || !(is_seen || is_begun))
        return;
    if (is_first && atomic_load(&s->is_asked) &&
        clock_us() - atomic_load(&s->asked_us) >= (is_seen ? PATIENCE_US : PATIENCE_END_US))
        atomic_store(&s->stop, true);
    // With the hit comes the start of the clock: whoever sees the one must see the other.
    if (!is_seen || atomic_load_explicit(&s->is_pondering, memory_order_acquire))
        return;
    int64_t start = atomic_load_explicit(&s->start_us, memory_order_relaxed);
    int64_t span = is_first ? 2 * s->time.hard_us : s->time.hard_us;
    bool late = s->time.is_limited && clock_us() - start >= span;
    bool full =
        !is_first && s->limits.nodes && s->threads > 1 && search_count_nodes(s) >= s->limits.nodes;
    if (late || full)
        atomic_store_explicit(&s->stop, true, memory_order_relaxed);
}

// Counts a node; false when the search is to stop before it.
ALWAYS_INLINE bool walk_count(worker *w) {
    uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    search *s = w->shared;
    if (s->limits.nodes && s->threads == 1 && nodes >= s->limits.nodes)
        atomic_store_explicit(&s->stop, true, memory_order_relaxed);
    if (search_should_stop(s))
        return false;
    atomic_store_explicit(&w->nodes, nodes + 1, memory_order_relaxed);
    if (nodes % POLL_NODES == 0)
        walk_poll(w);
    return true;
}

// Makes a legal move; the next frame stands behind it.
ALWAYS_INLINE void walk_down(worker *w, frame *f, rules_move move) {
    frame *next = f + 1;
    assert(game_is_legal(&f->pos, move));
    tt_prefetch(&w->shared->tt, game_key_after(&f->pos, move));
    f->move = move;
    f->continuation = &w->history.continuation[game_before(&f->pos, move)];
    next->pos = f->pos;
    game_update(&next->eval, &f->eval, &f->pos, move);
    game_make(&next->pos, move);
    next->since_null = f->since_null + 1;
    next->in_check = game_in_check(&next->pos);
    game_step *step = &w->path[w->base + next->ply];
    step[-1].move = move;
    step->key = game_key(&next->pos);
    step->in_check = next->in_check;
    assert(step->key == game_compute_key(&next->pos));
}

// Lets the mover pass.
ALWAYS_INLINE void walk_pass(worker *w, frame *f) {
    frame *next = f + 1;
    f->move = MOVE_NONE;
    f->continuation = &w->history.unknown;
    next->pos = f->pos;
    next->eval = f->eval;
    game_make_null(&next->pos);
    tt_prefetch(&w->shared->tt, walk_table_key(w, &next->pos));
    next->since_null = 0;
    next->in_check = false;
    game_step *step = &w->path[w->base + next->ply];
    step[-1].move = MOVE_NONE;
    step->key = game_key(&next->pos);
    step->in_check = false;
}

// Whether a cycle ends the game here. Within the tree the second occurrence is enough, since who
// could repeat once can do it again; with the game before the root the rule set's count decides.
static inline bool walk_repeats(worker *w, const frame *f, int *verdict) {
    const rules_set *set = &w->shared->set;
    const game_step *now = &w->path[w->base + f->ply];
    int quiet = game_quiet(&f->pos), at = w->base + f->ply;
    int reach = quiet < f->since_null ? quiet : f->since_null;
    reach = reach < at ? reach : at;
    int occurrences = 1;
    for (int back = 4; back <= reach; back += 2) {
        if (now[-back].key != now->key)
            continue;
        occurrences++;
        if (back <= f->ply || (set->repetition && occurrences >= set->repetition)) {
            *verdict = game_judge_cycle(&f->pos, set, now - back, back, &w->memory);
            return true;
        }
    }
    return false;
}

// Whether the mover has any legal move; asked where that is not known otherwise.
static inline bool walk_can_move(const game_pos *pos) {
    rules_move moves[GAME_MAX_MOVES];
    return game_generate_noisy(pos, moves) > 0 || game_generate_quiet(pos, moves) > 0;
}

// Whether an endgame table knows how the game ends: right after a capture only, where no history
// can end it otherwise.
ALWAYS_INLINE bool walk_is_known(worker *w, const frame *f, int *verdict) {
    if (game_quiet(&f->pos) != 0 || !game_probe(&w->shared->prober, &f->pos, verdict))
        return false;
    uint64_t hits = atomic_load_explicit(&w->table_hits, memory_order_relaxed);
    atomic_store_explicit(&w->table_hits, hits + 1, memory_order_relaxed);
    return true;
}

// Whether the game is decided at this frame by the board, by an endgame table or by its history,
// and its score then.
ALWAYS_INLINE bool walk_ends(worker *w, const frame *f, int32_t *score) {
    const rules_set *set = &w->shared->set;
    int verdict;
    if (game_is_over(&f->pos, &verdict)) {
        *score = score_of_board(verdict, f->ply);
        return true;
    }
    if (walk_is_known(w, f, &verdict)) {
        *score = score_of_table(verdict, f->ply);
        return true;
    }
    int quiet = game_quiet(&f->pos);
    if (quiet >= 4 && walk_repeats(w, f, &verdict)) {
        *score = score_of_history(verdict, f->ply);
        return true;
    }
    if (set->no_capture && quiet >= set->no_capture) {
        // Mate comes first, but only a side in check can be mated here and there.
        if (f->in_check && !walk_can_move(&f->pos))
            *score = score_of_board(game_stuck(&f->pos, set), f->ply);
        else
            *score = score_of_history(game_cut_off(&f->pos, set->no_capture_end), f->ply);
        return true;
    }
    return false;
}

ALWAYS_INLINE int32_t walk_evaluate(const frame *f) {
#ifndef NDEBUG
    game_eval fresh;
    memset(&fresh, 0, sizeof fresh);
    game_refresh(&fresh, &f->pos);
    assert(game_evaluate(&f->pos, &fresh) == game_evaluate(&f->pos, &f->eval));
#endif
    int32_t score = game_evaluate(&f->pos, &f->eval);
    return score > SCORE_EVAL_MAX    ? SCORE_EVAL_MAX
           : score < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX
                                     : score;
}

// The line from here: a move and the line behind it.
ALWAYS_INLINE void walk_take_pv(frame *f, rules_move move) {
    const frame *next = f + 1;
    int rest = next->pv_count < SEARCH_MAX_PLY - 1 ? next->pv_count : SEARCH_MAX_PLY - 1;
    f->pv[0] = move;
    memcpy(f->pv + 1, next->pv, (size_t)rest * sizeof next->pv[0]);
    f->pv_count = rest + 1;
}

#endif
