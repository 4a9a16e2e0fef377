// Surakarta on two 36-bit boards: position, make and undo, move generation. The hot path of the
// engine and the tables: a transparent struct and inline functions, no state between calls.
//
// Point = row * 6 + column, row 0 on top (a6 is point 0, f1 is point 35). Black (side 0) starts on
// the two top rows and moves first; White (side 1) on the two bottom rows.
//
// Captures. A circuit is a ring of 24 stations, six for each of its four lines, with a corner loop
// between one line and the next. Both rings together are kept in one 64-bit word per side, a line
// to a byte: bits 0..5 of bytes 0..3 are the inner ring, of bytes 4..7 the outer one. So a ring is
// 32 bits that one machine instruction turns, a loop is a border between two bytes, and the nearest
// piece ahead or behind is a count of zeros.
//
// Four points of each circuit are crossed by it twice: one piece there is two stations. The piece
// that moves is no obstacle to itself, so where the next piece along the ring is the mover once
// more, it goes on to the one behind.
#ifndef KRATON_RULES_SURAKARTA_H
#define KRATON_RULES_SURAKARTA_H

#include "base/bits.h"
#include "base/text.h"
#include "rules/move.h"

enum {
    SK_BLACK,
    SK_WHITE,
    SK_POINTS = 36,
    SK_STATIONS = 24,
    SK_MAX_PIECES = 12,
    SK_MAX_CAPTURES = 16, // eight loops, each seen from one side, and twice on from a crossing
    SK_MAX_MOVES = 160
};

typedef struct {
    uint64_t pieces[2]; // bit = point
    uint64_t ring[2];   // the same pieces as stations of both rings
    uint64_t key;       // Zobrist, side to move included
    uint16_t quiet;     // plies since the last capture; stays at 65535
    uint16_t number;    // move number as in the FEN
    uint8_t stm;
} sk_pos;

#define SK_BOARD ((uint64_t)0xfffffffff)
#define SK_NOT_A ((uint64_t)0xfbefbefbe) // all but column a
#define SK_NOT_F ((uint64_t)0x7df7df7df) // all but column f

extern const uint8_t sk_ring_point[64];           // the point of a station; bits 6 and 7 are none
extern const uint64_t sk_ring_bits[SK_POINTS];    // the stations of a point: none, one or two
extern const uint64_t sk_neighbours[SK_POINTS];   // one step in all eight directions
extern const uint64_t sk_point_key[2][SK_POINTS]; // Zobrist
extern const uint64_t sk_white_key;

// A position with these pieces, no plies since the last capture, at move 1. The boards are
// disjoint.
sk_pos sk_set_up(uint64_t black, uint64_t white, int stm);
sk_pos sk_start(void);
// The key from scratch; equals pos->key.
uint64_t sk_compute_key(const sk_pos *pos);

ALWAYS_INLINE uint64_t sk_bit(int point) { return (uint64_t)1 << point; }

ALWAYS_INLINE uint64_t sk_occupied(const sk_pos *pos) {
    return pos->pieces[SK_BLACK] | pos->pieces[SK_WHITE];
}

// --- make and undo ------------------------------------------------------------------------------

// Plays a legal move; returns whether it captured, which undo wants to know.
ALWAYS_INLINE bool sk_make(sk_pos *pos, rules_move move) {
    int from = move_from(move), to = move_to(move), us = pos->stm, them = us ^ 1;
    bool captured = pos->pieces[them] >> to & 1;
    pos->pieces[us] ^= sk_bit(from) | sk_bit(to);
    pos->ring[us] ^= sk_ring_bits[from] ^ sk_ring_bits[to];
    pos->key ^= sk_point_key[us][from] ^ sk_point_key[us][to] ^ sk_white_key;
    pos->quiet = (uint16_t)(pos->quiet + (pos->quiet < UINT16_MAX));
    if (captured) {
        pos->pieces[them] ^= sk_bit(to);
        pos->ring[them] ^= sk_ring_bits[to];
        pos->key ^= sk_point_key[them][to];
        pos->quiet = 0;
    }
    pos->number = (uint16_t)(pos->number + us);
    pos->stm = (uint8_t)them;
    return captured;
}

