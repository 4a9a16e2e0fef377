// CECP version 2, the xboard protocol, the manager's end. First is White, squares are a0..i9, and a
// FEN has xboard's letters and only four fields. The engine is kept in force mode
// until its first move is due; from then on the opponent's move is what makes it think, so that
// goes out with the clocks in dialect_write_go.
#include "base/minmax.h"
#include "dialect/manager/protocol.h"

enum { MATE_SCORE = 100000 }; // and more: the rest is the number of moves

static void init(dialect_host *h) {
    writer w = writer_on(h->variant, sizeof h->variant);
    write_string(&w, rules_name(h->game));
    h->is_force = h->wants_clock = h->is_reusable = true;
}

static void write_hello(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "xboard\nprotover 2\n");
}

// --- features -----------------------------------------------------------------------------------

typedef enum {
    FEATURE_PING,
    FEATURE_SETBOARD,
    FEATURE_USERMOVE,
    FEATURE_TIME,
    FEATURE_COLORS,
    FEATURE_REUSE,
    FEATURE_SIGINT,
    FEATURE_SIGTERM,
    FEATURE_VARIANTS,
    FEATURE_MYNAME,
    FEATURE_OPTION,
    FEATURE_MEMORY,
    FEATURE_SMP,
    FEATURE_DONE,
    FEATURES
} feature;

static const char *const feature_names[FEATURES] = {
    "ping",    "setboard", "usermove", "time",   "colors", "reuse", "sigint",
    "sigterm", "variants", "myname",   "option", "memory", "smp",   "done"};

// Cuts NAME=VALUE or NAME="VALUE" off the rest; false at its end.
static bool next_feature(text *rest, text *name, text *value) {
    *rest = text_trim(*rest);
    size_t n = 0;
    while (n < rest->len && rest->at[n] != '=' && rest->at[n] != ' ')
        n++;
    *name = (text){rest->at, n};
    if (n == rest->len || rest->at[n] != '=') {
        *value = (text){rest->at, 0};
        *rest = text_skip(*rest, n);
        return n > 0;
    }
    *rest = text_skip(*rest, n + 1);
    bool is_quoted = text_starts(*rest, "\"");
    *rest = text_skip(*rest, is_quoted);
    n = 0;
    while (n < rest->len && rest->at[n] != (is_quoted ? '"' : ' '))
        n++;
    *value = (text){rest->at, n};
    *rest = text_skip(*rest, n + is_quoted);
    return true;
}

// `Hash -spin 16 1 1024`: the name ends where the type begins.
static text option_name(text value) {
    for (size_t i = 0; i + 1 < value.len; i++)
        if (value.at[i] == ' ' && value.at[i + 1] == '-')
            return text_trim((text){value.at, i});
    return text_trim(value);
}

// Of what a line of features says, one thing is reported: that they are done, a name, an option.
static void take_feature(dialect_host *h, feature f, text value, dialect_event *e) {
    bool on = text_is(value, "1");
    switch (f) {
    case FEATURE_PING:
        h->can_ping = on;
        break;
    case FEATURE_SETBOARD:
        h->can_setboard = on;
        break;
    case FEATURE_USERMOVE:
        h->can_usermove = on;
        break;
    case FEATURE_TIME:
        h->wants_clock = on;
        break;
    case FEATURE_COLORS:
        h->wants_colours = on;
        break;
    case FEATURE_REUSE:
        h->is_reusable = on;
        break;
    case FEATURE_MYNAME: {
        dialect_event named = dialect_note_name(h, value);
        if (e->kind == EVENT_NONE || e->kind == EVENT_OPTION)
            *e = named;
        break;
    }
    case FEATURE_OPTION: {
        dialect_event option = dialect_note_option(h, option_name(value));
        if (e->kind == EVENT_NONE)
            *e = option;
        break;
    }
    case FEATURE_MEMORY: // as write_option calls them
        if (on)
            dialect_note_option(h, text_of("memory"));
        break;
    case FEATURE_SMP:
        if (on)
            dialect_note_option(h, text_of("cores"));
        break;
    case FEATURE_DONE:
        h->has_done = on;
        *e = dialect_event_of(on ? EVENT_HELLO : EVENT_WAIT, value);
        break;
    default:
        break;
    }
}

