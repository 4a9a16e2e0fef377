#include "cli/opponent.h"

#include "cli/annotate.h"

#include <stdio.h>

enum {
    LEVEL_MOVE_US = 10000000, // no level thinks longer
    HINT_US = 1000000,
    NARROW = 40, // columns that a line of play gets at least
    DRAW_PLIES = 30,
    DRAW_SCORE = 15
};

static bool keeps_waiting(void *context) {
    (void)context;
    return !screen_is_interrupted();
}

// --- engines ------------------------------------------------------------------------------------

static bool set(match_engine *e, const char *name, const char *value, fault *why) {
    return match_engine_set(e, text_of(name), text_of(value), why);
}

static thinker *start(const opponent *o, const play *p, const char *program, fault *why) {
    match_engine e = {0};
    thinker_listener listener = {.keeps_waiting = keeps_waiting};
    thinker *t = NULL;
    if (sibling_engine(&e, p->game, program, why) &&
        (program || set(&e, "option.Rules", o->rules, why))) {
        match_engine_complete(&e);
        t = thinker_open(&e, p->game, o->guard, &listener, why);
    }
    match_engine_free(&e);
    return t;
}

bool opponent_set_level(opponent *o, int level, fault *why) {
    char number[16];
    writer w = writer_on(number, sizeof number);
    if (o->command)
        return fault_set(why, "only Kraton's own engine has levels");
    if (level < 1 || level > OPPONENT_LEVELS)
        return fault_set(why, "levels go from 1 to %d", OPPONENT_LEVELS);
    o->level = level;
    o->limits = (dialect_limits){.clock_us = {-1, -1}, .move_time_us = LEVEL_MOVE_US};
    write_format(&w, "%d", level);
    if (o->player)
        thinker_set_option(o->player, "Level", number);
    return true;
}

void opponent_learn_rules(opponent *o, const play *p) {
    writer w = writer_on(o->rules, sizeof o->rules);
    rules_set_format(p->game, rules_set_of(p->state), &w);
    if (o->player && !o->command)
        thinker_set_option(o->player, "Rules", o->rules);
    if (o->adviser)
        thinker_set_option(o->adviser, "Rules", o->rules);
}

bool opponent_start(opponent *o, const play *p, fault *why) {
    opponent_learn_rules(o, p);
    if (!sibling_self(o->guard, why))
        return false;
    if (o->side == OPPONENT_NOBODY)
        return true;
    o->player = start(o, p, o->command, why);
    if (!o->player)
        return false;
    if (!o->command)
        thinker_set_option(o->player, "OwnBook", "true");
    return !o->level || opponent_set_level(o, o->level, why);
}

void opponent_close(opponent *o) {
    if (o->player)
        thinker_close(o->player);
    if (o->adviser)
        thinker_close(o->adviser);
    o->player = o->adviser = NULL;
}

void opponent_forget(opponent *o) {
    o->has_failed = o->has_score = o->is_in_book = false;
    if (o->player)
        thinker_forget(o->player);
    if (o->adviser)
        thinker_forget(o->adviser);
}

void opponent_write_name(const opponent *o, char name[OPPONENT_NAME_SIZE]) {
    writer w = writer_on(name, OPPONENT_NAME_SIZE);
    if (o->player)
        write_string(&w, thinker_name(o->player));
    if (o->level)
        write_format(&w, ", level %d", o->level);
}

// --- words --------------------------------------------------------------------------------------

static size_t room_for_line(const play *p) {
    return p->term.columns > NARROW + 30 ? (size_t)p->term.columns - 30 : NARROW;
}

// "Red +0.35, depth 8: h2e2 h9g7"; the state is the one before the line.
static void write_line(play *p, const thinker_line *line, writer *out) {
    lines_write_score(p->game, rules_side_to_move(p->state), &line->info, out);
    if (line->info.depth)
        write_format(out, ", depth %d", (int)line->info.depth);
    if (line->pv_count) {
        write_string(out, ": ");
        lines_write_moves(p->state, line->pv, line->pv_count, p->notation, room_for_line(p), out);
    }
}

