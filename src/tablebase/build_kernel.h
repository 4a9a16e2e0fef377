// The inner loops of the builder, compiled once per level of the instruction set. Each does one
// part of a job, so that threads can share it; parts of one job touch nothing in common.
//
// All sides are those of one position: `movers` and `others` of the table under construction.
#ifndef KRATON_TABLEBASE_BUILD_KERNEL_H
#define KRATON_TABLEBASE_BUILD_KERNEL_H

#include "base/isa.h"
#include "tablebase/rows.h"

#include <stdatomic.h>

enum { TB_MAX_MARKS = 9 };

// Planes to which what is found is added.
typedef struct {
    const tb_plane *planes[TB_MAX_MARKS];
    int count;
} tb_marks;

// --- steps --------------------------------------------------------------------------------------

// One round of a table: what its movers win and lose by steps, as far as the other side's positions
// are known. All planes are for all sets of the movers by the others' representatives.
typedef struct {
    const tb_rows *movers;
    const tb_plane *open;     // neither won nor lost so far
    const tb_plane *losable;  // open, and neither a capture nor the lack of moves saves the movers
    const tb_plane *won;      // out: found in this round
    const tb_plane *lost;     // out: the same
    const tb_plane *seed;     // won at once, NULL: none
    const tb_plane *new_lost; // the other side to move: lost since the round before; NULL: none
    const tb_plane *unwon; // the other side to move: not known to win; NULL: do not look for losses
    tb_marks win_marks, loss_marks;
    uint32_t chunk;                 // rows in a part
    _Atomic bool any_won, any_lost; // out
} tb_step_job;

// --- folding ------------------------------------------------------------------------------------

typedef enum { TB_FOLD_STORE, TB_FOLD_ADD, TB_FOLD_REMOVE } tb_fold_way;

typedef struct {
    const tb_plane *plane; // all sets of the columns' side by the rows' representatives
    tb_fold_way way;
} tb_fold_target;

// The same placements in the other order: from all sets of one side by the other's representatives
// to the reverse.
typedef struct {
    const tb_rows *rows, *columns; // of the source
    const tb_plane *source;
    tb_fold_target targets[TB_MAX_MARKS + 1];
    int count;
} tb_fold_job;

// --- captures -----------------------------------------------------------------------------------

// A capture of one piece: from a point along a circuit to the point of the prey.
typedef struct {
    uint8_t to;
    uint64_t crossed; // points that must be empty, the one it starts from apart
} tb_route;

enum { TB_MAX_WAYS = 4, TB_MAX_WAY = SK_STATIONS };

// What is reached over a loop from a point: up to four ways, each up to where it comes round.
typedef struct {
    tb_route routes[TB_MAX_WAYS][TB_MAX_WAY];
    int count[TB_MAX_WAYS];
    int ways;
} tb_routes;

// Written before main.
extern tb_routes tb_routes_of[SK_POINTS];

// What captures are worth, and where there is no move at all. The prey's set less the point of
// capture is one of a smaller table; `then_lost` and `then_drawn` say, for all sets of the movers
// by the others' representatives where exactly one point is in both, what the other side has after
// losing the piece there.
typedef struct {
    const tb_rows *movers, *others;
    const tb_plane *then_lost, *then_drawn;
    const tb_plane *open;    // out: all placements
    const tb_plane *wins;    // out: by capture
    const tb_plane *losable; // out: no capture wins or draws and there is a move; NULL: not wanted
    const tb_plane *draws;   // out: a capture draws; NULL: not wanted
    const tb_plane *undrawn; // out: no capture wins and there is a move; NULL: not wanted
} tb_capture_job;

// From a smaller table to then_lost or then_drawn, before folding: for all sets of the others by
// the movers' representatives, from the same plane of the smaller table.
typedef struct {
    const tb_rows *movers, *others;
    const tb_plane *smaller; // others' sets of one piece less
    const tb_plane *grown;   // out
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

typedef struct {
    // Part = chunk of rows in a strip.
    void (*step)(tb_step_job *job, uint32_t part);
    // Part = 64 columns of the source. Scratch: tb_fold_scratch bytes.
    void (*fold)(const tb_fold_job *job, uint32_t part, uint64_t *scratch);
    // Part = strip. Scratch: TB_CAPTURE_SCRATCH words.
    void (*capture)(const tb_capture_job *job, uint32_t part, uint64_t *scratch);
    void (*grow)(const tb_grow_job *job, uint32_t part);         // part = strip
    void (*disjoint)(const tb_disjoint_job *job, uint32_t part); // part = strip
    // Part = 64 rows of the table. Values and distances have 64 bytes to spare. Scratch:
    // tb_emit_scratch bytes.
    void (*emit)(const tb_emit_job *job, uint32_t part, int8_t *values, uint8_t *distances,
                 uint64_t *scratch);
    // Part = 64 rows of the table, whose values are given and have 64 bytes to spare.
    void (*load)(const tb_load_job *job, uint32_t part, const int8_t *values, uint64_t *scratch);
} tb_kernels;

enum {
    TB_CAPTURE_MASKS = SK_POINTS * TB_MAX_WAYS * TB_MAX_WAY,
    TB_CAPTURE_SCRATCH = (TB_CAPTURE_MASKS + 2 * SK_POINTS) * TB_STRIP_WORDS,
};

static inline size_t tb_words_of(uint32_t bits) { return ((size_t)bits + 63) / 64; }
static inline uint32_t tb_step_parts(const tb_step_job *job) {
    return job->open->strips * ((job->open->rows + job->chunk - 1) / job->chunk);
}
static inline size_t tb_lanes_of(const tb_rows *rows) { return rows->reps < 64 ? rows->reps : 64; }
// Bytes.
static inline size_t tb_fold_scratch(const tb_fold_job *job) {
    const tb_plane *to = job->targets[0].plane;
    return (tb_lanes_of(job->columns) * tb_words_of(job->rows->sets) +
            8 * (size_t)to->strips * to->words) *
           8;
}
static inline size_t tb_emit_scratch(const tb_emit_job *job) {
    return (tb_lanes_of(job->rows) * (size_t)(1 + job->digit_count) + 1) *
           tb_words_of(job->columns->sets) * 8;
}
static inline size_t tb_load_scratch(const tb_load_job *job) {
    return tb_lanes_of(job->rows) * 2 * tb_words_of(job->columns->sets) * 8;
}

const tb_kernels *tb_kernels_baseline(void);
const tb_kernels *tb_kernels_v3(void);
const tb_kernels *tb_kernels_v4(void);

#endif
