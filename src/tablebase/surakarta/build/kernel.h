// The inner loops of the builder, compiled once per level of the instruction set: step.c,
// capture.c and reorder.c. A call does one part of a job. Threads may do different parts of a job
// at the same time, because no two parts write the same memory.
//
// `movers` and `others` are the sides of the table under construction.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_KERNEL_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_KERNEL_H

#include "base/isa.h"
#include "base/minmax.h"
#include "tablebase/surakarta/build/rows.h"

#include <stdatomic.h>

enum { TB_MAX_MARKS = 9 };

// Planes that collect the positions found in a round.
typedef struct {
    const tb_plane *planes[TB_MAX_MARKS];
    int count;
} tb_marks;

// --- steps --------------------------------------------------------------------------------------

// One round of a table: finds the positions that its movers win or lose by steps, given what is
// known about the positions with the other side to move. All planes have a row for every set of the
// movers and a column for every representative of the others.
typedef struct {
    const tb_rows *movers;
    const tb_plane *open;       // neither won nor lost so far
    const tb_plane *losable;    // open, no capture saves the movers, and they have a move
    const tb_plane *won;        // out: found in this round
    const tb_plane *lost;       // out: the same
    const tb_plane *seed;       // wins by capture; NULL: none
    const tb_plane *known_lost; // the other side to move, and it loses; NULL: no new ones
    const tb_plane *unwon; // the other side to move: not known to win; NULL: do not look for losses
    tb_marks win_marks, loss_marks;
    _Atomic bool any_won, any_lost; // out
} tb_step_job;

// --- folding ------------------------------------------------------------------------------------

typedef struct {
    const tb_plane *plane; // all sets of the columns' side by the rows' representatives
    bool remove;           // what is found is taken from it instead of added
} tb_fold_target;

// The same placements in the other order: from all sets of one side by the other's representatives
// to the reverse.
typedef struct {
    const tb_rows *rows, *columns; // of the source
    const tb_plane *source;
    tb_fold_target targets[TB_MAX_MARKS + 1];
    int count;
    // Takes what belongs to strips that another process keeps; NULL: all are kept here.
    void (*send)(void *context, uint32_t strip, uint32_t row, const uint64_t *bits, int words);
    void *context;
} tb_fold_job;

// --- captures -----------------------------------------------------------------------------------

// A capture of one piece: from a point along a circuit to the point of the prey.
typedef struct {
    uint8_t to;
    uint64_t crossed; // points that must be empty, the one it starts from apart
} tb_route;

enum { TB_MAX_WAYS = 4, TB_MAX_WAY = SK_STATIONS, TB_MAX_ROUTES = 2 * 2 * 24 * TB_MAX_WAY };

// The points reached from a point over a loop: up to four ways, each once round the circuit.
typedef struct {
    tb_route routes[TB_MAX_WAYS][TB_MAX_WAY];
    int count[TB_MAX_WAYS];
    int ways;
} tb_routes;

// Written before main.
extern tb_routes tb_routes_of[SK_POINTS];

// The value of captures, and the positions without a legal move. After a capture the others' set
// lacks the captured point and belongs to a smaller table. In `then_lost` and `then_drawn` row and
// column have exactly one point in common: the captured one. They give the value for the other side
// after that capture.
typedef struct {
    const tb_rows *movers, *others;
    const tb_plane *then_lost, *then_drawn;
    const tb_plane *open;    // out: all placements
    const tb_plane *wins;    // out: by capture
    const tb_plane *losable; // out: no capture wins or draws and there is a move; NULL: not wanted
    const tb_plane *draws;   // out: a capture draws; NULL: not wanted
    const tb_plane *undrawn; // out: no capture wins and there is a move; NULL: not wanted
} tb_capture_job;

// From a smaller table to then_lost and then_drawn, before folding: for all sets of the others by
// the movers' representatives, from the same planes of the smaller table.
typedef struct {
    const tb_rows *movers, *others;
    const tb_plane *smaller[2]; // lost and drawn, for the others' sets of one piece less
    const tb_plane *grown[2];   // out: empty before
} tb_grow_job;

// All placements: bits where row and column have no point in common.
typedef struct {
    const tb_rows *rows, *columns;
    const tb_plane *plane;
} tb_disjoint_job;

// --- tables in the order of the index -----------------------------------------------------------

// Values as a table has them, for what a plane knows of 64 representatives.
typedef struct {
    const tb_rows *rows, *columns; // the table's
    const tb_plane *first;         // all sets of the columns' side by the rows' representatives
    const tb_plane *digits[8];     // the same, of the distance
    int digit_count;
    int8_t first_value, other_value, waiting_value; // of first, other and no distance
    const uint64_t *avoid; // by point: the columns' sets without it, words_of(columns) words each
} tb_emit_job;

// A table's values as planes.
typedef struct {
    const tb_rows *rows, *columns; // the table's
    const tb_plane *lost, *drawn; // out: all sets of the columns' side by the rows' representatives
    const uint64_t *avoid;
} tb_load_job;

