// Walking the tree: counting nodes and watching the clock, making moves, the end of the game, the
// evaluation, principal variations, and the first steps that the main search and quiescence share.
// Inline, for the hot path.
#ifndef KRATON_SEARCH_WALK_H
#define KRATON_SEARCH_WALK_H

#include "base/minmax.h"
#include "os/clock.h"
#include "search/worker.h"

#include <assert.h>

enum {
    POLL_NODES = 512, // nodes between two looks at the clock
    // After search_stop the first iteration may go on for this long if a move has a score already,
    // or for this long if none has.
    PATIENCE_US = 2000,
    PATIENCE_END_US = 5000
};

// The key in the transposition table. Near the limit of plies without capture two positions that
// differ in that count are not the same, so the count becomes part of the key.
ALWAYS_INLINE uint64_t walk_table_key(const worker *w, const game_pos *pos) {
    int limit = w->shared->set.no_capture, quiet = game_quiet(pos);
    uint64_t key = game_key(pos);
    if (limit && quiet + 16 > limit)
        key ^= (uint64_t)quiet * 0x9e3779b97f4a7c15u;
    return key;
}

// The first thread watches the clock and the node limit for all threads. The first iteration may
// take twice the time, and search_stop waits a little for it: an unsearched move costs more than a
// few milliseconds.
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
    // Acquire: after a ponder hit the new start_us must be visible as well.
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

// Counts a node. False when the search must stop before it.
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

// Makes a legal move; the next frame holds the position after it.
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

// Makes a null move.
ALWAYS_INLINE void walk_pass(worker *w, frame *f) {
    frame *next = f + 1;
    f->move = MOVE_NONE;
    f->continuation = &w->history.unknown;
    next->pos = f->pos;
    game_update_null(&next->eval, &f->eval);
    game_make_null(&next->pos);
    tt_prefetch(&w->shared->tt, walk_table_key(w, &next->pos));
    next->since_null = 0;
    next->in_check = false;
    game_step *step = &w->path[w->base + next->ply];
    step[-1].move = MOVE_NONE;
    step->key = game_key(&next->pos);
    step->in_check = false;
}

// Whether a repetition ends the game here. Within the tree the second occurrence is enough: a side
// that can repeat once can do so again. Including the game before the root, the rule set's number
// of occurrences counts.
static inline bool walk_repeats(worker *w, const frame *f, int *result) {
    const rules_set *set = &w->shared->set;
    const game_step *now = &w->path[w->base + f->ply];
    int quiet = game_quiet(&f->pos), at = w->base + f->ply;
    int reach = min_int(quiet, f->since_null);
    reach = min_int(reach, at);
    int occurrences = 1;
    for (int back = 4; back <= reach; back += 2) {
        if (now[-back].key != now->key)
            continue;
        occurrences++;
        if (back <= f->ply || (set->repetition && occurrences >= set->repetition)) {
            *result = game_judge_cycle(&f->pos, set, now - back, back, &w->memory);
            return true;
        }
    }
    return false;
}

// Whether there is any legal move.
static inline bool walk_can_move(const game_pos *pos) {
    rules_move moves[GAME_MAX_MOVES];
    return game_generate_noisy(pos, moves) > 0 || game_generate_quiet(pos, moves) > 0;
}

// Whether an endgame table knows the result. Probed only right after a capture, where no earlier
// position can repeat.
ALWAYS_INLINE bool walk_is_known(worker *w, const frame *f, int *result) {
    if (game_quiet(&f->pos) != 0 || !game_probe(&w->shared->prober, &f->pos, result))
        return false;
    uint64_t hits = atomic_load_explicit(&w->table_hits, memory_order_relaxed);
    atomic_store_explicit(&w->table_hits, hits + 1, memory_order_relaxed);
    return true;
}

// Whether the game is decided here, by the board, by an endgame table or by the history of the
// game, and the score if it is.
ALWAYS_INLINE bool walk_ends(worker *w, const frame *f, int32_t *score) {
    const rules_set *set = &w->shared->set;
    int result;
    if (game_is_over(&f->pos, &result)) {
        *score = score_of_board(result, f->ply);
        return true;
    }
    if (walk_is_known(w, f, &result)) {
        *score = score_of_table(result, f->ply);
        return true;
    }
    int quiet = game_quiet(&f->pos);
    if (quiet >= 4 && walk_repeats(w, f, &result)) {
        *score = score_of_history(result, f->ply);
        return true;
    }
    if (set->no_capture && quiet >= set->no_capture) {
        // Mate takes precedence over the limit. Without check there is no mate to look for.
        if (f->in_check && !walk_can_move(&f->pos))
            *score = score_of_board(game_stuck(&f->pos, set), f->ply);
        else
            *score = score_of_history(game_cut_off(&f->pos, set->no_capture_end), f->ply);
        return true;
    }
    return false;
}

