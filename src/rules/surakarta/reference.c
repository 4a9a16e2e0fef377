#include "rules/surakarta/reference.h"

#include <stdlib.h>

// The queues as printed in paper 1, each number less one: the array counts from 0, they do not.
static const int queue[2][SK_STATIONS] = {
    {13, 19, 25, 31, 24, 25, 26, 27, 28, 29, 34, 28, 22, 16, 10, 4, 11, 10, 9, 8, 7, 6, 1, 7},
    {14, 20, 26, 32, 18, 19, 20, 21, 22, 23, 33, 27, 21, 15, 9, 3, 17, 16, 15, 14, 13, 12, 2, 8},
};

sk_reference sk_reference_from(const sk_pos *pos) {
    sk_reference r = {.to_move = pos->stm == SK_BLACK ? SK_BLACK_VALUE : SK_WHITE_VALUE,
                      .quiet = pos->quiet,
                      .number = pos->number};
    for (int i = 0; i < SK_POINTS; i++) {
        if (pos->pieces[SK_BLACK] >> i & 1)
            r.a[i] = SK_BLACK_VALUE;
        if (pos->pieces[SK_WHITE] >> i & 1)
            r.a[i] = SK_WHITE_VALUE;
    }
    return r;
}

sk_pos sk_reference_to(const sk_reference *r) {
    uint64_t board[3] = {0};
    for (int i = 0; i < SK_POINTS; i++)
        board[r->a[i]] |= sk_bit(i);
    sk_pos pos = sk_set_up(board[SK_BLACK_VALUE], board[SK_WHITE_VALUE],
                           r->to_move == SK_BLACK_VALUE ? SK_BLACK : SK_WHITE);
    pos.quiet = (uint16_t)r->quiet;
    pos.number = (uint16_t)r->number;
    return pos;
}

// Paper 1's qlsq(), with "found" where the paper compares the subscript with 1.
bool sk_reference_same_orbit(int orbit, int from, int index) {
    bool from_found = false, index_found = false;
    for (int i = 0; i < SK_STATIONS; i++) {
        if (queue[orbit][i] == from)
            from_found = true;
        if (queue[orbit][i] == index)
            index_found = true;
    }
    return from_found && index_found;
}

// Paper 1's jghp(), with k advancing. The start may be crossed again, so it does not count in the
// sum; the walk ends where the target is met first, for behind a piece no route goes on. On one
// line either the row or the column stays what it was, so both have changed exactly when an arc is
// passed.
sk_reference_way sk_reference_go(const sk_reference *r, int orbit, int subscript, int step,
                                 int index) {
    const int *q = queue[orbit];
    int from = q[subscript];
    sk_reference_way way = {0};
    int i = (subscript + step + SK_STATIONS) % SK_STATIONS;
    while (q[i] != index) {
        way.row[way.count] = q[i] / 6;
        way.column[way.count++] = q[i] % 6;
        if (q[i] != from)
            way.sum += r->a[q[i]];
        i = (i + step + SK_STATIONS) % SK_STATIONS;
    }
    way.row[way.count] = q[i] / 6;
    way.column[way.count++] = q[i] % 6;
    for (int k = 0; k < way.count && !(way.row_changed && way.column_changed); k++) {
        if (way.row[k] != from / 6)
            way.row_changed = true;
        if (way.column[k] != from % 6)
            way.column_changed = true;
    }
    return way;
}

// Paper 1's czpd(). It asks two directions on each orbit; a point that its own orbit crosses twice
// has four, which the paper declares (h1next3, h1next4) and leaves out. Every station is tried
// here.
static bool can_capture(const sk_reference *r, int from, int index) {
    for (int orbit = 0; orbit < 2; orbit++) {
        if (!sk_reference_same_orbit(orbit, from, index))
            continue;
        for (int i = 0; i < SK_STATIONS; i++) {
            if (queue[orbit][i] != from)
                continue;
            for (int step = -1; step <= 1; step += 2) {
                sk_reference_way way = sk_reference_go(r, orbit, i, step, index);
                if (way.sum == 0 && way.row_changed && way.column_changed)
                    return true;
            }
        }
    }
    return false;
}

// Paper 1's M conditions.
static bool is_step(int from, int index) {
    int rows = abs(index / 6 - from / 6), columns = abs(index % 6 - from % 6);
    return rows <= 1 && columns <= 1 && rows + columns > 0;
}

// Paper 1's xzsf(), which forgets to ask for a piece on the start.
bool sk_reference_can_move(const sk_reference *r, int from, int index) {
    if (r->a[from] == 0)
        return false;
    if (r->a[index] != 0)
        return r->a[from] != r->a[index] && can_capture(r, from, index);
    return is_step(from, index);
}

// The side to move has won when the other has no piece, and then nobody moves.
static bool is_over(const sk_reference *r) {
    for (int i = 0; i < SK_POINTS; i++)
        if (r->a[i] != 0 && r->a[i] != r->to_move)
            return false;
    return true;
}

int sk_reference_generate(const sk_reference *r, rules_move list[SK_MAX_MOVES]) {
    int n = 0;
    if (is_over(r))
        return 0;
    for (int from = 0; from < SK_POINTS; from++) {
        if (r->a[from] != r->to_move)
            continue;
        for (int index = 0; index < SK_POINTS; index++)
            if (sk_reference_can_move(r, from, index))
                list[n++] = move_of(from, index);
    }
    return n;
}

