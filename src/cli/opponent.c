#include "cli/opponent.h"

#include "base/suggest.h"
#include "cli/annotate.h"

#include <stdio.h>
#include <strings.h>

enum {
    LEVEL_MOVE_US = 10000000, // no level thinks longer
    ENGINE_MOVE_US = 1000000, // for a move of another engine, unless a limit is given
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

// Starts the engine again, once for a position. If that fails the game goes on without it.
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

// --- who plays -----------------------------------------------------------------------------------

static const rules_game *find_choice(text word) {
    int64_t n;
    if (text_to_int(word, 1, 9, &n))
        return rules_nth((int)n - 1);
    for (int i = 0; word.len && rules_nth(i); i++)
        if (strncasecmp(word.at, rules_name(rules_nth(i)), word.len) == 0)
            return rules_nth(i);
    return NULL;
}

// Reads the answer to the first or to the second question.
static bool take_choice(text word, bool is_second, opponent_choice *choice) {
    int64_t level;
    if (!is_second) {
        choice->game = find_choice(word);
        return choice->game != NULL;
    }
    if (word.len && !text_to_int(word, 0, OPPONENT_LEVELS, &level))
        return false;
    choice->level = word.len ? (int)level : OPPONENT_LEVEL;
    return true;
}

int opponent_choose(opponent_choice *choice, bool is_settled) {
    char which[64];
    writer w = writer_on(which, sizeof which);
    write_string(&w, "Which game? 1");
    for (int n = 2; n <= RULES_GAMES; n++)
        write_format(&w, ", %d", n);
    write_string(&w, " or q");
    const char *const questions[] = {
        which, "Against whom? The computer at level 1 to 10 (4), 0: two people"};
    puts("Kraton. You play against the computer, or two people play at this keyboard.\n");
    for (int i = 0; rules_nth(i); i++)
        printf("  %d  %s\n", i + 1, rules_properties_of(rules_nth(i))->choice);
    puts("  q  leave\n");
    char line[PLAY_LINE_SIZE];
    bool is_second = false;
    for (int tries = 0; tries < SCREEN_NONSENSE; tries++) {
        answer a = screen_ask(questions[is_second], line);
        text word = text_trim(text_of(line));
        if (a == ANSWER_NOISE)
            break;
        if (a == ANSWER_END || (word.len && (word.at[0] | 0x20) == 'q')) {
            choice->game = NULL;
            return STATUS_OK;
        }
        if (!take_choice(word, is_second, choice))
            continue;
        if (is_second || is_settled)
            return STATUS_OK;
        is_second = true;
    }
    choice->game = NULL;
    return screen_complain_noise();
}

static bool read_side(const rules_game *game, const char *word, int *side) {
    static const char *const words[2] = {"first", "second"};
    suggestion near = suggest_for(text_of(word));
    for (int i = 0; i < 2; i++) {
        suggest_offer(&near, words[i]);
        suggest_offer(&near, rules_side_name(game, i));
        if (strcasecmp(word, words[i]) == 0 || strcasecmp(word, rules_side_name(game, i)) == 0) {
            *side = i;
            return true;
        }
    }
    complain("kraton play: --side takes first, second, %s or %s, not %s%s",
             rules_side_name(game, 0), rules_side_name(game, 1), fault_quote(text_of(word)).shown,
             suggest_hint(&near).shown);
    return false;
}

static bool read_seconds(const char *word, int64_t *us) {
    char spec[64];
    writer w = writer_on(spec, sizeof spec);
    referee_control control;
    write_format(&w, "st=%s", word);
    if (!w.overflow && !strpbrk(word, ",=") &&
        referee_control_parse(text_of(spec), &control, NULL) && control.move_time_us > 0) {
        *us = control.move_time_us;
        return true;
    }
    complain("kraton play: --time takes seconds for a move, not %s",
             fault_quote(text_of(word)).shown);
    return false;
}

bool opponent_read(const command *self, const opponent_options *said, const rules_game *game,
                   opponent *o) {
    int level = 0, depth = 0, side = 0;
    if (said->two && (said->level || said->depth || said->time || said->side || said->engine)) {
        complain("kraton play: with --two no computer plays, and nothing can be said about it");
        return false;
    }
    if ((said->side && !read_side(game, said->side, &side)) ||
        !option_int(self, "level", said->level, 1, OPPONENT_LEVELS, &level) ||
        !option_int(self, "depth", said->depth, 1, 100, &depth) ||
        (said->time && !read_seconds(said->time, &o->limits.move_time_us)))
        return false;
    if (said->level && (said->depth || said->time || said->engine)) {
        complain("kraton play: a level has its own depth and time, and only Kraton's own engine "
                 "has levels");
        return false;
    }
    o->command = said->engine;
    o->side = said->two ? OPPONENT_NOBODY : !side;
    o->limits.clock_us[0] = o->limits.clock_us[1] = -1;
    o->limits.depth = depth;
    o->level = level;
    if (!level && !depth && !said->time && !said->engine)
        o->level = OPPONENT_LEVEL;
    if (said->engine && !depth && !said->time)
        o->limits.move_time_us = ENGINE_MOVE_US;
    return true;
}
