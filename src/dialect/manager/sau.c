// SAU, the manager's end: the Chinese contest's protocol. A game begins at the start
// position; an engine that plays Black is told so when its clock starts, since it moves at once.
#include "dialect/manager/protocol.h"

static void init(dialect_host *h) { h->notation = NOTATION_SAU; }

static void write_hello(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "name?\n");
}

static void write_new_game(dialect_host *h, int side, const dialect_limits *control, bool *answers,
                           writer *out) {
    (void)control, (void)answers; // no clock travels, and nothing is answered
    h->side = side;
    h->is_force = side == 0;
    h->pending[0] = '\0';
    if (side == 1)
        write_string(out, "new white\n");
}

static bool begin(dialect_host *h, const char *fen, writer *out) {
    (void)out;
    char clean[RULES_FEN_SIZE];
    writer w = writer_on(clean, sizeof clean);
    return !fen || (dialect_clean_fen(h->game, fen, &w) &&
                    text_is(text_of(clean), rules_start_fen(h->game)));
}

// Every move sent is a move to be answered, so none of an opening can be.
static bool played(dialect_host *h, const rules_state *before, rules_move move, bool own,
                   writer *out) {
    (void)out; // it goes out with the request for the answer
    if (own)
        return true;
    if (h->is_force || h->pending[0] || rules_side_to_move(before) == h->side)
        return false;
    writer w = writer_on(h->pending, sizeof h->pending);
    rules_format_move(before, move, h->notation, &w);
    return true;
}

static text write_go(dialect_host *h, int side, const dialect_limits *limits, writer *out) {
    (void)side, (void)limits;
    if (h->is_force)
        write_string(out, "new black\n");
    else if (h->pending[0])
        write_format(out, "move %s\n", h->pending);
    h->is_force = false;
    h->pending[0] = '\0';
    return (text){"", 0};
}

static void write_retry(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "error\n");
}

static void write_result(dialect_host *h, rules_outcome outcome, const char *reason, writer *out) {
    (void)h, (void)reason;
    write_string(out, outcome == RULES_FIRST_WINS    ? "end black\n"
                      : outcome == RULES_SECOND_WINS ? "end white\n"
                                                     : "end\n");
}

static void write_quit(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "quit\n");
}

static const char *untold_limit(const dialect_limits *l) {
    bool has_clock = l->clock_us[0] >= 0 || l->clock_us[1] >= 0 || l->move_time_us > 0;
    return has_clock ? "clock" : l->depth > 0 ? "depth" : l->nodes > 0 ? "nodes" : NULL;
}

static dialect_event read_line(dialect_host *h, text line) {
    text rest = line, word = text_next_word(&rest);
    if (text_is(word, "move"))
        return dialect_event_of(EVENT_MOVE, text_next_word(&rest));
    if (text_is(word, "name")) {
        dialect_event e = dialect_note_name(h, text_trim(rest));
        e.kind = EVENT_HELLO;
        return e;
    }
    return dialect_event_of(EVENT_NONE, line);
}

const dialect_protocol dialect_sau = {
    .untold_limit = untold_limit,
    .init = init,
    .hello = write_hello,
    .new_game = write_new_game,
    .begin = begin,
    .played = played,
    .go = write_go,
    .retry = write_retry,
    .result = write_result,
    .quit = write_quit,
    .read = read_line,
};
