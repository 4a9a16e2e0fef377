// The tags of PGN.
#include "records/pgn.h"

#include <strings.h>

enum { VALUE_SIZE = 2 * RECORD_TAG_SIZE };

// Undoes \" and \\ in place.
static void unescape(char *value) {
    char *to = value;
    for (const char *from = value; *from; from++) {
        if (*from == '\\' && (from[1] == '"' || from[1] == '\\'))
            from++;
        *to++ = *from;
    }
    *to = '\0';
}

// The game that a tag Game names, or NULL.
static const rules_game *find_game(const char *value) {
    const rules_game *game;
    for (int i = 0; (game = rules_nth(i)); i++) {
        const rules_properties *known = rules_properties_of(game);
        if (strcasecmp(value, known->pgn_game) == 0 ||
            (known->pgn_game_too && strcasecmp(value, known->pgn_game_too) == 0))
            return game;
    }
    return NULL;
}

static void name_unknown_game(const char *value, fault *words) {
    char known[160];
    writer w = writer_on(known, sizeof known);
    const rules_game *game, *usual = rules_default_game();
    write_format(&w, "neither %s", rules_properties_of(usual)->pgn_game);
    for (int i = 0; (game = rules_nth(i)); i++)
        if (game != usual)
            write_format(&w, " nor %s", rules_properties_of(game)->pgn_game);
    fault_set(words, "the game is %s, %s", fault_quote(text_of(value)).shown, known);
}

static void set_game(pgn_parser *p, uint32_t line, const char *value) {
    const rules_game *game = find_game(value), *wanted = p->reader->game;
    fault words;
    if (game && (!wanted || wanted == game)) {
        p->r->game = game;
        return;
    }
    if (!game)
        name_unknown_game(value, &words);
    else
        fault_set(&words, "a game of %s, not of %s", rules_name(game), rules_name(wanted));
    pgn_refuse(p, line, words.line);
}

static bool is_named(text name, const char *known) {
    return name.len == strlen(known) && strncasecmp(name.at, known, name.len) == 0;
}

static void set_tag(pgn_parser *p, uint32_t line, text name, text raw) {
    record *r = p->r;
    const struct {
        const char *name;
        char *field;
        size_t size;
    } fields[] = {
        {"Event", r->event, sizeof r->event},
        {"Site", r->site, sizeof r->site},
        {"Date", r->date, sizeof r->date},
        {"FEN", r->fen, sizeof r->fen},
    };
    char value[VALUE_SIZE];
    record_set_field(value, sizeof value, raw);
    unescape(value);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (is_named(name, fields[i].name)) {
            record_read_field(r, fields[i].name, fields[i].field, fields[i].size, text_of(value));
            return;
        }
    if (is_named(name, "Game"))
        set_game(p, line, value);
    else if (is_named(name, "Result"))
        p->result = raw; // understood once the game is known
    else if (is_named(name, "Format"))
        p->notation = pgn_notation_of(text_of(value), p->notation);
    else
        record_read_tag(r, name, text_of(value));
}

// The quote that closes a value: the first one of the line with a bracket behind it. raw.len where
// none does.
static size_t find_closing(text raw, size_t at) {
    while (at < raw.len && raw.at[at] != '\n') {
        char c = raw.at[at], next = at + 1 < raw.len ? raw.at[at + 1] : '\0';
        if (c == '"') {
            size_t end = pgn_skip_blanks(raw, at + 1);
            if (end < raw.len && raw.at[end] == ']')
                return at;
        }
        at += c == '\\' && (next == '"' || next == '\\') ? 2 : 1;
    }
    return raw.len;
}

// The name of the tag that starts with a bracket.
static text name_of(text raw) {
    size_t start = pgn_skip_blanks(raw, 1), end = start;
    while (end < raw.len && record_is_tag_char(raw.at[end]))
        end++;
    return (text){raw.at + start, end - start};
}

