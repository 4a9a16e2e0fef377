// UCI, the manager's end. Squares are a0..i9 as with Pikafish unless the engine has the option
// UCI_Variant, as Fairy-Stockfish: then that is set to the game and squares are a1..i10.
#include "dialect/manager/protocol.h"

static void write_hello(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "uci\n");
}

static void write_set(text name, text value, writer *out) {
    write_string(out, "setoption name ");
    write_text(out, name);
    if (value.len) { // a button has none
        write_string(out, " value ");
        write_text(out, value);
    }
    write_char(out, '\n');
}

static void write_option(dialect_host *h, text name, text value, writer *out) {
    if (text_is(name, "UCI_Variant"))
        h->variant[0] = '\0'; // somebody knows better
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
    if (h->variant[0]) { // once is enough
        write_set(text_of("UCI_Variant"), text_of(h->variant), out);
        h->variant[0] = '\0';
    }
    write_string(out, "ucinewgame\n");
    write_ping(h, answers, out);
}

static text write_go(dialect_host *h, int side, const dialect_limits *limits, writer *out) {
    (void)side; // the clocks go by side, not by who is to move
    static const char *const clock[2] = {"wtime", "btime"}, *const increment[2] = {"winc", "binc"};
    size_t start = out->used;
    write_string(out, "go");
    size_t bare = out->used - start;
    for (int i = 0; i < 2; i++)
        if (limits->clock_us[i] >= 0)
            dialect_write_field(out, clock[i], dialect_milliseconds(limits->clock_us[i]));
    for (int i = 0; i < 2; i++)
        if (limits->clock_us[i] >= 0 && limits->increment_us[i] > 0)
            dialect_write_field(out, increment[i], dialect_milliseconds(limits->increment_us[i]));
    if (limits->moves_to_go > 0)
        dialect_write_field(out, "movestogo", limits->moves_to_go);
    if (limits->move_time_us > 0)
        dialect_write_field(out, "movetime", dialect_milliseconds(limits->move_time_us));
    if (limits->depth > 0)
        dialect_write_field(out, "depth", limits->depth);
    if (limits->nodes > 0)
        dialect_write_field(out, "nodes", limits->nodes);
    write_string(out, out->used - start == bare ? " infinite\n" : "\n");
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

// --- reading ------------------------------------------------------------------------------------

// Whether the option's line lists this choice. An option without choices takes any.
static bool offers(text rest, const char *choice) {
    bool has_choices = false;
    for (text word = text_next_word(&rest); word.len; word = text_next_word(&rest))
        if (text_is(word, "var")) {
            has_choices = true;
            if (text_is(text_next_word(&rest), choice))
                return true;
        }
    return !has_choices;
}

static void use_variant(dialect_host *h) {
    writer w = writer_on(h->variant, sizeof h->variant);
    write_string(&w, rules_name(h->game));
    if (!h->notation_is_fixed && rules_has_notation(h->game, NOTATION_UCI1))
        h->notation = NOTATION_UCI1;
}

// `name TEXT type ...`: the name may have blanks.
static dialect_event read_option(dialect_host *h, text rest) {
    if (!text_is(text_next_word(&rest), "name"))
        return dialect_malformed("option without a name");
    text name = text_trim(rest);
    for (text ahead = rest, word = text_next_word(&ahead); word.len; word = text_next_word(&ahead))
        if (text_is(word, "type")) {
            name = text_trim((text){rest.at, (size_t)(word.at - rest.at)});
            break;
        }
    if (name.len == 0)
        return dialect_malformed("option without a name");
    if (text_is(name, "UCI_Variant") && offers(rest, rules_name(h->game)))
        use_variant(h);
    return dialect_note_option(h, name);
}

static dialect_event read_line(dialect_host *h, text line) {
    text rest = line, word = text_next_word(&rest);
    if (text_is(word, "option"))
        return read_option(h, rest);
    return dialect_read_shared(h, "uciok", line);
}

const dialect_protocol dialect_uci = {
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
