#include "match/game.h"

#include "base/vector.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

void match_game_free(match_game *g) {
    free(g->moves);
    *g = (match_game){0};
}

bool match_game_add(match_game *g, const match_move *move) {
    match_move *grown = vector_reserve(g->moves, &g->capacity, g->count + 1, sizeof *grown);
    if (!grown)
        return false;
    g->moves = grown;
    g->moves[g->count++] = *move;
    return true;
}

int match_half_points(rules_outcome outcome) {
    return outcome == RULES_FIRST_WINS ? 2 : outcome == RULES_SECOND_WINS ? 0 : 1;
}

// --- writing ------------------------------------------------------------------------------------

void match_write_string(buffer *out, const char *key, const char *value) {
    char line[1024];
    writer w = writer_on(line, sizeof line);
    write_format(&w, ",\"%s\":\"", key);
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            write_char(&w, '\\');
        if ((unsigned char)*c < 0x20)
            write_format(&w, "\\u%04x", *c);
        else
            write_char(&w, *c);
    }
    write_char(&w, '"');
    buffer_add(out, (text){line, w.used});
}

static void add_number(writer *w, const char *key, int64_t value) {
    write_string(w, key);
    write_number(w, value);
}

void match_move_write(const match_move *m, bool times, buffer *out) {
    char line[384];
    writer w = writer_on(line, sizeof line);
    write_string(&w, "\"move\":\"");
    write_string(&w, m->text);
    write_char(&w, '"');
    if (m->score.known)
        add_number(&w, m->score.is_mate ? ",\"mate\":" : ",\"score\":", m->score.value);
    if (m->depth > 0)
        add_number(&w, ",\"depth\":", m->depth);
    if (m->nodes >= 0)
        add_number(&w, ",\"nodes\":", m->nodes);
    if (times) {
        add_number(&w, ",\"time\":", m->used);
        if (m->left >= 0)
            add_number(&w, ",\"clock\":", m->left);
        add_number(&w, ",\"written\":", m->written);
        add_number(&w, ",\"first\":", m->first_byte);
        add_number(&w, ",\"read\":", m->read);
    }
    buffer_add(out, (text){line, w.used});
}

void match_game_write(const match_game *g, const match_game_style *style, buffer *out) {
    char line[256];
    writer w = writer_on(line, sizeof line);
    add_number(&w, "{\"game\":", (int64_t)g->pairing.index + 1);
    add_number(&w, ",\"round\":", g->pairing.round + 1);
    add_number(&w, ",\"opening\":", g->pairing.opening + 1);
    buffer_add(out, (text){line, w.used});
    match_write_string(out, "first", style->first);
    match_write_string(out, "second", style->second);
    if (style->times)
        match_write_string(out, "started", g->started);
    if (g->fen[0])
        match_write_string(out, "fen", g->fen);
    match_write_string(out, "result", rules_outcome_name(g->verdict.outcome));
    match_write_string(out, "reason", referee_reason_name(g->verdict.reason));
    match_write_string(out, "words", g->verdict.words);
    w = writer_on(line, sizeof line);
    add_number(&w, ",\"side\":", g->verdict.side);
    add_number(&w, ",\"faults\":[", g->protocol_errors[0]);
    add_number(&w, ",", g->protocol_errors[1]);
    add_number(&w, "],\"claims\":[", g->wrong_claims[0]);
    add_number(&w, ",", g->wrong_claims[1]);
    if (g->warnings[0] || g->warnings[1]) {
        add_number(&w, "],\"warnings\":[", g->warnings[0]);
        add_number(&w, ",", g->warnings[1]);
    }
    write_string(&w, "],\"moves\":[");
    buffer_add(out, (text){line, w.used});
    for (uint32_t i = 0; i < g->count; i++) {
        buffer_add(out, text_of(i ? ",{" : "{"));
        match_move_write(&g->moves[i], style->times, out);
        buffer_char(out, '}');
    }
    buffer_add(out, text_of("]}\n"));
}

// --- reading ------------------------------------------------------------------------------------

