#include "rules/surakarta/walk.h"

enum { NONE = 0xff };

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
