// The root: its move list and the search of it, by one thread or shared by several as in paper 3.
#include "search/internal.h"

#include "base/minmax.h"
#include "search/movepick.h"

enum { WATCH_US = 1000 }; // between two looks at the clock while helpers search

void root_begin_frames(worker *w) {
    const search *s = w->shared;
    memset(w->frames, 0, sizeof w->frames);
    int last = (int)(sizeof w->frames / sizeof w->frames[0]);
    for (int i = 0; i < last; i++) {
        w->frames[i].ply = i - FRAME_MARGIN;
        w->frames[i].continuation = &w->history.unknown;
        w->frames[i].raw_eval = w->frames[i].static_eval = SCORE_NONE;
    }
    frame *root = &w->frames[FRAME_MARGIN];
    root->pos = s->pos;
    game_refresh(&root->eval, &root->pos, s->network);
    root->in_check = game_in_check(&root->pos);
    root->raw_eval = root->in_check ? SCORE_NONE : walk_evaluate(w, root);
    root->static_eval = root->in_check ? SCORE_NONE : walk_correct(w, root, root->raw_eval);
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

void root_begin_moves(worker *w) {
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
                             .pv_count = 1};
            r->pv[0] = moves[i];
        }
}

void root_sort(worker *w, int first) {
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

// --- one move -----------------------------------------------------------------------------------

// Stores the score of a root move in the owner's list, under the owner's lock. A score that does
// not beat the best so far is only a bound: such moves keep their order.
static void record_move(worker *owner, const worker *w, int i, int32_t score, uint64_t nodes) {
    root_task *t = &owner->task;
    root_move *r = &owner->root[i];
    const frame *next = &w->frames[FRAME_MARGIN + 1];
    r->nodes += nodes;
    if (score > t->best) {
        t->best = score;
        t->best_move = r->move;
    }
    if (i != owner->variation && score <= t->alpha) {
        r->score = -SCORE_INFINITE;
        return;
    }
    r->score = score;
    r->bound = score >= t->beta ? SCORE_LOWER : score <= t->first_alpha ? SCORE_UPPER : SCORE_EXACT;
    r->depth = owner->root_depth;
    r->seldepth = w->seldepth;
    int rest = min_int(next->pv_count, SEARCH_MAX_PLY - 1);
    memcpy(r->pv + 1, next->pv, (size_t)rest * sizeof r->pv[0]);
    r->pv_count = rest + 1;
    if (score > t->alpha)
        t->alpha = score;
    if (score >= t->beta)
        t->next = owner->root_count; // a cut-off: no thread takes another move
}

// Searches the next move of the owner's list. False when none is left or the search stops.
static bool search_next(worker *owner, worker *w) {
    root_task *t = &owner->task;
    frame *f = &w->frames[FRAME_MARGIN];
    os_mutex_lock(&t->lock);
    bool is_left = t->next < owner->root_count;
    int i = is_left ? t->next++ : 0;
    rules_move move = owner->root[i].move;
    node n = {.w = w,
              .f = f,
              .alpha = t->alpha,
              .beta = t->beta,
              .best = t->best,
              .depth = t->depth,
              .is_pv = true,
              .was_pv = true,
              .improving = true};
    os_mutex_unlock(&t->lock);
    if (!is_left)
        return false;
    uint64_t before = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    bool noisy = game_is_noisy(&f->pos, move);
    int history = noisy ? 0 : history_of_quiet(w, f, move);
    walk_down(w, f, move);
    (f + 1)->cutoffs = 0;
    (f + 1)->pv_count = 0;
    (f + 1)->excluded = MOVE_NONE;
    // Every check, also one that gives up material: see extend_check in node.c.
    bool extends = uses(HEURISTIC_CHECK_EXTENSION) && (f + 1)->in_check;
    int depth = n.depth - 1 + (extends ? PARAM_CHECK_EXTENSION : 0);
    int32_t score = search_move(&n, noisy, i - owner->variation + 1, history, depth);
    if (search_should_stop(w->shared))
        return false;
    uint64_t after = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    os_mutex_lock(&t->lock);
    record_move(owner, w, i, score, after - before);
    os_mutex_unlock(&t->lock);
    return true;
}

// --- root splitting -----------------------------------------------------------------------------

// Wakes the helpers for the rest of the list.
static void call_helpers(worker *w) {
    root_task *t = &w->task;
    os_mutex_lock(&t->lock);
    t->busy = w->shared->helpers;
    t->round++;
    os_condition_broadcast(&t->changed);
    os_mutex_unlock(&t->lock);
}

// The owner is the thread that watches the clock, so it looks at the clock while it waits.
static void await_helpers(worker *w) {
    root_task *t = &w->task;
    os_mutex_lock(&t->lock);
    while (t->busy > 0) {
        os_condition_wait_us(&t->changed, &t->lock, WATCH_US);
        walk_poll(w);
    }
    os_mutex_unlock(&t->lock);
}

void root_dismiss_helpers(worker *owner) {
    root_task *t = &owner->task;
    os_mutex_lock(&t->lock);
    t->is_closed = true;
    os_condition_broadcast(&t->changed);
    os_mutex_unlock(&t->lock);
}

void root_help(worker *owner, worker *w) {
    root_task *t = &owner->task;
    for (int round = 0;;) {
        os_mutex_lock(&t->lock);
        while (t->round == round && !t->is_closed)
            os_condition_wait(&t->changed, &t->lock);
        bool is_closed = t->is_closed;
        round = t->round;
        w->root_depth = t->depth;
        os_mutex_unlock(&t->lock);
        if (is_closed)
            return;
        w->seldepth = 0;
        while (search_next(owner, w))
            ;
        os_mutex_lock(&t->lock);
        t->busy--;
        os_condition_broadcast(&t->changed);
        os_mutex_unlock(&t->lock);
    }
}

int32_t root_search(worker *w, int32_t alpha, int32_t beta, int depth) {
    search *s = w->shared;
    root_task *t = &w->task;
    if (!walk_count(w))
        return 0;
    os_mutex_lock(&t->lock);
    t->alpha = t->first_alpha = alpha;
    t->beta = beta;
    t->depth = depth;
    t->next = w->variation;
    t->best = -SCORE_INFINITE;
    t->best_move = MOVE_NONE;
    os_mutex_unlock(&t->lock);
    // The owner searches the first move alone, so that the helpers begin with a good alpha.
    bool is_shared = s->splits_root && s->helpers > 0;
    bool goes_on = search_next(w, w);
    if (is_shared && goes_on)
        call_helpers(w);
    while (goes_on)
        goes_on = search_next(w, w);
    if (is_shared)
        await_helpers(w);
    if (search_should_stop(s))
        return 0;
    const frame *f = &w->frames[FRAME_MARGIN];
    // The best of some of the moves is not the score of the position.
    if (w->variation == 0 && s->limits.allowed_count == 0 && !score_is_of_path(t->best))
        tt_store(&s->tt, walk_table_key(w, &f->pos),
                 (tt_found){.move = t->best_move,
                            .score = t->best,
                            .eval = f->raw_eval,
                            .depth = depth,
                            .bound = t->best >= beta   ? TT_LOWER
                                     : t->best > alpha ? TT_EXACT
                                                       : TT_UPPER,
                            .was_pv = true});
    return t->best;
}
