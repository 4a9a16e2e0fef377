// Builds a folder's tables, smaller ones first, and leaves alone what is there already and
// undamaged: a build that was killed goes on with the pair of splits it was in. The work is done by
// the processors of this machine or by an OpenCL device (device/solver.h); the files are the same.
//
// The caller owns a build from tb_build_prepare to tb_build_release; its threads live within
// tb_build_run. tb_index_prepare is called by tb_build_prepare.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_BUILD_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_BUILD_H

#include "os/file.h"
#include "tablebase/surakarta/build/pair.h"
#include "tablebase/surakarta/device/solver.h"
#include "tablebase/surakarta/reader.h"
#include "tablebase/surakarta/solve.h"

enum {
    TB_BUILD_PIECES = 10, // on processors
    TB_BUILD_SIDE = 9,
    TB_BUILD_PIECES_DEVICE = TB_MAX_PIECES,
    TB_BUILD_SIDE_DEVICE = 11,
    TB_BUILD_PAIRS = 36
};

// What a build on a device leaves behind.
typedef enum {
    TB_KEEP_ALL,    // files of values and distances
    TB_KEEP_VALUES, // files of values, and counts by distance
    TB_KEEP_NOTHING // counts, in memory
} tb_keep;

typedef struct {
    const char *dir; // is made where it is missing
    tb_rules rules;
    int pieces; // 2 to TB_BUILD_PIECES, or TB_BUILD_PIECES_DEVICE
    int only;   // 0: all splits; else of the largest ones only that in which one side has so many
                // pieces, and what it rests on
    int threads;
    uint64_t memory; // bytes that may be used
    solver *device;  // NULL: processors
    uint64_t device_memory;
    tb_keep keep;     // without a device TB_KEEP_ALL
    uint64_t samples; // positions of each split that the device checks against their moves; 0: none
    uint64_t seed;    // of the samples
    double interval;  // seconds between checkpoints inside a pair, on a device
    bool lines;       // keep the moves of longest wins, on a device without files
    tb_ranks *ranks;  // NULL: this process alone; not with a device
} tb_build_plan;

// a against b and b against a.
typedef struct {
    int a, b;
    uint64_t positions; // entries of both tables
    bool there;         // was built before
    double seconds;
    uint64_t bytes;       // of its files
    uint64_t folding;     // bytes between ranks, all of them together: for folding,
    uint64_t writing;     // and for the files
    double busiest;       // processor seconds of the rank that had most to do, waiting left out
    solver_count *counts; // of a to move and b to move, on a device; owned
    char *lines[2];       // the moves of their longest wins; NULL: none; owned
    bool resumes;         // from a checkpoint, at this stage
    solver_stage stage;
} tb_build_pair;

typedef struct {
    tb_build_plan plan;
    os_file lock; // on the folder: one build at a time
    tb_build_pair pairs[TB_BUILD_PAIRS];
    int count;
    int current;                                    // the pair in work
    fault no_checkpoint;                            // why one could not be written; empty: none
    double done;                                    // of all that has to be done, 0 to 1
    tb_reader values[TB_MAX_PIECES][TB_MAX_PIECES]; // by movers and others
    uint8_t *kept[TB_MAX_PIECES][TB_MAX_PIECES];    // instead, where there are no files
    uint8_t *kept_distances[TB_MAX_PIECES][TB_MAX_PIECES]; // for the plan's lines: a byte each
} tb_build;

// What a build will take, as far as that is known before it starts.
typedef struct {
    uint64_t positions;     // still to be built
    uint64_t device_memory; // bytes at most, on the device
    uint64_t memory;        // bytes at most, here
    uint64_t transfers;     // bytes to the device and back
    uint64_t disk;          // bytes
    double seconds;         // from the device's units and clock; 0: not known
} tb_build_needs;

tb_build_needs tb_build_expect(const tb_build *build);

// A line for the user: a damaged file that is built again.
typedef void tb_build_tell(void *context, const char *line);
// Something has been done; called by one thread at a time. At nine pieces some seconds may lie
// between two calls.
typedef void tb_build_watch(void *context, const tb_build *build);

// Looks what is there and whether memory and disk will do for the rest. On failure there is nothing
// to release.
MUST_USE bool tb_build_prepare(tb_build *build, const tb_build_plan *plan, tb_build_tell *tell,
                               void *context, fault *why);
MUST_USE bool tb_build_run(tb_build *build, tb_build_watch *watch, void *context, fault *why);
void tb_build_release(tb_build *build);

// Takes a folder for this process until *lock is closed: two writers in one folder would write into
// the same unfinished files, and read what the other has not finished.
MUST_USE bool tb_build_lock(os_file *lock, const char *dir, fault *why);

// The part of a rank other than 0 in a build that rank 0 has prepared.
MUST_USE bool tb_build_follow(tb_ranks *ranks, fault *why);

// --- in memory ----------------------------------------------------------------------------------

// The tables in the form of the slow solver's, for tests and measurements: as tb_solve. With
// kernels NULL the best this processor has. tb_index_prepare must have been called.
MUST_USE bool tb_build_solution(tb_solution *solution, tb_rules rules, int pieces, int threads,
                                const tb_kernels *kernels);

#endif
