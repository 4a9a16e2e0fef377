// UCCI 3.0, the engine's end. Besides the engine's own options it has usemillisec and newgame.
#include "base/suggest.h"
#include "dialect/engine/protocol.h"

enum { MATE_SCORE = 30000 }; // UCCI has no word for mate: a score near this

// --- options ------------------------------------------------------------------------------------

enum { NAME_SIZE = 64 };

// The name of an option here: one word.
static void option_name(const dialect_option *o, writer *out) {
    for (const char *c = o->ucci ? o->ucci : o->name; *c; c++)
        write_char(out, *c == ' ' ? '_' : *c);
}

static void write_hello(const dialect_engine *e, writer *out) {
    const dialect_identity *id = e->identity;
    write_format(out, "id name %s\nid author %s\n", id->name, id->author);
    for (const dialect_option *o = id->options; o && o->name; o++) {
        write_string(out, "option ");
        option_name(o, out);
        write_char(out, ' ');
        dialect_write_option_type(o, out);
        write_char(out, '\n');
    }
    write_string(out, "option usemillisec type check default false\n"
                      "option newgame type button\nucciok\n");
}

static const dialect_option *find_option(const dialect_engine *e, text name) {
    for (const dialect_option *o = e->identity->options; o && o->name; o++) {
        char here[NAME_SIZE];
        writer w = writer_on(here, sizeof here);
        option_name(o, &w);
        if (dialect_same_name(name, here))
            return o;
    }
    return NULL;
}

static void write_words(const dialect_engine *e, text words, writer *out) {
    (void)e;
    write_string(out, "info message ");
    write_text(out, words);
    write_char(out, '\n');
}

// Says that there is no option of that name, and suggests one.
static void refuse_option(const dialect_engine *e, text name, writer *out) {
    char names[32][NAME_SIZE];
    suggestion near = suggest_for(name);
    const dialect_option *o = e->identity->options;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && o && o->name; i++, o++) {
        writer w = writer_on(names[i], NAME_SIZE);
        option_name(o, &w);
        suggest_offer(&near, names[i]);
    }
    fault why;
    fault_set(&why, "option %s: there is none%s", fault_quote(name).shown,
              suggest_hint(&near).shown);
    write_words(e, text_of(why.line), out);
}

static void read_option(dialect_engine *e, text rest, dialect_command *c, writer *out) {
    text name = text_next_word(&rest), value = text_trim(rest);
    const dialect_option *o = find_option(e, name);
    fault why;
    if (text_is(name, "usemillisec"))
        e->milliseconds = text_is(value, "true");
    else if (text_is(name, "newgame"))
        c->is_new_game = true;
    else if (!o)
        refuse_option(e, name, out);
    else if (!dialect_take_option(o, value, c)) {
        fault_set(&why, "option %s: no such value", fault_quote(name).shown);
        write_words(e, text_of(why.line), out);
    }
}

// --- go -----------------------------------------------------------------------------------------

// A time of the side to move, or of the other where the word begins with `opp`.
static bool read_time(const dialect_engine *e, text word, text *rest, dialect_limits *l) {
    int side = rules_side_to_move(e->state);
    int64_t unit = e->milliseconds ? 1000 : 1000000, value;
    if (text_starts(word, "opp")) {
        word = text_skip(word, 3);
        side ^= 1;
    }
    int64_t *to = text_is(word, "time")        ? &l->clock_us[side]
                  : text_is(word, "increment") ? &l->increment_us[side]
                                               : NULL;
    if (!to)
        return false;
    if (text_to_int(text_next_word(rest), -INT64_MAX / 1000000, INT64_MAX / 1000000, &value))
        *to = value < 0 ? 0 : value * unit; // a clock below zero has run out
    return true;
}

