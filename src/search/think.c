// Iterative deepening: the root, aspiration windows, several variations, when to stop. This source
// is the whole hot path in one piece, compiled per game and level of the instruction set.
#include "search/node.h"

// --- the root -----------------------------------------------------------------------------------

static void begin_frames(worker *w) {
    const search *s = w->shared;
    memset(w->frames, 0, sizeof w->frames);
    int last = (int)(sizeof w->frames / sizeof w->frames[0]);
    for (int i = 0; i < last; i++) {
        w->frames[i].ply = i - FRAME_MARGIN;
        w->frames[i].continuation = &w->history.unknown;
        w->frames[i].static_eval = SCORE_NONE;
    }
    frame *root = &w->frames[FRAME_MARGIN];
    root->pos = s->pos;
    game_refresh(&root->eval, &root->pos);
    root->in_check = game_in_check(&root->pos);
    root->static_eval = root->in_check ? SCORE_NONE : walk_evaluate(root);
    root->since_null = s->past_count;
    memcpy(w->path, s->past, (size_t)s->past_count * sizeof s->past[0]);
    w->base = s->past_count;
    w->path[w->base].key = game_key(&root->pos);
    w->path[w->base].in_check = root->in_check;
}

static bool is_allowed(const search *s, rules_move move) {
    if (s->limits.allowed_count == 0)
        return true;
    for (int i = 0; i < s->limits.allowed_count; i++)
        if (s->allowed[i] == move)
            return true;
    return false;
}

static void begin_root(worker *w) {
    const game_pos *pos = &w->frames[FRAME_MARGIN].pos;
    rules_move moves[GAME_MAX_MOVES];
    int n = game_generate_noisy(pos, moves);
    n += game_generate_quiet(pos, moves + n);
    w->root_count = 0;
    for (int i = 0; i < n; i++)
        if (is_allowed(w->shared, moves[i])) {
            root_move *r = &w->root[w->root_count++];
            *r = (root_move){.move = moves[i],
                             .score = -SCORE_INFINITE,
                             .last_score = -SCORE_INFINITE,
                             .mean_score = SCORE_NONE,
                             .pv_count = 1};
            r->pv[0] = moves[i];
        }
}

// Stable, so that equal moves keep their order and one thread always does the same.
static void sort_root(worker *w, int first) {
    for (int i = first + 1; i < w->root_count; i++) {
        root_move m = w->root[i];
        int j = i;
        for (; j > first; j--) {
            const root_move *b = &w->root[j - 1];
            if (b->score > m.score || (b->score == m.score && b->last_score >= m.last_score))
                break;
            w->root[j] = *b;
        }
        w->root[j] = m;
    }
}

static void take_root_score(worker *w, root_move *r, int32_t score, int32_t alpha, int32_t beta) {
    const frame *next = &w->frames[FRAME_MARGIN + 1];
    r->score = score;
    r->bound = score >= beta ? SCORE_LOWER : score <= alpha ? SCORE_UPPER : SCORE_EXACT;
    r->mean_score = r->mean_score == SCORE_NONE ? score : (r->mean_score + score) / 2;
    r->seldepth = w->seldepth;
    int rest = next->pv_count < SEARCH_MAX_PLY - 1 ? next->pv_count : SEARCH_MAX_PLY - 1;
    memcpy(r->pv + 1, next->pv, (size_t)rest * sizeof r->pv[0]);
    r->pv_count = rest + 1;
}

static int32_t search_root(worker *w, int32_t alpha, int32_t beta, int depth) {
    frame *f = &w->frames[FRAME_MARGIN];
    node n = {.w = w,
              .f = f,
              .alpha = alpha,
              .beta = beta,
              .depth = depth,
              .is_pv = true,
              .was_pv = true};
    int32_t best = -SCORE_INFINITE;
    rules_move best_move = MOVE_NONE;
    n.improving = true;
    if (!walk_count(w))
        return 0;
    (f + 1)->excluded = f->excluded = MOVE_NONE;
    for (int i = w->variation; i < w->root_count; i++) {
        root_move *r = &w->root[i];
        uint64_t before = atomic_load_explicit(&w->nodes, memory_order_relaxed);
        bool noisy = game_is_noisy(&f->pos, r->move);
        int history = noisy ? 0 : history_of_quiet(w, f, r->move);
        walk_down(w, f, r->move);
        (f + 1)->pv_count = 0;
        int extension = (f + 1)->in_check ? PARAM_CHECK_EXTENSION : 0;
        int32_t score =
            search_move(&n, noisy, i - w->variation + 1, history, depth - 1 + extension);
        if (search_should_stop(w->shared))
            return 0;
        r->nodes += atomic_load_explicit(&w->nodes, memory_order_relaxed) - before;
        if (i == w->variation || score > n.alpha)
            take_root_score(w, r, score, alpha, beta);
        else
            r->score = -SCORE_INFINITE;
        if (score > best) {
            best = score;
            best_move = r->move;
        }
        if (score > n.alpha) {
            n.alpha = score;
            if (score >= beta)
                break;
        }
    }
    if (w->variation == 0 && !score_is_of_path(best))
        tt_store(&w->shared->tt, walk_table_key(w, &f->pos),
                 (tt_found){.move = best_move,
                            .score = best,
                            .eval = f->static_eval,
                            .depth = depth,
                            .bound = best >= beta   ? TT_LOWER
                                     : best > alpha ? TT_EXACT
                                                    : TT_UPPER,
                            .was_pv = true});
    return best;
}

