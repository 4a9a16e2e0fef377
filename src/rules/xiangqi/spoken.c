#include "rules/xiangqi/spoken.h"

#include "rules/xiangqi/explain.h"

#include <stdlib.h>

int spoken_file(int side, int point) {
    return side == XQ_RED ? XQ_FILES - xq_file(point) : xq_file(point) + 1;
}

// The point on the side's file (1..9) and rank (0 its own back rank).
static int point_at(int side, int file, int rank) {
    return side == XQ_RED ? rank * XQ_FILES + XQ_FILES - file
                          : (XQ_RANKS - 1 - rank) * XQ_FILES + file - 1;
}

static int own_rank(int side, int point) {
    return side == XQ_RED ? xq_rank(point) : XQ_RANKS - 1 - xq_rank(point);
}

spoken_census spoken_take_census(const xq_pos *pos, int point) {
    int piece = pos->board[point], side = xq_side(piece);
    spoken_census census = {0};
    int before = 0; // pieces in the stacks on the right of this one's
    for (int file = 1; file <= XQ_FILES; file++) {
        int count = 0;
        for (int rank = XQ_RANKS - 1; rank >= 0; rank--) {
            int p = point_at(side, file, rank);
            if (pos->board[p] != piece)
                continue;
            count++;
            if (p == point) {
                census.place = count;
                census.ordinal = before + count;
            }
        }
        if (file == spoken_file(side, point))
            census.count = count;
        if (count > 1) {
            census.stacks++;
            before += count;
        }
    }
    return census;
}

static bool moves_straight(int type) {
    return type == XQ_CHARIOT || type == XQ_CANNON || type == XQ_PAWN || type == XQ_KING;
}

spoken_move spoken_describe(const xq_pos *pos, rules_move move) {
    int from = move_from(move), to = move_to(move), side = xq_side(pos->board[from]);
    int ahead = own_rank(side, to) - own_rank(side, from);
    spoken_move said = {.type = xq_type(pos->board[from]), .file = spoken_file(side, from)};
    said.way = ahead > 0 ? SPOKEN_FORWARD : ahead < 0 ? SPOKEN_BACK : SPOKEN_SIDEWAYS;
    said.number = ahead && moves_straight(said.type) ? abs(ahead) : spoken_file(side, to);
    return said;
}

bool spoken_needs_mark(int type, const spoken_census *census) {
    return census->count > 1 && type != XQ_ADVISOR && type != XQ_ELEPHANT;
}

// --- from words to a move -----------------------------------------------------------------------

// The place on a file of `count` that a mark speaks of, from the front; 0 for none.
static int place_of_mark(spoken_mark mark, int count) {
    bool many = count >= 4;
    switch (mark) {
    case STACK_FRONT:
        return 1;
    case STACK_MIDDLE:
        return count % 2 == 1 ? (count + 1) / 2 : 0;
    case STACK_REAR:
        return count;
    case STACK_PLUS:
        return many ? 2 : 1;
    case STACK_MINUS:
        return many ? count - 1 : count;
    case STACK_FOREMOST:
        return many ? 1 : 0;
    case STACK_REARMOST:
        return many ? count : 0;
    default:
        return 0;
    }
}

static bool is_meant(const xq_pos *pos, const spoken_move *said, int point) {
    if (pos->board[point] != xq_piece(said->type, pos->stm))
        return false;
    if (said->file && said->file != spoken_file(pos->stm, point))
        return false;
    if (said->mark == STACK_NONE)
        return true;
    spoken_census census = spoken_take_census(pos, point);
    if (census.count < 2)
        return false;
    if (said->mark == STACK_ORDINAL)
        return said->ordinal == (said->file ? census.place : census.ordinal);
    return census.place == place_of_mark(said->mark, census.count);
}

// Where the words lead a piece, or -1 with the reason.
static int find_target(const xq_pos *pos, const spoken_move *said, int from, fault *why) {
    int file = spoken_file(pos->stm, from), rank = own_rank(pos->stm, from);
    const char *name = xq_type_name(said->type);
    if (moves_straight(said->type) && said->way != SPOKEN_SIDEWAYS) {
        rank += said->number * (int)said->way;
        if (rank >= 0 && rank < XQ_RANKS)
            return point_at(pos->stm, file, rank);
        fault_set(why, "%d points %s from %s is off the board", said->number,
                  said->way > 0 ? "ahead" : "back", xq_name_point(from).name);
        return -1;
    }
    if (said->way == SPOKEN_SIDEWAYS && !moves_straight(said->type)) {
        fault_set(why, "the %s does not move sideways", name);
        return -1;
    }
    int across = abs(said->number - file), ahead = 0;
    if (said->type == XQ_HORSE)
        ahead = across == 1 ? 2 : across == 2 ? 1 : -1;
    else if (said->type == XQ_ELEPHANT)
        ahead = across == 2 ? 2 : -1;
    else if (said->type == XQ_ADVISOR)
        ahead = across == 1 ? 1 : -1;
    rank += ahead * (int)said->way;
    if (across && ahead >= 0 && rank >= 0 && rank < XQ_RANKS)
        return point_at(pos->stm, said->number, rank);
    fault_set(why, "the %s on %s cannot go to file %d like that", name, xq_name_point(from).name,
              said->number);
    return -1;
}

static bool refuse_nobody(const xq_pos *pos, const spoken_move *said, fault *why) {
    const char *colour = pos->stm == XQ_RED ? "red" : "black", *name = xq_type_name(said->type);
    if (said->mark == STACK_NONE)
        return fault_set(why, "no %s %s on file %d", colour, name, said->file);
    if (said->mark == STACK_ORDINAL)
        return fault_set(why, "no %s %s number %d on files with several", colour, name,
                         said->ordinal);
    return fault_set(why, "no %s %s stands like that among several on one file", colour, name);
}

bool spoken_resolve(const xq_pos *pos, const spoken_move *said, rules_move *move, fault *why) {
    int meant = 0, legal = 0;
    rules_move found = MOVE_NONE;
    for (int p = 0; p < XQ_POINTS; p++) {
        if (!is_meant(pos, said, p))
            continue;
        // Of several that may be meant the first says why nothing was possible.
        fault *first = meant++ ? NULL : why;
        int to = find_target(pos, said, p, first);
        if (to >= 0 && (xq_is_legal(pos, move_of(p, to)) || xq_explain_move(pos, p, to, first))) {
            found = move_of(p, to);
            legal++;
        }
    }
    if (meant == 0)
        return refuse_nobody(pos, said, why);
    if (legal > 1)
        return fault_set(why, "two %ss could go there: say which (%s)", xq_type_name(said->type),
                         said->mark == STACK_NONE ? "+ and - or 前 and 后" : "add the file");
    if (legal == 0)
        return false;
    *move = found;
    return true;
}
