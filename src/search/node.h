// The search of one node in numbered steps: principal variation search with what has proved its
// worth in matches (docs/results.md has the list). Every number is in the game's params.h.
#ifndef KRATON_SEARCH_NODE_H
#define KRATON_SEARCH_NODE_H

#include "search/quiescence.h"

#include <math.h>

// What the steps of a node tell each other.
typedef struct {
    worker *w;
    frame *f;
    int32_t alpha, beta;
    int depth;
    bool is_pv, is_cut; // is_cut: expected to fail high
    bool improving;     // the mover stands better than a move ago
    bool was_pv;
    uint64_t key;
    bool hit;
    tt_found found;
    int32_t found_score;
    int32_t eval; // the static evaluation, mended by what the table knows
} node;

enum { TRIED_MAX = 64 };

// Moves tried before the best one, to be remembered as vain.
typedef struct {
    rules_move quiet[TRIED_MAX], noisy[TRIED_MAX];
    int quiets, noisies;
} tried_moves;

static int32_t search_node(worker *w, frame *f, int32_t alpha, int32_t beta, int depth,
                           bool is_cut);

// --- reductions ---------------------------------------------------------------------------------

static int8_t reductions[64][64]; // by depth and move number; written once before main

AT_START static void fill_reductions(void) {
    for (int depth = 1; depth < 64; depth++)
        for (int count = 1; count < 64; count++)
            reductions[depth][count] =
                (int8_t)(PARAM_LMR_BASE / 100.0 +
                         log(depth) * log(count) * 100.0 / PARAM_LMR_DIVISOR);
}

static inline int reduction_of(int depth, int count) {
    return reductions[depth < 63 ? depth : 63][count < 63 ? count : 63];
}

// --- learning from a cut-off --------------------------------------------------------------------

static inline void learn_quiet(worker *w, const frame *f, rules_move move, int bonus) {
    int slot = game_slot(&f->pos, move);
    history_bump(history_butterfly(&w->history, &f->pos, move), bonus);
    for (int back = 1; back <= HISTORY_BACK; back++)
        if ((f - back)->move)
            history_bump(&(*(f - back)->continuation)[slot], bonus);
}

static inline void learn(worker *w, frame *f, rules_move best, int depth,
                         const tried_moves *tried) {
    int bonus = history_bonus(depth);
    if (!game_is_noisy(&f->pos, best)) {
        if (f->killer[0] != best) {
            f->killer[1] = f->killer[0];
            f->killer[0] = best;
        }
        const frame *before = f - 1;
        if (before->move)
            w->history.counter[game_slot(&before->pos, before->move)] = best;
        learn_quiet(w, f, best, bonus);
        for (int i = 0; i < tried->quiets; i++)
            learn_quiet(w, f, tried->quiet[i], -bonus);
    } else {
        history_bump(history_capture(&w->history, &f->pos, best), bonus);
    }
    for (int i = 0; i < tried->noisies; i++)
        history_bump(history_capture(&w->history, &f->pos, tried->noisy[i]), -bonus);
}

// --- before the moves ---------------------------------------------------------------------------

static inline void evaluate_node(node *n) {
    frame *f = n->f;
    if (f->in_check) {
        f->static_eval = n->eval = SCORE_NONE;
        return;
    }
    if (!f->excluded)
        f->static_eval = n->hit && n->found.eval != SCORE_NONE ? n->found.eval : walk_evaluate(f);
    n->eval = f->static_eval;
    if (n->hit && n->found.bound & (n->found_score > n->eval ? TT_LOWER : TT_UPPER))
        n->eval = n->found_score;
    int32_t earlier = (f - 2)->static_eval;
    if (earlier == SCORE_NONE)
        earlier = (f - 4)->static_eval;
    n->improving = earlier != SCORE_NONE && f->static_eval > earlier;
}

// Passing is nearly always the worst a side can do; who still fails high then need not be asked in
// depth. A deep search is checked without further null moves, against zugzwang.
static bool null_move_cuts(node *n, int32_t *score) {
    worker *w = n->w;
    frame *f = n->f;
    int extra = (n->eval - n->beta) / PARAM_NULL_EVAL;
    int r = PARAM_NULL_BASE + n->depth / PARAM_NULL_DIVISOR +
            (extra < PARAM_NULL_EVAL_MAX ? extra : PARAM_NULL_EVAL_MAX);
    walk_pass(w, f);
    *score = -search_node(w, f + 1, -n->beta, -n->beta + 1, n->depth - r, !n->is_cut);
    if (search_should_stop(w->shared) || *score < n->beta)
        return false;
    if (*score >= SCORE_DECIDED)
        *score = n->beta;
    if (w->null_ply || n->depth < PARAM_NULL_VERIFIED || !uses(HEURISTIC_NULL_VERIFICATION))
        return true;
    w->null_ply = f->ply + 3 * (n->depth - r) / 4;
    int32_t verified = search_node(w, f, n->beta - 1, n->beta, n->depth - r, false);
    w->null_ply = 0;
    return verified >= n->beta;
}

