// Counting the leaves of the move tree, the proof and the speed of the generator.
#ifndef KRATON_RULES_XIANGQI_PERFT_H
#define KRATON_RULES_XIANGQI_PERFT_H

#include "base/isa.h"
#include "rules/xiangqi/xiangqi.h"

uint64_t xq_perft_baseline(const xq_pos *pos, int depth, uint64_t *captures);
uint64_t xq_perft_v3(const xq_pos *pos, int depth, uint64_t *captures);

// The number of lines of exactly `depth` moves (at least 1); *captures grows by how many of them
// end with a capture.
static inline uint64_t xq_perft(const xq_pos *pos, int depth, uint64_t *captures) {
    return ISA_PICK(xq_perft)(pos, depth, captures);
}

#endif
