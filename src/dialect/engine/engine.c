#include "dialect/engine/protocol.h"

static const dialect_engine_protocol *const protocols[DIALECTS] = {
    [DIALECT_UCI] = &dialect_engine_uci,
    [DIALECT_UCCI] = &dialect_engine_ucci,
    [DIALECT_CECP] = &dialect_engine_cecp,
    [DIALECT_SAU] = &dialect_engine_sau,
};

void dialect_engine_init(dialect_engine *e, const rules_game *game, rules_state *state,
                         const dialect_identity *identity) {
    *e = (dialect_engine){.game = game,
                          .identity = identity,
                          .state = state,
                          .notation = NOTATION_UCI0,
                          .wants_info = true};
}

void dialect_engine_free(dialect_engine *e) { buffer_free(&e->line); }

void dialect_engine_speak(dialect_engine *e, dialect_id id) {
    e->id = id;
    e->is_known = true;
    if (protocols[id]->init)
        protocols[id]->init(e);
}

// The dialect a first line is in. What all of UCI's family say counts as UCI.
static bool detect(text line, dialect_id *id) {
    static const struct {
        const char *word;
        dialect_id id;
    } first_words[] = {
        {"uci", DIALECT_UCI},       {"isready", DIALECT_UCI}, {"position", DIALECT_UCI},
        {"setoption", DIALECT_UCI}, {"go", DIALECT_UCI},      {"ucinewgame", DIALECT_UCI},
        {"ucci", DIALECT_UCCI},     {"xboard", DIALECT_CECP}, {"protover", DIALECT_CECP},
        {"name?", DIALECT_SAU},
    };
    if (text_is(line, "new black") || text_is(line, "new white")) {
        *id = DIALECT_SAU;
        return true;
    }
    text word = text_next_word(&line);
    for (size_t i = 0; i < sizeof first_words / sizeof first_words[0]; i++)
        if (text_is(word, first_words[i].word)) {
            *id = first_words[i].id;
            return true;
        }
    return false;
}

dialect_command dialect_engine_read(dialect_engine *e, text line, writer *out) {
    dialect_command c = {.go.limits.clock_us = {-1, -1}};
    line = text_trim(line);
    if (!e->is_known) {
        dialect_id id;
        if (text_is(line, "quit"))
            c.kind = COMMAND_QUIT;
        if (!detect(line, &id) || !dialect_can_play(id, e->game))
            return c;
        dialect_engine_speak(e, id);
    }
    protocols[e->id]->read(e, line, &c, out);
    if (c.abandons)
        e->is_thinking = false;
    if (c.kind == COMMAND_GO)
        e->is_thinking = true;
    return c;
}

void dialect_engine_write_info(const dialect_engine *e, const dialect_report *report, writer *out) {
    if (e->is_known && e->wants_info && protocols[e->id]->info)
        protocols[e->id]->info(e, report, out);
}

void dialect_engine_write_words(const dialect_engine *e, text words, writer *out) {
    if (e->is_known && protocols[e->id]->words)
        protocols[e->id]->words(e, words, out);
}

void dialect_engine_write_hint(const dialect_engine *e, rules_move expected, writer *out) {
    if (e->is_known && e->wants_info && protocols[e->id]->hint)
        protocols[e->id]->hint(e, expected, out);
}

void dialect_engine_write_move(dialect_engine *e, const dialect_answer *answer, writer *out) {
    e->is_thinking = false;
    protocols[e->id]->move(e, answer, out);
}

void dialect_engine_write_no_move(dialect_engine *e, writer *out) {
    e->is_thinking = false;
    if (protocols[e->id]->no_move)
        protocols[e->id]->no_move(e, out);
}

void dialect_engine_write_claim(const dialect_engine *e, rules_outcome outcome, const char *words,
                                writer *out) {
    if (e->is_known && protocols[e->id]->claim)
        protocols[e->id]->claim(e, outcome, words, out);
}