// A capture that beats beta by a margin in a shallower search will most likely beat it here.
static bool probcut(node *n, int32_t *score) {
    worker *w = n->w;
    frame *f = n->f;
    int32_t bound = n->beta + PARAM_PROBCUT_MARGIN - PARAM_PROBCUT_IMPROVING * n->improving;
    if (n->hit && n->found.depth > n->depth - PARAM_PROBCUT_LESS && n->found_score < bound)
        return false;
    picker p;
    pick_begin_noisy(&p, w, f, n->found.move, bound - f->static_eval);
    for (rules_move move; (move = pick_next(&p, PICK_ALL));) {
        if (move == f->excluded)
            continue;
        walk_down(w, f, move);
        *score = -quiesce(w, f + 1, -bound, -bound + 1);
        if (*score >= bound)
            *score = -search_node(w, f + 1, -bound, -bound + 1, n->depth - PARAM_PROBCUT_LESS,
                                  !n->is_cut);
        if (search_should_stop(w->shared))
            return false;
        if (*score >= bound) {
            if (!score_is_of_path(*score))
                tt_store(&w->shared->tt, n->key,
                         (tt_found){.move = move,
                                    .score = score_to_table(*score, f->ply),
                                    .eval = f->static_eval,
                                    .depth = n->depth - PARAM_PROBCUT_LESS + 1,
                                    .bound = TT_LOWER,
                                    .was_pv = n->was_pv});
            return true;
        }
    }
    return false;
}

// Steps 5 to 8: whether the node can be left without trying its moves in depth.
static bool prune_node(node *n, int32_t *score) {
    frame *f = n->f;
    // 5. Razoring: hopeless unless a capture helps.
    if (uses(HEURISTIC_RAZORING) && n->depth <= PARAM_RAZOR_DEPTH &&
        n->eval + PARAM_RAZOR_MARGIN * n->depth < n->alpha) {
        *score = quiesce(n->w, f, n->alpha, n->alpha + 1);
        if (*score <= n->alpha)
            return true;
    }
    // 6. Reverse futility: so good that a quiet move will not spoil it.
    if (uses(HEURISTIC_REVERSE_FUTILITY) && n->depth <= PARAM_REVERSE_DEPTH &&
        n->eval < SCORE_DECIDED &&
        n->eval - PARAM_REVERSE_MARGIN * (n->depth - n->improving) >= n->beta) {
        *score = n->eval;
        return true;
    }
    // 7. Null move.
    if (uses(HEURISTIC_NULL_MOVE) && n->depth >= PARAM_NULL_DEPTH && n->eval >= n->beta &&
        f->static_eval >= n->beta - PARAM_NULL_SLACK * n->depth && (f - 1)->move &&
        f->ply >= n->w->null_ply && n->beta > -SCORE_DECIDED && game_may_pass(&f->pos) &&
        null_move_cuts(n, score))
        return true;
    if (search_should_stop(n->w->shared))
        return false;
    // 8. ProbCut.
    return uses(HEURISTIC_PROBCUT) && n->depth >= PARAM_PROBCUT_DEPTH && n->beta < SCORE_DECIDED &&
           n->beta > -SCORE_DECIDED && probcut(n, score);
}

// --- the moves ----------------------------------------------------------------------------------

// Step 10: whether a move is not worth trying, given what has been found already.
static inline bool prune_move(const node *n, rules_move move, bool noisy, int count, int history,
                              pick_filter *filter) {
    const frame *f = n->f;
    int r = reduction_of(n->depth, count), left = n->depth - 1 - r;
    left = left > 0 ? left : 0;
    if (!noisy) {
        pick_filter narrower =
            n->depth <= PARAM_CHECKS_DEPTH ? PICK_CHECKS_AND_NOISY : PICK_ONLY_NOISY;
        if (uses(HEURISTIC_LMP) && n->depth <= PARAM_LMP_DEPTH &&
            count >= (PARAM_LMP_BASE + n->depth * n->depth) / (2 - n->improving))
            *filter = narrower;
        if (uses(HEURISTIC_FUTILITY) && !f->in_check && left <= PARAM_FUTILITY_DEPTH &&
            f->static_eval + PARAM_FUTILITY_BASE + PARAM_FUTILITY_MARGIN * left <= n->alpha &&
            !game_gives_check(&f->pos, move)) {
            *filter = narrower;
            return true;
        }
        if (uses(HEURISTIC_HISTORY_PRUNING) && left <= PARAM_HISTORY_DEPTH &&
            history < -PARAM_HISTORY_MARGIN * (left + 1) && !game_gives_check(&f->pos, move))
            return true;
        return uses(HEURISTIC_SEE_PRUNING) && n->depth <= PARAM_SEE_QUIET_DEPTH &&
               !game_wins_exchange(&f->pos, move, -PARAM_SEE_QUIET * left * left) &&
               !game_gives_check(&f->pos, move);
    }
    return uses(HEURISTIC_SEE_PRUNING) && n->depth <= PARAM_SEE_DEPTH &&
           !game_wins_exchange(&f->pos, move, -PARAM_SEE_NOISY * n->depth) &&
           !game_gives_check(&f->pos, move);
}