static dialect_event read_features(dialect_host *h, text rest) {
    dialect_event e = dialect_event_of(EVENT_NONE, rest);
    text name, value;
    while (next_feature(&rest, &name, &value))
        for (int f = 0; f < FEATURES; f++)
            if (text_is(name, feature_names[f])) {
                h->features |= 1u << f;
                take_feature(h, (feature)f, value, &e);
            }
    return e;
}

static void acknowledge(dialect_host *h, writer *out) {
    for (int f = 0; f < FEATURES; f++)
        if (h->features >> f & 1)
            write_format(out, "accepted %s\n", feature_names[f]);
    h->features = 0;
}

// --- writing ------------------------------------------------------------------------------------

static void write_option(dialect_host *h, text name, text value, writer *out) {
    acknowledge(h, out);
    bool plain = text_is(name, "memory") || text_is(name, "cores");
    if (!plain)
        write_string(out, "option ");
    write_text(out, name);
    if (value.len) {
        write_char(out, plain ? ' ' : '=');
        write_text(out, value);
    }
    write_char(out, '\n');
}

static void write_ping(dialect_host *h, bool *answers, writer *out) {
    if (!h->can_ping)
        return;
    *answers = true;
    write_format(out, "ping %u\n", (unsigned)++h->pings);
}

// Engines read `st` as whole seconds (some leave the game over anything else), so a fixed
// time that is none is a clock for one move.
static bool is_whole_seconds(int64_t us) { return us > 0 && us % 1000000 == 0; }

static void write_level(int moves, int64_t base_us, int64_t increment_us, writer *out) {
    long long seconds = (base_us + 999999) / 1000000; // `time` will tell exactly
    write_format(out, "level %d %lld:%02lld ", moves, seconds / 60, seconds % 60);
    if (increment_us % 1000000 == 0)
        write_format(out, "%lld\n", (long long)(increment_us / 1000000));
    else
        write_format(out, "%.3f\n", (double)increment_us / 1e6);
}

static void write_control(int side, const dialect_limits *l, writer *out) {
    if (is_whole_seconds(l->move_time_us))
        write_format(out, "st %lld\n", (long long)(l->move_time_us / 1000000));
    else if (l->move_time_us > 0)
        write_level(1, l->move_time_us, 0, out);
    else if (l->clock_us[side] >= 0)
        write_level(l->moves_to_go, l->clock_us[side], l->increment_us[side], out);
    if (l->depth > 0)
        write_format(out, "sd %d\n", (int)l->depth);
}

static void write_new_game(dialect_host *h, int side, const dialect_limits *control, bool *answers,
                           writer *out) {
    acknowledge(h, out);
    write_string(out, "new\n");
    if (h->variant[0])
        write_format(out, "variant %s\n", h->variant);
    write_string(out, "force\n");
    write_control(side, control, out);
    write_string(out, "easy\npost\n");
    h->side = side;
    h->is_force = true;
    h->pending[0] = '\0';
    write_ping(h, answers, out);
}

static char xboard_letter(const rules_game *game, char c) {
    for (const char *pair = rules_properties_of(game)->xboard_letters; *pair; pair += 2)
        if (pair[0] == c)
            return pair[1];
    return c;
}

// The FEN as xboard writes it: with its letters, and neither castling nor en passant.
static void write_board(const rules_game *game, text fen, writer *out) {
    text board = text_next_word(&fen);
    for (size_t i = 0; i < board.len; i++)
        write_char(out, xboard_letter(game, board.at[i]));
    for (text word = text_next_word(&fen); word.len; word = text_next_word(&fen))
        if (!text_is(word, "-")) {
            write_char(out, ' ');
            write_text(out, word);
        }
}

