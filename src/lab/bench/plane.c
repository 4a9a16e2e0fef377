#include "lab/bench/plane.h"

// A move is 4 bits each of row and column, twice.
static rules_move move_between(plane_square from, plane_square to) {
    return move_of(from.row << 4 | from.column, to.row << 4 | to.column);
}

static plane_square square_of(int packed) {
    return (plane_square){(int8_t)(packed >> 4), (int8_t)(packed & 15)};
}

static plane_square offset(plane_square s, int rows, int columns) {
    return (plane_square){(int8_t)(s.row + rows), (int8_t)(s.column + columns)};
}

static bool on_board(plane_square s) {
    return s.row >= 0 && s.row < XQ_RANKS && s.column >= 0 && s.column < XQ_FILES;
}

static int at(const plane_pos *pos, plane_square s) { return pos->board[s.row][s.column]; }

static bool is_of(int number, int side) {
    return side == XQ_RED ? number >= 1 && number <= XQR_RED_KING : number > XQR_BORDER;
}

static int first_of(int side) { return side == XQ_RED ? 1 : XQR_BORDER + 1; }
static int king_of(int side) { return side == XQ_RED ? XQR_RED_KING : XQR_BLACK_KING; }

static bool is_kind_at(const plane_pos *pos, plane_square s, int type, int side) {
    return on_board(s) && is_of(at(pos, s), side) && xq_reference_type[at(pos, s)] == type;
}

static const int8_t ways[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}}; // right, down, left, up

// --- set-up, make and undo ----------------------------------------------------------------------

static void put(plane_pos *pos, int number, plane_square s) {
    pos->board[s.row][s.column] = (uint8_t)number;
    pos->table[number] = s;
}

void plane_set_up(plane_pos *pos, const xq_pos *from) {
    memset(pos, 0, sizeof *pos);
    pos->stm = from->stm;
    for (int number = 0; number < XQR_NUMBERS; number++)
        pos->table[number].row = -1;
    for (int point = 0; point < XQ_POINTS; point++) {
        int piece = from->board[point];
        if (piece == XQ_EMPTY)
            continue;
        int number = first_of(xq_side(piece));
        while (xq_reference_type[number] != xq_type(piece) || pos->table[number].row >= 0)
            number++;
        put(pos, number, (plane_square){(int8_t)(9 - xq_rank(point)), (int8_t)xq_file(point)});
    }
}

static int make(plane_pos *pos, rules_move move) {
    plane_square from = square_of(move_from(move)), to = square_of(move_to(move));
    int number = at(pos, from), captured = at(pos, to);
    pos->board[from.row][from.column] = XQR_EMPTY;
    if (captured)
        pos->table[captured].row = -1;
    put(pos, number, to);
    pos->stm ^= 1;
    return captured;
}

static void undo(plane_pos *pos, rules_move move, int captured) {
    plane_square from = square_of(move_from(move)), to = square_of(move_to(move));
    put(pos, at(pos, to), from);
    pos->board[to.row][to.column] = XQR_EMPTY;
    if (captured)
        put(pos, captured, to);
    pos->stm ^= 1;
}

// --- check --------------------------------------------------------------------------------------

// The nearest man in a direction; off the board where there is none.
static plane_square look(const plane_pos *pos, plane_square s, int way) {
    do
        s = offset(s, ways[way][0], ways[way][1]);
    while (on_board(s) && at(pos, s) == XQR_EMPTY);
    return s;
}

static bool line_check(const plane_pos *pos, plane_square king, int enemy) {
    for (int way = 0; way < 4; way++) {
        plane_square first = look(pos, king, way);
        if (!on_board(first))
            continue;
        if (is_kind_at(pos, first, XQ_CHARIOT, enemy) ||
            is_kind_at(pos, look(pos, first, way), XQ_CANNON, enemy))
            return true;
    }
    return false;
}

static bool horse_check(const plane_pos *pos, plane_square king, int enemy) {
    for (int a = -1; a <= 1; a += 2)
        for (int b = -1; b <= 1; b += 2) {
            plane_square leg = offset(king, a, b);
            if (!on_board(leg) || at(pos, leg) != XQR_EMPTY)
                continue;
            if (is_kind_at(pos, offset(leg, a, 0), XQ_HORSE, enemy) ||
                is_kind_at(pos, offset(leg, 0, b), XQ_HORSE, enemy))
                return true;
        }
    return false;
}

static bool pawn_check(const plane_pos *pos, plane_square king, int enemy) {
    return is_kind_at(pos, offset(king, enemy == XQ_RED ? 1 : -1, 0), XQ_PAWN, enemy) ||
           is_kind_at(pos, offset(king, 0, -1), XQ_PAWN, enemy) ||
           is_kind_at(pos, offset(king, 0, 1), XQ_PAWN, enemy);
}