// Takes back a move that sk_make played; quiet is what pos->quiet was before it.
ALWAYS_INLINE void sk_undo(sk_pos *pos, rules_move move, bool captured, uint16_t quiet) {
    int from = move_from(move), to = move_to(move), them = pos->stm, us = them ^ 1;
    pos->pieces[us] ^= sk_bit(from) | sk_bit(to);
    pos->ring[us] ^= sk_ring_bits[from] ^ sk_ring_bits[to];
    pos->key ^= sk_point_key[us][from] ^ sk_point_key[us][to] ^ sk_white_key;
    if (captured) {
        pos->pieces[them] ^= sk_bit(to);
        pos->ring[them] ^= sk_ring_bits[to];
        pos->key ^= sk_point_key[them][to];
    }
    pos->quiet = quiet;
    pos->number = (uint16_t)(pos->number - us);
    pos->stm = (uint8_t)us;
}

// --- one piece ----------------------------------------------------------------------------------

// What the piece on `from`, whose ever it is, can capture: both ways from each of its stations.
ALWAYS_INLINE uint64_t sk_capture_targets(const sk_pos *pos, int from) {
    uint64_t stations = sk_ring_bits[from], reached = 0;
    uint64_t others = (pos->ring[SK_BLACK] | pos->ring[SK_WHITE]) & ~stations;
    while (stations) {
        int at = bits_pop(&stations), place = at & 7;
        uint32_t ring = bits_rotate_right((uint32_t)(others >> (at & 32)), at & 31);
        if (ring == 0)
            continue;
        int ahead = bits_lowest(ring), behind = 32 - bits_highest(ring);
        if (place + ahead >= 8)
            reached |= sk_bit(sk_ring_point[(at & 32) | ((at + ahead) & 31)]);
        if (place - behind < 0)
            reached |= sk_bit(sk_ring_point[(at & 32) | ((at - behind) & 31)]);
    }
    return reached & pos->pieces[pos->pieces[SK_WHITE] >> from & 1 ? SK_BLACK : SK_WHITE];
}

// Whether the side to move may play this, for any 16 bits.
ALWAYS_INLINE bool sk_is_legal(const sk_pos *pos, rules_move move) {
    int from = move_from(move), to = move_to(move), us = pos->stm;
    if (from >= SK_POINTS || to >= SK_POINTS || !(pos->pieces[us] >> from & 1))
        return false;
    if (pos->pieces[us ^ 1] >> to & 1)
        return sk_capture_targets(pos, from) >> to & 1;
    return (sk_neighbours[from] & ~sk_occupied(pos)) >> to & 1 && pos->pieces[us ^ 1];
}

// --- all moves ----------------------------------------------------------------------------------

ALWAYS_INLINE int sk_add_capture(rules_move *list, int n, int from, int to) {
    rules_move move = move_of(from, to);
    for (int i = 0; i < n; i++)
        if (list[i] == move)
            return n;
    list[n] = move;
    return n + 1;
}

// The captures along the gap over one loop: between the last station before it and the first one
// behind it, if they are of different sides. `all` and `own` are a ring turned so that the loop
// lies between bit 31 and bit 0; `points` names its stations before turning.
ALWAYS_INLINE int sk_add_gap(rules_move *list, int n, uint32_t all, uint32_t own,
                             const uint8_t *points, int turned) {
    if (all >> 24 == 0)
        return n; // the line before the loop is empty: the gap begins before an earlier loop
    int last = bits_highest(all), first = bits_lowest(all);
    bool out = own >> last & 1, in = own >> first & 1;
    if (!out && !in)
        return n;
    int a = points[(turned + last) & 31], b = points[(turned + first) & 31];
    if (out != in)
        return out ? sk_add_capture(list, n, a, b) : sk_add_capture(list, n, b, a);
    if (a != b)
        return n;
    // The mover meets itself: it goes on, and over this loop already.
    uint32_t beyond = all & ~((uint32_t)1 << last | (uint32_t)1 << first);
    if (beyond) {
        last = bits_highest(beyond), first = bits_lowest(beyond);
        if (!(own >> first & 1))
            n = sk_add_capture(list, n, a, points[(turned + first) & 31]);
        if (!(own >> last & 1))
            n = sk_add_capture(list, n, a, points[(turned + last) & 31]);
    }
    return n;
}

