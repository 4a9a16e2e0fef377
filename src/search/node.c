// The steps of a node, numbered in the order they are taken:
//
//    1- 3  end of the game, mate distance, transposition table       probe_node, in walk.h
//    4     static evaluation                                         evaluate_node
//    5- 8  pruning the whole node: razoring, reverse futility,       prune_node
//          null move, ProbCut
//    9     internal iterative reduction                              search_node
//   10     pruning late moves                                        prune_move
//   11     singular extension, check extension                       extend_singular, extend_check
//   12-13  late-move reduction, principal variation search           search_move
//   14     learning from a cut-off                                   learn
//   15     storing the result                                        search_node
//
// The tunable numbers are in the game's params.h; the few in this file belong to the shape of a
// formula. docs/lab/search.md says what each heuristic is worth.
#include "search/internal.h"

#include "base/minmax.h"
#include "search/movepick.h"

#include <math.h>

// --- 4. static evaluation -----------------------------------------------------------------------

// The move before learns from the evaluation after it: a quiet move that makes the opponent's
// position worse is a good one.
static inline void learn_from_eval(worker *w, const frame *f) {
    const frame *before = f - 1;
    if (!uses(HEURISTIC_EVAL_HISTORY) || !before->move || before->in_check ||
        before->static_eval == SCORE_NONE || game_is_noisy(&before->pos, before->move))
        return;
    int gain = -PARAM_EVAL_GAIN * (before->static_eval + f->static_eval);
    gain = clamp_int(gain, -PARAM_EVAL_GAIN_MAX, PARAM_EVAL_GAIN_MAX);
    history_bump(history_butterfly(&w->history, &before->pos, before->move), gain);
}

static inline void evaluate_node(node *n) {
    frame *f = n->f;
    if (f->in_check) {
        f->raw_eval = f->static_eval = n->eval = SCORE_NONE;
        return;
    }
    if (!f->excluded) {
        bool is_known = n->table.hit && n->table.found.eval != SCORE_NONE;
        f->raw_eval = is_known ? n->table.found.eval : walk_evaluate(n->w, f);
        f->static_eval = walk_correct(n->w, f, f->raw_eval);
        learn_from_eval(n->w, f);
    }
    n->eval = probe_correct(&n->table, f->static_eval);
    int32_t earlier = (f - 2)->static_eval;
    if (earlier == SCORE_NONE)
        earlier = (f - 4)->static_eval;
    n->improving = earlier != SCORE_NONE && f->static_eval > earlier;
    int32_t theirs = (f - 1)->static_eval;
    n->worsening = uses(HEURISTIC_WORSENING) && theirs != SCORE_NONE && f->static_eval > -theirs;
}

// --- 5 to 8. pruning the whole node -------------------------------------------------------------

// 7. Null move: if the position is still above beta after passing, prune. At high depth the result
// is verified by a search without null moves, because of zugzwang.
static bool null_move_cuts(node *n, int32_t *score) {
    worker *w = n->w;
    frame *f = n->f;
    int extra = (n->eval - n->beta) / PARAM_NULL_EVAL;
    int r = PARAM_NULL_BASE + n->depth / PARAM_NULL_DIVISOR + min_int(extra, PARAM_NULL_EVAL_MAX);
    walk_pass(w, f);
    *score = -search_node(w, f + 1, -n->beta, -n->beta + 1, n->depth - r, !n->is_cut);
    if (search_should_stop(w->shared) || *score < n->beta)
        return false;
    if (*score >= SCORE_DECIDED)
        *score = n->beta; // a win after a null move is not proven
    if (w->null_ply || n->depth < PARAM_NULL_VERIFIED || !uses(HEURISTIC_NULL_VERIFICATION))
        return true;
    w->null_ply = f->ply + 3 * (n->depth - r) / 4;
    int32_t verified = search_node(w, f, n->beta - 1, n->beta, n->depth - r, false);
    w->null_ply = 0;
    return verified >= n->beta;
}

