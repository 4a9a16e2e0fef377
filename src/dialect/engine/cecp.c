// CECP version 2, the xboard protocol, the engine's end. First is White. A move that is sent to an
// engine not in force mode is one to be answered.
#include "base/minmax.h"
#include "dialect/engine/protocol.h"

enum { MATE_SCORE = 100000 };

static void init(dialect_engine *e) {
    e->wants_info = false; // until `post`
    e->xboard = (dialect_xboard){.clock_us = -1, .other_clock_us = -1};
}

// --- who we are ---------------------------------------------------------------------------------

static void write_option(const dialect_option *o, writer *out) {
    static const char *const types[] = {"check", "spin", "combo", "button", "string"};
    write_format(out, "feature option=\"%s -%s", o->name, types[o->type]);
    if (o->type == OPTION_CHECK)
        write_string(out, text_is(text_of(o->initial), "true") ? " 1" : " 0");
    else if (o->type == OPTION_SPIN)
        write_format(out, " %s %lld %lld", o->initial, (long long)o->low, (long long)o->high);
    else if (o->type == OPTION_STRING)
        write_format(out, " %s", o->initial);
    else if (o->type == OPTION_COMBO)
        for (const char *const *choice = o->choices; *choice; choice++)
            write_format(out, "%s%s%s", choice == o->choices ? " " : " /// ",
                         text_is(text_of(*choice), o->initial) ? "*" : "", *choice);
    write_string(out, "\"\n");
}

static void write_features(const dialect_engine *e, writer *out) {
    bool memory = dialect_find_option(e, text_of("Hash"));
    bool cores = dialect_find_option(e, text_of("Threads"));
    write_format(out,
                 "feature ping=1 setboard=%d usermove=1 time=1 draw=1 analyze=1 colors=0 sigint=0 "
                 "sigterm=0 reuse=1 debug=1 memory=%d smp=%d variants=\"%s\" myname=\"%s\"\n",
                 !e->identity->has_no_setup, memory, cores, rules_name(e->game), e->identity->name);
    for (const dialect_option *o = e->identity->options; o && o->name; o++)
        write_option(o, out);
    write_string(out, "feature done=1\n");
}

static bool write_error(const char *why, text line, writer *out) {
    write_format(out, "Error (%s): %s\n", why, fault_quote(line).shown);
    return false;
}

static void take_named(const dialect_option *o, text value, text line, dialect_command *c,
                       writer *out) {
    if (o && o->type == OPTION_CHECK)
        value = text_of(text_is(value, "1") ? "true" : "false");
    if (!o || !dialect_take_option(o, value, c))
        write_error(o ? "no such value" : "no such option", line, out);
}

// `option NAME=VALUE`, or NAME alone for a button.
static void read_option(const dialect_engine *e, text rest, dialect_command *c, writer *out) {
    rest = text_trim(rest);
    const char *equals = rest.len ? memchr(rest.at, '=', rest.len) : NULL;
    text name = {rest.at, equals ? (size_t)(equals - rest.at) : rest.len};
    take_named(dialect_find_option(e, text_trim(name)), text_trim(text_skip(rest, name.len + 1)),
               rest, c, out);
}

// --- time ---------------------------------------------------------------------------------------

static void take_number(text word, int64_t unit, int64_t *to) {
    int64_t value;
    if (text_to_int(word, -INT64_C(10000000000), INT64_C(10000000000), &value))
        *to = value < 0 ? 0 : value * unit;
}

static void take_count(text word, int32_t *to) {
    int64_t value;
    if (text_to_int(word, 0, INT32_MAX, &value))
        *to = (int32_t)value;
}

// Seconds with at most six decimals: `2`, `0.05`.
static void take_seconds(text word, int64_t *to) {
    const char *point = word.len ? memchr(word.at, '.', word.len) : NULL;
    text whole = {word.at, point ? (size_t)(point - word.at) : word.len};
    text part = text_skip(word, whole.len + 1);
    int64_t seconds = 0, decimals = 0;
    if (part.len > 6 || (whole.len && !text_to_int(whole, 0, 1000000000, &seconds)) ||
        (part.len && !text_to_int(part, 0, 999999, &decimals)))
        return;
    for (size_t i = part.len; i < 6; i++)
        decimals *= 10;
    *to = seconds * 1000000 + decimals;
}

// `MOVES MINUTES[:SECONDS] INCREMENT`
static void read_level(dialect_xboard *x, text rest) {
    take_count(text_next_word(&rest), &x->moves_per_session);
    text base = text_next_word(&rest);
    const char *colon = base.len ? memchr(base.at, ':', base.len) : NULL;
    text minutes = {base.at, colon ? (size_t)(colon - base.at) : base.len};
    int64_t seconds = 0;
    take_number(minutes, 60000000, &x->base_us);
    take_number(text_skip(base, minutes.len + 1), 1000000, &seconds);
    x->base_us += seconds;
    take_seconds(text_next_word(&rest), &x->increment_us);
    x->move_time_us = 0;
    x->clock_us = x->other_clock_us = -1;
}

