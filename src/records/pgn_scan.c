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

bool pgn_starts_tags(const record_reader *reader) {
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
        if (c == '\n' && pgn_starts_tags(reader))
            return false;
    }
    return false;
}

// --- between games ------------------------------------------------------------------------------

bool pgn_skip_comment(record_reader *reader) {
    if (reader->rest.at < reader->plain)
        return false;
    record_reader ahead = *reader;
    while (ahead.rest.len && !(pgn_at_line_start(&ahead) && pgn_starts_tag(ahead.rest))) {
        char c = ahead.rest.at[0];
        pgn_advance(&ahead, 1);
        if (c == '}') {
            *reader = ahead;
            return true;
        }
    }
    reader->plain = ahead.rest.at;
    return false;
}

// Takes the comment of any kind that the rest starts with.
static bool skip_remark(record_reader *reader) {
    char c = reader->rest.at[0];
    if (c == ';' || (c == '%' && pgn_at_line_start(reader))) {
        pgn_skip_past(reader, '\n');
        return true;
    }
    return c == '{' && pgn_skip_comment(reader);
}

static text strip_move(record_reader *reader) {
    text word = pgn_strip_word(pgn_take_word(reader));
    words_cut_marks(&word);
    return word;
}

static bool is_squares(text word) {
    size_t hyphen = word.len == 5 && word.at[2] == '-';
    return word.len == 4 + hyphen && words_is_square((text){word.at, 2}) &&
           words_is_square(text_skip(word, 2 + hyphen));
}

// Whether the rest starts with `1.` and a first move that is legal, or two squares at least: a game
// without tags begins at the start position. `1. Notes` is text.
static bool starts_first_move(record_reader *reader) {
    if (!text_starts(reader->rest, "1."))
        return false;
    record_reader ahead = *reader;
    text word = strip_move(&ahead);
    while (word.len == 0 && ahead.rest.len && !text_starts(ahead.rest, "1.")) {
        size_t blank = pgn_blank_length(&ahead);
        if (blank)
            pgn_advance(&ahead, blank);
        else if (!skip_remark(&ahead))
            word = strip_move(&ahead);
    }
    reader->plain = ahead.plain;
    return word.len && (is_squares(word) || replay_can_open(&ahead, word));
}

text pgn_look_at_move(const record_reader *reader, int64_t *number) {
    record_reader ahead = *reader;
    text word = pgn_take_word(&ahead), digits = {word.at, 0};
    while (digits.len < word.len && word.at[digits.len] >= '0' && word.at[digits.len] <= '9')
        digits.len++;
    if (!text_to_int(digits, 1, INT32_MAX, number))
        *number = 0;
    word = pgn_strip_word(word);
    while (word.len == 0 && ahead.rest.len && *number) {
        size_t blank = pgn_blank_length(&ahead);
        if (blank)
            pgn_advance(&ahead, blank);
        else
            word = pgn_strip_word(pgn_take_word(&ahead));
    }
    words_cut_marks(&word);
    return word;
}

// Whether a word is nothing but a line drawn across the page.
static bool is_drawn_line(text word) {
    for (size_t i = 0; i < word.len; i++)
        if (!strchr("=-_*~#+", word.at[i]))
            return false;
    return true;
}

text pgn_skip_text(record_reader *reader) {
    bool is_fresh = pgn_at_line_start(reader); // the line has had no text so far
    bool is_trailer = false;
    text unexpected = {0};
    while (reader->rest.len) {
        size_t blank = pgn_blank_length(reader);
        char c = reader->rest.at[0];
        if (blank) {
            pgn_advance(reader, blank);
            is_fresh |= c == '\n' || c == '\r';
        } else if (is_fresh && (pgn_starts_tag(reader->rest) || starts_first_move(reader))) {
            break;
        } else if (skip_remark(reader)) {
            is_fresh |= pgn_at_line_start(reader);
        } else {
            text rest = reader->rest, word = pgn_take_word(reader);
            is_trailer |= is_fresh && text_starts(word, "====");
            if (unexpected.len == 0 && !is_trailer && !is_drawn_line(word))
                unexpected = text_trim(text_next_line(&rest));
            is_fresh = false;
        }
    }
    return unexpected;
}
