#include "cli/annotate.h"

#include "match/mark.h"

#include <stdlib.h>

static int32_t score_of(const dialect_info *info) { return mark_score(info->is_mate, info->score); }

static void judge(annotation *a, rules_move played) {
    bool is_best = a->best.pv_count && a->best.pv[0] == played;
    a->loss = mark_loss(a->score, a->played, is_best);
    a->mark = mark_of_loss(a->loss);
}

// What the position is worth to the side to move. One that is decided needs no engine.
static thinker_end assess(thinker *t, const rules_state *state, const char *start,
                          const dialect_limits *limits, thinker_line *line, fault *why) {
    rules_verdict v = rules_result(state);
    rules_outcome loss = rules_side_to_move(state) ? RULES_FIRST_WINS : RULES_SECOND_WINS;
    *line = (thinker_line){.info = {.nodes = -1, .time_ms = -1, .pv = {"", 0}, .has_score = true}};
    if (v.outcome != RULES_ONGOING) {
        line->info.is_mate = v.outcome != RULES_DRAW;
        line->info.score = v.outcome == RULES_DRAW ? 0 : v.outcome == loss ? -1 : 1;
        return THINKER_MOVES;
    }
    thinker_answer answer = thinker_ask(t, state, start, limits);
    *why = answer.why;
    if (answer.has_line)
        *line = answer.line;
    if (answer.end == THINKER_MOVES && !line->pv_count)
        line->pv[line->pv_count++] = answer.move;
    return answer.end;
}

annotate_end annotate_game(thinker *t, const record *game, rules_state *state,
                           const dialect_limits *limits, const annotate_listener *listener,
                           annotated *a, fault *why) {
    const char *start = game->fen[0] ? game->fen : rules_start_fen(game->game);
    *a = (annotated){.game = game, .moves = calloc((size_t)game->count + 1, sizeof *a->moves)};
    thinker_line before, after;
    if (!a->moves) {
        fault_set(why, "out of memory");
        return ANNOTATE_FAILED;
    }
    if (!rules_set_fen(state, text_of(start), why))
        return ANNOTATE_FAILED;
    thinker_forget(t);
    thinker_end end = assess(t, state, start, limits, &before, why);
    while (end == THINKER_MOVES && a->done < game->count) {
        rules_move move = game->moves[a->done];
        if (!rules_play(state, move, why))
            return ANNOTATE_FAILED;
        end = assess(t, state, start, limits, &after, why);
        if (end != THINKER_MOVES)
            break;
        annotation *now = &a->moves[a->done++];
        *now = (annotation){
            .best = before, .score = score_of(&before.info), .played = -score_of(&after.info)};
        judge(now, move);
        rules_undo(state);
        listener->on_move(listener->context, state, a);
        if (!rules_play(state, move, why))
            return ANNOTATE_FAILED;
        before = after;
    }
    if (end == THINKER_MOVES)
        return ANNOTATE_DONE;
    if (end == THINKER_NO_MOVE || end == THINKER_RESIGNS)
        fault_set(why, "the engine has no move in a position that has some");
    return end == THINKER_LEFT_OFF ? ANNOTATE_LEFT_OFF : ANNOTATE_FAILED;
}

void annotated_free(annotated *a) {
    free(a->moves);
    *a = (annotated){0};
}