// Step 11: whether the table's move stands alone: then it is searched deeper. If others do as well
// and even beat beta, the node fails high without more ado (multi-cut).
static int extend_singular(node *n, rules_move move, bool *cuts, int32_t *score) {
    worker *w = n->w;
    frame *f = n->f;
    int32_t bound = n->found_score - PARAM_SINGULAR_MARGIN * n->depth;
    f->excluded = move;
    *score = search_node(w, f, bound - 1, bound, (n->depth - 1) / 2, n->is_cut);
    f->excluded = MOVE_NONE;
    *cuts = false;
    if (search_should_stop(w->shared))
        return 0;
    if (*score < bound)
        return !n->is_pv && *score < bound - PARAM_SINGULAR_DOUBLE ? 2 : 1;
    if (uses(HEURISTIC_MULTI_CUT) && bound >= n->beta) {
        *score = bound;
        *cuts = true;
        return 0;
    }
    return n->found_score >= n->beta ? -1 : 0;
}

// By how much a late move is searched shallower at first.
static inline int late_reduction(const node *n, bool noisy, int count, int history) {
    int r = reduction_of(n->depth, count);
    if (noisy)
        return r / 2;
    r += !n->improving;
    r += n->is_cut;
    r -= n->is_pv;
    r -= n->was_pv;
    r -= history / PARAM_LMR_HISTORY;
    return r;
}

// Steps 12 and 13: principal variation search with late-move reductions.
static int32_t search_move(node *n, bool noisy, int count, int history, int depth) {
    worker *w = n->w;
    frame *f = n->f;
    int32_t score = 0;
    if (count == 1)
        return -search_node(w, f + 1, -n->beta, -n->alpha, depth, n->is_pv ? false : !n->is_cut);
    int r = 0;
    if (uses(HEURISTIC_LMR) && n->depth >= PARAM_LMR_DEPTH && count > 1 + n->is_pv &&
        !f->in_check) {
        r = late_reduction(n, noisy, count, history) - (f + 1)->in_check;
        r = r < 0 ? 0 : r > depth - 1 ? depth - 1 : r;
    }
    if (r > 0) {
        score = -search_node(w, f + 1, -n->alpha - 1, -n->alpha, depth - r, true);
        if (score <= n->alpha)
            return score;
    }
    score = -search_node(w, f + 1, -n->alpha - 1, -n->alpha, depth, !n->is_cut);
    if (n->is_pv && score > n->alpha)
        score = -search_node(w, f + 1, -n->beta, -n->alpha, depth, false);
    return score;
}

// Steps 9 to 14: all moves in turn.
static int32_t search_moves(node *n) {
    worker *w = n->w;
    frame *f = n->f;
    int32_t best = -SCORE_INFINITE;
    rules_move best_move = MOVE_NONE;
    tried_moves tried;
    tried.quiets = tried.noisies = 0;
    int count = 0;
    pick_filter filter = PICK_ALL;
    picker p;
    pick_begin(&p, w, f, n->found.move);
    for (rules_move move; (move = pick_next(&p, filter));) {
        if (move == f->excluded)
            continue;
        tt_prefetch(&w->shared->tt, game_key_after(&f->pos, move));
        count++;
        bool noisy = game_is_noisy(&f->pos, move);
        int history = noisy ? history_of_noisy(w, f, move) : history_of_quiet(w, f, move);
        if (best > -SCORE_DECIDED && prune_move(n, move, noisy, count, history, &filter))
            continue;
        int32_t score;
        int extension = 0;
        if (uses(HEURISTIC_SINGULAR) && move == n->found.move && n->depth >= PARAM_SINGULAR_DEPTH &&
            !f->excluded && n->found.bound & TT_LOWER &&
            n->found.depth >= n->depth - PARAM_SINGULAR_TRUST && n->found_score < SCORE_DECIDED &&
            n->found_score > -SCORE_DECIDED && f->ply < 2 * w->root_depth) {
            bool cuts;
            extension = extend_singular(n, move, &cuts, &score);
            if (cuts)
                return score;
        }
        walk_down(w, f, move);
        if (uses(HEURISTIC_CHECK_EXTENSION) && extension == 0 && (f + 1)->in_check)
            extension = PARAM_CHECK_EXTENSION;
        score = search_move(n, noisy, count, history, n->depth - 1 + extension);
        if (search_should_stop(w->shared))
            return 0;
        if (score > best) {
            best = score;
            if (score > n->alpha) {
                best_move = move;
                if (n->is_pv)
                    walk_take_pv(f, move);
                if (score >= n->beta) {
                    learn(w, f, move, n->depth, &tried);
                    break;
                }
                n->alpha = score;
            }
        }
        if (noisy && tried.noisies < TRIED_MAX)
            tried.noisy[tried.noisies++] = move;
        else if (!noisy && tried.quiets < TRIED_MAX)
            tried.quiet[tried.quiets++] = move;
    }
    if (count == 0)
        return f->excluded ? n->alpha
                           : score_of_board(game_stuck(&f->pos, &w->shared->set), f->ply);
    n->found.move = best_move;
    return best;
}