// 8. ProbCut: a capture that beats beta by a margin in a shallower search will probably beat beta
// in the full search. Quiescence goes first, as a cheap test.
static bool probcut(node *n, int32_t *score) {
    worker *w = n->w;
    frame *f = n->f;
    int32_t bound = n->beta + PARAM_PROBCUT_MARGIN - PARAM_PROBCUT_IMPROVING * n->improving;
    const probe *table = &n->table;
    if (table->hit && table->found.depth > n->depth - PARAM_PROBCUT_LESS && table->score < bound)
        return false;
    picker p;
    pick_begin_noisy(&p, w, f, table->found.move, bound - f->static_eval);
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
        if (*score < bound)
            continue;
        if (!score_is_of_path(*score))
            tt_store(&w->shared->tt, table->key,
                     (tt_found){.move = move,
                                .score = score_to_table(*score, f->ply),
                                .eval = f->raw_eval,
                                .depth = n->depth - PARAM_PROBCUT_LESS + 1,
                                .bound = TT_LOWER,
                                .was_pv = n->was_pv});
        return true;
    }
    return false;
}

// Whether the node's score is clear enough without searching its moves to full depth. Not called in
// principal variations, in check, or while a singular extension is decided.
static bool prune_node(node *n, int32_t *score) {
    frame *f = n->f;
    // 5. Razoring: far below alpha near the leaves, only a capture can help.
    if (uses(HEURISTIC_RAZORING) && n->depth <= PARAM_RAZOR_DEPTH &&
        n->eval + PARAM_RAZOR_MARGIN * n->depth < n->alpha) {
        *score = quiesce(n->w, f, n->alpha, n->alpha + 1);
        if (*score <= n->alpha)
            return true;
    }
    // 6. Reverse futility: so far above beta near the leaves that a quiet move will keep it there.
    if (uses(HEURISTIC_REVERSE_FUTILITY) && n->depth <= PARAM_REVERSE_DEPTH &&
        n->eval < SCORE_DECIDED &&
        n->eval - PARAM_REVERSE_MARGIN * (n->depth - n->improving) +
                PARAM_REVERSE_WORSENING * n->worsening >=
            n->beta) {
        *score = n->eval;
        return true;
    }
    // 7. Null move. Not twice in a row, and not where zugzwang is likely.
    if (uses(HEURISTIC_NULL_MOVE) && n->depth >= PARAM_NULL_DEPTH && n->eval >= n->beta &&
        f->static_eval >= n->beta - PARAM_NULL_SLACK * n->depth && (f - 1)->move &&
        f->ply >= n->w->null_ply && n->beta > -SCORE_DECIDED && game_may_pass(&f->pos) &&
        null_move_cuts(n, score))
        return true;
    if (search_should_stop(n->w->shared))
        return false;
    // 8. ProbCut.
    return uses(HEURISTIC_PROBCUT) && n->depth >= PARAM_PROBCUT_DEPTH && score_is_open(n->beta) &&
           probcut(n, score);
}

// --- 10 to 13. late moves -----------------------------------------------------------------------

// Moves are tried best first, so a late move is rarely the best one. Near the leaves a late move is
// not searched at all (step 10); elsewhere it is searched to a reduced depth first, and to full
// depth only if the reduced search beats alpha (step 12).

// Hundredths of a ply by which a late move is reduced: grows with the depth and with the number of
// the move, by logarithms: a search twice as deep, or a move twice as late, adds about the same.
static TUNED_LOCAL int16_t reductions[64][64]; // by depth and move number; written before main

AT_START void search_fill_reductions(void) {
    for (int depth = 1; depth < 64; depth++)
        for (int count = 1; count < 64; count++)
            reductions[depth][count] =
                (int16_t)(PARAM_LMR_BASE + log(depth) * log(count) * 10000.0 / PARAM_LMR_DIVISOR);
}

static inline int reduction_of(int depth, int count) {
    return reductions[min_int(depth, 63)][min_int(count, 63)];
}

// 10. Whether to skip a quiet move. `left` is the depth its reduced search would have. A true
// result skips this move; narrowing the filter skips all later quiet moves as well.
static inline bool prune_quiet(const node *n, rules_move move, int count, int history, int left,
                               pick_filter *filter) {
    const frame *f = n->f;
    pick_filter narrower = n->depth <= PARAM_CHECKS_DEPTH ? PICK_CHECKS_AND_NOISY : PICK_ONLY_NOISY;
    // Late-move pruning: enough moves were tried, twice as many if the position is improving. This
    // one is still searched.
    if (uses(HEURISTIC_LMP) && n->depth <= PARAM_LMP_DEPTH &&
        count >= (PARAM_LMP_BASE + n->depth * n->depth) / (2 - n->improving))
        *filter = narrower;
    // Futility: the evaluation is so far below alpha that a quiet move will not reach it.
    if (uses(HEURISTIC_FUTILITY) && !f->in_check && left <= PARAM_FUTILITY_DEPTH &&
        f->static_eval + PARAM_FUTILITY_BASE + PARAM_FUTILITY_MARGIN * left <= n->alpha &&
        !game_gives_check(&f->pos, move)) {
        *filter = narrower;
        return true;
    }
    // History: the move has failed too often.
    if (uses(HEURISTIC_HISTORY_PRUNING) && left <= PARAM_HISTORY_DEPTH &&
        history < -PARAM_HISTORY_MARGIN * (left + 1) && !game_gives_check(&f->pos, move))
        return true;
    // Static exchange: the piece that moves is lost.
    return uses(HEURISTIC_SEE_PRUNING) && n->depth <= PARAM_SEE_QUIET_DEPTH &&
           !game_wins_exchange(&f->pos, move, -PARAM_SEE_QUIET * left * left) &&
           !game_gives_check(&f->pos, move);
}

