#include "records/words.h"

bool words_is_square(text word) {
    if (word.len < 2 || word.len > 3)
        return false;
    char file = (char)(word.at[0] | 0x20);
    int64_t rank;
    return file >= 'a' && file <= 'i' && text_to_int(text_skip(word, 1), 0, 10, &rank);
}

text words_skip_number(text word) {
    size_t digits = 0, dots;
    while (digits < word.len && word.at[digits] >= '0' && word.at[digits] <= '9')
        digits++;
    dots = digits;
    while (dots < word.len && word.at[dots] == '.')
        dots++;
    text rest = text_skip(word, dots);
    // A pawn's 33.4 is a move, and so is what is left of 12.33.4.
    bool number =
        (dots > digits || digits < 4) && (rest.len == 0 || (dots > digits && rest.len >= 4));
    return number ? rest : word;
}

text words_next_move(text *line, char joined[WORDS_JOINED_SIZE]) {
    text raw, word;
    do {
        raw = text_next_word(line);
        word = words_skip_number(raw);
    } while (word.len == 0 && raw.len);
    text rest = *line, second = text_next_word(&rest);
    if (!words_is_square(word) || !words_is_square(second))
        return word;
    *line = rest;
    writer w = writer_on(joined, WORDS_JOINED_SIZE);
    write_text(&w, word);
    write_text(&w, second);
    return text_of(joined);
}

// --- ranks from 0 or from 1 ---------------------------------------------------------------------

// Cuts a square such as a0 or i10 off the word; its rank, or -1 where there is none.
static int cut_square(text *word) {
    if (word->len < 2 || word->at[0] < 'a' || word->at[0] > 'i')
        return -1;
    size_t end = word->len > 2 && word->at[1] == '1' && word->at[2] == '0' ? 3 : 2;
    int64_t rank;
    if (!text_to_int((text){word->at + 1, end - 1}, 0, 10, &rank))
        return -1;
    *word = text_skip(*word, end);
    return (int)rank;
}

// Whether a word is nothing but one or two squares, and the highest rank of them.
static bool is_squares(text word, int *highest) {
    *highest = cut_square(&word);
    if (*highest < 0 || word.len == 0)
        return *highest >= 0;
    int second = cut_square(&word);
    if (second > *highest)
        *highest = second;
    return second >= 0 && word.len == 0;
}

bool words_has_rank_10(const rules_game *game, text word) {
    int highest;
    return rules_has_notation(game, NOTATION_UCI1) && is_squares(word, &highest) && highest == 10;
}

int words_settle(const rules_game *game, text line) {
    for (text word; (word = text_next_word(&line)).len;)
        if (words_has_rank_10(game, words_skip_number(word)))
            return WORDS_ANY_FROM_1;
    return WORDS_ANY;
}

// Writes a word of letters as wide as Chinese characters (U+FF01 to U+FF5E) in plain ones. False
// where it has others.
static bool narrow(text word, writer *plain) {
    while (word.len) {
        unsigned char c = (unsigned char)word.at[0];
        bool is_wide = c == 0xef && word.len >= 3;
        unsigned char second = is_wide ? (unsigned char)word.at[1] : 0;
        if (c >= 0x80 && second != 0xbc && second != 0xbd)
            return false;
        int code = is_wide ? (second - 0xbc) * 64 + (unsigned char)word.at[2] - 0x60 : c;
        if (code <= ' ' || code > '~')
            return false;
        write_char(plain, (char)code);
        word = text_skip(word, is_wide ? 3 : 1);
    }
    return !plain->overflow;
}

bool words_parse_move(const rules_state *s, int how, text word, rules_move *move, fault *why) {
    int highest;
    char narrowed[16];
    writer w = writer_on(narrowed, sizeof narrowed);
    if (text_starts(word, "\xef") && narrow(word, &w))
        word = (text){narrowed, w.used};
    if (how == WORDS_ANY_FROM_1 && is_squares(word, &highest))
        how = NOTATION_UCI1;
    return how < 0 ? rules_parse_move(s, word, move, why)
                   : rules_parse_move_as(s, (rules_notation)how, word, move, why);
}

text words_skip_dots(text word) {
    static const char dots[] = "…";
    while (text_starts(word, dots))
        word = text_skip(word, strlen(dots));
    return word;
}

bool words_parse_duration(text word, int64_t *us) {
    int64_t total = 0, part = 0;
    size_t at = 0, digits = 0;
    for (; at < word.len && word.at[at] != '.'; at++) {
        if (word.at[at] == ':') {
            total = (total + part) * 60;
            part = 0;
        } else if (word.at[at] >= '0' && word.at[at] <= '9' && digits++ < 9) {
            part = part * 10 + word.at[at] - '0';
        } else {
            return false;
        }
    }
    total = (total + part) * 1000000;
    for (int64_t unit = 100000; ++at < word.len; unit /= 10) {
        if (word.at[at] < '0' || word.at[at] > '9')
            return false;
        total += (word.at[at] - '0') * unit;
    }
    *us = total;
    return digits > 0;
}

int words_cut_marks(text *word) {
    static const char *const marks[] = {"!!", "??", "!?", "?!", "!", "?"};
    static const int nags[] = {3, 4, 5, 6, 1, 2};
    size_t end = word->len;
    while (end && (word->at[end - 1] == '!' || word->at[end - 1] == '?'))
        end--;
    text found = text_skip(*word, end);
    word->len = end;
    for (size_t i = 0; i < sizeof nags / sizeof nags[0]; i++)
        if (text_starts(found, marks[i]))
            return nags[i];
    return 0;
}
