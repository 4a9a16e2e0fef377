#include "rules/xiangqi/reference.h"

#include <assert.h>

// --- numbers and squares ------------------------------------------------------------------------

const uint8_t xq_reference_type[XQR_NUMBERS] = {
    XQ_EMPTY,   XQ_CHARIOT,  XQ_CHARIOT,  XQ_HORSE,   XQ_HORSE,   XQ_CANNON,   XQ_CANNON,
    XQ_PAWN,    XQ_PAWN,     XQ_PAWN,     XQ_PAWN,    XQ_PAWN,    XQ_ELEPHANT, XQ_ELEPHANT,
    XQ_ADVISOR, XQ_ADVISOR,  XQ_KING,     XQ_EMPTY,   XQ_CHARIOT, XQ_CHARIOT,  XQ_HORSE,
    XQ_HORSE,   XQ_CANNON,   XQ_CANNON,   XQ_PAWN,    XQ_PAWN,    XQ_PAWN,     XQ_PAWN,
    XQ_PAWN,    XQ_ELEPHANT, XQ_ELEPHANT, XQ_ADVISOR, XQ_ADVISOR, XQ_KING,
};

static const int step[4] = {1, 10, -1, -10}; // by xq_reference_direction

static int row_of(int square) { return square / 10; }
static int column_of(int square) { return square % 10; }

static int square_of(int point) { return (10 - xq_rank(point)) * 10 + xq_file(point) + 1; }
static int point_of(int square) { return (10 - row_of(square)) * XQ_FILES + column_of(square) - 1; }

static bool is_red(int number) { return number >= 1 && number <= 16; }
static bool is_black(int number) { return number >= 18; }
static bool is_man(int number) { return number != XQR_EMPTY && number != XQR_BORDER; }
static bool is_of(int number, int side) {
    return side == XQ_RED ? is_red(number) : is_black(number);
}
static int first_of(int side) { return side == XQ_RED ? 1 : 18; }
static int king_of(int side) { return side == XQ_RED ? XQR_RED_KING : XQR_BLACK_KING; }
static bool is_kind(int number, int type, int side) {
    return is_of(number, side) && xq_reference_type[number] == type;
}

rules_move xq_reference_to_points(rules_move move) {
    return move_of(point_of(move_from(move)), point_of(move_to(move)));
}

int xq_reference_piece_at(const xq_reference *pos, int point) {
    int number = pos->board[square_of(point)];
    return is_man(number) ? xq_piece(xq_reference_type[number], is_black(number)) : XQ_EMPTY;
}

// --- dirnext ------------------------------------------------------------------------------------

// The nearest man or border from a square.
static int look(const xq_reference *pos, int square, xq_reference_direction d) {
    do
        square += step[d];
    while (pos->board[square] == XQR_EMPTY);
    return square;
}

int xq_reference_next(const xq_reference *pos, int number, xq_reference_direction d) {
    return pos->linked ? pos->dirnext[number][d] : look(pos, pos->piece_table[number], d);
}

static xq_reference_direction opposite(xq_reference_direction d) { return d ^ 2; }

// Tells the neighbour of a man that the way back now ends on a square.
static void tell_neighbour(xq_reference *pos, int number, xq_reference_direction d, int square) {
    int neighbour = pos->board[pos->dirnext[number][d]];
    if (neighbour != XQR_BORDER)
        pos->dirnext[neighbour][opposite(d)] = (uint8_t)square;
}

static void place_man(xq_reference *pos, int number, int square) {
    pos->board[square] = (uint8_t)number;
    pos->piece_table[number] = (uint8_t)square;
    if (!pos->linked)
        return;
    for (xq_reference_direction d = XQR_RIGHT; d <= XQR_UP; d++) {
        pos->dirnext[number][d] = (uint8_t)look(pos, square, d);
        tell_neighbour(pos, number, d, square);
    }
}

static void lift_man(xq_reference *pos, int number) {
    pos->board[pos->piece_table[number]] = XQR_EMPTY;
    pos->piece_table[number] = 0;
    if (!pos->linked)
        return;
    for (xq_reference_direction d = XQR_RIGHT; d <= XQR_UP; d++)
        tell_neighbour(pos, number, d, pos->dirnext[number][opposite(d)]);
}

// Puts one man where another stands; its neighbours see a man there as before.
static void replace_man(xq_reference *pos, int old, int number) {
    int square = pos->piece_table[old];
    pos->board[square] = (uint8_t)number;
    pos->piece_table[old] = 0;
    pos->piece_table[number] = (uint8_t)square;
    if (pos->linked)
        memcpy(pos->dirnext[number], pos->dirnext[old], sizeof pos->dirnext[old]);
}

