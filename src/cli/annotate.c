#include "cli/annotate.h"

#include "match/mark.h"

#include <stdlib.h>

// An engine, the game it is asked about, and its limits for each position.
typedef struct {
    thinker *thinker;
    rules_state *state; // the position that is looked at
    const char *start;
    const dialect_limits *limits;
} question;

static int32_t score_of(const dialect_info *info) { return mark_score(info->is_mate, info->score); }

// Scores the position for the side to move. A finished game needs no engine.
static thinker_end assess(const question *q, thinker_line *line, fault *why) {
    rules_verdict v = rules_result(q->state);
    rules_outcome loss = rules_side_to_move(q->state) ? RULES_FIRST_WINS : RULES_SECOND_WINS;
    *line = (thinker_line){.info = {.nodes = -1, .time_ms = -1, .pv = {"", 0}, .has_score = true}};
    if (v.outcome != RULES_ONGOING) {
        line->info.is_mate = v.outcome != RULES_DRAW;
        line->info.score = v.outcome == RULES_DRAW ? 0 : v.outcome == loss ? -1 : 1;
        return THINKER_MOVES;
    }
    thinker_answer answer = thinker_ask(q->thinker, q->state, q->start, q->limits);
    *why = answer.why;
    if (answer.has_line)
        *line = answer.line;
    if (answer.end == THINKER_MOVES && !line->pv_count)
        line->pv[line->pv_count++] = answer.move;
    return answer.end;
}

static thinker_end assess_behind(const question *q, rules_move move, thinker_line *line,
                                 fault *why) {
    if (!rules_play(q->state, move, why))
        return THINKER_GONE;
    thinker_end end = assess(q, line, why);
    rules_undo(q->state);
    return end;
}

// Scores the best move in the same way as the played one: by the position after it.
static thinker_end look_behind_best(const question *q, annotation *a, fault *why) {
    thinker_line behind, *best = &a->best;
    thinker_end end = assess_behind(q, best->pv[0], &behind, why);
    a->score = -score_of(&behind.info);
    best->pv_count = 1;
    for (int i = 0; i < behind.pv_count && best->pv_count < THINKER_LINE_MAX; i++)
        best->pv[best->pv_count++] = behind.pv[i];
    return end;
}

// Computes the loss. In a shallow search the scores of two successive positions differ by more than
// most moves lose, because the side to move differs. So the loss compares the positions after both
// moves. Where the played move wins anyway, the second search is left out.
static thinker_end judge(const question *q, rules_move played, annotation *a, fault *why) {
    bool has_best = a->best.pv_count, is_best = has_best && a->best.pv[0] == played;
    thinker_end end = THINKER_MOVES;
    if (is_best)
        a->score = a->played;
    else if (has_best && a->score < MARK_WON && mark_loss(a->score, a->played, false))
        end = look_behind_best(q, a, why);
    a->loss = mark_loss(a->score, a->played, is_best);
    a->mark = mark_of(a->score, a->played, is_best);
    return end;
}

annotate_end annotate_game(thinker *t, const record *game, rules_state *state,
                           const dialect_limits *limits, const annotate_listener *listener,
                           annotated *a, fault *why) {
    const char *start = game->fen[0] ? game->fen : rules_start_fen(game->game);
    question q = {t, state, start, limits};
    *a = (annotated){.game = game, .moves = calloc((size_t)game->count + 1, sizeof *a->moves)};
    thinker_line before, after;
    if (!a->moves) {
        fault_set(why, "out of memory");
        return ANNOTATE_FAILED;
    }
    if (!rules_set_fen(state, text_of(start), why))
        return ANNOTATE_FAILED;
    thinker_forget(t);
    thinker_end end = assess(&q, &before, why);
    while (end == THINKER_MOVES && a->done < game->count) {
        rules_move move = game->moves[a->done];
        annotation *now = &a->moves[a->done];
        end = assess_behind(&q, move, &after, why);
        *now = (annotation){
            .best = before, .score = score_of(&before.info), .played = -score_of(&after.info)};
        if (end == THINKER_MOVES)
            end = judge(&q, move, now, why);
        if (end != THINKER_MOVES)
            break;
        a->done++;
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

// --- what an engine says, for people -------------------------------------------------------------

void lines_write_score(const rules_game *game, int mover, const dialect_info *info, writer *out) {
    int better = info->score >= 0 ? mover : !mover, size = abs(info->score);
    if (info->is_mate)
        write_format(out, "%s wins in %d", rules_side_name(game, better), size);
    else if (size >= DIALECT_WON)
        write_format(out, "%s wins", rules_side_name(game, better));
    else if (size == 0)
        write_string(out, "even");
    else
        write_format(out, "%s +%d.%02d", rules_side_name(game, better), size / 100, size % 100);
}

void lines_write_moves(rules_state *state, const rules_move *moves, int count,
                       rules_notation notation, size_t bytes, writer *out) {
    size_t start = out->used;
    int played = 0;
    for (; played < count; played++) {
        char word[RULES_MOVE_SIZE];
        writer w = writer_on(word, sizeof word);
        rules_format_move(state, moves[played], notation, &w);
        if (played && out->used - start + w.used + 1 > bytes)
            break;
        if (!rules_play(state, moves[played], NULL))
            break;
        write_format(out, "%s%s", played ? " " : "", word);
    }
    while (played--)
        rules_undo(state);
}
