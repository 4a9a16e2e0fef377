// Moves by squares (ICCS and the two UCI dialects), and which notation a word is written in.
#include "rules/xiangqi/explain.h"
#include "rules/xiangqi/spoken.h"
#include "rules/xiangqi/text.h"

enum { LONGEST_MOVE = 24 }; // bytes: six Chinese characters and to spare

// --- squares ------------------------------------------------------------------------------------

// Cuts a square off the word; its ranks count from `lowest`, 0 or 1. -1 where there is none.
static int next_square(text *word, int lowest, bool capitals) {
    if (word->len < 2)
        return -1;
    char letter = word->at[0];
    if (capitals && letter >= 'A' && letter <= 'I')
        letter = (char)(letter - 'A' + 'a');
    if (letter < 'a' || letter > 'i' || word->at[1] < '0' || word->at[1] > '9')
        return -1;
    int rank = word->at[1] - '0';
    size_t used = 2;
    if (lowest == 1 && rank == 1 && word->len > 2 && word->at[2] == '0') {
        rank = 10;
        used = 3;
    }
    if (rank < lowest)
        return -1;
    *word = text_skip(*word, used);
    return (rank - lowest) * XQ_FILES + letter - 'a';
}

// Both squares of a move, between them at most one of the given characters.
static bool parse_squares(text word, int lowest, const char *between, int *from, int *to) {
    bool capitals = *between != '\0';
    *from = next_square(&word, lowest, capitals);
    if (*from >= 0 && word.len && word.at[0] && strchr(between, word.at[0]))
        word = text_skip(word, 1);
    *to = next_square(&word, lowest, capitals);
    return *from >= 0 && *to >= 0 && word.len == 0;
}

static void format_square(int point, int lowest, writer *out) {
    write_char(out, (char)('a' + xq_file(point)));
    write_number(out, xq_rank(point) + lowest);
}

// --- choosing -----------------------------------------------------------------------------------

static bool is_chinese(text word) {
    for (size_t i = 0; i < word.len; i++)
        if ((unsigned char)word.at[i] >= 0x80)
            return true;
    return false;
}

bool xq_parse_move(const xq_pos *pos, int notation, text word, rules_move *move, fault *why) {
    word = text_trim(word);
    if (word.len == 0 || word.len > LONGEST_MOVE)
        return fault_set(why, "%s is not a move", fault_quote(word).shown);
    int from, to;
    bool squares = false;
    switch (notation) {
    case -1:
        squares = parse_squares(word, 0, "- ", &from, &to);
        if (!squares)
            return is_chinese(word) ? chinese_parse(pos, word, move, why)
                                    : wxf_parse(pos, word, move, why);
        break;
    case NOTATION_NATIVE:
    case NOTATION_ICCS:
        squares = parse_squares(word, 0, "- ", &from, &to);
        break;
    case NOTATION_UCI0:
    case NOTATION_UCI1:
        squares = parse_squares(word, notation == NOTATION_UCI1, "", &from, &to);
        break;
    case NOTATION_WXF:
        return wxf_parse(pos, word, move, why);
    case NOTATION_CHINESE:
        return chinese_parse(pos, word, move, why);
    case NOTATION_LETTER0:
    case NOTATION_LETTER1:
        return letters_parse(pos, word, notation == NOTATION_LETTER1, move, why);
    default:
        break;
    }
    if (!squares)
        return fault_set(why, "%s is not a move", fault_quote(word).shown);
    *move = move_of(from, to);
    return xq_is_legal(pos, *move) || xq_explain_move(pos, from, to, why);
}

void xq_format_move(const xq_pos *pos, rules_move move, rules_notation notation, writer *out) {
    int from = move_from(move), to = move_to(move), lowest = notation == NOTATION_UCI1;
    switch (notation) {
    case NOTATION_NATIVE:
    case NOTATION_UCI0:
    case NOTATION_UCI1:
        format_square(from, lowest, out);
        format_square(to, lowest, out);
        break;
    case NOTATION_ICCS:
        write_format(out, "%c%d-%c%d", 'A' + xq_file(from), xq_rank(from), 'A' + xq_file(to),
                     xq_rank(to));
        break;
    case NOTATION_WXF:
        wxf_format(pos, move, out);
        break;
    case NOTATION_CHINESE:
        chinese_format(pos, move, out);
        break;
    case NOTATION_SAU:
    case NOTATION_CONTEST:
    case NOTATION_LETTER0:
    case NOTATION_LETTER1:
        break;
    }
}
