// The search of captures at the end of a line: until nothing is left to take, or standing pat is
// good enough. In check every way out is tried.
#ifndef KRATON_SEARCH_QUIESCENCE_H
#define KRATON_SEARCH_QUIESCENCE_H

#include "search/movepick.h"
#include "search/walk.h"

static int32_t quiesce(worker *w, frame *f, int32_t alpha, int32_t beta) {
    tt_table *tt = &w->shared->tt;
    bool is_pv = beta - alpha > 1;
    int32_t score, old_alpha = alpha;
    f->pv_count = 0;

    // 1. The end of the search, of the game, of the frames.
    if (!walk_count(w))
        return 0;
    if (walk_ends(w, f, &score))
        return score;
    if (f->ply > w->seldepth)
        w->seldepth = f->ply;
    if (f->ply >= SEARCH_MAX_PLY - 1)
        return f->in_check ? 0 : walk_evaluate(f);

    // 2. The table.
    uint64_t key = walk_table_key(w, &f->pos);
    // A quick evaluation is done while the table's line is on its way from memory.
    int32_t early = PARAM_EVALUATE_EARLY && !f->in_check ? walk_evaluate(f) : SCORE_NONE;
    tt_found found = {0};
    bool hit = tt_probe(tt, key, &found);
    if (hit) {
        score = score_from_table(found.score, f->ply);
        bool cuts = found.bound == TT_EXACT || (found.bound == TT_LOWER && score >= beta) ||
                    (found.bound == TT_UPPER && score <= alpha);
        if (!is_pv && cuts)
            return score;
        if (found.move && !game_is_legal(&f->pos, found.move))
            found.move = MOVE_NONE;
    }

    // 3. Stand pat.
    int32_t best = -SCORE_MATE + f->ply, futile = 0;
    f->static_eval = SCORE_NONE;
    if (!f->in_check) {
        f->static_eval = best = hit ? found.eval : PARAM_EVALUATE_EARLY ? early : walk_evaluate(f);
        if (hit && found.bound != TT_NONE) {
            score = score_from_table(found.score, f->ply);
            if (found.bound & (score > best ? TT_LOWER : TT_UPPER))
                best = score;
        }
        if (best >= beta)
            return best;
        alpha = best > alpha ? best : alpha;
        futile = best + PARAM_DELTA;
    }

    // 4. Captures; all moves in check.
    picker p;
    if (f->in_check)
        pick_begin(&p, w, f, found.move);
    else
        pick_begin_noisy(&p, w, f, found.move, 0);
    rules_move best_move = MOVE_NONE;
    int count = 0;
    for (rules_move move;
         (move = pick_next(&p, f->in_check && count > 0 && best > -SCORE_DECIDED ? PICK_ONLY_NOISY
                                                                                 : PICK_ALL));) {
        count++;
        if (uses(HEURISTIC_DELTA_PRUNING) && !f->in_check && best > -SCORE_DECIDED) {
            int32_t hope = futile + game_worth(game_victim(&f->pos, move));
            if (hope <= alpha && !game_gives_check(&f->pos, move)) {
                best = hope > best ? hope : best;
                continue;
            }
        }
        walk_down(w, f, move);
        score = -quiesce(w, f + 1, -beta, -alpha);
        if (search_should_stop(w->shared))
            return 0;
        if (score <= best)
            continue;
        best = score;
        if (score <= alpha)
            continue;
        best_move = move;
        alpha = score;
        if (is_pv)
            walk_take_pv(f, move);
        if (score >= beta)
            break;
    }
    if (f->in_check && count == 0)
        return score_of_board(game_stuck(&f->pos, &w->shared->set), f->ply);

    // 5. What was found out.
    if (!score_is_of_path(best))
        tt_store(tt, key,
                 (tt_found){.move = best_move,
                            .score = score_to_table(best, f->ply),
                            .eval = f->static_eval,
                            .depth = 0,
                            .bound = best >= beta        ? TT_LOWER
                                     : alpha > old_alpha ? TT_EXACT
                                                         : TT_UPPER,
                            .was_pv = is_pv});
    return best;
}

#endif