// 10. Whether to skip a move without searching it. A move that gives check is searched, unless the
// filter above leaves it out.
static inline bool prune_move(const node *n, rules_move move, bool noisy, int count, int history,
                              pick_filter *filter) {
    if (!noisy) {
        int left = n->depth - 1 - reduction_of(n->depth, count) / 100;
        return prune_quiet(n, move, count, history, max_int(left, 0), filter);
    }
    return uses(HEURISTIC_SEE_PRUNING) && n->depth <= PARAM_SEE_DEPTH &&
           !game_wins_exchange(&n->f->pos, move, -PARAM_SEE_NOISY * n->depth) &&
           !game_gives_check(&n->f->pos, move);
}

// 11. Singular extension: if every other move is clearly worse than the table's move, search that
// move deeper. If others are as good and above beta, the node fails high at once (multi-cut).
// Returns the extension in plies, or sets *cuts with the score.
static int extend_singular(node *n, rules_move move, bool *cuts, int32_t *score) {
    worker *w = n->w;
    frame *f = n->f;
    int32_t bound = n->table.score - PARAM_SINGULAR_MARGIN * n->depth;
    f->excluded = move;
    *score = search_node(w, f, bound - 1, bound, (n->depth - 1) / 2, n->is_cut);
    f->excluded = MOVE_NONE;
    if (search_should_stop(w->shared))
        return 0;
    if (*score < bound)
        return !n->is_pv && *score < bound - PARAM_SINGULAR_DOUBLE ? 2 : 1;
    if (uses(HEURISTIC_MULTI_CUT) && bound >= n->beta) {
        *score = bound;
        *cuts = true;
        return 0;
    }
    return n->table.score >= n->beta ? -1 : 0;
}

// Whether the move may be singular: the table's move, with a lower bound of sufficient depth.
static inline bool may_be_singular(const node *n, rules_move move) {
    const tt_found *found = &n->table.found;
    return uses(HEURISTIC_SINGULAR) && move == found->move && n->depth >= PARAM_SINGULAR_DEPTH &&
           !n->f->excluded && found->bound & TT_LOWER &&
           found->depth >= n->depth - PARAM_SINGULAR_TRUST && score_is_open(n->table.score) &&
           n->f->ply < 2 * n->w->root_depth;
}

// 11. Check extension: a check that loses nothing is searched deeper. The move has been made. The
// root extends every check (root.c): a sacrifice may be the move to play, and the root is one node.
static inline int extend_check(const frame *f, rules_move move) {
    bool extends = uses(HEURISTIC_CHECK_EXTENSION) && (f + 1)->in_check &&
                   game_wins_exchange(&f->pos, move, 0);
    return extends ? PARAM_CHECK_EXTENSION : 0;
}

// 12. The reduction of a late move, in hundredths of a ply. Captures change more than quiet moves,
// so they get half of it, and none of what is said about quiet moves. For these it is more where
// the move is less likely to matter (not improving, a cut-off expected, a capture is best, replies
// have refuted several moves at once), and less in principal variations and after a good history.
// Checks and replies to them are forced lines: both are reduced less.
static inline int late_reduction(const node *n, bool noisy, int count, int history) {
    const frame *f = n->f;
    int r = reduction_of(n->depth, count);
    if (noisy) {
        r /= 2;
    } else {
        rules_move table = n->table.found.move;
        r += PARAM_LMR_WORSE * !n->improving;
        r += PARAM_LMR_CUT * n->is_cut;
        r += PARAM_LMR_TABLE_NOISY * (table && game_is_noisy(&f->pos, table));
        if (uses(HEURISTIC_CUTOFF_COUNT))
            r += PARAM_LMR_CUTOFFS * ((f + 1)->cutoffs > 3);
        r -= PARAM_LMR_PV * n->is_pv;
        r -= PARAM_LMR_WAS_PV * n->was_pv;
        r -= history * 100 / PARAM_LMR_HISTORY;
    }
    r -= PARAM_LMR_CHECK * ((f + 1)->in_check + f->in_check);
    return r;
}

