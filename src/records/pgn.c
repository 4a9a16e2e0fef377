// PGN, read: tags, then moves in any notation with numbers, comments, variations, NAGs and a
// result, in one pass. docs/records.md has the grammar.
#include "base/vector.h"
#include "records/format.h"
#include "records/words.h"

#include <stdlib.h>
#include <strings.h>

enum { VALUE_SIZE = 512 };

typedef struct {
    record_reader *reader;
    record *r;
    replay game;
    fault *why;     // of the first thing wrong
    uint32_t start; // line the game starts on
    bool bad;       // something was wrong: the rest of the game is skipped
    bool in_moves;  // the tags are over
    bool done;      // the result was seen
    uint32_t *open; // variations not closed yet: for each, the node of the move it replaces
    size_t depth, open_capacity;
    size_t skipped;    // the variation of this depth cannot be played: skipped to its end; 0: none
    buffer comment;    // words that wait for the move that they stand before
    int notation;      // -1: any
    bool has_result;   // a Result tag was there
    uint32_t left_out; // line of the first tag there was no room for
} pgn_parser;

static void refuse(pgn_parser *p, uint32_t line, const char *words) {
    if (!p->bad)
        record_refuse(p->why, line, "%s", words);
    p->bad = true;
}

// --- characters ---------------------------------------------------------------------------------

static void advance(record_reader *reader, size_t bytes) {
    if (bytes && reader->rest.at[0] == '\n')
        reader->line++;
    reader->rest = text_skip(reader->rest, bytes);
}

// Bytes of the blank the rest starts with, the wide blank of Chinese text included, or 0.
static size_t blank_length(const record_reader *reader) {
    static const char wide[] = "\xe3\x80\x80";
    text rest = reader->rest;
    if (rest.len && (rest.at[0] == ' ' || (rest.at[0] >= '\t' && rest.at[0] <= '\r')))
        return 1;
    bool may_be_wide = rest.len && rest.at[0] == wide[0];
    return may_be_wide && text_starts(rest, wide) ? strlen(wide) : 0;
}

static bool at_line_start(const record_reader *reader) {
    return reader->rest.at == reader->all.at || reader->rest.at[-1] == '\n';
}

// Takes everything up to the closing character, that one included; false where it never comes.
static bool skip_past(record_reader *reader, char closing) {
    while (reader->rest.len) {
        char c = reader->rest.at[0];
        advance(reader, 1);
        if (c == closing)
            return true;
    }
    return false;
}

static text take_word(record_reader *reader) {
    text word = {reader->rest.at, 0};
    while (reader->rest.len && blank_length(reader) == 0) {
        char c = reader->rest.at[0];
        if (word.len && (c == '{' || c == '}' || c == '(' || c == ')' || c == ';' || c == '$'))
            break;
        word.len++;
        advance(reader, 1);
    }
    return word;
}

// --- tags ---------------------------------------------------------------------------------------

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
    refuse(p, line, words.line);
}

static void set_tag(pgn_parser *p, uint32_t line, const char *name, const char *value) {
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
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (strcasecmp(name, fields[i].name) == 0) {
            record_set_field(fields[i].field, fields[i].size, text_of(value));
            return;
        }
    if (strcasecmp(name, "Game") == 0)
        set_game(p, line, value);
    else if (strcasecmp(name, "Result") == 0)
        p->has_result = result_of_word(text_of(value), &r->result);
    else if (strcasecmp(name, "Format") == 0)
        p->notation = pgn_notation_of(text_of(value), p->notation);
    else if (!record_set_tag(r, text_of(name), text_of(value)) && !p->left_out)
        p->left_out = line;
}

static size_t skip_blanks(text raw, size_t at) {
    while (at < raw.len && (raw.at[at] == ' ' || raw.at[at] == '\t'))
        at++;
    return at;
}

