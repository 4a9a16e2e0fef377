// Iterative deepening: aspiration windows, MultiPV, when to stop, Lazy SMP.
#include "search/internal.h"

#include "base/minmax.h"
#include "os/clock.h"

static int64_t elapsed_us(const search *s) {
    return clock_us() - atomic_load_explicit(&s->start_us, memory_order_relaxed);
}

static void report(const worker *w, int variation) {
    if (w->index == 0)
        search_tell(w, variation);
}

// --- deepening ----------------------------------------------------------------------------------

// Half the width of the first aspiration window. In paper 3 it grows with the score; a narrow one
// of fixed width needs fewer nodes (docs/lab/search.md).
static int32_t first_width(int32_t score) {
    int32_t size = score < 0 ? -score : score;
    return uses(HEURISTIC_FIXED_WINDOW) ? PARAM_WINDOW
                                        : PARAM_PAPER3_WINDOW + size / PARAM_PAPER3_SHARE;
}

// One iteration for one variation, with an aspiration window around the last score. After failing
// low the window is moved down and beta lowered to its middle; after failing high it is moved up
// and the search repeated at a smaller depth.
static void search_window(worker *w, int depth) {
    const root_move *r = &w->root[w->variation];
    int32_t alpha = -SCORE_INFINITE, beta = SCORE_INFINITE, middle = r->last_score;
    int32_t delta = first_width(middle);
    if (uses(HEURISTIC_ASPIRATION) && depth >= PARAM_WINDOW_DEPTH && middle < SCORE_DECIDED &&
        middle > -SCORE_DECIDED) {
        alpha = middle - delta;
        beta = middle + delta;
    }
    int shallower = 0;
    for (;;) {
        alpha = max_int(alpha, -SCORE_INFINITE);
        beta = min_int(beta, SCORE_INFINITE);
        int reduced = max_int(depth - shallower, 1);
        int32_t score = root_search(w, alpha, beta, reduced);
        root_sort(w, w->variation);
        if (search_should_stop(w->shared))
            return;
        if ((score <= alpha || score >= beta) && elapsed_us(w->shared) > 2000000)
            report(w, w->variation);
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = score - delta;
            shallower = 0;
        } else if (score >= beta) {
            beta = score + delta;
            shallower += shallower < PARAM_WINDOW_SHALLOWER;
        } else {
            return;
        }
        delta += delta;
        if (delta > PARAM_WINDOW_LIMIT || score >= SCORE_DECIDED || score <= -SCORE_DECIDED)
            alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    }
}

// The progress of the search, for the time management.
static timeman_progress progress_of(const worker *w, int stable, int32_t earlier) {
    const search *s = w->shared;
    const root_move *r = &w->root[0];
    // With a shared root the nodes of its moves are those of all threads.
    uint64_t nodes = s->splits_root ? search_count_nodes(s)
                                    : atomic_load_explicit(&w->nodes, memory_order_relaxed);
    timeman_progress progress = {.stable = stable};
    progress.effort = nodes ? (double)r->nodes / (double)nodes : 0;
    int32_t last = s->game.last_score;
    int32_t reference = last != SCORE_NONE ? (last + earlier) / 2 : earlier;
    progress.drop = reference - r->score;
    return progress;
}

static bool mate_is_enough(const search *s, int32_t score) {
    return s->limits.mate > 0 && (SCORE_MATE - score + 1) / 2 <= s->limits.mate;
}

// Whether the first thread starts no further iteration.
static bool is_enough(const worker *w, int stable, int32_t earlier) {
    const search *s = w->shared;
    if (atomic_load_explicit(&s->is_pondering, memory_order_acquire) || s->limits.is_infinite)
        return false;
    if (mate_is_enough(s, w->root[0].score))
        return true;
    if (!s->time.is_limited)
        return false;
    int64_t elapsed = elapsed_us(s);
    // A forced reply needs only a score; a mate within half the depth will not be improved.
    if (!s->time.is_fixed && w->root_count == 1 && w->done_depth >= 6)
        return true;
    int32_t score = w->root[0].score;
    int distance = SCORE_MATE - (score < 0 ? -score : score);
    if (!s->time.is_fixed && s->limits.variations <= 1 && distance <= w->done_depth / 2)
        return true;
    timeman_progress progress = progress_of(w, stable, earlier);
    return timeman_is_enough(&s->time, elapsed, &progress);
}

// Lazy SMP: helper threads skip some depths, each in its own pattern, so that they run ahead of the
// first thread and fill the table for it.
static bool skips_depth(const worker *w, int depth) {
    static const int8_t size[] = {1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4};
    static const int8_t phase[] = {0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 7};
    if (w->index == 0)
        return false;
    int i = (w->index - 1) % 20;
    return (depth + phase[i]) / size[i] % 2 != 0;
}

void ISA_NAME(search_think)(worker *w) {
    search *s = w->shared;
    tuned_use(s->params);
    if (SEARCH_IS_TUNED)
        search_fill_reductions();
    w->done_depth = w->null_ply = 0;
    root_begin_frames(w);
    if (s->splits_root && w->index > 0) {
        root_help(s->workers[0], w);
        return;
    }
    root_begin_moves(w);
    int limit = s->limits.depth > 0 && s->limits.depth < SEARCH_MAX_PLY - 1 ? s->limits.depth
                                                                            : SEARCH_MAX_PLY - 1;
    int variations = max_int(s->limits.variations, 1);
    variations = min_int(variations, w->root_count);
    rules_move last_best = MOVE_NONE;
    int stable = 0;
    int32_t earlier = 0;
    for (int depth = 1; depth <= limit && w->root_count > 0; depth++) {
        if (skips_depth(w, depth))
            continue;
        w->root_depth = depth;
        for (int i = 0; i < w->root_count; i++)
            w->root[i].last_score = w->root[i].score;
        for (w->variation = 0; w->variation < variations; w->variation++) {
            w->seldepth = 0;
            search_window(w, depth);
            if (search_should_stop(s))
                break;
            root_sort(w, 0);
            if (w->index == 0 && depth == 1)
                search_offer_answer(s);
        }
        if (search_should_stop(s))
            break;
        for (int i = 0; i < variations; i++)
            report(w, i);
        w->done_depth = depth;
        stable = w->root[0].move == last_best ? stable + 1 : 0;
        last_best = w->root[0].move;
        if (w->index == 0 && depth > 1 && is_enough(w, stable, earlier))
            break;
        earlier = depth > 1 ? (2 * earlier + w->root[0].score) / 3 : w->root[0].score;
    }
    root_dismiss_helpers(w);
}
