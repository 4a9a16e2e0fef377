#include "rules/xiangqi/explain.h"

#include <stdlib.h>

const char *xq_side_name(int side) { return side == XQ_RED ? "Red" : "Black"; }

const char *xq_type_name(int type) {
    static const char *const names[XQ_TYPES] = {"piece", "chariot",  "cannon",  "horse",
                                                "pawn",  "elephant", "advisor", "general"};
    return names[type];
}

xq_point_name xq_name_point(int point) {
    return (xq_point_name){{(char)('a' + xq_file(point)), (char)('0' + xq_rank(point))}};
}

// --- where a piece can stand --------------------------------------------------------------------

// The rank as the side sees it: 0 is its own back rank.
static int own_rank(int side, int point) {
    int rank = xq_rank(point);
    return side == XQ_RED ? rank : 9 - rank;
}

static bool in_palace(int side, int point) {
    int file = xq_file(point);
    return file >= 3 && file <= 5 && own_rank(side, point) <= 2;
}

bool xq_can_stand(int piece, int point) {
    int side = xq_side(piece), file = xq_file(point), rank = own_rank(side, point);
    switch (xq_type(piece)) {
    case XQ_KING:
        return in_palace(side, point);
    case XQ_ADVISOR:
        return in_palace(side, point) && (file + rank) % 2 == 1;
    case XQ_ELEPHANT: // seven points: two on the back rank, three in the middle, two at the river
        return rank <= 4 && rank % 2 == 0 && file % 4 == (rank % 4 == 0 ? 2 : 0);
    default: // pawns too: diagrams of the rule book hold some that no game can bring there
        return true;
    }
}

// --- how a piece moves --------------------------------------------------------------------------

// Pieces strictly between two points of one file or rank; *where is the first of them.
static int count_between(const uint8_t *board, int from, int to, int *where) {
    int step = xq_file(from) == xq_file(to) ? 9 : 1, count = 0;
    if (to < from)
        step = -step;
    for (int p = from + step; p != to; p += step)
        if (board[p] && count++ == 0)
            *where = p;
    return count;
}

static bool slider_reaches(const uint8_t *board, int from, int to, fault *why) {
    const char *name = xq_type_name(xq_type(board[from]));
    int blocker = 0;
    if (xq_file(from) != xq_file(to) && xq_rank(from) != xq_rank(to))
        return fault_set(why, "a %s moves along a file or a rank", name);
    int between = count_between(board, from, to, &blocker);
    bool jumps = xq_type(board[from]) == XQ_CANNON && board[to];
    if (jumps && between != 1)
        return fault_set(why, "a cannon captures over exactly one piece, not over %s",
                         between ? "more" : "none");
    if (!jumps && between)
        return fault_set(why, "the %s is blocked on %s", name, xq_name_point(blocker).name);
    return true;
}

static bool horse_reaches(const uint8_t *board, int from, int to, fault *why) {
    int files = xq_file(to) - xq_file(from);
    int ranks = xq_rank(to) - xq_rank(from);
    if (abs(files * ranks) != 2)
        return fault_set(why, "that is not how a horse moves");
    int leg = abs(files) == 2 ? from + files / 2 : from + ranks / 2 * 9;
    if (board[leg])
        return fault_set(why, "the horse is blocked on %s", xq_name_point(leg).name);
    return true;
}

static bool elephant_reaches(const uint8_t *board, int from, int to, fault *why) {
    int files = xq_file(to) - xq_file(from);
    int ranks = xq_rank(to) - xq_rank(from);
    if (abs(files) != 2 || abs(ranks) != 2)
        return fault_set(why, "that is not how an elephant moves");
    if (!xq_can_stand(board[from], to))
        return fault_set(why, "an elephant does not cross the river");
    int eye = (from + to) / 2;
    if (board[eye])
        return fault_set(why, "the elephant is blocked on %s", xq_name_point(eye).name);
    return true;
}