int32_t search_move(node *n, bool noisy, int count, int history, int depth) {
    worker *w = n->w;
    frame *f = n->f;
    int32_t score = 0;
    // The first move is expected to be the best: full depth, full window.
    if (count == 1)
        return -search_node(w, f + 1, -n->beta, -n->alpha, depth, n->is_pv ? false : !n->is_cut);
    // 12. Late-move reduction: a shallower search that only asks whether the move beats alpha. If
    // it does not, that is the answer.
    int r = 0;
    if (uses(HEURISTIC_LMR) && n->depth >= PARAM_LMR_DEPTH && count > 1 + n->is_pv) {
        r = clamp_int(late_reduction(n, noisy, count, history) / 100, 0, depth - 1);
    }
    if (r > 0) {
        score = -search_node(w, f + 1, -n->alpha - 1, -n->alpha, depth - r, true);
        if (score <= n->alpha)
            return score;
        // The move beats alpha. Far better than the best so far, and it deserves a ply more; hardly
        // better, and it will probably be no more than that: a ply less. The margin grows with the
        // depth, as scores of deep searches are worth more. A reduction of one ply says too little.
        if (uses(HEURISTIC_NEW_DEPTH)) {
            depth += score > n->best + PARAM_DEEPER + 2 * depth && r > 1;
            depth -= score < n->best + PARAM_SHALLOWER && r > 1;
        }
    }
    // 13. Principal variation search: the same question at full depth, give or take that ply; only
    // a move that beats alpha in a principal variation is searched with the full window to learn
    // its exact score.
    score = -search_node(w, f + 1, -n->alpha - 1, -n->alpha, depth, !n->is_cut);
    if (n->is_pv && score > n->alpha)
        score = -search_node(w, f + 1, -n->beta, -n->alpha, depth, false);
    return score;
}

// --- 14. learning from a cut-off ----------------------------------------------------------------

enum { TRIED_MAX = 64 };

// Moves that were searched before the best one; their history is lowered.
typedef struct {
    rules_move quiet[TRIED_MAX], noisy[TRIED_MAX];
    int quiets, noisies;
} tried_moves;

static inline void tried_add(tried_moves *tried, rules_move move, bool noisy) {
    if (noisy && tried->noisies < TRIED_MAX)
        tried->noisy[tried->noisies++] = move;
    else if (!noisy && tried->quiets < TRIED_MAX)
        tried->quiet[tried->quiets++] = move;
}

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

// Every move failed low, so the move that led here was a good one.
static inline void learn_from_fail_low(worker *w, const frame *f, int depth) {
    const frame *before = f - 1;
    if (!before->move || game_is_noisy(&before->pos, before->move))
        return;
    learn_quiet(w, before, before->move, history_bonus(depth) / 2);
}

// --- the moves ----------------------------------------------------------------------------------

// Takes a move's score as the best so far; the move is the best one if it raises alpha. True: the
// score is at least beta.
ALWAYS_INLINE bool raise_best(node *n, rules_move move, int32_t score) {
    n->best = score;
    if (score <= n->alpha)
        return false;
    n->best_move = move;
    if (n->is_pv)
        walk_take_pv(n->f, move);
    if (score >= n->beta)
        return true;
    n->alpha = score;
    return false;
}

