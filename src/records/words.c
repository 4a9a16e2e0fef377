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
