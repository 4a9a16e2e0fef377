// Perpetual check and perpetual chase. The article numbers are those of docs/rules-xiangqi.md.
//
// A cycle is judged for each side apart: a side checks without end if each of its moves gives check
// (article 1), and chases without end if each of its moves makes a new chase of one and the same
// piece (article 2). Cycles are short and rare, so clarity wins over speed here: a plain board,
// every pair of pieces looked at.
#include "rules/xiangqi/repetition.h"

#include "rules/xiangqi/explain.h"

enum { PIECES = 32 };

// The cycle's board while it is walked through. Every piece has a number that stays with it.
typedef struct {
    uint8_t piece[XQ_POINTS];
    uint8_t id[XQ_POINTS]; // valid where a piece stands
    uint8_t king[2];
} board;

// Who chases whom: for each piece of the chasing side, the victims as bits.
typedef struct {
    uint32_t victims[PIECES];
} chase_map;

static bool own_half(int side, int point) {
    return side == XQ_RED ? xq_rank(point) <= 4 : xq_rank(point) >= 5;
}

// Does the piece on `from` attack the one on `to`, friend or foe? Kings see along an open file
// here: that is how facing generals count as check.
static bool attacks(const board *b, int from, int to) {
    int piece = b->piece[from];
    if (xq_type(piece) == XQ_KING && to == b->king[!xq_side(piece)])
        return xq_generals_face(b->piece);
    return xq_explain_reach(b->piece, from, to, NULL);
}

// The pieces that give check to a side, as bits of their numbers.
static uint32_t checkers(const board *b, int side) {
    uint32_t found = 0;
    for (int from = 0; from < XQ_POINTS; from++)
        if (b->piece[from] && xq_side(b->piece[from]) != side && attacks(b, from, b->king[side]))
            found |= 1u << b->id[from];
    return found;
}

static void move_piece(board *b, int from, int to) {
    b->piece[to] = b->piece[from];
    b->id[to] = b->id[from];
    b->piece[from] = XQ_EMPTY;
    if (xq_type(b->piece[to]) == XQ_KING)
        b->king[xq_side(b->piece[to])] = (uint8_t)to;
}

// Article 5: a piece has a root if, once it is captured, a friend can legally take the captor.
// With `apparent`, the friend must also be seen to stand guard before the capture is made. A check
// that stands already does not count against the friend: it would have been met first. Returns
// where the friend stands, or -1.
static int find_root(const board *b, const board *captured, int victim, int side, bool apparent) {
    uint32_t standing = checkers(b, side);
    for (int guard = 0; guard < XQ_POINTS; guard++) {
        if (!b->piece[guard] || xq_side(b->piece[guard]) != side || guard == victim)
            continue;
        if (!attacks(captured, guard, victim) || (apparent && !attacks(b, guard, victim)))
            continue;
        board retaken = *captured;
        move_piece(&retaken, guard, victim);
        if (!(checkers(&retaken, side) & ~standing))
            return guard;
    }
    return -1;
}

// Article 4: what a piece gains by taking a stronger one no root makes good.
static bool takes_stronger(int hunter, int victim) {
    bool minor = hunter == XQ_ADVISOR || hunter == XQ_ELEPHANT;
    bool middle = hunter == XQ_HORSE || hunter == XQ_CANNON;
    return (victim == XQ_CHARIOT && (minor || middle)) ||
           (minor && (victim == XQ_HORSE || victim == XQ_CANNON));
}

// Article 6: two pieces of a kind that can take each other offer an exchange.
static bool offers_exchange(const board *b, int hunter, int victim) {
    if (xq_type(b->piece[hunter]) != xq_type(b->piece[victim]) || !attacks(b, victim, hunter))
        return false;
    board taken = *b;
    int side = xq_side(b->piece[victim]);
    move_piece(&taken, victim, hunter);
    return !checkers(&taken, side);
}

// Article 3: kings and pawns may hunt as they like; kings are checked, not chased; a pawn on its
// own side of the river is no prey.
static bool may_be_chase(const board *b, int hunter, int victim) {
    int h = xq_type(b->piece[hunter]), v = xq_type(b->piece[victim]);
    if (h == XQ_KING || h == XQ_PAWN || v == XQ_KING)
        return false;
    return v != XQ_PAWN || !own_half(xq_side(b->piece[victim]), victim);
}

