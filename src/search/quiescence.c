// The quiescence search: captures only, at the end of every line.
#include "search/internal.h"

#include "base/minmax.h"
#include "search/movepick.h"

// What the steps of a node share.
typedef struct {
    worker *w;
    frame *f;
    int32_t alpha, beta;
    bool is_pv;
    int32_t best;
    rules_move best_move;
    int32_t delta_base; // the most a node can reach without a capture
} quiet_node;

// Step 4, standing pat: the side to move need not capture, so the static evaluation is a lower
// bound on its score. True when it is enough.
ALWAYS_INLINE bool stand_pat(quiet_node *n, const probe *p) {
    frame *f = n->f;
    f->raw_eval = f->static_eval = SCORE_NONE;
    n->best = -SCORE_MATE + f->ply;
    n->delta_base = 0;
    if (f->in_check)
        return false;
    f->raw_eval = p->hit ? p->found.eval : PARAM_EVALUATE_EARLY ? p->eval : walk_evaluate(n->w, f);
    f->static_eval = walk_correct(n->w, f, f->raw_eval);
    n->best = probe_correct(p, f->static_eval);
    if (n->best >= n->beta)
        return true;
    n->alpha = max_int(n->best, n->alpha);
    n->delta_base = n->best + PARAM_DELTA;
    return false;
}

// Step 5, delta pruning: a capture that cannot raise alpha even if it wins its victim for nothing
// is skipped, unless it gives check.
ALWAYS_INLINE bool prune_capture(quiet_node *n, rules_move move) {
    const frame *f = n->f;
    if (!uses(HEURISTIC_DELTA_PRUNING) || f->in_check || n->best <= -SCORE_DECIDED)
        return false;
    int32_t hope = n->delta_base + game_worth(game_victim(&f->pos, move));
    if (hope > n->alpha || game_gives_check(&f->pos, move))
        return false;
    n->best = max_int(hope, n->best);
    return true;
}

// Steps 5 and 6: captures that do not lose material; in check all moves, but after one that
// survives only captures. Returns the number of moves tried, or -1 when the search stops.
ALWAYS_INLINE int search_captures(quiet_node *n, rules_move table_move) {
    worker *w = n->w;
    frame *f = n->f;
    picker p;
    if (f->in_check)
        pick_begin(&p, w, f, table_move);
    else
        pick_begin_noisy(&p, w, f, table_move, 0);
    int count = 0;
    for (;;) {
        bool survives = f->in_check && count > 0 && n->best > -SCORE_DECIDED;
        rules_move move = pick_next(&p, survives ? PICK_ONLY_NOISY : PICK_ALL);
        if (!move)
            return count;
        count++;
        if (prune_capture(n, move))
            continue;
        walk_down(w, f, move);
        int32_t score = -quiesce(w, f + 1, -n->beta, -n->alpha);
        if (search_should_stop(w->shared))
            return -1;
        if (score <= n->best)
            continue;
        n->best = score;
        if (score <= n->alpha)
            continue;
        n->best_move = move;
        n->alpha = score;
        if (n->is_pv)
            walk_take_pv(f, move);
        if (score >= n->beta)
            return count;
    }
}

int32_t quiesce(worker *w, frame *f, int32_t alpha, int32_t beta) {
    quiet_node n = {
        .w = w, .f = f, .alpha = alpha, .beta = beta, .is_pv = beta - alpha > 1, .best_move = 0};
    probe p;
    int32_t score;
    f->pv_count = 0;

    // 1 to 3. The end of the game, the transposition table.
    if (probe_node(w, f, 0, &n.alpha, &n.beta, &p, &score))
        return score;

    // 4. Stand pat.
    if (stand_pat(&n, &p))
        return n.best;

    // 5 and 6. The moves.
    int count = search_captures(&n, p.found.move);
    if (count < 0)
        return 0;
    if (f->in_check && count == 0)
        return score_of_board(game_stuck(&f->pos, &w->shared->set), f->ply);

    // 7. Store the result. The bound counts from the window before standing pat.
    if (!score_is_of_path(n.best)) {
        int bound = n.best >= beta ? TT_LOWER : n.alpha > alpha ? TT_EXACT : TT_UPPER;
        tt_store(&w->shared->tt, p.key,
                 (tt_found){.move = n.best_move,
                            .score = score_to_table(n.best, f->ply),
                            .eval = f->raw_eval,
                            .depth = 0,
                            .bound = bound,
                            .was_pv = n.is_pv});
    }
    return n.best;
}
