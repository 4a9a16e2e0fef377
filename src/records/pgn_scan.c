// PGN, character by character: blanks, words, and where tags, comments and games begin and end.
#include "records/pgn.h"
#include "records/words.h"

// --- characters ---------------------------------------------------------------------------------

void pgn_advance(record_reader *reader, size_t bytes) {
    if (bytes && reader->rest.at[0] == '\n')
        reader->line++;
    reader->rest = text_skip(reader->rest, bytes);
}

// Bytes of the blank the rest starts with, the wide blank of Chinese text included, or 0.
size_t pgn_blank_length(const record_reader *reader) {
    static const char wide[] = "\xe3\x80\x80";
    text rest = reader->rest;
    if (rest.len && (rest.at[0] == ' ' || (rest.at[0] >= '\t' && rest.at[0] <= '\r')))
        return 1;
    bool may_be_wide = rest.len && rest.at[0] == wide[0];
    return may_be_wide && text_starts(rest, wide) ? strlen(wide) : 0;
}

bool pgn_at_line_start(const record_reader *reader) {
    return reader->rest.at == reader->all.at || reader->rest.at[-1] == '\n';
}

// Takes everything up to the closing character, that one included; false where it never comes.
bool pgn_skip_past(record_reader *reader, char closing) {
    while (reader->rest.len) {
        char c = reader->rest.at[0];
        pgn_advance(reader, 1);
        if (c == closing)
            return true;
    }
    return false;
}

text pgn_take_word(record_reader *reader) {
    text word = {reader->rest.at, 0};
    while (reader->rest.len && pgn_blank_length(reader) == 0) {
        char c = reader->rest.at[0];
        if (word.len && (c == '{' || c == '}' || c == '(' || c == ')' || c == ';' || c == '$'))
            break;
        word.len++;
        pgn_advance(reader, 1);
    }
    return word;
}

// The move of a word: without its number and dots. Empty where it has none.
text pgn_strip_word(text word) { return words_skip_dots(words_skip_number(word)); }

// --- tags ---------------------------------------------------------------------------------------

size_t pgn_skip_blanks(text raw, size_t at) {
    while (at < raw.len && (raw.at[at] == ' ' || raw.at[at] == '\t'))
        at++;
    return at;
}

// Whether the rest looks like a tag, so that a stray bracket does not start a game.
bool pgn_starts_tag(text rest) {
    if (!text_starts(rest, "["))
        return false;
    size_t start = pgn_skip_blanks(rest, 1), end = start;
    while (end < rest.len && record_is_tag_char(rest.at[end]))
        end++;
    size_t quote = pgn_skip_blanks(rest, end);
    return end > start && quote < rest.len && rest.at[quote] == '"';
}

// Whether a game's tags start here: a tag at the start of a line behind an empty one.
static bool starts_tags(const record_reader *reader) {
    const char *at = reader->rest.at, *first = reader->all.at;
    if (at == first || at[-1] != '\n' || !pgn_starts_tag(reader->rest))
        return false;
    do
        at--;
    while (at > first && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r'));
    return at == first || at[-1] == '\n';
}

// Takes a comment in braces; false where it has no end before the next game, which is left alone.
bool pgn_skip_braces(record_reader *reader) {
    while (reader->rest.len) {
        char c = reader->rest.at[0];
        pgn_advance(reader, 1);
        if (c == '}')
            return true;
        if (c == '\n' && starts_tags(reader))
            return false;
    }
    return false;
}

// --- between games ------------------------------------------------------------------------------

// Takes the comment the rest starts with. A brace that is not closed before the next game's tags
// starts no comment: then nothing is taken, and *plain is where the search ended.
static bool skip_comment(record_reader *reader, const char **plain) {
    record_reader ahead = *reader;
    while (ahead.rest.len && !(pgn_at_line_start(&ahead) && pgn_starts_tag(ahead.rest))) {
        char c = ahead.rest.at[0];
        pgn_advance(&ahead, 1);
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
    if (c == ';' || (c == '%' && pgn_at_line_start(reader))) {
        pgn_skip_past(reader, '\n');
        return true;
    }
    return c == '{' && reader->rest.at >= *plain && skip_comment(reader, plain);
}

static text strip_move(record_reader *reader) {
    text word = pgn_strip_word(pgn_take_word(reader));
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
        size_t blank = pgn_blank_length(&ahead);
        if (blank)
            pgn_advance(&ahead, blank);
        else if (!skip_remark(&ahead, plain))
            word = strip_move(&ahead);
    }
    return word.len && replay_can_open(&ahead, word);
}

// Skips the text after a result, which is no part of a game: up to a line that starts with a tag or
// a first move, or to the end.
void pgn_skip_text(record_reader *reader) {
    const char *plain = reader->rest.at;       // braces before it are text
    bool is_fresh = pgn_at_line_start(reader); // the line has had no text so far
    while (reader->rest.len) {
        size_t blank = pgn_blank_length(reader);
        char c = reader->rest.at[0];
        if (blank) {
            pgn_advance(reader, blank);
            is_fresh |= c == '\n' || c == '\r';
        } else if (is_fresh &&
                   (pgn_starts_tag(reader->rest) || starts_first_move(reader, &plain))) {
            return;
        } else if (skip_remark(reader, &plain)) {
            is_fresh |= pgn_at_line_start(reader);
        } else {
            pgn_take_word(reader);
            is_fresh = false;
        }
    }
}