static void read_go(dialect_engine *e, text rest, dialect_command *c, writer *out) {
    int64_t value;
    fault why;
    c->kind = COMMAND_GO;
    if (!dialect_knows_position(e, &c->go, &why))
        write_words(e, text_of(why.line), out);
    for (text word = text_next_word(&rest); word.len; word = text_next_word(&rest)) {
        if (text_is(word, "ponder"))
            c->go.is_ponder = true;
        else if (text_is(word, "draw"))
            c->go.has_draw_offer = true;
        else if (text_is(word, "infinite"))
            c->go.is_infinite = true;
        else if (read_time(e, word, &rest, &c->go.limits))
            continue;
        else if (text_is(word, "depth")) {
            text depth = text_next_word(&rest);
            if (text_is(depth, "infinite"))
                c->go.is_infinite = true;
            else if (text_to_int(depth, 0, INT32_MAX, &value))
                c->go.limits.depth = (int32_t)value;
        } else if (text_is(word, "nodes")) {
            if (text_to_int(text_next_word(&rest), 0, INT64_MAX, &value))
                c->go.limits.nodes = value;
        } else if (text_is(word, "movestogo")) {
            if (text_to_int(text_next_word(&rest), 0, INT32_MAX, &value))
                c->go.limits.moves_to_go = (int32_t)value;
        }
    }
    dialect_apply_bans(e, &c->go);
    c->go.is_void |= e->banned_count && c->go.allowed_count == 0; // there is no other move
}

static void read_position(dialect_engine *e, text rest, writer *out) {
    fault why;
    if (!dialect_take_position(e, rest, &why))
        write_words(e, text_of(why.line), out);
}

static void read_line(dialect_engine *e, text line, dialect_command *c, writer *out) {
    text rest = line, word = text_next_word(&rest);
    if (text_is(word, "position"))
        read_position(e, rest, out);
    else if (text_is(word, "go"))
        read_go(e, rest, c, out);
    else if (text_is(word, "isready"))
        write_string(out, "readyok\n");
    else if (text_is(word, "banmoves"))
        e->banned_count = dialect_take_moves(e, rest, e->banned);
    else if (text_is(word, "stop") && e->is_thinking)
        c->kind = COMMAND_STOP;
    else if (text_is(word, "stop"))
        write_string(out, "nobestmove\n");
    else if (text_is(word, "ponderhit")) {
        c->kind = e->is_thinking ? COMMAND_PONDER_HIT : COMMAND_NONE;
        c->go.has_draw_offer = text_is(text_next_word(&rest), "draw");
    } else if (text_is(word, "setoption"))
        read_option(e, rest, c, out);
    else if (text_is(word, "ucci"))
        write_hello(e, out);
    else if (text_is(word, "quit")) {
        write_string(out, "bye\n");
        c->kind = COMMAND_QUIT;
    }
}

// --- answers ------------------------------------------------------------------------------------

static void write_info(const dialect_engine *e, const dialect_report *r, writer *out) {
    if (r->time_ms >= 0 && r->nodes >= 0)
        write_format(out, "info time %lld nodes %lld\n", (long long)r->time_ms,
                     (long long)r->nodes);
    dialect_report line = {.depth = r->depth,
                           .has_score = r->has_score,
                           .score = r->score,
                           .nodes = -1,
                           .time_ms = -1,
                           .hash_full = -1,
                           .pv = r->pv,
                           .pv_count = r->pv_count};
    if (r->is_mate)
        line.score = r->score < 0 ? -MATE_SCORE - r->score : MATE_SCORE - r->score;
    write_string(out, "info");
    dialect_write_report(e, &line, "score", out);
    write_char(out, '\n');
}

static void write_move(dialect_engine *e, const dialect_answer *a, writer *out) {
    dialect_write_bestmove(e, a, out);
    write_string(out, a->resigns ? " resign\n" : a->offers_draw ? " draw\n" : "\n");
}

static void write_no_move(dialect_engine *e, writer *out) {
    (void)e;
    write_string(out, "nobestmove\n");
}

const dialect_engine_protocol dialect_engine_ucci = {
    .read = read_line,
    .info = write_info,
    .words = write_words,
    .move = write_move,
    .no_move = write_no_move,
};
