// UCI, the engine's end.
#include "dialect/engine/protocol.h"

static void write_hello(const dialect_engine *e, writer *out) {
    const dialect_identity *id = e->identity;
    write_format(out, "id name %s\nid author %s\n", id->name, id->author);
    for (const dialect_option *o = id->options; o && o->name; o++) {
        write_format(out, "option name %s ", o->name);
        dialect_write_option_type(o, out);
        write_char(out, '\n');
    }
    if (id->has_variant)
        write_format(out, "option name UCI_Variant type combo default %s var %s\n",
                     rules_name(e->game), rules_name(e->game));
    write_string(out, "uciok\n");
}

static void write_words(const dialect_engine *e, text words, writer *out) {
    (void)e;
    write_string(out, "info string ");
    write_text(out, words);
    write_char(out, '\n');
}

static void complain(const dialect_engine *e, const fault *why, writer *out) {
    write_words(e, text_of(why->line), out);
}

// `name N value V`; both may have blanks, and a button has no value.
static void split_option(text rest, text *name, text *value) {
    text first = text_next_word(&rest);
    *name = *value = (text){rest.at, 0};
    if (!text_is(first, "name"))
        return;
    *name = text_trim(rest);
    for (text word = text_next_word(&rest); word.len; word = text_next_word(&rest))
        if (text_is(word, "value")) {
            *name = text_trim((text){name->at, (size_t)(word.at - name->at)});
            *value = text_trim(rest);
            return;
        }
}

static void read_option(dialect_engine *e, text rest, dialect_command *c, writer *out) {
    text name, value;
    fault why;
    split_option(rest, &name, &value);
    if (e->identity->has_variant && dialect_same_name(name, "UCI_Variant") &&
        dialect_same_name(value, rules_name(e->game))) {
        if (rules_has_notation(e->game, NOTATION_UCI1))
            e->notation = NOTATION_UCI1;
        return;
    }
    const dialect_option *o = dialect_find_option(e, name);
    if (o && dialect_take_option(o, value, c))
        return;
    if (o)
        fault_set(&why, "option %s: %s is no value of it", o->name, fault_quote(value).shown);
    else
        dialect_refuse_option(e->identity->options, name, &why);
    complain(e, &why, out);
}

static void read_position(dialect_engine *e, text rest, writer *out) {
    fault why;
    rules_notation before = e->notation;
    dialect_settle_squares(e, rest);
    if (dialect_take_position(e, rest, &why))
        return;
    e->notation = before; // a slip settles nothing
    complain(e, &why, out);
}

// --- go -----------------------------------------------------------------------------------------

// The number behind a word of `go`; what is none leaves the limit as it was.
static bool read_limit(text word, text *rest, dialect_search *go) {
    dialect_limits *l = &go->limits;
    const struct {
        const char *word;
        int64_t *value;
        int64_t unit;
    } fields[] = {
        {"wtime", &l->clock_us[0], 1000},     {"btime", &l->clock_us[1], 1000},
        {"winc", &l->increment_us[0], 1000},  {"binc", &l->increment_us[1], 1000},
        {"movetime", &l->move_time_us, 1000}, {"nodes", &l->nodes, 1},
    };
    const struct {
        const char *word;
        int32_t *value;
    } counts[] = {{"depth", &l->depth}, {"movestogo", &l->moves_to_go}, {"mate", &go->mate}};
    int64_t value;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (text_is(word, fields[i].word)) {
            if (text_to_int(text_next_word(rest), INT64_MIN / 1000, INT64_MAX / 1000, &value))
                *fields[i].value = value < 0 ? 0 : value * fields[i].unit;
            if (text_is(word, "movetime") && l->move_time_us == 0)
                l->move_time_us = 1; // at once, not for ever
            return true;
        }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (text_is(word, counts[i].word)) {
            if (text_to_int(text_next_word(rest), 0, INT32_MAX, &value))
                *counts[i].value = (int32_t)value;
            return true;
        }
    return false;
}

// A word behind searchmoves: a move, legal or not.
static void allow_move(dialect_engine *e, text word, dialect_search *go) {
    if (go->allowed_count < RULES_MAX_MOVES &&
        rules_parse_move_as(e->state, e->notation, word, &e->allowed[go->allowed_count], NULL))
        go->allowed_count++;
}

static void read_go(dialect_engine *e, text rest, dialect_command *c, writer *out) {
    fault why;
    bool is_listing = false, has_moves = false;
    c->kind = COMMAND_GO;
    if (!dialect_knows_position(e, &c->go, &why))
        complain(e, &why, out);
    for (text word = text_next_word(&rest); word.len; word = text_next_word(&rest)) {
        if (text_is(word, "infinite")) {
            c->go.is_infinite = true;
        } else if (text_is(word, "ponder")) {
            c->go.is_ponder = true;
        } else if (text_is(word, "searchmoves")) {
            is_listing = true;
        } else if (!read_limit(word, &rest, &c->go) && is_listing) {
            allow_move(e, word, &c->go);
            has_moves = true;
        }
    }
    if (c->go.is_void || !has_moves || c->go.allowed_count)
        return;
    c->go.is_void = true;
    fault_set(&why, "searchmoves: none of them is legal here");
    complain(e, &why, out);
}

static void read_line(dialect_engine *e, text line, dialect_command *c, writer *out) {
    text rest = line, word = text_next_word(&rest);
    if (text_is(word, "position"))
        read_position(e, rest, out);
    else if (text_is(word, "go"))
        read_go(e, rest, c, out);
    else if (text_is(word, "isready"))
        write_string(out, "readyok\n");
    else if (text_is(word, "stop"))
        c->kind = e->is_thinking ? COMMAND_STOP : COMMAND_NONE;
    else if (text_is(word, "ponderhit"))
        c->kind = e->is_thinking ? COMMAND_PONDER_HIT : COMMAND_NONE;
    else if (text_is(word, "setoption"))
        read_option(e, rest, c, out);
    else if (text_is(word, "ucinewgame"))
        c->is_new_game = true;
    else if (text_is(word, "uci"))
        write_hello(e, out);
    else if (text_is(word, "quit"))
        c->kind = COMMAND_QUIT;
}

// --- answers ------------------------------------------------------------------------------------

static void write_info(const dialect_engine *e, const dialect_report *r, writer *out) {
    write_string(out, "info");
    dialect_write_report(e, r, "score cp", out);
    write_char(out, '\n');
}

static void write_move(dialect_engine *e, const dialect_answer *a, writer *out) {
    dialect_write_bestmove(e, a, out);
    write_char(out, '\n');
}

static void write_no_move(dialect_engine *e, writer *out) {
    (void)e;
    write_string(out, "bestmove (none)\n");
}

const dialect_engine_protocol dialect_engine_uci = {
    .read = read_line,
    .info = write_info,
    .words = write_words,
    .move = write_move,
    .no_move = write_no_move,
};
