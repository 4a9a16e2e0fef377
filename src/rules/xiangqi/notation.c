// Moves by squares (ICCS and the two UCI dialects), by letters, and which notation a word is
// written in.
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

// --- letters ------------------------------------------------------------------------------------

// Letter notation, as xboard and other chess programs write moves of Xiangqi: the piece, what tells
// it from others, x for a capture, the square reached: Che2, Nhg8, Rxi10, e5 for a pawn. Ranks
// count from 0 or from 1.

static int type_of(char c) {
    static const char letters[] = ".RCNPBAK", others[] = ".RCHPEAK"; // by type
    for (int type = XQ_CHARIOT; type < XQ_TYPES; type++)
        if (letters[type] == c || others[type] == c)
            return type;
    return 0;
}

// What a word says: the piece, where it comes from as far as that is said, where it goes.
typedef struct {
    int type, file, rank, to; // -1: not said
} letter_move;

// Cuts a rank off the end of the word; -1 where there is none.
static int cut_rank(text *word, int lowest) {
    int rank = -1;
    size_t n = word->len;
    if (lowest == 1 && n >= 2 && word->at[n - 2] == '1' && word->at[n - 1] == '0') {
        rank = 9;
        word->len -= 2;
    } else if (n && word->at[n - 1] >= '0' + lowest && word->at[n - 1] <= '9') {
        rank = word->at[n - 1] - '0' - lowest;
        word->len--;
    }
    return rank;
}

static int cut_file(text *word) {
    size_t n = word->len;
    if (n == 0 || word->at[n - 1] < 'a' || word->at[n - 1] > 'i')
        return -1;
    word->len--;
    return word->at[n - 1] - 'a';
}

static bool scan(text word, int lowest, letter_move *m) {
    while (word.len && (word.at[word.len - 1] == '+' || word.at[word.len - 1] == '#'))
        word.len--;
    int type = word.len ? type_of(word.at[0]) : 0;
    if (type)
        word = text_skip(word, 1);
    int rank = cut_rank(&word, lowest), file = cut_file(&word);
    if (rank < 0 || file < 0)
        return false;
    if (word.len && (word.at[word.len - 1] == 'x' || word.at[word.len - 1] == '-'))
        word.len--;
    *m = (letter_move){type ? type : XQ_PAWN, -1, -1, rank * XQ_FILES + file};
    m->rank = cut_rank(&word, lowest);
    m->file = cut_file(&word);
    return word.len == 0;
}

static bool parse_letters(const xq_pos *pos, text word, int lowest, rules_move *move, fault *why) {
    letter_move m;
    int found = 0;
    if (!scan(word, lowest, &m))
        return fault_set(why, "%s is not a move (Che2, Nhg7)", fault_quote(word).shown);
    for (int from = 0; from < XQ_POINTS; from++) {
        bool is_meant = pos->board[from] == xq_piece(m.type, pos->stm) &&
                        (m.file < 0 || m.file == xq_file(from)) &&
                        (m.rank < 0 || m.rank == xq_rank(from));
        if (is_meant && xq_is_legal(pos, move_of(from, m.to))) {
            *move = move_of(from, m.to);
            found++;
        }
    }
    return found == 1 || fault_set(why, "%s: %s piece can go there", fault_quote(word).shown,
                                   found ? "more than one" : "no");
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
        return parse_letters(pos, word, notation == NOTATION_LETTER1, move, why);
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