// Steps 10 to 14 for all moves in turn. Leaves the best move and alpha in the node, for step 15.
static int32_t search_moves(node *n) {
    worker *w = n->w;
    frame *f = n->f;
    n->best = -SCORE_INFINITE;
    n->best_move = MOVE_NONE;
    tried_moves tried;
    tried.quiets = tried.noisies = 0;
    int count = 0;
    pick_filter filter = PICK_ALL;
    picker p;
    pick_begin(&p, w, f, n->table.found.move);
    for (rules_move move; (move = pick_next(&p, filter));) {
        if (move == f->excluded)
            continue;
        tt_prefetch(&w->shared->tt, game_key_after(&f->pos, move));
        count++;
        bool noisy = game_is_noisy(&f->pos, move);
        int history = noisy ? history_of_noisy(w, f, move) : history_of_quiet(w, f, move);
        // 10. Late moves are pruned once a move is known that does not lose.
        if (n->best > -SCORE_DECIDED && prune_move(n, move, noisy, count, history, &filter))
            continue;
        // 11. Extensions.
        int32_t score;
        int extension = 0;
        if (may_be_singular(n, move)) {
            bool cuts = false;
            extension = extend_singular(n, move, &cuts, &score);
            if (cuts) {
                n->best_move = move;
                return score;
            }
        }
        walk_down(w, f, move);
        if (extension == 0)
            extension = extend_check(f, move);
        // 12 and 13. The search of the move.
        score = search_move(n, noisy, count, history, n->depth - 1 + extension);
        if (search_should_stop(w->shared))
            return 0;
        if (score > n->best && raise_best(n, move, score)) {
            learn(w, f, move, n->depth, &tried); // 14.
            f->cutoffs++;
            break;
        }
        tried_add(&tried, move, noisy);
    }
    if (count == 0)
        return f->excluded ? n->alpha
                           : score_of_board(game_stuck(&f->pos, &w->shared->set), f->ply);
    if (!n->best_move && uses(HEURISTIC_FAIL_LOW))
        learn_from_fail_low(w, f, n->depth);
    return n->best;
}

// --- the node -----------------------------------------------------------------------------------

// 15. A path-dependent score does not go into the table: only the move is stored.
static inline void store(const node *n, int32_t best, int32_t old_alpha) {
    const frame *f = n->f;
    bool of_path = score_is_of_path(best);
    int bound = best >= n->beta ? TT_LOWER : n->alpha > old_alpha ? TT_EXACT : TT_UPPER;
    tt_store(&n->w->shared->tt, n->table.key,
             (tt_found){.move = n->best_move,
                        .score = of_path ? 0 : score_to_table(best, f->ply),
                        .eval = f->raw_eval,
                        .depth = of_path ? 0 : n->depth,
                        .bound = of_path ? TT_NONE : bound,
                        .was_pv = n->was_pv});
}

int32_t search_node(worker *w, frame *f, int32_t alpha, int32_t beta, int depth, bool is_cut) {
    if (depth <= 0)
        return quiesce(w, f, alpha, beta);
    node n = {.w = w,
              .f = f,
              .alpha = alpha,
              .beta = beta,
              .depth = min_int(depth, SEARCH_MAX_PLY - 1),
              .is_pv = beta - alpha > 1,
              .is_cut = is_cut};
    int32_t score;
    f->pv_count = 0;

    // 1 to 3. The end of the game, mate distance, the transposition table.
    if (probe_node(w, f, n.depth, &n.alpha, &n.beta, &n.table, &score))
        return score;
    n.was_pv = n.is_pv || (n.table.hit && n.table.found.was_pv);
    int32_t old_alpha = n.alpha;

    // 4. The static evaluation.
    evaluate_node(&n);
    (f + 1)->killer[0] = (f + 1)->killer[1] = MOVE_NONE;
    (f + 1)->excluded = MOVE_NONE;
    (f + 2)->cutoffs = 0;

    // 5 to 8. Pruning the whole node.
    if (!n.is_pv && !f->in_check && !f->excluded) {
        if (prune_node(&n, &score))
            return score;
        if (search_should_stop(w->shared))
            return 0;
    }

    // 9. Internal iterative reduction: without a table move the order of moves is poor, so the node
    // is searched less deeply; the next iteration will have a move.
    if (uses(HEURISTIC_IIR) && n.depth >= PARAM_IIR_DEPTH && !n.table.found.move &&
        (n.is_pv || n.is_cut) && !f->excluded)
        n.depth--;

    // 10 to 14. The moves.
    int32_t best = search_moves(&n);
    if (search_should_stop(w->shared))
        return 0;

    // 15. Store the result, and learn how wrong the evaluation was unless a capture explains it.
    if (f->excluded)
        return best;
    store(&n, best, old_alpha);
    rules_move move = n.best_move;
    bool is_bound = best >= beta ? best <= f->static_eval : !move && best >= f->static_eval;
    if (uses(HEURISTIC_CORRECTION) && !f->in_check && !is_bound && score_is_open(best) &&
        !(move && game_is_noisy(&f->pos, move)))
        walk_learn_correction(w, f, best, n.depth);
    return best;
}