// Is the piece on `victim` chased by the one on `hunter`? The checks in `pending` do not count
// against the hunter: they had to be met first, but the threat stood all the same.
static bool chases(const board *b, int hunter, int victim, uint32_t pending, bool apparent) {
    if (!may_be_chase(b, hunter, victim) || !attacks(b, hunter, victim))
        return false;
    int side = xq_side(b->piece[hunter]);
    board captured = *b;
    move_piece(&captured, hunter, victim);
    if (checkers(&captured, side) & ~pending)
        return false; // article 8: a pinned piece threatens nothing
    if (takes_stronger(xq_type(b->piece[hunter]), xq_type(b->piece[victim])))
        return true;
    return !offers_exchange(b, hunter, victim) &&
           find_root(b, &captured, victim, !side, apparent) < 0;
}

static chase_map find_chases(const board *b, int side, uint32_t pending, bool apparent) {
    chase_map map = {{0}};
    for (int hunter = 0; hunter < XQ_POINTS; hunter++) {
        if (!b->piece[hunter] || xq_side(b->piece[hunter]) != side)
            continue;
        for (int victim = 0; victim < XQ_POINTS; victim++)
            if (b->piece[victim] && xq_side(b->piece[victim]) != side &&
                chases(b, hunter, victim, pending, apparent))
                map.victims[b->id[hunter]] |= 1u << b->id[victim];
    }
    return map;
}

// Article 7: the victims a move newly chases. The hunter's threat must not have stood before the
// move, and the reply before it must have met what threat there was: by moving the victim (whose
// number is `replied` then) or by any other means.
static uint32_t new_victims(const board *before, const board *after, int side, int replied) {
    chase_map now = find_chases(after, side, 0, false);
    uint32_t pending = checkers(before, side);
    chase_map stood = find_chases(before, side, pending, true);
    chase_map unmet = find_chases(before, side, pending, false);
    uint32_t made = 0, ignored = 0;
    for (int i = 0; i < PIECES; i++) {
        made |= now.victims[i] & ~stood.victims[i];
        ignored |= unmet.victims[i];
    }
    return made & ~(ignored & ~(1u << replied));
}

static rules_move nth_move(const rules_move *moves, size_t stride, int n) {
    rules_move move;
    memcpy(&move, (const char *)moves + (size_t)n * stride, sizeof move);
    return move;
}

static board board_of(const xq_pos *pos) {
    board b = {.king = {pos->king[0], pos->king[1]}};
    uint8_t next = 0;
    for (int point = 0; point < XQ_POINTS; point++) {
        b.piece[point] = pos->board[point];
        if (b.piece[point])
            b.id[point] = next++ & (PIECES - 1);
    }
    return b;
}

// Where the piece with the lowest of these numbers stands.
static uint8_t point_of(const board *b, uint32_t numbers) {
    int wanted = bits_lowest(numbers);
    for (int point = 0; point < XQ_POINTS; point++)
        if (b->piece[point] && b->id[point] == wanted)
            return (uint8_t)point;
    return 0;
}

// Whether the side that has just moved would mate with its next move if the other side did nothing.
static bool threatens_mate(const xq_pos *pos, rules_move *mate) {
    xq_pos passed = *pos;
    rules_move moves[XQ_MAX_MOVES], replies[XQ_MAX_MOVES];
    passed.stm ^= 1;
    int n = xq_generate(&passed, moves);
    for (int i = 0; i < n; i++) {
        xq_pos next = passed;
        xq_make(&next, moves[i]);
        if (xq_in_check(&next, next.stm) && xq_generate(&next, replies) == 0) {
            *mate = moves[i];
            return true;
        }
    }
    return false;
}

// What the sides have done with all their moves so far.
typedef struct {
    bool checking[2];
    uint32_t chased[2]; // one piece: the numbers of those that every move chased
    bool forbidden[2];  // every move checked, chased something or threatened mate
} conduct;

// Whether a move that gives check can be a chase as well: article 13, against article 9.
static bool checks_chase(rules_end how) { return how == END_ASIAN; }

// Takes in one move. Under END_CXA any mix of check, chase and threats of mate offends.
static void take_in(conduct *c, int side, const board *before, const board *after, int reply,
                    const xq_pos *pos, rules_end how) {
    bool check = checkers(after, !side) != 0, mixes = how == END_CXA && c->forbidden[side];
    if (!c->checking[side] && !c->chased[side] && !mixes)
        return; // nothing left to find out about this side
    bool may_chase = (!check || checks_chase(how)) && (c->chased[side] || mixes);
    uint32_t victims = may_chase ? new_victims(before, after, side, reply) : 0;
    rules_move mate;
    c->checking[side] &= check;
    c->chased[side] &= victims;
    if (mixes)
        c->forbidden[side] = check || victims || threatens_mate(pos, &mate);
}

