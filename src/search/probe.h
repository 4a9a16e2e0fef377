// The first steps of every node, in the main search and in quiescence: is the game over, is the
// score known to the transposition table?
#ifndef KRATON_SEARCH_PROBE_H
#define KRATON_SEARCH_PROBE_H

#include "search/walk.h"

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
        *score = f->in_check ? 0 : walk_evaluate(f);
        return true;
    }

    // 2. Mate distance pruning: a mate that is already found closer to the root cannot be improved
    // on from here.
    if (depth > 0) {
        int32_t worst = -SCORE_MATE + f->ply, best = SCORE_MATE - f->ply - 1;
        *alpha = *alpha > worst ? *alpha : worst;
        *beta = *beta < best ? *beta : best;
        *score = *alpha;
        if (*alpha >= *beta)
            return true;
    }

    // 3. The transposition table. A cheap evaluation is done while the entry is loaded.
    p->key = walk_table_key(w, &f->pos);
    if (depth == 0 && PARAM_EVALUATE_EARLY && !f->in_check)
        p->eval = walk_evaluate(f);
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
