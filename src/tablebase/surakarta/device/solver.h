// Builds the tables of a pair of splits on an OpenCL device: a graphics processor, or a processor
// through PoCL.
//
// Layout. Positions with one side to move (a turn) are stored in two shapes, one bit per position
// and plane. Neither shape has entries for placements that overlap:
// - rows are the representatives of the others, columns the movers' sets on the free points. A step
//   of the movers stays in its row. Here are the planes `open`, `losable`, and what the last round
//   settled: `found`;
// - rows are the representatives of the movers, columns the others' sets. This is where the other
//   side's steps lead. Here are the planes `won`, of all rounds, and `just_lost`, of the last.
// One of the two shapes is the order of the index (index.h), so tables need no reordering.
//
// Rounds. As on the processor (build/pair.h) round r settles the positions of distance r. Wins are
// the open neighbours of what the other side lost in the round before. Losses are the losable
// positions all of whose neighbours the other side has won. Only positions that may change are
// looked at: a work-group lists them for a chunk of a row and shares the list. What was found is
// then carried over to the other shape, bit by bit. A settled position is no longer open; its bit
// of `losable` tells how it was settled.
//
// Memory. Four planes per turn, and one for `just_lost`, which the turns use one after the other:
// 6v6 takes five planes of 18 GB. Planes that are larger than one allocation of the device are
// split by rows into up to eight parts.
//
// A solver belongs to one thread.
#ifndef KRATON_TABLEBASE_SURAKARTA_DEVICE_SOLVER_H
#define KRATON_TABLEBASE_SURAKARTA_DEVICE_SOLVER_H

#include "tablebase/surakarta/build/pair.h"
#include "tablebase/surakarta/device/opencl.h"

enum { SOLVER_PARTS = 8 };

typedef struct {
    int a, b; // pieces, a at least b
    tb_rules rules;
    bool distances; // keep them for every position, not only their counts
    // The packed values behind captures, as in the value files: those of (b - 1)v(a) behind
    // captures of a, and of (a - 1)v(b) behind captures of b. NULL where the last piece is taken.
    const uint8_t *behind[2];
    // The file that keeps the state of an unfinished pair; NULL: none. It is written when
    // `interval` seconds have passed, between two rounds or the captures of two turns.
    const char *checkpoint;
    double interval;
    fault *no_checkpoint;  // is told why it could not be written; the pair is solved without
    tb_progress *progress; // NULL: nobody asks
    void *context;
} solver_plan;

// What a turn's positions are worth, over all placements.
typedef struct {
    uint64_t placements[3][256]; // by value + 1, then by distance
    int rounds;                  // played, both passes
    tb_placement longest_win;    // movers 0: none
} solver_count;

typedef struct solver solver;

// NULL with a line in *why where the device cannot be used.
solver *solver_open(text device, uint64_t largest, fault *why);
void solver_close(solver *s); // NULL is allowed
device *solver_device(solver *s);

// Bytes of device memory for a pair. False with a line in *why where the device has not enough, or
// would have to split planes into more than SOLVER_PARTS.
MUST_USE bool solver_fits(const solver *s, int a, int b, bool distances, uint64_t memory,
                          uint64_t *need, fault *why);
// Seconds that a pair takes, by the units and the clock of the device: good to a factor of two or
// so.
double solver_seconds(const solver *s, int a, int b);
// Bytes copied to the device and back for a pair.
uint64_t solver_transfers(int a, int b, bool distances);

// How far a pair has come: passes before this one, turns whose captures are known, rounds played.
typedef struct {
    int pass, captured, round;
} solver_stage;

// Whether a checkpoint is one of this pair that solver_run will continue from, and where that is:
// undamaged, and of a device that splits planes alike. Any other file is not used. Checkpoints are
// read by the same program on the same kind of machine.
MUST_USE bool solver_peek(solver *s, const solver_plan *plan, solver_stage *stage);

// Solves a pair, from its checkpoint on where there is one; the caller removes that when it has
// kept the result. It stays on the device until the next one. count[0] is for a to move, count[1]
// for b. tb_index_prepare must have been called for a + b.
MUST_USE bool solver_run(solver *s, const solver_plan *plan, solver_count count[2], fault *why);

// Hands over one of the two tables in the order of the index, if distances were kept.
MUST_USE bool solver_emit(solver *s, int movers, const tb_sink *sink, fault *why);
// Instead of solver_run: sets up an empty pair, to be filled from its two tables by solver_load.
MUST_USE bool solver_prepare(solver *s, const solver_plan *plan, fault *why);
// Entries of a table in the order of the index; false with a line in *why where it cannot.
typedef struct {
    void *context;
    bool (*read)(void *context, uint64_t first, uint64_t count, int8_t *values, uint8_t *distances,
                 fault *why);
} solver_source;
MUST_USE bool solver_load(solver *s, int movers, const solver_source *source, fault *why);

// The value and the distance of a position of the pair; -1 where distances were not kept.
MUST_USE bool solver_look_up(solver *s, tb_placement p, int *value, int *distance, fault *why);

// Checks positions of a turn against those behind their moves: samples drawn at random with the
// seed, or all where that is no more than the samples or those are 0. Values, and distances if they
// were kept. `wrong` says how many are not what their moves make of them, and *first is one of
// those.
MUST_USE bool solver_check(solver *s, int movers, uint64_t samples, uint64_t seed, uint64_t *wrong,
                           tb_placement *first, fault *why);
// The values of one of the two tables as in a value file: tb_split.size / 5 bytes, rounded up.
MUST_USE bool solver_pack(solver *s, int movers, uint8_t *packed, fault *why);

#endif
