// The linear equations behind ratings of a field: one unknown for each player and one for the
// first-move advantage. Every two players who met are a row that pulls at both. So a product with
// the matrix takes as long as there are rows, and the method of conjugate gradients needs nothing
// else. Several right sides are solved at once, side by side in vectors of FIELD_LANES numbers.
//
// Pure arithmetic; any thread may call it.
#ifndef KRATON_CONTEST_FIELD_H
#define KRATON_CONTEST_FIELD_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>

enum { FIELD_LANES = 8 };

typedef double field_lanes[FIELD_LANES];

typedef struct {
    int first, second;
    double weight; // of a difference in which `first` has the advantage
    double level;  // of one without it: virtual draws
} field_row;

typedef struct {
    int players;
    size_t row_count;
    field_row *rows;
    bool has_advantage;     // else it is 0
    const bool *is_fixed;   // by player: it is 0
    const int *group;       // by player; the sum of a group without a fixed player is kept at 0
    const bool *group_held; // by group: has a fixed player
    int groups;
    // Room for solving: players + 1 each.
    field_lanes *residual, *direction, *image;
    double *diagonal, *sums;
} field;

// Allocates the room for so many players and rows; false without memory. field_free frees it, also
// then.
MUST_USE bool field_init(field *f, int players, size_t row_count);
void field_free(field *f);

// image = matrix * x, for vectors of players + 1; the last one is the advantage.
void field_apply(const field *f, const field_lanes *x, field_lanes *image);
// Takes from every group without a fixed player its mean, and clears what is fixed.
void field_centre(const field *f, field_lanes *x);
// Solves matrix * x = right, each lane until its error is `precision` of the right side. `right` is
// centred on the way.
void field_solve(field *f, field_lanes *right, field_lanes *x, double precision);

#endif