xq_cycle xq_judge_offences(const xq_pos *end, const rules_move *moves, size_t stride, int n,
                           rules_end how) {
    // The cycle ends where it began, so the end position is its first board as well. A piece need
    // not be back on its own point: two chariots may have changed places.
    board b = board_of(end);
    xq_pos pos;
    if (how == END_CXA)
        pos = *end;
    conduct c = {{true, true}, {~0u, ~0u}, {how == END_CXA, how == END_CXA}};
    int side = end->stm, replied = b.id[move_to(nth_move(moves, stride, n - 1))];
    for (int i = 0; i < n; i++, side = !side) {
        rules_move move = nth_move(moves, stride, i);
        board before = b;
        int reply = replied;
        move_piece(&b, move_from(move), move_to(move));
        replied = b.id[move_to(move)];
        if (how == END_CXA)
            xq_make(&pos, move);
        take_in(&c, side, &before, &b, reply, &pos, how);
    }
    xq_cycle cycle = {{XQ_IDLE, XQ_IDLE}, {0, 0}, {false, false}};
    for (side = XQ_RED; side <= XQ_BLACK; side++) {
        if (c.checking[side]) {
            cycle.offence[side] = XQ_CHECK;
        } else if (c.chased[side]) {
            cycle.offence[side] = XQ_CHASE;
            cycle.chased[side] = point_of(&b, c.chased[side]);
        } else if (c.forbidden[side]) {
            cycle.offence[side] = XQ_CHASE;
            cycle.is_mixed[side] = true;
        }
    }
    return cycle;
}

rules_outcome xq_cycle_outcome(const xq_cycle *cycle, rules_end how) {
    xq_offence red = cycle->offence[XQ_RED], black = cycle->offence[XQ_BLACK];
    if (how == END_DRAW)
        return RULES_DRAW;
    if (how == END_SIMPLE) { // only check against no check is an offence
        red = red == XQ_CHECK ? XQ_CHECK : XQ_IDLE;
        black = black == XQ_CHECK ? XQ_CHECK : XQ_IDLE;
    }
    if (red == black) // article 10
        return RULES_DRAW;
    return red > black ? RULES_SECOND_WINS : RULES_FIRST_WINS;
}

rules_verdict xq_judge_cycle(const xq_pos *end, const rules_move *moves, size_t stride, int n,
                             rules_end how) {
    xq_cycle cycle = xq_judge_offences(end, moves, stride, n, how);
    rules_verdict v = {.outcome = xq_cycle_outcome(&cycle, how), .reason = REASON_REPETITION};
    writer w = writer_on(v.words, sizeof v.words);
    if (v.outcome == RULES_DRAW) {
        xq_offence both = cycle.offence[0] == cycle.offence[1] ? cycle.offence[0] : XQ_IDLE;
        bool mixed = cycle.is_mixed[0] || cycle.is_mixed[1];
        write_string(&w, both == XQ_CHECK   ? "both sides check without end"
                         : mixed && both    ? "both sides make forbidden moves without end"
                         : both == XQ_CHASE ? "both sides chase without end"
                         : how == END_WXF || how == END_ASIAN || how == END_CXA
                             ? "the position repeats and neither side offends"
                             : "the position repeats");
        return v;
    }
    int loser = v.outcome == RULES_SECOND_WINS ? XQ_RED : XQ_BLACK;
    if (cycle.offence[loser] == XQ_CHECK) {
        v.reason = REASON_PERPETUAL_CHECK;
        write_format(&w, "%s checks without end", xq_side_name(loser));
    } else if (cycle.is_mixed[loser]) {
        v.reason = REASON_PERPETUAL_CHASE;
        write_format(&w, "%s checks, chases or threatens mate with every move",
                     xq_side_name(loser));
    } else {
        int victim = cycle.chased[loser];
        v.reason = REASON_PERPETUAL_CHASE;
        write_format(&w, "%s chases the %s on %s without end", xq_side_name(loser),
                     xq_type_name(xq_type(end->board[victim])), xq_name_point(victim).name);
    }
    return v;
}

// --- explaining ---------------------------------------------------------------------------------

static void write_piece(const board *b, int point, writer *out) {
    write_format(out, "the %s on %s", xq_type_name(xq_type(b->piece[point])),
                 xq_name_point(point).name);
}