static void show_waiting(const play *p) {
    if (!p->term.screen)
        return;
    fputs("Thinking... (Ctrl-C leaves)", stdout);
    fflush(stdout);
}

static void hide_waiting(const play *p) {
    if (p->term.screen)
        fputs("\r\033[K", stdout);
}

// --- the game -----------------------------------------------------------------------------------

// It is gone: another one goes on, once; then the player does without.
static void replace(play *p, const fault *lost) {
    opponent *o = p->computer;
    fault why;
    bool may_try = !o->has_failed;
    if (o->player)
        thinker_close(o->player);
    o->player = NULL;
    o->has_failed = true;
    if (may_try && opponent_start(o, p, &why)) {
        play_say(p, "The engine is gone (%s); another one goes on.", lost->line);
        return;
    }
    play_say(p, "The engine is gone (%s). Play both sides, or save the game.", lost->line);
    o->side = OPPONENT_NOBODY;
}

static void take_move(play *p, thinker_answer *a) {
    opponent *o = p->computer;
    writer w = writer_on(p->message, sizeof p->message);
    if (o->has_failed)
        write_string(&w, "The engine was gone and has been started again. ");
    o->has_failed = false;
    o->has_score = a->has_line;
    o->score =
        a->line.info.is_mate ? (a->line.info.score > 0 ? 30000 : -30000) : a->line.info.score;
    if (a->is_from_book)
        write_string(&w, "From the opening book.");
    else if (o->is_in_book)
        write_string(&w, "Out of the opening book. ");
    o->is_in_book = a->is_from_book;
    if (a->has_line)
        write_line(p, &a->line, &w);
    fault why;
    if (!rules_play(p->state, a->move, &why)) {
        play_say(p, "%s", why.line);
        p->left = true;
        return;
    }
    if (a->offers_draw)
        write_format(&w, "%s%s offers a draw: type draw to agree.", w.used ? "\n" : "",
                     thinker_name(o->player));
    p->is_offered_draw = a->offers_draw;
    p->changed = p->unsaved = true;
}

void opponent_move(play *p) {
    opponent *o = p->computer;
    show_waiting(p);
    thinker_answer a = thinker_ask(o->player, p->state, p->start, &o->limits);
    hide_waiting(p);
    switch (a.end) {
    case THINKER_MOVES:
        take_move(p, &a);
        break;
    case THINKER_RESIGNS:
    case THINKER_NO_MOVE:
        play_resign(p, o->side);
        break;
    case THINKER_LEFT_OFF:
        p->left = true;
        break;
    case THINKER_GONE:
        replace(p, &a.why);
        break;
    }
}

void opponent_hint(play *p) {
    fault why;
    opponent *o = p->computer;
    if (!o->adviser)
        o->adviser = start(o, p, NULL, &why);
    if (!o->adviser) {
        play_say(p, "No hint: %s", why.line);
        return;
    }
    dialect_limits limits = {.clock_us = {-1, -1}, .move_time_us = HINT_US};
    show_waiting(p);
    thinker_answer a = thinker_ask(o->adviser, p->state, p->start, &limits);
    hide_waiting(p);
    if (a.end == THINKER_MOVES) {
        char move[RULES_MOVE_SIZE];
        writer m = writer_on(move, sizeof move), w = writer_on(p->message, sizeof p->message);
        rules_format_move(p->state, a.move, p->notation, &m);
        write_format(&w, "Hint: %s. ", move);
        if (a.has_line)
            write_line(p, &a.line, &w);
        return;
    }
    p->left |= a.end == THINKER_LEFT_OFF;
    play_say(p, "No hint: %s", a.end == THINKER_GONE ? a.why.line : "the engine has no move");
    thinker_close(o->adviser);
    o->adviser = NULL;
}

bool opponent_accepts_draw(const opponent *o, const play *p) {
    return p->is_offered_draw ||
           (o->has_score && o->score <= DRAW_SCORE && rules_ply(p->state) >= DRAW_PLIES);
}