// --- reports ------------------------------------------------------------------------------------

static int64_t elapsed_us(const search *s) {
    return clock_us() - atomic_load_explicit(&s->start_us, memory_order_relaxed);
}

static void report(worker *w, int variation) {
    search *s = w->shared;
    const root_move *r = &w->root[variation];
    if (w->index != 0 || !s->listener.on_report)
        return;
    bool is_done = r->score > -SCORE_INFINITE;
    search_report line = {.depth = is_done ? w->root_depth : w->root_depth - 1,
                          .seldepth = r->seldepth + 1,
                          .variation = variation + 1,
                          .score = is_done ? r->score : r->last_score,
                          .bound = is_done ? r->bound : SCORE_EXACT,
                          .nodes = search_count_nodes(s),
                          .table_hits = search_count_hits(s),
                          .time_us = elapsed_us(s),
                          .hash_full = tt_full(&s->tt),
                          .pv = r->pv,
                          .pv_count = r->pv_count};
    if (line.score > -SCORE_INFINITE)
        s->listener.on_report(s->listener.context, &line);
}

// --- deepening ----------------------------------------------------------------------------------

// One iteration for one variation. The window lies round the last score and grows where it fails:
// upwards at once, downwards with the upper end drawn in.
static void aspire(worker *w, int depth) {
    const root_move *r = &w->root[w->variation];
    int32_t alpha = -SCORE_INFINITE, beta = SCORE_INFINITE, delta = PARAM_WINDOW;
    int32_t middle = r->mean_score;
    if (depth >= PARAM_WINDOW_DEPTH && middle != SCORE_NONE && middle < SCORE_DECIDED &&
        middle > -SCORE_DECIDED) {
        alpha = r->last_score - delta;
        beta = r->last_score + delta;
    }
    int shallower = 0;
    for (;;) {
        alpha = alpha < -SCORE_INFINITE ? -SCORE_INFINITE : alpha;
        beta = beta > SCORE_INFINITE ? SCORE_INFINITE : beta;
        int reduced = depth - shallower > 1 ? depth - shallower : 1;
        int32_t score = search_root(w, alpha, beta, reduced);
        sort_root(w, w->variation);
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
            shallower += shallower < 3;
        } else {
            return;
        }
        delta += delta;
        if (delta > 1000 || score >= SCORE_DECIDED || score <= -SCORE_DECIDED)
            alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    }
}

// What the clock should know of the iteration just finished.
static timer_mood mood_of(const worker *w, int stable, int32_t earlier) {
    const search *s = w->shared;
    const root_move *r = &w->root[0];
    uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    timer_mood mood = {.stable = stable};
    mood.effort = nodes ? (double)r->nodes / (double)nodes : 0;
    int32_t reference = s->last_score != SCORE_NONE ? (s->last_score + earlier) / 2 : earlier;
    mood.drop = reference - r->score;
    return mood;
}

static bool mate_is_enough(const search *s, int32_t score) {
    return s->limits.mate > 0 && score >= SCORE_MATE - 2 * s->limits.mate;
}

// Whether the first thread begins no further iteration.
static bool is_enough(const worker *w, int stable, int32_t earlier) {
    const search *s = w->shared;
    if (atomic_load_explicit(&s->is_pondering, memory_order_relaxed) || s->limits.is_infinite)
        return false;
    if (mate_is_enough(s, w->root[0].score))
        return true;
    if (!s->time.is_limited)
        return false;
    int64_t elapsed = elapsed_us(s);
    // A forced reply needs no thought, only something to say about it; a mate is not beaten.
    if (!s->time.is_fixed && w->root_count == 1 && w->done_depth >= 6)
        return true;
    int32_t score = w->root[0].score;
    int distance = SCORE_MATE - (score < 0 ? -score : score);
    if (!s->time.is_fixed && s->limits.variations <= 1 && distance <= w->done_depth / 2)
        return true;
    timer_mood mood = mood_of(w, stable, earlier);
    return timer_is_enough(&s->time, elapsed, &mood);
}

// Other threads leave out depths by turns, so that some run ahead.
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
    begin_frames(w);
    begin_root(w);
    w->done_depth = w->null_ply = 0;
    int limit = s->limits.depth > 0 && s->limits.depth < SEARCH_MAX_PLY - 1 ? s->limits.depth
                                                                            : SEARCH_MAX_PLY - 1;
    int variations = s->limits.variations > 1 ? s->limits.variations : 1;
    variations = variations < w->root_count ? variations : w->root_count;
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
            aspire(w, depth);
            if (search_should_stop(s))
                break;
            sort_root(w, 0);
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
}