// Advisor and general: one point, diagonally or straight, within the palace.
static bool courtier_reaches(const uint8_t *board, int from, int to, fault *why) {
    int type = xq_type(board[from]);
    int files = abs(xq_file(to) - xq_file(from));
    int ranks = abs(xq_rank(to) - xq_rank(from));
    bool good = type == XQ_ADVISOR ? files == 1 && ranks == 1 : files + ranks == 1;
    if (!good)
        return fault_set(why, "that is not how %s moves",
                         type == XQ_ADVISOR ? "an advisor" : "a general");
    if (!in_palace(xq_side(board[from]), to))
        return fault_set(why, "the %s does not leave the palace", xq_type_name(type));
    return true;
}

static bool pawn_reaches(const uint8_t *board, int from, int to, fault *why) {
    int side = xq_side(board[from]);
    int files = abs(xq_file(to) - xq_file(from));
    int ahead = own_rank(side, to) - own_rank(side, from);
    if (ahead < 0)
        return fault_set(why, "a pawn does not move back");
    if (files + ahead != 1)
        return fault_set(why, "a pawn moves one point at a time");
    if (files && own_rank(side, from) < 5)
        return fault_set(why, "a pawn moves sideways only across the river");
    return true;
}

bool xq_explain_reach(const uint8_t board[XQ_POINTS], int from, int to, fault *why) {
    if (from == to)
        return fault_set(why, "the move goes nowhere");
    switch (xq_type(board[from])) {
    case XQ_CHARIOT:
    case XQ_CANNON:
        return slider_reaches(board, from, to, why);
    case XQ_HORSE:
        return horse_reaches(board, from, to, why);
    case XQ_ELEPHANT:
        return elephant_reaches(board, from, to, why);
    case XQ_ADVISOR:
    case XQ_KING:
        return courtier_reaches(board, from, to, why);
    case XQ_PAWN:
        return pawn_reaches(board, from, to, why);
    default:
        return fault_set(why, "no piece on %s", xq_name_point(from).name);
    }
}

// --- checks -------------------------------------------------------------------------------------

static int find_king(const uint8_t *board, int side) {
    int point = 0;
    while (board[point] != (XQ_KING | side << 3))
        point++;
    return point;
}

bool xq_generals_face(const uint8_t board[XQ_POINTS]) {
    int red = find_king(board, XQ_RED), black = find_king(board, XQ_BLACK), blocker;
    return xq_file(red) == xq_file(black) && count_between(board, red, black, &blocker) == 0;
}

int xq_find_attacker(const uint8_t board[XQ_POINTS], int side, int target) {
    for (int p = 0; p < XQ_POINTS; p++)
        if (board[p] && xq_side(board[p]) == side && xq_explain_reach(board, p, target, NULL))
            return p;
    return -1;
}

bool xq_explain_move(const xq_pos *pos, int from, int to, fault *why) {
    int piece = pos->board[from], taken = pos->board[to];
    if (!piece)
        return fault_set(why, "no piece on %s", xq_name_point(from).name);
    if (xq_side(piece) != pos->stm)
        return fault_set(why, "the %s on %s is not %s's", xq_type_name(xq_type(piece)),
                         xq_name_point(from).name, xq_side_name(pos->stm));
    if (taken && xq_side(taken) == pos->stm && from != to)
        return fault_set(why, "%s's own %s stands on %s", xq_side_name(pos->stm),
                         xq_type_name(xq_type(taken)), xq_name_point(to).name);
    if (!xq_explain_reach(pos->board, from, to, why))
        return false;
    if (xq_type(taken) == XQ_KING)
        return fault_set(why, "the general cannot be captured");

    uint8_t board[XQ_POINTS];
    memcpy(board, pos->board, sizeof board);
    board[to] = (uint8_t)piece;
    board[from] = XQ_EMPTY;
    if (xq_generals_face(board))
        return fault_set(why, "the generals would face each other on file %c",
                         'a' + xq_file(find_king(board, XQ_RED)));
    int king = find_king(board, pos->stm), attacker = xq_find_attacker(board, !pos->stm, king);
    if (attacker >= 0)
        return fault_set(why, "the move leaves the general in check from the %s on %s",
                         xq_type_name(xq_type(board[attacker])), xq_name_point(attacker).name);
    return true;
}