static bool begin(dialect_host *h, const char *fen, writer *out) {
    char clean[RULES_FEN_SIZE];
    writer w = writer_on(clean, sizeof clean);
    if (!fen)
        return true;
    if (!h->can_setboard || !dialect_clean_fen(h->game, fen, &w))
        return false;
    write_string(out, "setboard ");
    write_board(h->game, (text){clean, w.used}, out);
    write_char(out, '\n');
    return true;
}

static void write_move(const dialect_host *h, const char *move, writer *out) {
    write_format(out, "%s%s\n", h->can_usermove ? "usermove " : "", move);
}

static bool played(dialect_host *h, const rules_state *before, rules_move move, bool own,
                   writer *out) {
    if (own)
        return true;
    if (!h->is_force && h->pending[0]) { // two in a row: nobody wants an answer to the first
        write_string(out, "force\n");
        write_move(h, h->pending, out);
        h->is_force = true;
        h->pending[0] = '\0';
    }
    char word[RULES_MOVE_SIZE];
    writer w =
        h->is_force ? writer_on(word, sizeof word) : writer_on(h->pending, sizeof h->pending);
    rules_format_move(before, move, h->notation, &w);
    if (h->is_force)
        write_move(h, word, out);
    return true;
}

static void write_clocks(int side, const dialect_limits *l, writer *out) {
    int64_t own = l->clock_us[side], other = l->clock_us[side ^ 1];
    if (l->move_time_us > 0)
        own = other = is_whole_seconds(l->move_time_us) ? -1 : l->move_time_us;
    if (own < 0)
        return;
    long long own_cs = own < 10000 ? 1 : own / 10000;
    long long other_cs = other < 0 ? own_cs : other < 10000 ? 1 : other / 10000;
    write_format(out, "time %lld\notim %lld\n", own_cs, other_cs);
}

static text write_go(dialect_host *h, int side, const dialect_limits *limits, writer *out) {
    if (h->wants_clock)
        write_clocks(side, limits, out);
    if (!h->is_force && h->pending[0]) {
        write_move(h, h->pending, out);
    } else {
        if (h->wants_colours)
            write_string(out, side == 0 ? "white\n" : "black\n");
        write_string(out, "go\n");
    }
    h->is_force = false;
    h->pending[0] = '\0';
    return (text){"", 0};
}

static void write_stop(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "?\n");
}

static void write_result(dialect_host *h, rules_outcome outcome, const char *reason, writer *out) {
    static const char *const results[] = {"*", "1-0", "0-1", "1/2-1/2"};
    write_format(out, "result %s {", results[outcome]);
    for (; *reason; reason++) // may quote what another engine wrote
        write_char(out, strchr("{}", *reason) || (unsigned char)*reason < 0x20 ? '?' : *reason);
    write_string(out, "}\nforce\n");
    h->is_force = true;
}

static void write_quit(dialect_host *h, writer *out) {
    (void)h;
    write_string(out, "quit\n");
}

static const char *untold_limit(const dialect_limits *l) { return l->nodes > 0 ? "nodes" : NULL; }

// --- reading ------------------------------------------------------------------------------------

// The number a word begins with, and nothing behind it but marks such as in `12.` or `8&`.
static bool leading_number(text word, const char *marks, int64_t *value) {
    size_t n = word.len;
    while (n && word.at[n - 1] && strchr(marks, word.at[n - 1]))
        n--;
    return text_to_int((text){word.at, n}, -INT64_C(1000000000000000), INT64_C(1000000000000000),
                       value);
}

// `PLY SCORE TIME NODES PV`, time in hundredths of a second. Much else begins with a digit, so what
// does not fit is no fault.
static bool read_thinking(dialect_host *h, text line, dialect_info *info) {
    int64_t ply, score, time, nodes;
    if (!leading_number(text_next_word(&line), ".+-&!?", &ply) ||
        !leading_number(text_next_word(&line), "+-?!", &score) ||
        !leading_number(text_next_word(&line), "", &time) ||
        !leading_number(text_next_word(&line), "", &nodes))
        return false;
    if (score < -1000000000 || score > 1000000000 || ply > 1000000)
        return false;
    info->has_score = true;
    info->is_mate = score >= MATE_SCORE || score <= -MATE_SCORE;
    info->score = (int32_t)(score >= MATE_SCORE    ? score - MATE_SCORE
                            : score <= -MATE_SCORE ? score + MATE_SCORE
                                                   : score);
    info->depth = ply < 0 ? 0 : (int32_t)ply;
    info->time_ms = time < 0 ? 0 : time * 10;
    info->nodes = max_i64(nodes, 0);
    info->pv = text_trim(line);
    dialect_note_squares(h, info->pv);
    return true;
}