void xq_reference_set_up(xq_reference *pos, const xq_pos *from, bool linked) {
    memset(pos, 0, sizeof *pos);
    pos->linked = linked;
    pos->stm = from->stm;
    pos->quiet = from->quiet;
    pos->number = from->number;
    memset(pos->board, XQR_BORDER, sizeof pos->board);
    for (int point = 0; point < XQ_POINTS; point++)
        pos->board[square_of(point)] = XQR_EMPTY;
    for (int point = 0; point < XQ_POINTS; point++) {
        int piece = from->board[point];
        if (piece == XQ_EMPTY)
            continue;
        int number = first_of(xq_side(piece));
        while (xq_reference_type[number] != xq_type(piece) || pos->piece_table[number] != 0)
            number++;
        assert(is_of(number, xq_side(piece)));
        place_man(pos, number, square_of(point));
    }
}

int xq_reference_make(xq_reference *pos, rules_move move) {
    int number = pos->board[move_from(move)], captured = pos->board[move_to(move)];
    lift_man(pos, number);
    if (captured)
        replace_man(pos, captured, number);
    else
        place_man(pos, number, move_to(move));
    pos->quiet = captured ? 0 : (uint16_t)(pos->quiet + (pos->quiet < UINT16_MAX));
    pos->number = (uint16_t)(pos->number + pos->stm);
    pos->stm ^= 1;
    return captured;
}

void xq_reference_undo(xq_reference *pos, rules_move move, int captured, uint16_t quiet) {
    int number = pos->board[move_to(move)];
    if (captured)
        replace_man(pos, number, captured);
    else
        lift_man(pos, number);
    place_man(pos, number, move_from(move));
    pos->quiet = quiet;
    pos->stm ^= 1;
    pos->number = (uint16_t)(pos->number - pos->stm);
}

// --- check --------------------------------------------------------------------------------------

bool xq_reference_kings_face(const xq_reference *pos) {
    return pos->board[xq_reference_next(pos, XQR_RED_KING, XQR_UP)] == XQR_BLACK_KING;
}

// Chariots and cannons: the first and the second man each way.
static bool line_check(const xq_reference *pos, int king, int enemy) {
    for (xq_reference_direction d = XQR_RIGHT; d <= XQR_UP; d++) {
        int first = pos->board[xq_reference_next(pos, king, d)];
        if (first == XQR_BORDER)
            continue;
        if (is_kind(first, XQ_CHARIOT, enemy) ||
            is_kind(pos->board[xq_reference_next(pos, first, d)], XQ_CANNON, enemy))
            return true;
    }
    return false;
}

static bool horse_check(const xq_reference *pos, int square, int enemy) {
    for (int a = -10; a <= 10; a += 20)
        for (int b = -1; b <= 1; b += 2) {
            if (pos->board[square + a + b] != XQR_EMPTY)
                continue; // the leg of both horses beyond
            if (is_kind(pos->board[square + 2 * a + b], XQ_HORSE, enemy) ||
                is_kind(pos->board[square + a + 2 * b], XQ_HORSE, enemy))
                return true;
        }
    return false;
}

static bool pawn_check(const xq_reference *pos, int square, int enemy) {
    int ahead = enemy == XQ_RED ? -10 : 10; // a red pawn moves up
    return is_kind(pos->board[square - ahead], XQ_PAWN, enemy) ||
           is_kind(pos->board[square - 1], XQ_PAWN, enemy) ||
           is_kind(pos->board[square + 1], XQ_PAWN, enemy);
}

bool xq_reference_in_check(const xq_reference *pos, int side) {
    int king = king_of(side), square = pos->piece_table[king];
    return xq_reference_kings_face(pos) || line_check(pos, king, !side) ||
           horse_check(pos, square, !side) || pawn_check(pos, square, !side);
}

// --- moves --------------------------------------------------------------------------------------

// A move to a square the man can get to, kept unless the border or an own man is there.
static void add_move(const xq_reference *pos, xq_reference_list *list, int from, int to) {
    int target = pos->board[to];
    if (target == XQR_EMPTY) {
        assert(list->quiets < XQR_QUIETS);
        list->moves[XQR_CAPTURES + list->quiets++] = move_of(from, to);
    } else if (is_of(target, !pos->stm)) {
        assert(list->captures < XQR_CAPTURES);
        list->moves[list->captures++] = move_of(from, to);
    }
}

static void add_line_moves(const xq_reference *pos, xq_reference_list *list, int number, int from) {
    for (xq_reference_direction d = XQR_RIGHT; d <= XQR_UP; d++) {
        int stop = xq_reference_next(pos, number, d);
        for (int to = from + step[d]; to != stop; to += step[d])
            add_move(pos, list, from, to);
        if (xq_reference_type[number] == XQ_CANNON) {
            if (pos->board[stop] == XQR_BORDER)
                continue;
            stop = xq_reference_next(pos, pos->board[stop], d);
        }
        add_move(pos, list, from, stop);
    }
}

