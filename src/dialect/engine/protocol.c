// What several protocols share at the engine's end: options, the position line, reports.
#include "dialect/engine/protocol.h"

#include "base/suggest.h"

// --- options ------------------------------------------------------------------------------------

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool dialect_same_name(text a, const char *b) {
    size_t n = strlen(b);
    if (a.len != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (lower(a.at[i]) != lower(b[i]))
            return false;
    return true;
}

const dialect_option *dialect_find_option(const dialect_engine *e, text name) {
    for (const dialect_option *o = e->identity->options; o && o->name; o++)
        if (dialect_same_name(name, o->name))
            return o;
    return NULL;
}

bool dialect_refuse_option(const dialect_option *options, text name, fault *why) {
    suggestion near = suggest_for(name);
    for (; options && options->name; options++)
        suggest_offer(&near, options->name);
    return fault_set(why, "no option %s%s", fault_quote(name).shown, suggest_hint(&near).shown);
}

static bool is_choice(const dialect_option *option, text value) {
    for (const char *const *choice = option->choices; *choice; choice++)
        if (dialect_same_name(value, *choice))
            return true;
    return false;
}

static bool is_valid(const dialect_option *option, text value) {
    int64_t number;
    switch (option->type) {
    case OPTION_CHECK:
        return text_is(value, "true") || text_is(value, "false");
    case OPTION_SPIN:
        return text_to_int(value, option->low, option->high, &number);
    case OPTION_COMBO:
        return is_choice(option, value);
    case OPTION_BUTTON:
    case OPTION_STRING:
        break;
    }
    return true;
}

bool dialect_take_option(const dialect_option *option, text value, dialect_command *c) {
    if (!is_valid(option, value))
        return false;
    c->kind = COMMAND_OPTION;
    c->name = option->name;
    c->value = value;
    return true;
}

void dialect_write_option_type(const dialect_option *option, writer *out) {
    static const char *const types[] = {"check", "spin", "combo", "button", "string"};
    write_format(out, "type %s", types[option->type]);
    if (option->type != OPTION_BUTTON)
        write_format(out, " default %s", option->initial[0] ? option->initial : "<empty>");
    if (option->type == OPTION_SPIN)
        write_format(out, " min %lld max %lld", (long long)option->low, (long long)option->high);
    if (option->type == OPTION_COMBO)
        for (const char *const *choice = option->choices; *choice; choice++)
            write_format(out, " var %s", *choice);
}

// --- positions and moves ------------------------------------------------------------------------

bool dialect_take_move(dialect_engine *e, text word, fault *why) {
    rules_move move;
    return rules_parse_move_as(e->state, e->notation, word, &move, why) &&
           rules_play(e->state, move, why);
}

int dialect_take_moves(const dialect_engine *e, text rest, rules_move moves[RULES_MAX_MOVES]) {
    int n = 0;
    for (text word; n < RULES_MAX_MOVES && (word = text_next_word(&rest)).len;)
        n += rules_parse_move_as(e->state, e->notation, word, &moves[n], NULL);
    return n;
}

static bool is_banned(const dialect_engine *e, rules_move move) {
    for (int i = 0; i < e->banned_count; i++)
        if (e->banned[i] == move)
            return true;
    return false;
}

void dialect_apply_bans(dialect_engine *e, dialect_search *go) {
    if (e->banned_count == 0)
        return;
    int n = rules_legal_moves(e->state, e->allowed);
    go->allowed_count = 0;
    for (int i = 0; i < n; i++)
        if (!is_banned(e, e->allowed[i]))
            e->allowed[go->allowed_count++] = e->allowed[i];
}

// Without memory for it, the next position is played from its start.
static void remember_line(dialect_engine *e, text line) {
    buffer_clear(&e->line);
    buffer_add(&e->line, line);
}

// Whether the line goes on where the last one ended, which was at the end of a word, and with
// moves: what follows otherwise belongs to the FEN.
static bool extends_last(const dialect_engine *e, text line) {
    if (e->line.len == 0 || line.len < e->line.len ||
        memcmp(line.at, e->line.bytes, e->line.len) != 0 ||
        (line.len > e->line.len && line.at[e->line.len] != ' '))
        return false;
    text rest = text_skip(line, e->line.len), word = text_next_word(&rest);
    return e->line_has_moves || word.len == 0 || text_is(word, "moves");
}

static bool set_up(dialect_engine *e, text *rest, fault *why) {
    text word = text_next_word(rest);
    if (text_is(word, "startpos"))
        return rules_set_fen(e->state, text_of(rules_start_fen(e->game)), why);
    if (!text_is(word, "fen"))
        return fault_set(why, "position: neither startpos nor fen");
    text fen = *rest, ahead = *rest;
    for (word = text_next_word(&ahead); word.len && !text_is(word, "moves");)
        word = text_next_word(&ahead);
    fen.len = (size_t)(word.at - fen.at);
    *rest = text_skip(*rest, fen.len);
    return rules_set_fen(e->state, text_trim(fen), why);
}

void dialect_settle_squares(dialect_engine *e, text words) {
    if (e->notation != NOTATION_UCI0 || !dialect_has_rank_ten(e->game, words))
        return;
    e->notation = NOTATION_UCI1;
    buffer_clear(&e->line); // what was played was written otherwise
}

bool dialect_knows_position(const dialect_engine *e, dialect_search *go, fault *why) {
    go->is_void = e->is_lost;
    return !e->is_lost || fault_set(why, "no position to think about: the last one was refused");
}

static bool follow_position(dialect_engine *e, text rest, fault *why) {
    text line = rest = text_trim(rest), word;
    bool had_moves = e->line_has_moves;
    e->banned_count = 0;
    if (extends_last(e, line)) {
        rest = text_skip(rest, e->line.len);
    } else {
        had_moves = false;
        if (!set_up(e, &rest, why)) {
            buffer_clear(&e->line);
            return false;
        }
    }
    buffer_clear(&e->line);
    if (!had_moves) {
        word = text_next_word(&rest);
        had_moves = text_is(word, "moves");
        if (word.len && !had_moves)
            return fault_set(why, "position: %s where moves should follow",
                             fault_quote(word).shown);
    }
    for (word = text_next_word(&rest); word.len; word = text_next_word(&rest))
        if (!dialect_take_move(e, word, why))
            return false;
    e->line_has_moves = had_moves;
    remember_line(e, line);
    return true;
}

bool dialect_take_position(dialect_engine *e, text rest, fault *why) {
    e->is_lost = !follow_position(e, rest, why);
    return !e->is_lost;
}

// --- writing ------------------------------------------------------------------------------------

void dialect_write_moves(const dialect_engine *e, const rules_move *moves, int count, writer *out) {
    for (int i = 0; i < count; i++) {
        if (i)
            write_char(out, ' ');
        // Squares only: the notations of the protocols do not depend on the position.
        rules_format_move(e->state, moves[i], e->notation, out);
    }
}

void dialect_write_report(const dialect_engine *e, const dialect_report *r, const char *score,
                          writer *out) {
    static const char *const bounds[] = {"", " lowerbound", " upperbound"};
    if (r->depth > 0)
        dialect_write_field(out, "depth", r->depth);
    if (r->seldepth > 0)
        dialect_write_field(out, "seldepth", r->seldepth);
    if (r->variation > 0)
        dialect_write_field(out, "multipv", r->variation);
    if (r->has_score) {
        dialect_write_field(out, r->is_mate ? "score mate" : score, r->score);
        write_string(out, bounds[r->bound]);
    }
    if (r->nodes >= 0)
        dialect_write_field(out, "nodes", r->nodes);
    if (r->nps > 0)
        dialect_write_field(out, "nps", r->nps);
    if (r->hash_full >= 0)
        dialect_write_field(out, "hashfull", r->hash_full);
    if (r->table_hits > 0)
        dialect_write_field(out, "tbhits", r->table_hits);
    if (r->time_ms >= 0)
        dialect_write_field(out, "time", r->time_ms);
    if (r->pv_count > 0) {
        write_string(out, " pv ");
        dialect_write_moves(e, r->pv, r->pv_count, out);
    }
}

void dialect_write_bestmove(const dialect_engine *e, const dialect_answer *a, writer *out) {
    write_string(out, "bestmove ");
    dialect_write_moves(e, &a->move, 1, out);
    if (a->ponder != MOVE_NONE) {
        write_string(out, " ponder ");
        dialect_write_moves(e, &a->ponder, 1, out);
    }
}