static bool in_check(const plane_pos *pos, int side) {
    plane_square king = pos->table[king_of(side)];
    return is_kind_at(pos, look(pos, pos->table[XQR_RED_KING], 3), XQ_KING, XQ_BLACK) ||
           line_check(pos, king, !side) || horse_check(pos, king, !side) ||
           pawn_check(pos, king, !side);
}

// --- moves --------------------------------------------------------------------------------------

static void add_move(const plane_pos *pos, xq_reference_list *list, plane_square from,
                     plane_square to) {
    if (!on_board(to))
        return;
    if (at(pos, to) == XQR_EMPTY)
        list->moves[XQR_CAPTURES + list->quiets++] = move_between(from, to);
    else if (is_of(at(pos, to), !pos->stm))
        list->moves[list->captures++] = move_between(from, to);
}

static void add_line_moves(const plane_pos *pos, xq_reference_list *list, int number,
                           plane_square from) {
    for (int way = 0; way < 4; way++) {
        plane_square s = offset(from, ways[way][0], ways[way][1]);
        for (; on_board(s) && at(pos, s) == XQR_EMPTY; s = offset(s, ways[way][0], ways[way][1]))
            add_move(pos, list, from, s);
        if (xq_reference_type[number] == XQ_CANNON && on_board(s))
            s = look(pos, s, way);
        add_move(pos, list, from, s);
    }
}

static void add_horse_moves(const plane_pos *pos, xq_reference_list *list, plane_square from) {
    for (int way = 0; way < 4; way++) {
        int rows = ways[way][0], columns = ways[way][1];
        plane_square leg = offset(from, rows, columns);
        if (!on_board(leg) || at(pos, leg) != XQR_EMPTY)
            continue;
        add_move(pos, list, from, offset(leg, rows + columns, columns + rows));
        add_move(pos, list, from, offset(leg, rows - columns, columns - rows));
    }
}

static bool across_river(plane_square s, int side) { return (s.row <= 4) == (side == XQ_RED); }

static bool in_palace(plane_square s, int side) {
    return s.column >= 3 && s.column <= 5 && (side == XQ_RED ? s.row >= 7 : s.row <= 2);
}

static void add_elephant_moves(const plane_pos *pos, xq_reference_list *list, plane_square from) {
    for (int a = -1; a <= 1; a += 2)
        for (int b = -1; b <= 1; b += 2) {
            plane_square eye = offset(from, a, b), to = offset(eye, a, b);
            if (on_board(eye) && at(pos, eye) == XQR_EMPTY && !across_river(to, pos->stm))
                add_move(pos, list, from, to);
        }
}

static void add_palace_moves(const plane_pos *pos, xq_reference_list *list, int number,
                             plane_square from) {
    for (int way = 0; way < 4; way++) {
        int aside = xq_reference_type[number] == XQ_ADVISOR ? (way + 1) % 4 : -1;
        plane_square to = offset(from, ways[way][0], ways[way][1]);
        if (aside >= 0)
            to = offset(to, ways[aside][0], ways[aside][1]);
        if (in_palace(to, pos->stm))
            add_move(pos, list, from, to);
    }
}

static void add_pawn_moves(const plane_pos *pos, xq_reference_list *list, plane_square from) {
    add_move(pos, list, from, offset(from, pos->stm == XQ_RED ? -1 : 1, 0));
    if (across_river(from, pos->stm)) {
        add_move(pos, list, from, offset(from, 0, -1));
        add_move(pos, list, from, offset(from, 0, 1));
    }
}

static void generate_all(const plane_pos *pos, xq_reference_list *list) {
    list->captures = list->quiets = 0;
    for (int number = first_of(pos->stm); number <= king_of(pos->stm); number++) {
        plane_square from = pos->table[number];
        if (from.row < 0)
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

static int keep_legal(plane_pos *pos, rules_move *moves, int n) {
    int kept = 0, side = pos->stm;
    for (int i = 0; i < n; i++) {
        int captured = make(pos, moves[i]);
        bool legal = !in_check(pos, side);
        undo(pos, moves[i], captured);
        if (legal)
            moves[kept++] = moves[i];
    }
    return kept;
}

static uint64_t count_part(plane_pos *pos, const rules_move *moves, int n, int depth,
                           uint64_t *captures) {
    uint64_t nodes = 0;
    for (int i = 0; i < n; i++) {
        int captured = make(pos, moves[i]);
        nodes += plane_count(pos, depth, captures);
        undo(pos, moves[i], captured);
    }
    return nodes;
}

uint64_t plane_count(plane_pos *pos, int depth, uint64_t *captures) {
    xq_reference_list list;
    generate_all(pos, &list);
    list.captures = keep_legal(pos, list.moves, list.captures);
    list.quiets = keep_legal(pos, list.moves + XQR_CAPTURES, list.quiets);
    if (depth == 1) {
        *captures += (uint64_t)list.captures;
        return (uint64_t)(list.captures + list.quiets);
    }
    return count_part(pos, list.moves, list.captures, depth - 1, captures) +
           count_part(pos, list.moves + XQR_CAPTURES, list.quiets, depth - 1, captures);
}
