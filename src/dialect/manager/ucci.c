// UCCI 3.0, the manager's end. Squares are a0..i9. Time goes out in seconds unless the engine has
// the option usemillisec, which is then switched on. `go` takes one kind of limit: depth before
// nodes before time; a fixed time per move is a clock with one move to go.
#include "dialect/manager/protocol.h"

static void write_hello(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "ucci\n");
}

static void write_set(text name, text value, writer *out) {
    write_string(out, "setoption ");
    write_text(out, name);
    if (value.len) {
        write_char(out, ' ');
        write_text(out, value);
    }
    write_char(out, '\n');
}

static void write_option(dialect_host *h, text name, text value, writer *out) {
    if (text_is(name, "usemillisec")) { // somebody knows better
        h->milliseconds = text_is(value, "true");
        h->must_set_milliseconds = false;
    }
    write_set(name, value, out);
}

static void write_ping(dialect_host *h, bool *answers, writer *out) {
    (void)h;
    *answers = true;
    write_string(out, "isready\n");
}

static void write_new_game(dialect_host *h, int side, const dialect_limits *control, bool *answers,
                           writer *out) {
    (void)side, (void)control;
    if (h->must_set_milliseconds)
        write_set(text_of("usemillisec"), text_of("true"), out);
    h->must_set_milliseconds = false;
    if (h->has_newgame)
        write_set(text_of("newgame"), text_of(""), out);
    write_ping(h, answers, out);
}

static long long time_unit(const dialect_host *h, int64_t us) {
    return h->milliseconds ? dialect_milliseconds(us) : us / 1000000;
}

static void write_clocks(const dialect_host *h, int side, const dialect_limits *l, writer *out) {
    static const char *const prefix[2] = {"", "opp"};
    for (int i = 0; i < 2; i++) {
        int whose = side ^ i;
        if (l->clock_us[whose] < 0)
            continue;
        write_format(out, " %stime %lld", prefix[i], time_unit(h, l->clock_us[whose]));
        if (l->moves_to_go > 0)
            write_format(out, " %smovestogo %d", prefix[i], (int)l->moves_to_go);
        else
            write_format(out, " %sincrement %lld", prefix[i],
                         l->increment_us[whose] ? time_unit(h, l->increment_us[whose]) : 0);
    }
}

static text write_go(dialect_host *h, int side, const dialect_limits *l, writer *out) {
    write_string(out, "go");
    if (l->depth > 0)
        dialect_write_field(out, "depth", l->depth);
    else if (l->nodes > 0)
        dialect_write_field(out, "nodes", l->nodes);
    else if (l->move_time_us > 0)
        write_format(out, " time %lld movestogo 1", time_unit(h, l->move_time_us));
    else if (l->clock_us[side] >= 0)
        write_clocks(h, side, l, out);
    else
        write_string(out, " infinite");
    write_char(out, '\n');
    return buffer_text(&h->position);
}

static void write_stop(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "stop\n");
}

static void write_quit(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "quit\n");
}

static const char *untold_limit(const dialect_limits *l) {
    bool has_clock = l->clock_us[0] >= 0 || l->clock_us[1] >= 0 || l->move_time_us > 0;
    if (has_clock && (l->depth > 0 || l->nodes > 0))
        return "clock";
    return l->depth > 0 && l->nodes > 0 ? "nodes" : NULL;
}

// --- reading ------------------------------------------------------------------------------------

static dialect_event read_option(dialect_host *h, text rest) {
    text name = text_next_word(&rest);
    if (name.len == 0)
        return dialect_malformed("option without a name");
    if (text_is(name, "usemillisec"))
        h->milliseconds = h->must_set_milliseconds = true;
    if (text_is(name, "newgame"))
        h->has_newgame = true;
    return dialect_note_option(h, name);
}

static dialect_event read_line(dialect_host *h, text line) {
    text rest = line, word = text_next_word(&rest);
    if (text_is(word, "option"))
        return read_option(h, rest);
    if (text_is(word, "nobestmove"))
        return dialect_event_of(EVENT_NO_MOVE, word);
    if (text_is(word, "bye"))
        return dialect_event_of(EVENT_BYE, word);
    return dialect_read_shared(h, "ucciok", line);
}

const dialect_protocol dialect_ucci = {
    .untold_limit = untold_limit,
    .hello = write_hello,
    .option = write_option,
    .new_game = write_new_game,
    .ping = write_ping,
    .begin = dialect_position_begin,
    .played = dialect_position_played,
    .go = write_go,
    .stop = write_stop,
    .quit = write_quit,
    .read = read_line,
};
