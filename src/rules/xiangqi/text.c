#include "rules/xiangqi/text.h"

#include "rules/game.h"
#include "rules/xiangqi/explain.h"

// --- reading a FEN ------------------------------------------------------------------------------

static int piece_of_letter(char letter) {
    static const char letters[] = ".RCNPBAK"; // by type
    int side = letter >= 'a' ? XQ_BLACK : XQ_RED;
    char capital = (char)(side ? letter - 'a' + 'A' : letter);
    if (capital == 'H')
        capital = 'N';
    if (capital == 'E')
        capital = 'B';
    for (int type = XQ_CHARIOT; type < XQ_TYPES; type++)
        if (letters[type] == capital)
            return type | side << 3;
    return XQ_EMPTY;
}

static bool parse_row(uint8_t *board, int rank, text row, fault *why) {
    int file = 0;
    for (size_t i = 0; i < row.len; i++) {
        char c = row.at[i];
        int piece = piece_of_letter(c);
        if (c >= '1' && c <= '9')
            file += c - '0';
        else if (!piece)
            return fault_set(why, "FEN: %s is no piece, on rank %d",
                             fault_quote((text){row.at + i, 1}).shown, rank);
        else if (file < 9)
            board[rank * 9 + file++] = (uint8_t)piece;
        else
            file++;
        if (file > 9)
            break;
    }
    if (file != 9)
        return fault_set(why, "FEN: rank %d has %s than 9 points", rank,
                         file > 9 ? "more" : "fewer");
    return true;
}

static bool parse_board(uint8_t *board, text rows, fault *why) {
    for (int rank = 9; rank >= 0; rank--) {
        const char *slash = rows.len ? memchr(rows.at, '/', rows.len) : NULL;
        text row = {rows.at, slash ? (size_t)(slash - rows.at) : rows.len};
        if (!slash && rank)
            return fault_set(why, "FEN: the board has only %d of its 10 ranks", 10 - rank);
        if (slash && !rank)
            return fault_set(why, "FEN: the board has more than 10 ranks");
        if (!parse_row(board, rank, row, why))
            return false;
        rows = text_skip(rows, row.len + 1);
    }
    return true;
}

// No more pieces than a set has, one general a side, every piece where it can stand.
static bool check_pieces(const uint8_t *board, fault *why) {
    static const int set[XQ_TYPES] = {0, 2, 2, 2, 5, 2, 2, 1};
    int count[16] = {0};
    for (int p = 0; p < XQ_POINTS; p++) {
        int piece = board[p], type = xq_type(piece), side = xq_side(piece);
        if (!piece)
            continue;
        if (++count[piece] > set[type])
            return fault_set(why, "FEN: %s has more than %d %s%s", xq_side_name(side), set[type],
                             xq_type_name(type), set[type] > 1 ? "s" : "");
        if (!xq_can_stand(piece, p))
            return fault_set(why, "FEN: a %s %s cannot stand on %s", side ? "black" : "red",
                             xq_type_name(type), xq_name_point(p).name);
    }
    for (int side = XQ_RED; side <= XQ_BLACK; side++)
        if (!count[XQ_KING | side << 3])
            return fault_set(why, "FEN: %s has no general", xq_side_name(side));
    return true;
}

// The side that has just moved may not have left its general to be taken.
static bool check_checks(const uint8_t *board, int stm, fault *why) {
    if (xq_generals_face(board))
        return fault_set(why, "FEN: the generals face each other");
    int king = 0;
    while (board[king] != (XQ_KING | !stm << 3))
        king++;
    if (xq_find_attacker(board, stm, king) >= 0)
        return fault_set(why, "FEN: %s is in check but %s is to move", xq_side_name(!stm),
                         xq_side_name(stm));
    return true;
}

// `[- -] [PLIES [NUMBER]]` and nothing behind.
static bool parse_counters(text rest, xq_pos *pos, fault *why) {
    text behind = rest;
    if (text_is(text_next_word(&behind), "-")) {
        if (!text_is(text_next_word(&behind), "-"))
            return fault_set(why, "FEN: a single '-' behind the side to move");
        rest = behind;
    }
    return rules_parse_counters(rest, &pos->quiet, &pos->number, why);
}

bool xq_parse_fen(xq_pos *pos, text fen, fault *why) {
    xq_pos p;
    memset(&p, 0, sizeof p);
    text rows = text_next_word(&fen), side = text_next_word(&fen);
    if (rows.len == 0)
        return fault_set(why, "FEN: empty");
    if (!parse_board(p.board, rows, why) || !check_pieces(p.board, why))
        return false;
    if (side.len == 0)
        return fault_set(why, "FEN: no side to move behind the board (w or b)");
    if (text_is(side, "b"))
        p.stm = XQ_BLACK;
    else if (!text_is(side, "w") && !text_is(side, "r"))
        return fault_set(why, "FEN: the side to move is w or b, not %s", fault_quote(side).shown);
    if (!check_checks(p.board, p.stm, why) || !parse_counters(fen, &p, why))
        return false;
    xq_refresh(&p);
    *pos = p;
    return true;
}

// --- writing one --------------------------------------------------------------------------------

void xq_format_fen(const xq_pos *pos, writer *out) {
    static const char letters[] = ".RCNPBAK.rcnpbak";
    for (int rank = 9; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 9; file++) {
            int piece = pos->board[rank * 9 + file];
            if (!piece) {
                empty++;
                continue;
            }
            if (empty)
                write_char(out, (char)('0' + empty));
            empty = 0;
            write_char(out, letters[piece]);
        }
        if (empty)
            write_char(out, (char)('0' + empty));
        write_char(out, rank ? '/' : ' ');
    }
    write_format(out, "%c - - %d %d", pos->stm == XQ_RED ? 'w' : 'b', pos->quiet, pos->number);
}