// The quote that closes a value: the first one with a bracket behind it. raw.len where none does.
static size_t find_closing(text raw, size_t at) {
    while (at < raw.len) {
        char c = raw.at[at], next = at + 1 < raw.len ? raw.at[at + 1] : '\0';
        if (c == '"') {
            size_t end = skip_blanks(raw, at + 1);
            if (end < raw.len && raw.at[end] == ']')
                return at;
        }
        at += c == '\\' && (next == '"' || next == '\\') ? 2 : 1;
    }
    return raw.len;
}

// Reads `[Name "value"]`; the rest starts with its bracket. A line may hold several.
static void read_tag(pgn_parser *p) {
    record_reader *reader = p->reader;
    uint32_t line = reader->line;
    text raw = reader->rest;
    const char *newline = memchr(raw.at, '\n', raw.len);
    if (newline)
        raw.len = (size_t)(newline - raw.at);
    size_t start = skip_blanks(raw, 1), end = start;
    while (end < raw.len && record_is_tag_char(raw.at[end]))
        end++;
    text name = {raw.at + start, end - start};
    size_t quote = skip_blanks(raw, end), closing = raw.len;
    if (name.len && name.len < sizeof p->r->tags[0].name && quote < raw.len && raw.at[quote] == '"')
        closing = find_closing(raw, quote + 1);
    if (closing == raw.len) {
        advance(reader, raw.len);
        refuse(p, line, "a tag is written [Name \"value\"]");
        return;
    }
    advance(reader, skip_blanks(raw, closing + 1) + 1);
    char tag[sizeof p->r->tags[0].name], value[VALUE_SIZE];
    record_set_field(tag, sizeof tag, name);
    record_set_field(value, sizeof value, (text){raw.at + quote + 1, closing - quote - 1});
    unescape(value);
    set_tag(p, line, tag, value);
}

