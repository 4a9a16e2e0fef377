// The root: the position searched, its moves in order, and how threads share them where paper 3's
// way of splitting the root is asked for: the first move is searched by the first thread alone, the
// rest is handed out one by one to all.
#ifndef KRATON_SEARCH_ROOT_H
#define KRATON_SEARCH_ROOT_H

#include "search/node.h"

#include <time.h>

enum { WATCH_NS = 1000000 }; // between two looks at the clock while others search

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

// --- one move -----------------------------------------------------------------------------------

// Writes down what a thread found out about a root move of the owner's list. A score that does not
// beat the best so far says only that the move is no better. Under the owner's lock.
static void record_root(worker *owner, const worker *w, int i, int32_t score, uint64_t nodes) {
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
    int rest = next->pv_count < SEARCH_MAX_PLY - 1 ? next->pv_count : SEARCH_MAX_PLY - 1;
    memcpy(r->pv + 1, next->pv, (size_t)rest * sizeof r->pv[0]);
    r->pv_count = rest + 1;
    if (score > t->alpha)
        t->alpha = score;
    if (score >= t->beta)
        t->next = owner->root_count; // nobody need try another
}

// Searches the next move of the owner's list and writes it down; false when none is left or the
// search is to stop.
static bool search_next_root(worker *owner, worker *w) {
    root_task *t = &owner->task;
    frame *f = &w->frames[FRAME_MARGIN];
    pthread_mutex_lock(&t->lock);
    bool is_left = t->next < owner->root_count;
    int i = is_left ? t->next++ : 0;
    rules_move move = owner->root[i].move;
    node n = {.w = w,
              .f = f,
              .alpha = t->alpha,
              .beta = t->beta,
              .depth = t->depth,
              .is_pv = true,
              .was_pv = true,
              .improving = true};
    pthread_mutex_unlock(&t->lock);
    if (!is_left)
        return false;
    uint64_t before = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    bool noisy = game_is_noisy(&f->pos, move);
    int history = noisy ? 0 : history_of_quiet(w, f, move);
    walk_down(w, f, move);
    (f + 1)->pv_count = 0;
    (f + 1)->excluded = MOVE_NONE;
    bool extends = uses(HEURISTIC_CHECK_EXTENSION) && (f + 1)->in_check;
    int depth = n.depth - 1 + (extends ? PARAM_CHECK_EXTENSION : 0);
    int32_t score = search_move(&n, noisy, i - owner->variation + 1, history, depth);
    if (search_should_stop(w->shared))
        return false;
    uint64_t after = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    pthread_mutex_lock(&t->lock);
    record_root(owner, w, i, score, after - before);
    pthread_mutex_unlock(&t->lock);
    return true;
}

// --- sharing them -------------------------------------------------------------------------------

// Calls the other threads to what is left of the list.
static void call_helpers(worker *w) {
    root_task *t = &w->task;
    pthread_mutex_lock(&t->lock);
    t->busy = w->shared->helpers;
    t->round++;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

// Nobody else watches the clock meanwhile: the one who waits looks at it now and then.
static void await_helpers(worker *w) {
    root_task *t = &w->task;
    pthread_mutex_lock(&t->lock);
    while (t->busy > 0) {
        struct timespec next;
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_nsec += WATCH_NS;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&t->changed, &t->lock, &next);
        walk_poll(w);
    }
    pthread_mutex_unlock(&t->lock);
}

// Tells them that there will be no more.
static void dismiss_helpers(worker *w) {
    root_task *t = &w->task;
    pthread_mutex_lock(&t->lock);
    t->is_closed = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

// What a thread does that only helps with the root of another.
static void help_at_root(worker *owner, worker *w) {
    root_task *t = &owner->task;
    for (int round = 0;;) {
        pthread_mutex_lock(&t->lock);
        while (t->round == round && !t->is_closed)
            pthread_cond_wait(&t->changed, &t->lock);
        bool is_closed = t->is_closed;
        round = t->round;
        w->root_depth = t->depth;
        pthread_mutex_unlock(&t->lock);
        if (is_closed)
            return;
        w->seldepth = 0;
        while (search_next_root(owner, w))
            ;
        pthread_mutex_lock(&t->lock);
        t->busy--;
        pthread_cond_broadcast(&t->changed);
        pthread_mutex_unlock(&t->lock);
    }
}

static int32_t search_root(worker *w, int32_t alpha, int32_t beta, int depth) {
    search *s = w->shared;
    root_task *t = &w->task;
    if (!walk_count(w))
        return 0;
    pthread_mutex_lock(&t->lock);
    t->alpha = t->first_alpha = alpha;
    t->beta = beta;
    t->depth = depth;
    t->next = w->variation;
    t->best = -SCORE_INFINITE;
    t->best_move = MOVE_NONE;
    pthread_mutex_unlock(&t->lock);
    bool is_shared = s->splits_root && s->helpers > 0;
    bool goes_on = search_next_root(w, w);
    if (is_shared && goes_on)
        call_helpers(w);
    while (goes_on)
        goes_on = search_next_root(w, w);
    if (is_shared)
        await_helpers(w);
    if (search_should_stop(s))
        return 0;
    const frame *f = &w->frames[FRAME_MARGIN];
    // What is best of some moves only, or after others, says nothing of the position.
    if (w->variation == 0 && s->limits.allowed_count == 0 && !score_is_of_path(t->best))
        tt_store(&s->tt, walk_table_key(w, &f->pos),
                 (tt_found){.move = t->best_move,
                            .score = t->best,
                            .eval = f->static_eval,
                            .depth = depth,
                            .bound = t->best >= beta   ? TT_LOWER
                                     : t->best > alpha ? TT_EXACT
                                                       : TT_UPPER,
                            .was_pv = true});
    return t->best;
}

#endif