int sk_reference_make(sk_reference *r, rules_move move) {
    int from = move_from(move), index = move_to(move), captured = r->a[index];
    r->a[index] = r->a[from];
    r->a[from] = SK_EMPTY_VALUE;
    r->quiet = captured ? 0 : r->quiet + 1;
    if (r->to_move == SK_WHITE_VALUE)
        r->number++;
    r->to_move = SK_BLACK_VALUE + SK_WHITE_VALUE - r->to_move;
    return captured;
}

void sk_reference_undo(sk_reference *r, rules_move move, int captured, int quiet) {
    int from = move_from(move), index = move_to(move);
    r->to_move = SK_BLACK_VALUE + SK_WHITE_VALUE - r->to_move;
    if (r->to_move == SK_WHITE_VALUE)
        r->number--;
    r->quiet = quiet;
    r->a[from] = r->a[index];
    r->a[index] = captured;
}

static uint64_t count(sk_reference *r, int depth, uint64_t *captures) {
    rules_move moves[SK_MAX_MOVES];
    int n = sk_reference_generate(r, moves);
    uint64_t nodes = 0;
    for (int i = 0; i < n; i++) {
        if (depth == 1) {
            *captures += r->a[move_to(moves[i])] != 0;
            nodes++;
            continue;
        }
        int quiet = r->quiet, captured = sk_reference_make(r, moves[i]);
        nodes += count(r, depth - 1, captures);
        sk_reference_undo(r, moves[i], captured, quiet);
    }
    return nodes;
}

uint64_t sk_reference_perft(const sk_pos *pos, int depth, uint64_t *captures) {
    sk_reference r = sk_reference_from(pos);
    return count(&r, depth, captures);
}

// --- walking ------------------------------------------------------------------------------------

enum { NONE = 0xff }; // no station

static const uint8_t circuit[2][SK_STATIONS] = {
    {1, 7, 13, 19, 25, 31, 24, 25, 26, 27, 28, 29, 34, 28, 22, 16, 10, 4, 11, 10, 9, 8, 7, 6},
    {2, 8, 14, 20, 26, 32, 18, 19, 20, 21, 22, 23, 33, 27, 21, 15, 9, 3, 17, 16, 15, 14, 13, 12},
};

// The stations of each point: circuit * 24 + station.
static const uint8_t station[SK_POINTS][2] = {
    {NONE, NONE}, {0, NONE}, {24, NONE}, {41, NONE}, {17, NONE}, {NONE, NONE},
    {23, NONE},   {1, 22},   {21, 25},   {20, 40},   {16, 19},   {18, NONE},
    {47, NONE},   {2, 46},   {26, 45},   {39, 44},   {15, 43},   {42, NONE},
    {30, NONE},   {3, 31},   {27, 32},   {33, 38},   {14, 34},   {35, NONE},
    {6, NONE},    {4, 7},    {8, 28},    {9, 37},    {10, 13},   {11, NONE},
    {NONE, NONE}, {5, NONE}, {29, NONE}, {36, NONE}, {12, NONE}, {NONE, NONE},
};

// The enemy piece met on the way from a station in one direction, as a bit, if a loop was passed.
static uint64_t walk(const uint8_t ring[SK_STATIONS], int start, bool forward, uint64_t occupied) {
    bool loop = false;
    int at = start;
    for (int steps = 1; steps < SK_STATIONS; steps++) {
        if (forward) {
            at = at == SK_STATIONS - 1 ? 0 : at + 1;
            loop |= at % 6 == 0;
        } else {
            loop |= at % 6 == 0;
            at = at == 0 ? SK_STATIONS - 1 : at - 1;
        }
        uint64_t point = sk_bit(ring[at]);
        if (point & occupied)
            return loop ? point : 0;
    }
    return 0;
}

static int generate(const sk_pos *pos, rules_move list[SK_MAX_MOVES], int *captures) {
    uint64_t own = pos->pieces[pos->stm], enemy = pos->pieces[pos->stm ^ 1];
    uint64_t occupied = own | enemy;
    int n = 0;
    for (uint64_t left = own; left;) {
        int from = bits_pop(&left);
        uint64_t others = occupied & ~sk_bit(from), targets = 0;
        for (int i = 0; i < 2 && station[from][i] != NONE; i++) {
            const uint8_t *ring = circuit[station[from][i] / SK_STATIONS];
            int start = station[from][i] % SK_STATIONS;
            targets |= walk(ring, start, true, others) | walk(ring, start, false, others);
        }
        for (targets &= enemy; targets;)
            list[n++] = move_of(from, bits_pop(&targets));
    }
    *captures = n;
    if (enemy == 0)
        return n;
    for (uint64_t left = own; left;) {
        int from = bits_pop(&left);
        for (uint64_t to = sk_neighbours[from] & ~occupied; to;)
            list[n++] = move_of(from, bits_pop(&to));
    }
    return n;
}

int sk_walk_generate(const sk_pos *pos, rules_move list[SK_MAX_MOVES]) {
    int captures;
    return generate(pos, list, &captures);
}

uint64_t sk_walk_perft(const sk_pos *pos, int depth, uint64_t *captures) {
    rules_move moves[SK_MAX_MOVES];
    int noisy, n = generate(pos, moves, &noisy);
    if (depth == 1) {
        *captures += (uint64_t)noisy;
        return (uint64_t)n;
    }
    uint64_t nodes = 0;
    for (int i = 0; i < n; i++) {
        sk_pos next = *pos;
        sk_make(&next, moves[i]);
        nodes += sk_walk_perft(&next, depth - 1, captures);
    }
    return nodes;
}
