// Letter notation, as xboard and other chess programs write moves of Xiangqi: the piece, what tells
// it from others, x for a capture, the square reached: Che2, Nhg8, Rxi10, e5 for a pawn. Ranks
// count from 0 or from 1.
#include "rules/xiangqi/spoken.h"

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

bool letters_parse(const xq_pos *pos, text word, int lowest, rules_move *move, fault *why) {
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
