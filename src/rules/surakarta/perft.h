// Counting the leaves of the move tree, the proof and the speed of the generator.
#ifndef KRATON_RULES_SURAKARTA_PERFT_H
#define KRATON_RULES_SURAKARTA_PERFT_H

#include "base/isa.h"
#include "rules/surakarta/surakarta.h"

uint64_t sk_perft_baseline(const sk_pos *pos, int depth, uint64_t *captures);
uint64_t sk_perft_v3(const sk_pos *pos, int depth, uint64_t *captures);

// The number of lines of exactly `depth` moves (at least 1); *captures grows by how many of them
// end with a capture.
static inline uint64_t sk_perft(const sk_pos *pos, int depth, uint64_t *captures) {
    return ISA_PICK(sk_perft)(pos, depth, captures);
}

#endif