ALWAYS_INLINE int sk_add_ring(rules_move *list, int n, uint32_t all, uint32_t own,
                              const uint8_t *points) {
    n = sk_add_gap(list, n, all, own, points, 0);
    n = sk_add_gap(list, n, bits_rotate_right(all, 8), bits_rotate_right(own, 8), points, 8);
    n = sk_add_gap(list, n, bits_rotate_right(all, 16), bits_rotate_right(own, 16), points, 16);
    return sk_add_gap(list, n, bits_rotate_right(all, 24), bits_rotate_right(own, 24), points, 24);
}

// All captures of the side to move, each from-to pair once. Not piece by piece: a capture runs
// along a gap between two neighbouring pieces of a ring that holds at least one loop, so looking
// both ways from each of the eight loops finds every one. (Written out eight times this is 1.4
// times as fast as in a loop; finding the ends of all eight lines at once with byte-wise
// arithmetic, or doing without branches, gained nothing.)
ALWAYS_INLINE int sk_generate_captures(const sk_pos *pos, rules_move list[SK_MAX_CAPTURES]) {
    uint64_t own = pos->ring[pos->stm], all = own | pos->ring[pos->stm ^ 1];
    int n = sk_add_ring(list, 0, (uint32_t)all, (uint32_t)own, sk_ring_point);
    return sk_add_ring(list, n, (uint32_t)(all >> 32), (uint32_t)(own >> 32), sk_ring_point + 32);
}

// The steps to the points of `to` from those `distance` points before them.
ALWAYS_INLINE rules_move *sk_add_steps(rules_move *list, uint64_t to, int distance) {
    while (to) {
        int point = bits_pop(&to);
        *list++ = move_of(point - distance, point);
    }
    return list;
}

// All steps of the side to move; none once the other side is wiped out. One direction after the
// other takes seven tenths of the time of one piece after the other.
ALWAYS_INLINE int sk_generate_quiets(const sk_pos *pos, rules_move *list) {
    uint64_t own = pos->pieces[pos->stm], empty = SK_BOARD & ~sk_occupied(pos);
    uint64_t leftwards = own & SK_NOT_A, rightwards = own & SK_NOT_F;
    rules_move *end = list;
    if (pos->pieces[pos->stm ^ 1] == 0)
        return 0;
    end = sk_add_steps(end, rightwards << 1 & empty, 1);
    end = sk_add_steps(end, leftwards << 5 & empty, 5);
    end = sk_add_steps(end, own << 6 & empty, 6);
    end = sk_add_steps(end, rightwards << 7 & empty, 7);
    end = sk_add_steps(end, leftwards >> 1 & empty, -1);
    end = sk_add_steps(end, rightwards >> 5 & empty, -5);
    end = sk_add_steps(end, own >> 6 & empty, -6);
    end = sk_add_steps(end, leftwards >> 7 & empty, -7);
    return (int)(end - list);
}

// All legal moves, captures first; returns how many.
ALWAYS_INLINE int sk_generate(const sk_pos *pos, rules_move list[SK_MAX_MOVES]) {
    int n = sk_generate_captures(pos, list);
    return n + sk_generate_quiets(pos, list + n);
}

// --- counting -----------------------------------------------------------------------------------

// How many steps there are: the pairs of neighbours of which one is ours and one is empty, for the
// four directions down and to the right, two of them packed into one count.
ALWAYS_INLINE int sk_count_quiets(const sk_pos *pos) {
    uint64_t own = pos->pieces[pos->stm], empty = SK_BOARD & ~sk_occupied(pos);
    if (pos->pieces[pos->stm ^ 1] == 0)
        return 0;
    uint64_t right = ((own & empty >> 1) | (empty & own >> 1)) & SK_NOT_F;
    uint64_t down_right = ((own & empty >> 7) | (empty & own >> 7)) & SK_NOT_F;
    uint64_t down = (own & empty >> 6) | (empty & own >> 6);
    uint64_t down_left = ((own & empty >> 5) | (empty & own >> 5)) & SK_NOT_A;
    return bits_count(right | down_right << 35) + bits_count(down | down_left << 30);
}

ALWAYS_INLINE int sk_count_captures(const sk_pos *pos) {
    rules_move list[SK_MAX_CAPTURES];
    return sk_generate_captures(pos, list);
}

ALWAYS_INLINE int sk_count_moves(const sk_pos *pos) {
    return sk_count_captures(pos) + sk_count_quiets(pos);
}

#endif