static void think(dialect_engine *e, dialect_command *c) {
    const dialect_xboard *x = &e->xboard;
    dialect_limits *l = &c->go.limits;
    int side = rules_side_to_move(e->state), session = x->moves_per_session;
    c->kind = COMMAND_GO;
    c->go.is_analysis = x->is_analysing;
    if (x->is_analysing) {
        c->go.is_infinite = true;
        return;
    }
    l->depth = x->depth;
    l->move_time_us = x->move_time_us;
    if (x->move_time_us > 0 || (x->base_us == 0 && x->clock_us < 0))
        return;
    l->clock_us[side] = x->clock_us >= 0 ? x->clock_us : x->base_us;
    l->clock_us[side ^ 1] = x->other_clock_us >= 0 ? x->other_clock_us : x->base_us;
    l->increment_us[0] = l->increment_us[1] = x->increment_us;
    if (session > 0)
        l->moves_to_go = session - (int32_t)(rules_ply(e->state) / 2) % session;
}

// --- the game -----------------------------------------------------------------------------------

// The position has changed under a search, if there was one.
static void disturb(const dialect_engine *e, dialect_command *c) { c->abandons = e->is_thinking; }

static void rethink(dialect_engine *e, dialect_command *c) {
    if (e->xboard.is_analysing)
        think(e, c);
}

static void start_game(dialect_engine *e, dialect_command *c) {
    disturb(e, c);
    bool good = rules_set_fen(e->state, text_of(rules_start_fen(e->game)), NULL);
    (void)good; // it always is
    e->xboard.is_force = e->xboard.is_analysing = false;
    e->xboard.depth = 0;
    e->xboard.clock_us = e->xboard.other_clock_us = -1;
    c->is_new_game = true;
}

// Asked again while it looks for the move, it goes on looking.
static void go(dialect_engine *e, dialect_command *c) {
    if (e->is_thinking && !e->xboard.is_analysing)
        return;
    disturb(e, c);
    e->xboard.is_force = e->xboard.is_analysing = false;
    think(e, c);
}

// Ends an analysis; there may be none.
static void end_analysis(dialect_engine *e, dialect_command *c) {
    if (!e->xboard.is_analysing)
        return;
    disturb(e, c);
    e->xboard.is_analysing = false;
}

static void set_board(dialect_engine *e, text rest, dialect_command *c, writer *out) {
    fault why;
    if (!rules_set_fen(e->state, text_trim(rest), &why)) {
        write_format(out, "tellusererror Illegal position: %s\n", why.line);
        return;
    }
    disturb(e, c);
    rethink(e, c);
}

static void take_back(dialect_engine *e, int moves, dialect_command *c) {
    disturb(e, c);
    while (moves-- && rules_undo(e->state))
        continue;
    rethink(e, c);
}

static void read_move(dialect_engine *e, text word, dialect_command *c, writer *out) {
    fault why;
    if (!dialect_take_move(e, word, &why)) { // whatever is thought about stays
        write_format(out, "Illegal move (%s): %s\n", why.line, fault_quote(word).shown);
        return;
    }
    disturb(e, c);
    if (e->xboard.is_analysing || !e->xboard.is_force)
        think(e, c);
}

// Moves may come without the word usermove.
static bool is_move(const dialect_engine *e, text word) {
    rules_move move;
    return rules_parse_move_as(e->state, e->notation, word, &move, NULL);
}

static void read_ping(dialect_engine *e, text word, writer *out) {
    dialect_xboard *x = &e->xboard;
    if (!text_to_int(word, INT32_MIN, INT32_MAX, &x->pong))
        return;
    x->owes_pong = e->is_thinking && !x->is_analysing; // answered after the move
    if (!x->owes_pong)
        write_format(out, "pong %lld\n", (long long)x->pong);
}

static void pay_pong(dialect_engine *e, writer *out) {
    if (e->xboard.owes_pong)
        write_format(out, "pong %lld\n", (long long)e->xboard.pong);
    e->xboard.owes_pong = false;
}

// --- reading ------------------------------------------------------------------------------------

// Commands that set something and do no more. False: not one of them.
static bool read_setting(dialect_engine *e, text word, text rest) {
    dialect_xboard *x = &e->xboard;
    text ahead = rest, argument = text_next_word(&ahead);
    if (text_is(word, "time"))
        take_number(argument, 10000, &x->clock_us);
    else if (text_is(word, "otim"))
        take_number(argument, 10000, &x->other_clock_us);
    else if (text_is(word, "level"))
        read_level(x, rest);
    else if (text_is(word, "st"))
        take_seconds(argument, &x->move_time_us);
    else if (text_is(word, "sd"))
        take_count(argument, &x->depth);
    else if (text_is(word, "post") || text_is(word, "nopost"))
        e->wants_info = text_is(word, "post");
    else if (text_is(word, "hard") || text_is(word, "easy"))
        e->may_ponder = text_is(word, "hard");
    else
        return false;
    return true;
}