// --- parts --------------------------------------------------------------------------------------

enum {
    TB_STEP_ROWS = 1024, // of a part
    TB_STEP_GROUP = 16,  // strips
    TB_CAPTURE_ROWS = 16384,
    TB_CAPTURE_GROUP = 4,
    TB_PLAIN_ROWS = 65536,
    // Bytes of scratch.
    TB_STEP_SCRATCH = TB_STEP_ROWS * (1 + 8 * TB_MAX_PIECES) * 4,
    TB_CAPTURE_SCRATCH =
        (TB_CAPTURE_GROUP * (TB_MAX_ROUTES + SK_POINTS + 1) * TB_STRIP_WORDS + TB_MAX_ROUTES * 4) *
        8,
};

typedef struct {
    void (*step)(tb_step_job *job, uint32_t part, uint32_t *scratch);
    void (*fold)(const tb_fold_job *job, uint32_t part, uint64_t *scratch);
    void (*capture)(const tb_capture_job *job, uint32_t part, void *scratch);
    void (*grow)(const tb_grow_job *job, uint32_t part);
    void (*disjoint)(const tb_disjoint_job *job, uint32_t part);
    // Values and distances of 64 rows of the table, with 64 bytes to spare.
    void (*emit)(const tb_emit_job *job, uint32_t part, int8_t *values, uint8_t *distances,
                 uint64_t *scratch);
    void (*load)(const tb_load_job *job, uint32_t part, const int8_t *values, uint64_t *scratch);
} tb_kernels;

static inline uint32_t tb_parts_of(uint32_t all, uint32_t part) { return (all + part - 1) / part; }

typedef struct {
    uint32_t first, end;
} tb_range;

static inline tb_range tb_part_of(uint32_t part, uint32_t all, uint32_t size) {
    uint32_t first = part * size;
    return (tb_range){first, all - first < size ? all : first + size};
}

static inline size_t tb_words_of(uint32_t bits) { return ((size_t)bits + 63) / 64; }
static inline size_t tb_lanes_of(const tb_rows *rows) { return min_u32(rows->reps, 64); }

// Rows by groups of strips.
static inline uint32_t tb_row_parts(const tb_plane *plane, uint32_t rows, uint32_t group) {
    return tb_parts_of(plane->rows, rows) * tb_parts_of(plane->strips, group);
}
// A group of the strips kept here.
static inline tb_range tb_strips_of(const tb_plane *plane, uint32_t part, uint32_t group) {
    tb_range strips = tb_part_of(part % tb_parts_of(plane->strips, group), plane->strips, group);
    return (tb_range){plane->first + strips.first, plane->first + strips.end};
}
// The words of a row kept here: 64 columns of a plane, 64 rows of a table.
static inline tb_range tb_words_kept(const tb_plane *plane) {
    uint32_t all = tb_parts_of(plane->columns, 64), end = plane->first + plane->strips;
    return (tb_range){min_u32(plane->first * plane->words, all), min_u32(end * plane->words, all)};
}
static inline uint32_t tb_table_parts(const tb_rows *rows) { return tb_parts_of(rows->reps, 64); }

// Bytes of scratch.
static inline size_t tb_fold_scratch(const tb_fold_job *job) {
    const tb_plane *to = job->targets[0].plane;
    return (tb_lanes_of(job->columns) * tb_words_of(job->rows->sets) +
            TB_SYMMETRIES * (size_t)to->all * to->words) *
           sizeof(uint64_t);
}
static inline size_t tb_emit_scratch(const tb_emit_job *job) {
    return (tb_lanes_of(job->rows) * (size_t)(1 + job->digit_count) + 1) *
           tb_words_of(job->columns->sets) * sizeof(uint64_t);
}
static inline size_t tb_load_scratch(const tb_load_job *job) {
    return tb_lanes_of(job->rows) * 2 * tb_words_of(job->columns->sets) * sizeof(uint64_t);
}

const tb_kernels *tb_kernels_baseline(void);
const tb_kernels *tb_kernels_v3(void);
const tb_kernels *tb_kernels_v4(void);

#ifdef ISA_LEVEL
void ISA_NAME(tb_step)(tb_step_job *job, uint32_t part, uint32_t *scratch);
void ISA_NAME(tb_fold)(const tb_fold_job *job, uint32_t part, uint64_t *scratch);
void ISA_NAME(tb_capture)(const tb_capture_job *job, uint32_t part, void *scratch);
void ISA_NAME(tb_grow)(const tb_grow_job *job, uint32_t part);
void ISA_NAME(tb_disjoint)(const tb_disjoint_job *job, uint32_t part);
void ISA_NAME(tb_emit)(const tb_emit_job *job, uint32_t part, int8_t *values, uint8_t *distances,
                       uint64_t *scratch);
void ISA_NAME(tb_load)(const tb_load_job *job, uint32_t part, const int8_t *values,
                       uint64_t *scratch);
#endif

#endif