// The static evaluation of a frame, kept apart from the scores of results.
ALWAYS_INLINE int32_t walk_evaluate(worker *w, frame *f) {
#ifndef NDEBUG
    game_eval fresh;
    memset(&fresh, 0, sizeof fresh);
    game_refresh(&fresh, &f->pos, w->shared->network);
    assert(game_evaluate(&f->pos, &fresh, NULL) == game_evaluate(&f->pos, &f->eval, &w->memory));
#endif
    int32_t score = game_evaluate(&f->pos, &f->eval, &w->memory);
    return clamp_int(score, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

// The evaluation of a frame, corrected by how wrong it was in positions that are alike in part.
ALWAYS_INLINE int32_t walk_correct(worker *w, const frame *f, int32_t eval) {
    if (!uses(HEURISTIC_CORRECTION))
        return eval;
    const frame *before = f - 1;
    int sum = 0;
    for (int part = 0; part < GAME_PARTS; part++)
        sum += *history_correction(&w->history, &f->pos, part);
    if (before->move)
        sum += w->history.correction_after[game_slot(&before->pos, before->move)];
    return clamp_int(eval + sum / PARAM_CORRECTION, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

// Learns how much better or worse than its evaluation the position turned out to be.
ALWAYS_INLINE void walk_learn_correction(worker *w, const frame *f, int32_t score, int depth) {
    const frame *before = f - 1;
    int bonus =
        clamp_int((score - f->static_eval) * depth / 8, -CORRECTION_MAX / 4, CORRECTION_MAX / 4);
    for (int part = 0; part < GAME_PARTS; part++)
        history_correct(history_correction(&w->history, &f->pos, part), bonus);
    if (before->move)
        history_correct(&w->history.correction_after[game_slot(&before->pos, before->move)], bonus);
}

// The principal variation from here: the move and the line after it.
ALWAYS_INLINE void walk_take_pv(frame *f, rules_move move) {
    const frame *next = f + 1;
    int rest = min_int(next->pv_count, SEARCH_MAX_PLY - 1);
    f->pv[0] = move;
    memcpy(f->pv + 1, next->pv, (size_t)rest * sizeof next->pv[0]);
    f->pv_count = rest + 1;
}

// --- the first steps of a node ------------------------------------------------------------------

// What the transposition table knows about a position.
typedef struct {
    uint64_t key;
    bool hit;
    tt_found found; // its move is legal or MOVE_NONE
    int32_t score;  // found.score, counted from the root
    int32_t eval;   // computed in advance (PARAM_EVALUATE_EARLY), else SCORE_NONE
} probe;

// Steps 1 to 3 of a node. True when they decide its score: no move need be tried. They may narrow
// the window. `depth` is 0 in quiescence, where it is a constant and the tests on it cost nothing.
ALWAYS_INLINE bool probe_node(worker *w, frame *f, int depth, int32_t *alpha, int32_t *beta,
                              probe *p, int32_t *score) {
    const tt_table *tt = &w->shared->tt;
    bool is_pv = *beta - *alpha > 1;
    bool excludes = depth > 0 && f->excluded; // the same node once more, without one move
    *p = (probe){.eval = SCORE_NONE};

    // 1. The end: of the search, of the game, of the frames.
    if (!excludes) {
        *score = 0;
        if (!walk_count(w) || walk_ends(w, f, score))
            return true;
    }
    if (f->ply > w->seldepth)
        w->seldepth = f->ply;
    if (f->ply >= SEARCH_MAX_PLY - 1) {
        *score = f->in_check ? 0 : walk_evaluate(w, f);
        return true;
    }

    // 2. Mate distance pruning: a mate that is already found closer to the root cannot be improved
    // on from here.
    if (depth > 0) {
        int32_t worst = -SCORE_MATE + f->ply, best = SCORE_MATE - f->ply - 1;
        *alpha = max_int(*alpha, worst);
        *beta = min_int(*beta, best);
        *score = *alpha;
        if (*alpha >= *beta)
            return true;
    }

    // 3. The transposition table. A cheap evaluation is done while the entry is loaded.
    p->key = walk_table_key(w, &f->pos);
    if (depth == 0 && PARAM_EVALUATE_EARLY && !f->in_check)
        p->eval = walk_evaluate(w, f);
    p->hit = !excludes && tt_probe(tt, p->key, &p->found);
    if (!p->hit)
        return false;
    *score = p->score = score_from_table(p->found.score, f->ply);
    bool cuts = p->found.bound == TT_EXACT || (p->found.bound == TT_LOWER && p->score >= *beta) ||
                (p->found.bound == TT_UPPER && p->score <= *alpha);
    if (!is_pv && p->found.depth >= depth && cuts)
        return true;
    if (p->found.move && !game_is_legal(&f->pos, p->found.move))
        p->found.move = MOVE_NONE;
    if (depth > 0 && p->found.move)
        tt_prefetch(tt, game_key_after(&f->pos, p->found.move));
    return false;
}

// The table's score if it is a better estimate than the evaluation, else the evaluation.
ALWAYS_INLINE int32_t probe_correct(const probe *p, int32_t eval) {
    bool is_better = p->hit && p->found.bound & (p->score > eval ? TT_LOWER : TT_UPPER);
    return is_better ? p->score : eval;
}

#endif
