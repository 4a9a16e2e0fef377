// Positions as text.
#include "rules/surakarta/text.h"

#include "rules/fen.h"

const char *sk_side_name(int side) { return side == SK_BLACK ? "Black" : "White"; }

sk_point_name sk_name_point(int point) {
    return (sk_point_name){{(char)('a' + point % 6), (char)('6' - point / 6), '\0'}};
}

// --- reading ------------------------------------------------------------------------------------

static bool parse_row(uint64_t boards[2], int row, text letters, fault *why) {
    int column = 0, rank = 6 - row;
    for (size_t i = 0; i < letters.len; i++) {
        char c = letters.at[i];
        if (c >= '1' && c <= '6') {
            column += c - '0';
        } else if (c == 'b' || c == 'w') {
            if (column < 6)
                boards[c == 'w'] |= sk_bit(row * 6 + column);
            column++;
        } else {
            return fault_set(why, "FEN: %s is no piece, on rank %d",
                             fault_quote((text){&c, 1}).shown, rank);
        }
        if (column > 6)
            break;
    }
    if (column != 6)
        return fault_set(why, "FEN: rank %d has %s than 6 points", rank,
                         column > 6 ? "more" : "fewer");
    return true;
}

static bool parse_board(uint64_t boards[2], text rows, fault *why) {
    for (int row = 0; row < 6; row++) {
        const char *slash = rows.len ? memchr(rows.at, '/', rows.len) : NULL;
        if (!slash && row < 5)
            return fault_set(why, "FEN: the board has %d rank%s, not 6", row + 1, row ? "s" : "");
        if (slash && row == 5)
            return fault_set(why, "FEN: the board has more than 6 ranks");
        text letters = {rows.at, slash ? (size_t)(slash - rows.at) : rows.len};
        if (!parse_row(boards, row, letters, why))
            return false;
        rows = text_skip(rows, letters.len + 1);
    }
    for (int side = 0; side < 2; side++)
        if (bits_count(boards[side]) > SK_MAX_PIECES)
            return fault_set(why, "FEN: %s has %d pieces, more than %d", sk_side_name(side),
                             bits_count(boards[side]), SK_MAX_PIECES);
    if (boards[SK_BLACK] == 0 && boards[SK_WHITE] == 0)
        return fault_set(why, "FEN: the board is empty");
    return true;
}

bool sk_parse_fen(sk_pos *pos, text fen, fault *why) {
    uint64_t boards[2] = {0, 0};
    text rows = text_next_word(&fen), side = text_next_word(&fen);
    if (rows.len == 0)
        return fault_set(why, "FEN: empty");
    if (!parse_board(boards, rows, why))
        return false;
    if (side.len == 0)
        return fault_set(why, "FEN: no side to move behind the board (b or w)");
    if (!text_is(side, "b") && !text_is(side, "w"))
        return fault_set(why, "FEN: the side to move is b or w, not %s", fault_quote(side).shown);
    sk_pos p =
        sk_set_up(boards[SK_BLACK], boards[SK_WHITE], text_is(side, "b") ? SK_BLACK : SK_WHITE);
    if (!fen_parse_counters(fen, &p.quiet, &p.number, why))
        return false;
    *pos = p;
    return true;
}

// --- writing ------------------------------------------------------------------------------------

void sk_format_fen(const sk_pos *pos, writer *out) {
    for (int point = 0, empty = 0; point < SK_POINTS; point++) {
        bool black = pos->pieces[SK_BLACK] >> point & 1, white = pos->pieces[SK_WHITE] >> point & 1;
        bool row_ends = point % 6 == 5;
        empty += !black && !white;
        if (empty && (black || white || row_ends)) {
            write_char(out, (char)('0' + empty));
            empty = 0;
        }
        if (black || white)
            write_char(out, black ? 'b' : 'w');
        if (row_ends && point != SK_POINTS - 1)
            write_char(out, '/');
    }
    write_format(out, " %c %d %d", pos->stm == SK_BLACK ? 'b' : 'w', pos->quiet, pos->number);
}