// --- the node -----------------------------------------------------------------------------------

static int32_t search_node(worker *w, frame *f, int32_t alpha, int32_t beta, int depth,
                           bool is_cut) {
    if (depth <= 0)
        return quiesce(w, f, alpha, beta);
    tt_table *tt = &w->shared->tt;
    node n = {.w = w, .f = f, .depth = depth, .is_pv = beta - alpha > 1, .is_cut = is_cut};
    int32_t score;
    f->pv_count = 0;

    // 1. The end of the search, of the game, of the frames.
    if (!f->excluded) {
        if (!walk_count(w))
            return 0;
        if (walk_ends(w, f, &score))
            return score;
    }
    if (f->ply > w->seldepth)
        w->seldepth = f->ply;
    if (f->ply >= SEARCH_MAX_PLY - 1)
        return f->in_check ? 0 : walk_evaluate(f);
    if (depth >= SEARCH_MAX_PLY)
        n.depth = depth = SEARCH_MAX_PLY - 1;

    // 2. Mate distance: no line from here can be better or worse than a mate at once.
    n.alpha = alpha > -SCORE_MATE + f->ply ? alpha : -SCORE_MATE + f->ply;
    n.beta = beta < SCORE_MATE - f->ply - 1 ? beta : SCORE_MATE - f->ply - 1;
    if (n.alpha >= n.beta)
        return n.alpha;
    int32_t old_alpha = n.alpha;

    // 3. The table: what the search found out before.
    n.key = walk_table_key(w, &f->pos);
    n.hit = !f->excluded && tt_probe(tt, n.key, &n.found);
    n.was_pv = n.is_pv || (n.hit && n.found.was_pv);
    if (n.hit) {
        n.found_score = score_from_table(n.found.score, f->ply);
        bool cuts = n.found.bound == TT_EXACT ||
                    (n.found.bound == TT_LOWER && n.found_score >= n.beta) ||
                    (n.found.bound == TT_UPPER && n.found_score <= n.alpha);
        if (!n.is_pv && n.found.depth >= depth && cuts)
            return n.found_score;
        if (n.found.move && !game_is_legal(&f->pos, n.found.move))
            n.found.move = MOVE_NONE;
        if (n.found.move)
            tt_prefetch(tt, game_key_after(&f->pos, n.found.move));
    }

    // 4. The static evaluation.
    evaluate_node(&n);
    (f + 1)->killer[0] = (f + 1)->killer[1] = MOVE_NONE;
    (f + 1)->excluded = MOVE_NONE;
    if (!n.is_pv && !f->in_check && !f->excluded) {
        if (prune_node(&n, &score))
            return score;
        if (search_should_stop(w->shared))
            return 0;
    }

    // 9. A node without a move from the table is worth less effort.
    if (uses(HEURISTIC_IIR) && n.depth >= PARAM_IIR_DEPTH && !n.found.move &&
        (n.is_pv || n.is_cut) && !f->excluded)
        n.depth--;

    int32_t best = search_moves(&n);
    if (search_should_stop(w->shared))
        return 0;

    // 15. What was found out; of a score that holds on this way only, no more than the move.
    if (!f->excluded) {
        bool of_path = score_is_of_path(best);
        int bound = best >= n.beta ? TT_LOWER : n.alpha > old_alpha ? TT_EXACT : TT_UPPER;
        tt_store(tt, n.key,
                 (tt_found){.move = n.found.move,
                            .score = of_path ? 0 : score_to_table(best, f->ply),
                            .eval = f->static_eval,
                            .depth = of_path ? 0 : n.depth,
                            .bound = of_path ? TT_NONE : bound,
                            .was_pv = n.was_pv});
    }
    return best;
}

#endif
