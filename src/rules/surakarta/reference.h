// The second opinion: Surakarta as papers 1 and 2 describe it. The board is an array of 36 numbers,
// the two orbits are circular queues of 24 points, and whether a move is legal is asked of every
// pair of points. Slow and obviously right; the errors of the printed algorithms are corrected (see
// docs/papers.md). Its rules share nothing with those of surakarta.h but the numbering of points.
#ifndef KRATON_RULES_SURAKARTA_REFERENCE_H
#define KRATON_RULES_SURAKARTA_REFERENCE_H

#include "rules/surakarta/surakarta.h"

enum { SK_EMPTY_VALUE = 0, SK_BLACK_VALUE = 1, SK_WHITE_VALUE = 2 }; // in the array

typedef struct {
    int a[SK_POINTS];
    int to_move;       // SK_BLACK_VALUE or SK_WHITE_VALUE
    int quiet, number; // as in sk_pos
} sk_reference;

// The way from a station to a point along one orbit.
typedef struct {
    int count; // points below: after the start, the target included
    int row[SK_STATIONS], column[SK_STATIONS];
    int sum;                          // of the values between start and target
    bool row_changed, column_changed; // both: an arc was passed
} sk_reference_way;

sk_reference sk_reference_from(const sk_pos *pos);
sk_pos sk_reference_to(const sk_reference *r);

// Whether both points lie on the orbit: 0 is the green (inner) one, 1 the blue (outer) one.
bool sk_reference_same_orbit(int orbit, int from, int index);
// Goes from a subscript of the orbit's queue towards the next point in the direction of `step` (1
// or -1) and on until the point `index`, which must lie on the orbit.
sk_reference_way sk_reference_go(const sk_reference *r, int orbit, int subscript, int step,
                                 int index);
// The generalised move: whether the piece on `from`, of either side, may go to `index`.
bool sk_reference_can_move(const sk_reference *r, int from, int index);

// All moves of the side to move, by from and to; returns how many.
int sk_reference_generate(const sk_reference *r, rules_move list[SK_MAX_MOVES]);
// Plays a legal move and returns the value captured, 0 for none; undo wants it and quiet back.
int sk_reference_make(sk_reference *r, rules_move move);
void sk_reference_undo(sk_reference *r, rules_move move, int captured, int quiet);
// As sk_perft.
uint64_t sk_reference_perft(const sk_pos *pos, int depth, uint64_t *captures);

// --- walking ------------------------------------------------------------------------------------

// A third opinion: the plain way to generate captures on bitboards. It walks from each piece,
// station by station, both ways along its circuits. The yardstick of `kraton bench rules`.

// All legal moves, captures first; returns how many.
int sk_walk_generate(const sk_pos *pos, rules_move list[SK_MAX_MOVES]);
// As sk_perft; leaves are the length of a move list.
uint64_t sk_walk_perft(const sk_pos *pos, int depth, uint64_t *captures);

#endif
