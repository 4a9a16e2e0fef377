// Builds the tables of one pair of splits, a against b and b against a, from the smaller ones.
//
// Rounds. In round r positions are settled whose distance is r: won where a step leads to one that
// the other side lost in round r - 1 (in round 1: where a capture wins), lost where every step
// leads to one that the other side won before round r and no capture is better. That is done for
// whole rows of bits at a time (rows.h, kernel.h). Under `count` between unequal sides the
// same is done twice, for what the weaker side can force: first to win, then to draw.
//
// A pair is the caller's from start to release; its threads live within tb_pair_solve and
// tb_pair_emit only.
#ifndef KRATON_TABLEBASE_SURAKARTA_BUILD_PAIR_H
#define KRATON_TABLEBASE_SURAKARTA_BUILD_PAIR_H

#include "tablebase/surakarta/build/kernel.h"
#include "tablebase/surakarta/entry.h"
#include "tablebase/surakarta/ranks.h"

// The values of smaller tables, in the order of the index; called by one thread at a time.
typedef struct {
    void *context;
    void (*read)(void *context, int movers, int others, uint64_t first, uint64_t count,
                 int8_t *values);
} tb_source;

// How far it is, from 0 to 1; called by one thread at a time.
typedef void tb_progress(void *context, double done);

// The entries of the table in the order of the index.
typedef struct {
    void *context;
    bool (*write)(void *context, const int8_t *values, const uint8_t *distances, uint64_t count);
    tb_progress *progress; // NULL: nobody asks
    void *progress_context;
} tb_sink;

typedef struct {
    int a, b; // pieces, a at least b
    tb_rules rules;
    int threads;
    tb_source smaller;
    const tb_kernels *kernels; // NULL: the best this processor has
    tb_ranks *ranks;           // NULL: this process alone
    tb_progress *progress;
    void *context;
} tb_pair_plan;

typedef struct tb_pair tb_pair;

// What building takes, in bytes, all threads and the smaller tables' planes included; on each of so
// many ranks.
uint64_t tb_pair_memory(int a, int b, tb_rules rules, int threads, int ranks);

// Solves the pair. NULL where memory runs out. tb_index_prepare must have been called for a + b.
tb_pair *tb_pair_solve(const tb_pair_plan *plan);
// Hands over one of the two tables (the only one where a and b are equal). Different tables may be
// emitted by different threads at the same time. False where the sink refuses or memory runs out.
// With ranks each hands over the entries it keeps.
MUST_USE bool tb_pair_emit(const tb_pair *pair, int movers, const tb_sink *sink);
// The entries of a table that this process keeps: from *first to before *end.
void tb_pair_share(const tb_pair *pair, int movers, uint64_t *first, uint64_t *end);
// The rank that keeps an entry.
int tb_pair_keeper(const tb_pair *pair, int movers, uint64_t entry);
void tb_pair_free(tb_pair *pair); // NULL is allowed

#endif
