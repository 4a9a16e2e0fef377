// What the parts of the solver share: sets and planes on the device, and the turns of a pair. Only
// solver.c, planes.c, tables.c and checkpoint.c include this; everyone else uses solver.h.
#ifndef KRATON_TABLEBASE_SURAKARTA_DEVICE_PLANES_H
#define KRATON_TABLEBASE_SURAKARTA_DEVICE_PLANES_H

#include "tablebase/surakarta/device/solver.h"

enum {
    SOLVER_CHUNK = 256,      // words of a row in a work-group, as in kernels.cl
    SOLVER_LAUNCH = 1 << 20, // work-groups of a launch
    SOLVER_BLOCK = 1 << 26,  // entries that are emitted at a time
    SOLVER_COUNTS = 17,      // numbers that the kernels of a round count
};

// All sets of one number of pieces, on the device.
typedef struct {
    uint32_t sets, reps;
    device_buffer folded, members, stable;
    device_buffer wide, narrow; // sets as 64 bits, and those of 32 points as 32
} piece_sets;

// Rows are the representatives of one side, columns the other side's sets on the free points.
typedef struct {
    int row_pieces, column_pieces;
    uint32_t rows, columns, words, chunks;
    uint32_t parts, part_rows;
} shape;

typedef struct {
    device_buffer parts[SOLVER_PARTS];
} plane;

// One side to move.
typedef struct {
    int movers, others;
    bool attacks, defends; // the movers can force a win; the others can
    shape here;            // rows are the others
    shape there;           // rows are the movers
    plane open, losable, found, distances;
    plane won;
    bool any_won, any_lost; // in the last round
    bool any_coming;        // wins of the next round are in `found`
    const uint8_t *behind;
} turn;

struct solver {
    device *device;
    device_buffer board, counts;
    piece_sets sides[TB_MAX_PIECES];
    device_program *programs[2][2]; // [split]: sets as 32 and as 64 bits
    bool split;                     // planes or values of this pair have several parts
    solver_plan plan;
    bool weaker_forces; // under `count` between unequal sides
    turn turns[2];
    plane just_lost; // of one turn after the other: where the other side's steps lead
    int turn_count;
    solver_count *count;
    solver_stage stage;
    int64_t saved; // when the last checkpoint was written
};

// The values behind captures, split like a plane.
typedef struct {
    plane values;
    tb_split split;
    uint64_t part_bytes;
} smaller_table;

// Whether the device has failed.
bool solver_failed(const solver *s, fault *why);
// The kernels for rows with so many pieces. They are compiled when they are needed first.
device_program *solver_program(solver *s, int row_pieces);

// Makes the sets of so many pieces, if they are not there; false where memory runs out.
MUST_USE bool solver_make_side(solver *s, int pieces);
// Frees the sets of at least so many pieces.
void solver_free_sides(solver *s, int from);
// The sets of the columns, for rows with so many pieces.
const device_buffer *solver_columns(const solver *s, int pieces, int row_pieces);

// Planes are split so that one bit a position, or one byte where distances are kept, fits into one
// allocation.
shape solver_shape(int row_pieces, int column_pieces, bool distances, uint64_t largest);
uint32_t solver_part_rows(const shape *h, uint32_t part);
// How many allocations the largest plane of a pair, or the values behind its captures, take.
uint64_t solver_parts(const solver *s, int a, int b, bool distances);
void solver_clear(solver *s, const device_buffer *buffer);
// One bit, or one byte, a position; zero.
void solver_make_plane(solver *s, plane *p, const shape *h, bool bytes);
void solver_free_plane(solver *s, plane *p);
void solver_free_turns(solver *s);
// The turn after a step.
turn *solver_other(solver *s, const turn *t);

// Arguments of kernels: all parts of a plane, where any may be needed; and those that most kernels
// begin with, the board, the rows' sets and the columns' sets.
void solver_give_plane(solver *s, const plane *p);
void solver_give_sets(solver *s, const shape *h);

// The placement of an entry of a turn.
tb_placement solver_placement(solver *s, const turn *t, uint32_t row, uint32_t column);
// Writes the plan's checkpoint, if there is one and its time has come. False where the device
// fails.
MUST_USE bool solver_save(solver *s, fault *why);
// Fills the planes of a prepared pair from the plan's checkpoint. False where there is none that
// can be used; the planes may then hold anything.
MUST_USE bool solver_resume(solver *s);

// Frees sets of more pieces than the pair has, where memory is short.
void solver_make_room(solver *s, int a, int b, bool distances);

// Copies the values behind a turn's captures to the device. The caller frees the plane.
void solver_upload_smaller(solver *s, const turn *t, smaller_table *smaller);

#endif