static dialect_event read_move(dialect_host *h, text word) {
    dialect_note_squares(h, word);
    return dialect_event_of(EVENT_MOVE, word);
}

static dialect_event read_number(dialect_host *h, text line) {
    text rest = line, word = text_next_word(&rest);
    if (text_is(word, "1-0") || text_is(word, "0-1") || text_is(word, "1/2-1/2"))
        return dialect_event_of(EVENT_RESULT, line);
    dialect_event e = dialect_event_of(EVENT_INFO, (text){line.at, 0});
    if (read_thinking(h, line, &e.info))
        return e;
    int64_t number; // `12. ... h9g7`: a move as before version 2
    if (leading_number(word, ".", &number) && text_is(text_next_word(&rest), "..."))
        return read_move(h, text_next_word(&rest));
    return dialect_event_of(EVENT_NONE, line);
}

static bool contains(text t, const char *part) {
    for (; t.len; t = text_skip(t, 1))
        if (text_starts(t, part))
            return true;
    return false;
}

// `Error (why): COMMAND ...`. An engine need not know everything; what the game rests on it must.
static dialect_event read_error(text line) {
    static const char *const vital[] = {"new", "variant", "force", "setboard", "usermove", "go"};
    const char *colon = line.len ? memchr(line.at, ':', line.len) : NULL;
    text rest = colon ? text_skip(line, (size_t)(colon - line.at) + 1) : (text){line.at, 0};
    text word = text_next_word(&rest);
    bool refused = contains(line, "llegal move");
    for (size_t i = 0; i < sizeof vital / sizeof vital[0]; i++)
        refused |= text_is(word, vital[i]);
    return dialect_event_of(refused ? EVENT_REFUSED : EVENT_NONE, line);
}

static dialect_event read_line(dialect_host *h, text line) {
    text rest = line, word = text_next_word(&rest);
    if (line.len && ((line.at[0] >= '0' && line.at[0] <= '9') || line.at[0] == '-'))
        return read_number(h, line);
    if (text_is(word, "move"))
        return read_move(h, text_next_word(&rest));
    if (text_is(word, "pong")) {
        int64_t number;
        bool last =
            text_to_int(text_next_word(&rest), 0, UINT32_MAX, &number) && number == h->pings;
        return dialect_event_of(last ? EVENT_READY : EVENT_NONE, line);
    }
    if (text_is(word, "feature"))
        return read_features(h, rest);
    if (text_is(word, "offer") && text_is(text_trim(rest), "draw"))
        return dialect_event_of(EVENT_DRAW, line);
    if (text_is(word, "resign"))
        return dialect_event_of(EVENT_RESIGN, line);
    if (text_starts(line, "Illegal move"))
        return dialect_event_of(EVENT_REFUSED, line);
    if (text_is(word, "tellusererror") && (contains(rest, "llegal") || contains(rest, "FEN")))
        return dialect_event_of(EVENT_REFUSED, line);
    if (text_is(word, "Error"))
        return read_error(line);
    return dialect_event_of(EVENT_NONE, line);
}

const dialect_protocol dialect_cecp = {
    .untold_limit = untold_limit,
    .init = init,
    .hello = write_hello,
    .option = write_option,
    .new_game = write_new_game,
    .ping = write_ping,
    .begin = begin,
    .played = played,
    .go = write_go,
    .stop = write_stop,
    .result = write_result,
    .quit = write_quit,
    .read = read_line,
};