bool pgn_repeats_tag(const pgn_parser *p) {
    text name = name_of(p->reader->rest);
    bool is_first = name.len && name.len == p->first_tag.len &&
                    strncasecmp(name.at, p->first_tag.at, name.len) == 0;
    return is_first || (is_named(name, "Event") && p->r->event[0]);
}

void pgn_read_tag(pgn_parser *p) {
    record_reader *reader = p->reader;
    uint32_t line = reader->line;
    text raw = reader->rest, name = name_of(raw);
    size_t quote = pgn_skip_blanks(raw, (size_t)(name.at - raw.at) + name.len), closing = raw.len;
    if (name.len && quote < raw.len && raw.at[quote] == '"')
        closing = find_closing(raw, quote + 1);
    if (closing == raw.len) {
        const char *newline = memchr(raw.at, '\n', raw.len);
        pgn_advance(reader, newline ? (size_t)(newline - raw.at) : raw.len);
        pgn_refuse(p, line, "a tag is written [Name \"value\"]");
        return;
    }
    pgn_advance(reader, pgn_skip_blanks(raw, closing + 1) + 1);
    if (p->first_tag.len == 0)
        p->first_tag = name;
    set_tag(p, line, name, (text){raw.at + quote + 1, closing - quote - 1});
}

// Takes the value of a tag out of the record; false where there is none.
static bool take_tag(record *r, const char *name, char value[RECORD_TAG_SIZE]) {
    for (int i = 0; i < r->tag_count; i++)
        if (strcasecmp(r->tags[i].name, name) == 0) {
            memcpy(value, r->tags[i].value, RECORD_TAG_SIZE);
            memmove(&r->tags[i], &r->tags[i + 1], (size_t)(--r->tag_count - i) * sizeof r->tags[0]);
            return true;
        }
    return false;
}

// The players' tags are named by their sides, which are known once the game is. Programs made for
// chess call the side that moves first White in any game.
static void name_players(record *r) {
    bool has_first = take_tag(r, rules_side_name(r->game, 0), r->first);
    take_tag(r, rules_side_name(r->game, 1), r->second);
    if (!has_first)
        take_tag(r, "White", r->first);
}

// Programs that write -b for either side: then w is tried first, and the first move decides.
static void open_side(pgn_parser *p) {
    char *side = strchr(p->r->fen, ' ');
    bool is_open = side && side[1] == '-' && side[2] && strchr("bwr", side[2]) && !side[3];
    if (!is_open || p->reader->is_strict)
        return;
    record_remark(p->r, "the FEN says %s for the side to move: the first move tells it",
                  fault_quote(text_of(side + 1)).shown);
    memcpy(side, " w", sizeof " w");
    p->is_side_open = true;
}

bool pgn_turn_side(pgn_parser *p) {
    char *side = p->r->fen[0] ? strchr(p->r->fen, ' ') : NULL;
    fault why;
    if (!p->is_side_open)
        return false;
    p->is_side_open = false;
    replay_end(&p->game);
    if (!side) { // the start position
        record_set_field(p->r->fen, sizeof p->r->fen, text_of(rules_start_fen(p->r->game)));
        side = strchr(p->r->fen, ' ');
    }
    side[1] = 'b';
    return replay_begin(&p->game, p->r, p->reader->all.len, &why);
}

void pgn_end_tags(pgn_parser *p) {
    p->in_moves = true;
    if (!p->r->game)
        p->r->game = rules_default_game();
    name_players(p->r);
    p->has_result = p->result.len && result_of_words(p->r->game, p->result, &p->r->result);
    p->tagged = p->r->result;
    if (p->result.len && !p->has_result)
        record_read_result(p->r, p->result);
    open_side(p);
    fault words;
    if (!p->bad && !replay_begin(&p->game, p->r, p->reader->all.len, &words) && !pgn_turn_side(p))
        pgn_refuse(p, p->start, words.line);
}
