#include "dialect/server.h"

#include <stdlib.h>

static const dialect_server *const servers[DIALECTS] = {
    [DIALECT_UCI] = &dialect_server_uci,
    [DIALECT_UCCI] = &dialect_server_ucci,
    [DIALECT_CECP] = &dialect_server_cecp,
    [DIALECT_SAU] = &dialect_server_sau,
};

void dialect_engine_init(dialect_engine *e, const rules_game *game, rules_state *state,
                         const dialect_identity *identity) {
    *e = (dialect_engine){.game = game,
                          .identity = identity,
                          .state = state,
                          .notation = NOTATION_UCI0,
                          .wants_info = true};
}

void dialect_engine_free(dialect_engine *e) {
    free(e->line);
    e->line = NULL;
    e->line_len = e->line_capacity = 0;
}

void dialect_engine_speak(dialect_engine *e, dialect_id id) {
    e->id = id;
    e->is_known = true;
    if (servers[id]->init)
        servers[id]->init(e);
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
    servers[e->id]->read(e, line, &c, out);
    if (c.abandons)
        e->is_thinking = false;
    if (c.kind == COMMAND_GO)
        e->is_thinking = true;
    return c;
}

void dialect_engine_write_info(const dialect_engine *e, const dialect_report *report, writer *out) {
    if (e->is_known && e->wants_info && servers[e->id]->info)
        servers[e->id]->info(e, report, out);
}

void dialect_engine_write_words(const dialect_engine *e, text words, writer *out) {
    if (e->is_known && servers[e->id]->words)
        servers[e->id]->words(e, words, out);
}

void dialect_engine_write_hint(const dialect_engine *e, rules_move expected, writer *out) {
    if (e->is_known && e->wants_info && servers[e->id]->hint)
        servers[e->id]->hint(e, expected, out);
}

void dialect_engine_write_move(dialect_engine *e, const dialect_answer *answer, writer *out) {
    e->is_thinking = false;
    servers[e->id]->move(e, answer, out);
}

void dialect_engine_write_no_move(dialect_engine *e, writer *out) {
    e->is_thinking = false;
    if (servers[e->id]->no_move)
        servers[e->id]->no_move(e, out);
}

void dialect_engine_write_claim(const dialect_engine *e, rules_outcome outcome, const char *words,
                                writer *out) {
    if (e->is_known && servers[e->id]->claim)
        servers[e->id]->claim(e, outcome, words, out);
}