// Whether the rest looks like a tag, so that a stray bracket does not start a game.
static bool starts_tag(text rest) {
    if (!text_starts(rest, "["))
        return false;
    size_t start = skip_blanks(rest, 1), end = start;
    while (end < rest.len && record_is_tag_char(rest.at[end]))
        end++;
    size_t quote = skip_blanks(rest, end);
    return end > start && quote < rest.len && rest.at[quote] == '"';
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

static void end_tags(pgn_parser *p) {
    p->in_moves = true;
    if (!p->r->game)
        p->r->game = rules_default_game();
    name_players(p->r);
    fault words;
    if (!p->bad && !replay_begin(&p->game, p->r, p->reader->all.len, &words))
        refuse(p, p->start, words.line);
}

// --- moves --------------------------------------------------------------------------------------

// Whether a variation was opened and has no move so far: the game stands before the move that the
// variation replaces.
static bool is_at_start(const pgn_parser *p) {
    return p->game.at == p->r->nodes[p->open[p->depth - 1]].parent;
}

// Reads the clock times out of a comment; what is left of it is written to `out`.
static void read_clocks(record_node *node, text comment, buffer *out) {
    while (comment.len) {
        size_t bracket = text_find(comment, "[%");
        buffer_add(out, (text){comment.at, bracket});
        comment = text_skip(comment, bracket);
        size_t end = text_find(comment, "]");
        text inside = text_skip((text){comment.at, end}, 2), name = text_next_word(&inside);
        int64_t *field = text_is(name, "clk")   ? &node->clock
                         : text_is(name, "emt") ? &node->used
                                                : NULL;
        if (field && end < comment.len && words_parse_duration(text_trim(inside), field)) {
            comment = text_skip(comment, end + 1);
        } else if (comment.len) {
            buffer_char(out, '[');
            comment = text_skip(comment, 1);
        }
    }
}

// Adds words to the comment of the node where the game stands. Moving long comments again and again
// would take more than linear time, so that their sum is limited.
static bool keep_comment(pgn_parser *p, text comment) {
    uint32_t at = p->game.at;
    buffer words = {0};
    if (p->r->comments.len / 8 > p->reader->all.len + 1024)
        return false;
    if (at && text_find(comment, "[%") < comment.len) {
        read_clocks(&p->r->nodes[at], comment, &words);
        comment = buffer_text(&words);
    }
    bool good = !words.failed && record_add_comment(p->r, at, comment);
    buffer_free(&words);
    return good;
}

// The move of a word: without its number and dots. Empty where it has none.
static text strip_word(text word) { return words_skip_dots(words_skip_number(word)); }

static void read_result(pgn_parser *p, uint32_t line, rules_outcome result) {
    p->done = !p->bad; // behind a mistake only a tag is sure to start a game
    if (p->has_result && result != RULES_ONGOING && result != p->r->result && !p->bad)
        fault_set(p->why, "line %u: the game ends with %s, its tag says %s", (unsigned)line,
                  result_word(result), result_word(p->r->result));
    if (result != RULES_ONGOING)
        p->r->result = result;
}

// Programs made for chess write Che2 or Che3, ranks from 0 or from 1. The first move that can be
// played in one of the two only decides for the game; nearly always it is the first move.
static void settle_letters(pgn_parser *p, text word) {
    bool is_letters = word.len && ((word.at[0] >= 'A' && word.at[0] <= 'Z') || word.len < 4);
    if (p->notation >= 0 || !is_letters)
        return;
    rules_move move;
    fault why;
    bool fits[2];
    if (rules_parse_move(p->game.state, word, &move, &why))
        return;
    for (int i = 0; i < 2; i++)
        fits[i] = rules_parse_move_as(p->game.state, i ? NOTATION_LETTER1 : NOTATION_LETTER0, word,
                                      &move, &why);
    if (fits[0] || fits[1])
        p->notation = fits[0] ? NOTATION_LETTER0 : NOTATION_LETTER1;
}

// A move that cannot be played ends the game, or the variation that it stands in.
static void refuse_move(pgn_parser *p, uint32_t line, const char *words) {
    if (p->depth == 0 || p->reader->is_strict) {
        refuse(p, line, words);
        return;
    }
    p->skipped = p->depth;
    if (!p->why->line[0])
        fault_set(p->why, "line %u: the rest of a variation is left out: %s", (unsigned)line,
                  words);
}

static void read_word(pgn_parser *p, uint32_t line, text word) {
    rules_outcome result;
    fault words;
    if (result_of_word(word, &result)) {
        if (p->depth == 0) // variations may have results of their own
            read_result(p, line, result);
        return;
    }
    word = strip_word(word);
    int nag = words_cut_marks(&word);
    if (p->bad || p->skipped)
        return;
    settle_letters(p, word);
    if (word.len && !replay_text(&p->game, p->notation, word, &words))
        refuse_move(p, line, words.line);
    else if (word.len && !keep_comment(p, buffer_text(&p->comment)))
        refuse(p, line, "no room for the comments");
    else if (nag && p->game.at)
        record_add_mark(p->r, p->game.at, nag);
    if (word.len)
        buffer_clear(&p->comment);
}

// --- comments, marks and variations -------------------------------------------------------------

static void read_comment(pgn_parser *p, uint32_t line, text comment) {
    if (p->bad || p->skipped)
        return;
    bool is_ahead = p->depth && is_at_start(p);
    if (is_ahead) {
        buffer_add(&p->comment, comment);
        buffer_char(&p->comment, '\n');
    } else if (!keep_comment(p, comment)) {
        refuse(p, line, "no room for the comments");
    }
}

static void read_nag(pgn_parser *p, text word) {
    int64_t nag;
    if (!p->bad && !p->skipped && p->game.at && text_to_int(text_skip(word, 1), 1, 255, &nag))
        record_add_mark(p->r, p->game.at, (int)nag);
}

static void open_variation(pgn_parser *p, uint32_t line) {
    uint32_t *grown = vector_reserve(p->open, &p->open_capacity, p->depth + 1, sizeof *grown);
    if (!grown) {
        refuse(p, line, "out of memory");
        return;
    }
    p->open = grown;
    p->open[p->depth++] = p->game.at;
    if (p->bad || p->skipped)
        return;
    if (p->game.at == 0)
        refuse_move(p, line, "it stands before the first move");
    else
        replay_go(&p->game, p->r->nodes[p->game.at].parent);
}

static void close_variation(pgn_parser *p, uint32_t line) {
    buffer_clear(&p->comment);
    if (p->depth == 0) {
        refuse(p, line, "a variation ends that never began");
        return;
    }
    if (p->skipped == p->depth)
        p->skipped = 0;
    p->depth--;
    if (!p->bad && !p->skipped)
        replay_go(&p->game, p->open[p->depth]);
}

// Whether a game's tags start here: a tag at the start of a line behind an empty one.
static bool starts_tags(const record_reader *reader) {
    const char *at = reader->rest.at, *first = reader->all.at;
    if (at == first || at[-1] != '\n' || !starts_tag(reader->rest))
        return false;
    do
        at--;
    while (at > first && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r'));
    return at == first || at[-1] == '\n';
}

// Takes a comment in braces; false where it has no end before the next game, which is left alone.
static bool skip_braces(record_reader *reader) {
    while (reader->rest.len) {
        char c = reader->rest.at[0];
        advance(reader, 1);
        if (c == '}')
            return true;
        if (c == '\n' && starts_tags(reader))
            return false;
    }
    return false;
}

// One piece of the movetext; the rest starts with something that is no blank.
static void read_token(pgn_parser *p) {
    record_reader *reader = p->reader;
    uint32_t line = reader->line;
    char c = reader->rest.at[0];
    text start = text_skip(reader->rest, 1);
    switch (c) {
    case '{':
        if (skip_braces(reader))
            read_comment(p, line, (text){start.at, (size_t)(reader->rest.at - start.at) - 1});
        else
            refuse(p, line, "a comment without end");
        break;
    case ';':
        skip_past(reader, '\n');
        read_comment(p, line, (text){start.at, (size_t)(reader->rest.at - start.at)});
        break;
    case '(':
        open_variation(p, line);
        advance(reader, 1);
        break;
    case ')':
        close_variation(p, line);
        advance(reader, 1);
        break;
    case '$':
        read_nag(p, take_word(reader));
        break;
    case '}':
        refuse(p, line, "a comment ends that never began");
        take_word(reader);
        break;
    case '%':
        if (at_line_start(reader)) {
            skip_past(reader, '\n');
            break;
        }
        // fallthrough
    default:
        read_word(p, line, take_word(reader));
    }
}

// --- between games ------------------------------------------------------------------------------

// Takes the comment the rest starts with. A brace that is not closed before the next game's tags
// starts no comment: then nothing is taken, and *plain is where the search ended.
static bool skip_comment(record_reader *reader, const char **plain) {
    record_reader ahead = *reader;
    while (ahead.rest.len && !(at_line_start(&ahead) && starts_tag(ahead.rest))) {
        char c = ahead.rest.at[0];
        advance(&ahead, 1);
        if (c == '}') {
            *reader = ahead;
            return true;
        }
    }
    *plain = ahead.rest.at;
    return false;
}

// Takes the comment of any kind that the rest starts with. Braces before *plain are text.
static bool skip_remark(record_reader *reader, const char **plain) {
    char c = reader->rest.at[0];
    if (c == ';' || (c == '%' && at_line_start(reader))) {
        skip_past(reader, '\n');
        return true;
    }
    return c == '{' && reader->rest.at >= *plain && skip_comment(reader, plain);
}

static text strip_move(record_reader *reader) {
    text word = strip_word(take_word(reader));
    words_cut_marks(&word);
    return word;
}

// Whether the rest starts with `1.` and a legal first move: a game without tags begins at the start
// position. `1. Notes` is text.
static bool starts_first_move(const record_reader *reader, const char **plain) {
    if (!text_starts(reader->rest, "1."))
        return false;
    record_reader ahead = *reader;
    text word = strip_move(&ahead);
    while (word.len == 0 && ahead.rest.len && !text_starts(ahead.rest, "1.")) {
        size_t blank = blank_length(&ahead);
        if (blank)
            advance(&ahead, blank);
        else if (!skip_remark(&ahead, plain))
            word = strip_move(&ahead);
    }
    return word.len && replay_can_open(&ahead, word);
}

// Skips the text after a result, which is no part of a game: up to a line that starts with a tag or
// a first move, or to the end.
static void skip_text(record_reader *reader) {
    const char *plain = reader->rest.at; // braces before it are text
    bool is_fresh = false;               // the line has had no text so far
    while (reader->rest.len) {
        size_t blank = blank_length(reader);
        char c = reader->rest.at[0];
        if (blank) {
            advance(reader, blank);
            is_fresh |= c == '\n' || c == '\r';
        } else if (is_fresh && (starts_tag(reader->rest) || starts_first_move(reader, &plain))) {
            return;
        } else if (skip_remark(reader, &plain)) {
            is_fresh |= at_line_start(reader);
        } else {
            take_word(reader);
            is_fresh = false;
        }
    }
}

static record_status pgn_next(record_reader *reader, record *r, fault *why) {
    pgn_parser p = {.reader = reader, .r = r, .why = why, .notation = reader->notation};
    bool any = false;
    while (reader->rest.len && !p.done) {
        size_t blank = blank_length(reader);
        if (blank) {
            advance(reader, blank);
            continue;
        }
        bool bracket = reader->rest.at[0] == '[';
        if (p.in_moves && at_line_start(reader) && starts_tag(reader->rest))
            break; // the next game: this one lacks its result
        if (!any)
            p.start = reader->line;
        any = true;
        if (bracket && !p.in_moves) {
            read_tag(&p);
            continue;
        }
        if (!p.in_moves)
            end_tags(&p);
        read_token(&p);
    }
    if (!any)
        return RECORD_END;
    if (p.done)
        skip_text(reader);
    if (!p.in_moves)
        end_tags(&p);
    if (p.depth)
        refuse(&p, reader->line, "a variation without end");
    if (!p.bad)
        replay_go(&p.game, r->last);
    if (!p.bad && p.left_out)
        fault_set(why, "line %u: more than %d tags, the rest is left out", (unsigned)p.left_out,
                  RECORD_TAGS);
    if (!p.bad)
        replay_settle(&p.game, why);
    replay_end(&p.game);
    free(p.open);
    buffer_free(&p.comment);
    return p.bad ? RECORD_BAD : RECORD_OK;
}

// A tag, the number of a move, or a comment. JSON has a string behind its brace.
static bool pgn_detect(text start) {
    size_t digits = 0;
    if (text_starts(start, "{")) {
        text inside = text_trim(text_skip(start, 1));
        return inside.len && inside.at[0] != '"' && inside.at[0] != '}';
    }
    while (digits < start.len && start.at[digits] >= '0' && start.at[digits] <= '9')
        digits++;
    bool is_numbered = digits && digits < 4 && text_starts(text_skip(start, digits), ".");
    return starts_tag(start) || is_numbered;
}

static bool pgn_says_game(text bytes) { return text_find(bytes, "[Game ") < bytes.len; }

const format_row format_pgn = {
    .name = "pgn",
    .title = "PGN",
    .type = "application/x-chess-pgn",
    .holds = HOLDS_ALL,
    .detect = pgn_detect,
    .says_game = pgn_says_game,
    .next = pgn_next,
    .write = pgn_write,
};