static int64_t number_of(const json_t *object, const char *key, int64_t otherwise) {
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

static void copy_string(const json_t *object, const char *key, char *to, size_t size) {
    const char *value = json_string_value(json_object_get(object, key));
    writer w = writer_on(to, size);
    write_string(&w, value ? value : "");
}

static bool read_move(const json_t *json, rules_state *s, match_move *m, fault *why) {
    *m = (match_move){.depth = (int32_t)number_of(json, "depth", 0),
                      .nodes = number_of(json, "nodes", -1),
                      .used = number_of(json, "time", 0),
                      .left = number_of(json, "clock", -1),
                      .written = number_of(json, "written", 0),
                      .first_byte = number_of(json, "first", 0),
                      .read = number_of(json, "read", 0)};
    copy_string(json, "move", m->text, sizeof m->text);
    m->score.is_mate = json_object_get(json, "mate") != NULL;
    m->score.known = m->score.is_mate || json_object_get(json, "score") != NULL;
    m->score.value = (int32_t)number_of(json, m->score.is_mate ? "mate" : "score", 0);
    return rules_parse_move(s, text_of(m->text), &m->move, why) && rules_play(s, m->move, why);
}

static bool read_moves(match_game *g, const rules_game *game, const json_t *list, fault *why) {
    size_t count = json_array_size(list);
    if (count > RULES_MAX_PLIES)
        return fault_set(why, "too many moves");
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size((uint32_t)count));
    if (!memory)
        return fault_set(why, "out of memory");
    rules_state *s = rules_state_new(memory, game, &set, (uint32_t)count);
    bool good = g->fen[0] == '\0' || rules_set_fen(s, text_of(g->fen), why);
    g->begins = rules_side_to_move(s);
    for (size_t i = 0; good && i < count; i++) {
        match_move move;
        good = read_move(json_array_get(list, i), s, &move, why);
        if (good && !match_game_add(g, &move))
            good = fault_set(why, "out of memory");
    }
    free(memory);
    return good;
}

static bool read_verdict(const json_t *json, referee_verdict *v, fault *why) {
    const char *result = json_string_value(json_object_get(json, "result"));
    const char *reason = json_string_value(json_object_get(json, "reason"));
    rules_outcome outcome = RULES_ONGOING;
    while (outcome <= RULES_DRAW && result &&
           !text_is(text_of(result), rules_outcome_name(outcome)))
        outcome++;
    if (!result || !reason || outcome > RULES_DRAW ||
        !referee_reason_find(text_of(reason), &v->reason))
        return fault_set(why, "no result");
    v->outcome = outcome;
    v->side = (int)number_of(json, "side", -1);
    copy_string(json, "words", v->words, sizeof v->words);
    return true;
}

bool match_game_read(match_game *g, const rules_game *game, text line, fault *why) {
    *g = (match_game){0};
    json_error_t error;
    json_t *json = json_loadb(line.at, line.len, 0, &error);
    if (!json)
        return fault_set(why, "not JSON: %s", error.text);
    int64_t index = number_of(json, "game", 0);
    g->pairing.index = (uint32_t)(index - 1);
    g->pairing.round = (int)number_of(json, "round", 1) - 1;
    g->pairing.opening = (uint32_t)(number_of(json, "opening", 1) - 1);
    for (size_t i = 0; i < 2; i++) {
        const json_t *errors = json_array_get(json_object_get(json, "faults"), i);
        const json_t *claims = json_array_get(json_object_get(json, "claims"), i);
        g->protocol_errors[i] = (uint32_t)json_integer_value(errors);
        g->wrong_claims[i] = (uint32_t)json_integer_value(claims);
        g->warnings[i] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(json, "warnings"), i));
    }
    copy_string(json, "started", g->started, sizeof g->started);
    copy_string(json, "fen", g->fen, sizeof g->fen);
    bool good = index >= 1 && index <= UINT32_MAX ? true : fault_set(why, "no game number");
    good = good && read_verdict(json, &g->verdict, why) &&
           read_moves(g, game, json_object_get(json, "moves"), why);
    json_decref(json);
    if (!good)
        match_game_free(g);
    return good;
}

// --- as a record --------------------------------------------------------------------------------

static bool set_tag(record *r, const char *name, const char *value) {
    return record_set_tag(r, text_of(name), text_of(value));
}