// Commands about the course of the game. False: not one of them.
static bool read_course(dialect_engine *e, text word, text rest, dialect_command *c, writer *out) {
    dialect_xboard *x = &e->xboard;
    if (text_is(word, "usermove"))
        read_move(e, text_next_word(&rest), c, out);
    else if (text_is(word, "go"))
        go(e, c);
    else if (text_is(word, "?"))
        c->kind = e->is_thinking && !x->is_analysing ? COMMAND_STOP : COMMAND_NONE;
    else if (text_is(word, "new"))
        start_game(e, c);
    else if (text_is(word, "force") || text_is(word, "result")) {
        disturb(e, c);
        x->is_force = true;
    } else if (text_is(word, "playother"))
        x->is_force = false;
    else if (text_is(word, "setboard") && !e->identity->has_no_setup)
        set_board(e, rest, c, out);
    else if (text_is(word, "undo") || text_is(word, "remove"))
        take_back(e, text_is(word, "undo") ? 1 : 2, c);
    else if (text_is(word, "analyze")) {
        disturb(e, c); // the move it was to find is not wanted any more
        x->is_analysing = x->is_force = true;
        think(e, c);
    } else if (text_is(word, "exit"))
        end_analysis(e, c);
    else if (text_is(word, "draw"))
        c->kind = COMMAND_DRAW_OFFER;
    else
        return false;
    return true;
}

// Commands that need no answer and change nothing here.
static bool is_idle(text word) {
    static const char *const idle[] = {"xboard", "accepted", "rejected", "computer", "name",
                                       "rating", "ics",      "random",   "white",    "black",
                                       "hint",   "bk",       ".",        "pause",    "resume"};
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++)
        if (text_is(word, idle[i]))
            return true;
    return word.len == 0;
}

static void read_line(dialect_engine *e, text line, dialect_command *c, writer *out) {
    text rest = line, word = text_next_word(&rest);
    if (read_setting(e, word, rest) || read_course(e, word, rest, c, out) || is_idle(word)) {
        if (c->abandons)
            pay_pong(e, out);
        return;
    }
    if (text_is(word, "ping"))
        read_ping(e, text_next_word(&rest), out);
    else if (text_is(word, "protover"))
        write_features(e, out);
    else if (text_is(word, "variant")) {
        if (!text_is(text_next_word(&rest), rules_name(e->game)))
            write_error("unknown variant", line, out);
    } else if (text_is(word, "option"))
        read_option(e, rest, c, out);
    else if (text_is(word, "memory"))
        take_named(dialect_find_option(e, text_of("Hash")), text_trim(rest), line, c, out);
    else if (text_is(word, "cores"))
        take_named(dialect_find_option(e, text_of("Threads")), text_trim(rest), line, c, out);
    else if (text_is(word, "quit"))
        c->kind = COMMAND_QUIT;
    else if (is_move(e, word))
        read_move(e, word, c, out);
    else
        write_error("unknown command", line, out);
}

// --- answers ------------------------------------------------------------------------------------

static void write_info(const dialect_engine *e, const dialect_report *r, writer *out) {
    int32_t score = !r->has_score  ? 0
                    : !r->is_mate  ? r->score
                    : r->score < 0 ? r->score - MATE_SCORE
                                   : r->score + MATE_SCORE;
    write_format(out, "%d %d %lld %lld ", (int)r->depth, (int)score,
                 (long long)(r->time_ms > 0 ? r->time_ms / 10 : 0),
                 (long long)max_i64(r->nodes, 0));
    dialect_write_moves(e, r->pv, r->pv_count, out);
    write_char(out, '\n');
}

static void write_words(const dialect_engine *e, text words, writer *out) {
    (void)e;
    write_string(out, "# ");
    write_text(out, words);
    write_char(out, '\n');
}

static void write_hint(const dialect_engine *e, rules_move expected, writer *out) {
    write_string(out, "Hint: ");
    dialect_write_moves(e, &expected, 1, out);
    write_char(out, '\n');
}

static void write_claim(const dialect_engine *e, rules_outcome outcome, const char *words,
                        writer *out) {
    static const char *const results[] = {"*", "1-0", "0-1", "1/2-1/2"};
    (void)e;
    if (outcome != RULES_ONGOING)
        write_format(out, "%s {%s}\n", results[outcome], words);
}

static void write_move(dialect_engine *e, const dialect_answer *a, writer *out) {
    if (a->resigns) {
        write_string(out, "resign\n");
    } else {
        if (a->offers_draw)
            write_string(out, "offer draw\n");
        write_string(out, "move ");
        dialect_write_moves(e, &a->move, 1, out);
        write_char(out, '\n');
        bool legal = rules_play(e->state, a->move, NULL);
        (void)legal; // an engine that plays illegal moves will be told
    }
    pay_pong(e, out);
}

static void write_no_move(dialect_engine *e, writer *out) {
    rules_verdict v = rules_result(e->state);
    write_claim(e, v.outcome, v.words, out);
    pay_pong(e, out);
}

const dialect_engine_protocol dialect_engine_cecp = {
    .init = init,
    .read = read_line,
    .info = write_info,
    .words = write_words,
    .hint = write_hint,
    .move = write_move,
    .no_move = write_no_move,
    .claim = write_claim,
};
