#include "dialect/manager/protocol.h"

static const dialect_protocol *const protocols[DIALECTS] = {
    [DIALECT_UCI] = &dialect_uci,
    [DIALECT_UCCI] = &dialect_ucci,
    [DIALECT_CECP] = &dialect_cecp,
    [DIALECT_SAU] = &dialect_sau,
};

const char *dialect_untold_limit(dialect_id id, const dialect_limits *limits) {
    return protocols[id]->untold_limit ? protocols[id]->untold_limit(limits) : NULL;
}

// Whether the engine can do what its protocol supports.
static bool has_support(dialect_support support, bool is_offered) {
    return support == SUPPORT_ALWAYS || (support == SUPPORT_IF_OFFERED && is_offered);
}

bool dialect_can_set_up(const dialect_host *h) {
    return has_support(dialect_properties_of(h->id)->set_up, h->can_setboard);
}

void dialect_host_init(dialect_host *h, dialect_id id, const rules_game *game) {
    *h = (dialect_host){.id = id, .game = game, .notation = NOTATION_UCI0};
    if (protocols[id]->init)
        protocols[id]->init(h);
}

void dialect_host_free(dialect_host *h) { buffer_free(&h->position); }

void dialect_write_hello(dialect_host *h, writer *out) { protocols[h->id]->hello(h, out); }

void dialect_write_option(dialect_host *h, text name, text value, writer *out) {
    if (protocols[h->id]->option)
        protocols[h->id]->option(h, name, value, out);
}

void dialect_write_new_game(dialect_host *h, int side, const dialect_limits *control, bool *answers,
                            writer *out) {
    *answers = false;
    protocols[h->id]->new_game(h, side, control, answers, out);
}

void dialect_write_ping(dialect_host *h, bool *answers, writer *out) {
    *answers = false;
    if (protocols[h->id]->ping)
        protocols[h->id]->ping(h, answers, out);
}

bool dialect_begin(dialect_host *h, const char *fen, writer *out) {
    return protocols[h->id]->begin(h, fen, out);
}

bool dialect_played(dialect_host *h, const rules_state *before, rules_move move, bool own,
                    writer *out) {
    return protocols[h->id]->played(h, before, move, own, out);
}

text dialect_write_go(dialect_host *h, int side, const dialect_limits *limits, writer *out) {
    return protocols[h->id]->go(h, side, limits, out);
}

bool dialect_write_ponder(dialect_host *h, const rules_state *now, rules_move guess,
                          const dialect_limits *limits, writer *out) {
    if ((h->id != DIALECT_UCI && h->id != DIALECT_UCCI) || h->position.len == 0)
        return false;
    char room[512];
    writer go = writer_on(room, sizeof room);
    text line = dialect_write_go(h, !rules_side_to_move(now), limits, &go);
    write_text(out, text_trim(line));
    write_string(out, h->position_moves ? " " : " moves ");
    rules_format_move(now, guess, h->notation, out);
    write_string(out, "\ngo ponder");
    write_text(out, text_skip((text){room, go.used}, 2)); // behind its own "go"
    return !out->overflow;
}

void dialect_write_ponder_hit(dialect_host *h, writer *out) {
    if (h->id == DIALECT_UCI || h->id == DIALECT_UCCI)
        write_string(out, "ponderhit\n");
}

void dialect_write_stop(dialect_host *h, writer *out) {
    if (protocols[h->id]->stop)
        protocols[h->id]->stop(h, out);
}

void dialect_write_retry(dialect_host *h, writer *out) {
    if (protocols[h->id]->retry)
        protocols[h->id]->retry(h, out);
}

void dialect_write_result(dialect_host *h, rules_outcome outcome, const char *reason, writer *out) {
    if (protocols[h->id]->result)
        protocols[h->id]->result(h, outcome, reason, out);
}

void dialect_write_quit(dialect_host *h, writer *out) { protocols[h->id]->quit(h, out); }

// Whether there are bytes that no text has. Bytes from 0x80 on may be text in any encoding; some
// engines print for terminals, with escape sequences.
static bool is_binary(text line) {
    bool any = false; // no early end: so the compiler makes it a loop over vectors
    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)line.at[i];
        any |= (c < ' ') & !((c >= '\a') & (c <= '\r')) & (c != '\033');
        any |= c == 0x7f;
    }
    return any;
}

dialect_event dialect_read(dialect_host *h, text line) {
    if (line.len > DIALECT_LINE_MAX)
        return dialect_malformed("a line over the limit");
    dialect_event event = protocols[h->id]->read(h, text_trim(line));
    bool is_noise = is_binary(line);
    if (is_noise && event.kind == EVENT_NONE)
        event = dialect_malformed("not text");
    event.is_binary = is_noise;
    return event;
}

bool dialect_parse_move(const dialect_host *h, const rules_state *s, text word, rules_move *move,
                        fault *why) {
    return rules_parse_move_as(s, h->notation, word, move, why);
}

bool dialect_is_reusable(const dialect_host *h) {
    // Without a sign of readiness nobody could tell that it has left meanwhile.
    return has_support(dialect_properties_of(h->id)->reuse, h->is_reusable && h->can_ping);
}