static void add_horse_moves(const xq_reference *pos, xq_reference_list *list, int from) {
    for (xq_reference_direction d = XQR_RIGHT; d <= XQR_UP; d++) {
        if (pos->board[from + step[d]] != XQR_EMPTY)
            continue;
        int aside = step[(d + 1) % 4];
        add_move(pos, list, from, from + 2 * step[d] + aside);
        add_move(pos, list, from, from + 2 * step[d] - aside);
    }
}

static bool across_river(int square, int side) { return (row_of(square) <= 5) == (side == XQ_RED); }

static bool in_palace(int square, int side) {
    int row = row_of(square), column = column_of(square);
    return column >= 4 && column <= 6 &&
           (side == XQ_RED ? row >= 8 && row <= 10 : row >= 1 && row <= 3);
}

static void add_elephant_moves(const xq_reference *pos, xq_reference_list *list, int from) {
    for (int a = -10; a <= 10; a += 20)
        for (int b = -1; b <= 1; b += 2) {
            int eye = from + a + b, to = eye + a + b;
            if (pos->board[eye] == XQR_EMPTY && !across_river(to, pos->stm))
                add_move(pos, list, from, to);
        }
}

static void add_palace_moves(const xq_reference *pos, xq_reference_list *list, int number,
                             int from) {
    for (xq_reference_direction d = XQR_RIGHT; d <= XQR_UP; d++) {
        int to = from + step[d] + (xq_reference_type[number] == XQ_ADVISOR ? step[(d + 1) % 4] : 0);
        if (in_palace(to, pos->stm))
            add_move(pos, list, from, to);
    }
}

static void add_pawn_moves(const xq_reference *pos, xq_reference_list *list, int from) {
    add_move(pos, list, from, from + (pos->stm == XQ_RED ? -10 : 10));
    if (across_river(from, pos->stm)) {
        add_move(pos, list, from, from - 1);
        add_move(pos, list, from, from + 1);
    }
}

void xq_reference_generate_all(const xq_reference *pos, xq_reference_list *list) {
    list->captures = list->quiets = 0;
    for (int number = first_of(pos->stm); number <= king_of(pos->stm); number++) {
        int from = pos->piece_table[number];
        if (from == 0)
            continue;
        switch (xq_reference_type[number]) {
        case XQ_CHARIOT:
        case XQ_CANNON:
            add_line_moves(pos, list, number, from);
            break;
        case XQ_HORSE:
            add_horse_moves(pos, list, from);
            break;
        case XQ_ELEPHANT:
            add_elephant_moves(pos, list, from);
            break;
        case XQ_PAWN:
            add_pawn_moves(pos, list, from);
            break;
        default:
            add_palace_moves(pos, list, number, from);
        }
    }
}

// Drops from one part of a list what leaves the king to be taken; returns how many stay.
static int keep_legal(xq_reference *pos, rules_move *moves, int n) {
    int kept = 0, side = pos->stm;
    for (int i = 0; i < n; i++) {
        uint16_t quiet = pos->quiet;
        int captured = xq_reference_make(pos, moves[i]);
        bool legal = !xq_reference_in_check(pos, side);
        xq_reference_undo(pos, moves[i], captured, quiet);
        if (legal)
            moves[kept++] = moves[i];
    }
    return kept;
}

void xq_reference_generate(xq_reference *pos, xq_reference_list *list) {
    xq_reference_generate_all(pos, list);
    list->captures = keep_legal(pos, list->moves, list->captures);
    list->quiets = keep_legal(pos, list->moves + XQR_CAPTURES, list->quiets);
}

static uint64_t count_part(xq_reference *pos, const rules_move *moves, int n, int depth,
                           uint64_t *captures) {
    uint64_t nodes = 0;
    for (int i = 0; i < n; i++) {
        uint16_t quiet = pos->quiet;
        int captured = xq_reference_make(pos, moves[i]);
        nodes += xq_reference_count(pos, depth, captures);
        xq_reference_undo(pos, moves[i], captured, quiet);
    }
    return nodes;
}

uint64_t xq_reference_count(xq_reference *pos, int depth, uint64_t *captures) {
    xq_reference_list list;
    xq_reference_generate(pos, &list);
    if (depth == 1) {
        *captures += (uint64_t)list.captures;
        return (uint64_t)(list.captures + list.quiets);
    }
    return count_part(pos, list.moves, list.captures, depth - 1, captures) +
           count_part(pos, list.moves + XQR_CAPTURES, list.quiets, depth - 1, captures);
}

uint64_t xq_reference_perft(const xq_pos *pos, int depth, uint64_t *captures) {
    xq_reference reference;
    xq_reference_set_up(&reference, pos, true);
    return xq_reference_count(&reference, depth, captures);
}
