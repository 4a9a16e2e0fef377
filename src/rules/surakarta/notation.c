// Moves as text. The ways of writing one cannot be mistaken for each other:
//   native    c2-c3, c2xf4, c2c3, c2 c3, C2-C3    column letter, rank digit from the bottom
//   UCI       c2c3, c2f4                          the same without a sign, captures too
//   SAU       EBFC                                column letter, row letter from the top
//   contest   B2E-3E, R6C×4A                      side; row digit from the top, column letter
#include "rules/surakarta/text.h"

typedef enum { SIGN_NONE, SIGN_STEP, SIGN_CAPTURE } sign;

typedef struct {
    int from, to;
    sign how;
    int side; // contest only
} written;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Cuts a character within a range off the text; its distance from the start of the range, or -1.
static int cut(text *rest, char low, char high) {
    if (rest->len == 0 || rest->at[0] < low || rest->at[0] > high)
        return -1;
    int value = rest->at[0] - low;
    *rest = text_skip(*rest, 1);
    return value;
}

static int cut_column(text *rest) {
    int upper = cut(rest, 'A', 'F');
    return upper >= 0 ? upper : cut(rest, 'a', 'f');
}

static sign cut_sign(text *rest) {
    static const char *const signs[] = {"-", "x", "X", "×"};
    for (int i = 0; i < 4; i++)
        if (text_starts(*rest, signs[i])) {
            *rest = text_skip(*rest, strlen(signs[i]));
            return i == 0 ? SIGN_STEP : SIGN_CAPTURE;
        }
    return SIGN_NONE;
}

static bool cut_native_point(text *rest, int *point) {
    int column = cut_column(rest), rank = cut(rest, '1', '6');
    *point = (5 - rank) * 6 + column;
    return column >= 0 && rank >= 0;
}

static bool scan_native(text word, written *w) {
    if (!cut_native_point(&word, &w->from))
        return false;
    while (word.len && is_blank(word.at[0]))
        word = text_skip(word, 1);
    w->how = cut_sign(&word);
    while (word.len && is_blank(word.at[0]))
        word = text_skip(word, 1);
    return cut_native_point(&word, &w->to) && word.len == 0;
}

static bool scan_sau(text word, written *w) {
    int x1 = cut(&word, 'A', 'F'), y1 = cut(&word, 'A', 'F');
    int x2 = cut(&word, 'A', 'F'), y2 = cut(&word, 'A', 'F');
    w->from = y1 * 6 + x1;
    w->to = y2 * 6 + x2;
    w->how = SIGN_NONE;
    return x1 >= 0 && y1 >= 0 && x2 >= 0 && y2 >= 0 && word.len == 0;
}

static bool cut_contest_point(text *rest, int *point) {
    int row = cut(rest, '1', '6'), column = cut_column(rest);
    *point = row * 6 + column;
    return row >= 0 && column >= 0;
}

static bool scan_contest(text word, written *w) {
    w->side = text_starts(word, "B") ? SK_BLACK : SK_WHITE;
    if (!text_starts(word, "B") && !text_starts(word, "R"))
        return false;
    word = text_skip(word, 1);
    return cut_contest_point(&word, &w->from) && (w->how = cut_sign(&word)) != SIGN_NONE &&
           cut_contest_point(&word, &w->to) && word.len == 0;
}

static bool check(const sk_pos *pos, const written *w, rules_move *move, fault *why) {
    rules_move m = move_of(w->from, w->to);
    bool empty = !(sk_occupied(pos) >> w->to & 1);
    if (w->how == SIGN_CAPTURE && empty && pos->pieces[pos->stm] >> w->from & 1)
        return fault_set(why, "there is nothing to capture on %s", sk_name_point(w->to).name);
    if (!sk_is_legal(pos, m))
        return sk_explain_move(pos, w->from, w->to, why);
    *move = m;
    return true;
}

static bool check_contest(const sk_pos *pos, const written *w, rules_move *move, fault *why) {
    if (w->side != pos->stm)
        return fault_set(why, "%s is to move (%c), not %s", sk_side_name(pos->stm),
                         pos->stm == SK_BLACK ? 'B' : 'R', sk_side_name(w->side));
    rules_move m;
    if (!check(pos, w, &m, why))
        return false;
    if (w->how == SIGN_STEP && sk_occupied(pos) >> w->to & 1)
        return fault_set(why, "the move captures on %s and is written as a step",
                         sk_name_point(w->to).name);
    *move = m;
    return true;
}

bool sk_parse_contest_move(const sk_pos *pos, text word, rules_move *move, fault *why) {
    written w = {0};
    if (!scan_contest(word, &w))
        return fault_set(why, "%s is not a move (B2E-3E, R6C×4A)", fault_quote(word).shown);
    return check_contest(pos, &w, move, why);
}

bool sk_parse_move(const sk_pos *pos, int notation, text word, rules_move *move, fault *why) {
    written w = {0};
    word = text_trim(word);
    bool any = notation < 0;
    if ((any || notation == NOTATION_NATIVE) && scan_native(word, &w))
        return check(pos, &w, move, why);
    if (notation == NOTATION_UCI0 && word.len == 4 && scan_native(word, &w))
        return check(pos, &w, move, why);
    if ((any || notation == NOTATION_SAU) && scan_sau(word, &w))
        return check(pos, &w, move, why);
    if ((any || notation == NOTATION_CONTEST) && scan_contest(word, &w))
        return check_contest(pos, &w, move, why);
    return fault_set(why, "%s is not a move (%s)", fault_quote(word).shown,
                     notation == NOTATION_SAU       ? "EBFC"
                     : notation == NOTATION_CONTEST ? "B2E-3E, R6C×4A"
                     : notation == NOTATION_UCI0    ? "c2c3"
                                                    : "c2-c3, c2xf4");
}

// --- writing ------------------------------------------------------------------------------------

void sk_format_move(const sk_pos *pos, rules_move move, rules_notation notation, writer *out) {
    int from = move_from(move), to = move_to(move);
    if (notation == NOTATION_NATIVE || notation == NOTATION_UCI0) {
        write_string(out, sk_name_point(from).name);
        if (notation == NOTATION_NATIVE)
            write_char(out, sk_occupied(pos) >> to & 1 ? 'x' : '-');
        write_string(out, sk_name_point(to).name);
    } else if (notation == NOTATION_SAU)
        write_format(out, "%c%c%c%c", 'A' + from % 6, 'A' + from / 6, 'A' + to % 6, 'A' + to / 6);
    else if (notation == NOTATION_CONTEST)
        sk_format_contest_move(pos, move, out);
}

void sk_format_contest_move(const sk_pos *pos, rules_move move, writer *out) {
    int from = move_from(move), to = move_to(move);
    write_format(out, "%c%d%c%s%d%c", pos->stm == SK_BLACK ? 'B' : 'R', from / 6 + 1,
                 'A' + from % 6, sk_occupied(pos) >> to & 1 ? "×" : "-", to / 6 + 1, 'A' + to % 6);
}