// Why an attack is a chase, or why not. Returns whether it is one.
static bool explain_attack(const board *b, int hunter, int victim, writer *out) {
    int side = xq_side(b->piece[hunter]), h = xq_type(b->piece[hunter]);
    write_piece(b, hunter, out);
    write_string(out, " attacks ");
    write_piece(b, victim, out);
    if (!may_be_chase(b, hunter, victim)) {
        write_string(out, h == XQ_KING || h == XQ_PAWN
                              ? ": generals and pawns may (article 3)"
                              : ": a pawn that has not crossed the river is no prey (article 3)");
        return false;
    }
    board captured = *b;
    move_piece(&captured, hunter, victim);
    if (checkers(&captured, side)) {
        write_string(out, ": it is pinned and threatens nothing (article 8)");
        return false;
    }
    if (takes_stronger(h, xq_type(b->piece[victim]))) {
        write_string(out, ", a stronger piece: chase (article 4)");
        return true;
    }
    if (offers_exchange(b, hunter, victim)) {
        write_string(out, ", which could take it: an exchange (article 6)");
        return false;
    }
    int guard = find_root(b, &captured, victim, !side, false);
    if (guard >= 0) {
        write_string(out, ", which ");
        write_piece(b, guard, out);
        write_string(out, " protects (article 5)");
        return false;
    }
    write_string(out, ", which has no root: chase (article 5)");
    return true;
}

// All attacks of a side after its move that were not there before, and those that became chases.
static bool explain_attacks(const board *before, const board *after, int side, uint32_t victims,
                            writer *out) {
    bool any = false;
    for (int hunter = 0; hunter < XQ_POINTS; hunter++)
        for (int victim = 0; victim < XQ_POINTS; victim++) {
            if (!after->piece[hunter] || !after->piece[victim] ||
                xq_side(after->piece[hunter]) != side || xq_side(after->piece[victim]) == side ||
                xq_type(after->piece[victim]) == XQ_KING || !attacks(after, hunter, victim))
                continue;
            bool is_chased = victims >> after->id[victim] & 1;
            uint32_t from = 1u << after->id[hunter];
            bool is_old = before->piece[hunter] && 1u << before->id[hunter] == from &&
                          before->piece[victim] && attacks(before, hunter, victim);
            if (is_old && !is_chased)
                continue;
            write_string(out, any ? "; " : "");
            bool chase = explain_attack(after, hunter, victim, out);
            if (chase && !is_chased)
                write_string(out, ", but the threat is not new or was not met (article 7)");
            any = true;
        }
    return any;
}

// Whether the articles on chases count; without them only checks do.
static bool judges_chases(rules_end how) {
    return how == END_WXF || how == END_ASIAN || how == END_CXA;
}

// What a move that gives check by a piece does, or one that gives none.
static void explain_move(const board *before, const board *after, int side, uint32_t by,
                         uint32_t victims, rules_end how, writer *out) {
    if (by)
        write_piece(after, point_of(after, by), out);
    if (!judges_chases(how)) {
        write_string(out, by ? " gives check" : "gives no check");
    } else if (by) {
        write_format(out, " gives check (articles 1, %s)", checks_chase(how) ? "13" : "9");
        if (checks_chase(how) && victims) {
            write_string(out, "; ");
            explain_attacks(before, after, side, victims, out);
        }
    } else if (!explain_attacks(before, after, side, victims, out)) {
        write_string(out, "attacks nothing new");
    }
}

void xq_explain_cycle(const xq_pos *end, const rules_move *moves, size_t stride, int n,
                      rules_end how, writer *out) {
    board b = board_of(end);
    xq_pos pos = *end;
    int side = end->stm, replied = b.id[move_to(nth_move(moves, stride, n - 1))];
    for (int i = 0; i < n; i++, side = !side) {
        rules_move move = nth_move(moves, stride, i), mate;
        board before = b;
        int reply = replied;
        move_piece(&b, move_from(move), move_to(move));
        xq_make(&pos, move);
        replied = b.id[move_to(move)];
        uint32_t by = checkers(&b, !side), victims = new_victims(&before, &b, side, reply);
        write_format(out, "%s %s%s: ", xq_side_name(side), xq_name_point(move_from(move)).name,
                     xq_name_point(move_to(move)).name);
        explain_move(&before, &b, side, by, victims, how, out);
        if (!by && how == END_CXA && threatens_mate(&pos, &mate))
            write_format(out, "; threatens mate by %s%s (article 11)",
                         xq_name_point(move_from(mate)).name, xq_name_point(move_to(mate)).name);
        write_char(out, '\n');
    }
}