// The reason in the words of the PGN standard.
static const char *termination_of(referee_reason reason) {
    switch (reason) {
    case REFEREE_TIME:
        return "time forfeit";
    case REFEREE_ILLEGAL_MOVE:
        return "rules infraction";
    case REFEREE_CRASH:
    case REFEREE_STALL:
    case REFEREE_ABANDONED:
        return "abandoned";
    case REFEREE_BY_SCORE:
    case REFEREE_BY_MOVE_LIMIT:
    case REFEREE_BY_TABLE:
    case REFEREE_BY_ARBITER:
        return "adjudication";
    case REFEREE_NONE:
    case REFEREE_ABORTED:
        return "unterminated";
    default:
        return "normal";
    }
}

// As other managers write it: 40/60+0.6, 10+0.1, and 0.5/move; `-` without a clock.
static void write_control(const referee_control *c, writer *w) {
    if (c->has_clock) {
        if (c->moves)
            write_format(w, "%d/", (int)c->moves);
        write_format(w, "%g", (double)c->base_us / 1e6);
        if (c->increment_us)
            write_format(w, "+%g", (double)c->increment_us / 1e6);
    } else if (c->move_time_us) {
        write_format(w, "%g/move", (double)c->move_time_us / 1e6);
    } else {
        write_char(w, '-');
    }
}

// One tag where both sides have the same control, else one for each.
static bool set_controls(record *r, const match_game_style *style) {
    char controls[2][64];
    if (!style->control[0] || !style->control[1])
        return true;
    for (int side = 0; side < 2; side++) {
        writer w = writer_on(controls[side], sizeof controls[side]);
        write_control(style->control[side], &w);
    }
    if (strcmp(controls[0], controls[1]) == 0)
        return set_tag(r, "TimeControl", controls[0]);
    return set_tag(r, "WhiteTimeControl", controls[0]) &&
           set_tag(r, "BlackTimeControl", controls[1]);
}

// `+0.31/12 0.520s, n=12345`: score and depth, time, nodes; the score from the mover's view.
static bool add_comment(record *r, const match_move *m, bool times) {
    char words[96];
    writer w = writer_on(words, sizeof words);
    if (m->score.known && m->score.is_mate)
        write_format(&w, "%cM%d", m->score.value > 0 ? '+' : '-', abs(m->score.value));
    else if (m->score.known)
        write_format(&w, "%+.2f", m->score.value / 100.0);
    if (m->score.known)
        write_format(&w, "/%d", (int)m->depth);
    if (times)
        write_format(&w, "%s%.3fs", w.used ? " " : "", (double)m->used / 1e6);
    if (m->nodes >= 0)
        write_format(&w, "%sn=%" PRId64, w.used ? ", " : "", m->nodes);
    return !w.used || record_set_comment(r, r->last, (text){words, w.used});
}

bool match_game_record(const match_game *g, const match_game_style *style, record *r) {
    record_init(r, style->game);
    writer w = writer_on(r->first, sizeof r->first);
    write_string(&w, style->first);
    w = writer_on(r->second, sizeof r->second);
    write_string(&w, style->second);
    w = writer_on(r->event, sizeof r->event);
    write_string(&w, "Kraton match");
    if (style->times) { // the day only: PGN's form
        w = writer_on(r->date, sizeof r->date);
        write_format(&w, "%.4s.%.2s.%.2s", g->started, g->started + 5, g->started + 8);
    }
    w = writer_on(r->fen, sizeof r->fen);
    write_string(&w, g->fen);
    r->result = g->verdict.outcome;
    char number[32], plies[16];
    w = writer_on(number, sizeof number);
    write_format(&w, "%d.%" PRIu32, g->pairing.round + 1, g->pairing.index + 1);
    w = writer_on(plies, sizeof plies);
    write_format(&w, "%" PRIu32, g->count);
    bool good = set_tag(r, "Round", number) && set_controls(r, style) &&
                set_tag(r, "PlyCount", plies) &&
                set_tag(r, "Termination", termination_of(g->verdict.reason)) &&
                set_tag(r, "Reason", referee_reason_name(g->verdict.reason)) &&
                set_tag(r, "Verdict", g->verdict.words);
    for (uint32_t i = 0; good && i < g->count; i++)
        good = record_add_move(r, g->moves[i].move) && add_comment(r, &g->moves[i], style->times);
    return good;
}
