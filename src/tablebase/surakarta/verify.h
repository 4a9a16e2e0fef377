// Checks a folder of endgame tables by the rules alone: checksums first, then every entry against
// the entries behind its moves. Forward moves and an index of its own (verify_index.h), nothing of
// the builder's: what the two share is docs/tablebase-format.md.
//
// Runs on threads of its own; the listener is called from the caller's thread.
#ifndef KRATON_TABLEBASE_SURAKARTA_VERIFY_H
#define KRATON_TABLEBASE_SURAKARTA_VERIFY_H

#include "tablebase/surakarta/ranks.h"
#include "tablebase/surakarta/verify_row.h"

// Up to so many pieces every position is looked at, beyond a sample.
enum { TB_VERIFY_ALL = 7 };

typedef struct {
    const char *dir;
    bool one_convention; // only `rules`
    tb_rules rules;
    int threads;     // at least 1
    uint64_t seed;   // of the sample
    uint64_t sample; // positions with more than TB_VERIFY_ALL pieces, spread over them; 0: all
    tb_ranks *ranks; // that share the rows; NULL: this process alone
} tb_verify_terms;

// A split that has been gone through.
typedef struct {
    tb_rules rules;
    int movers, others;
    uint64_t entries, positions; // stored, and looked at
    uint64_t wrong;
    double seconds;
} tb_verify_split;

typedef struct {
    void (*on_fault)(void *context, const char *line); // something is wrong
    void (*on_split)(void *context, const tb_verify_split *split);
    // Work done and to do, in positions, some times a second; false stops it.
    bool (*on_progress)(void *context, const char *what, uint64_t done, uint64_t all);
    void *context;
} tb_verify_listener;

typedef struct {
    int splits;
    uint64_t positions; // looked at
    uint64_t sampled;   // of them, with more than TB_VERIFY_ALL pieces, where not all are
    uint64_t faults;    // lines of on_fault
    bool stopped;
} tb_verify_result;

// The part of a rank other than 0; rank 0 says everything that is to be said.
void tb_verify_follow(tb_ranks *ranks);

tb_verify_result tb_verify(const tb_verify_terms *terms, const tb_verify_listener *listener);

#endif
