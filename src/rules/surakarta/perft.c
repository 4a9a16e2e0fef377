#include "rules/surakarta/perft.h"

static uint64_t count(const sk_pos *pos, int depth, uint64_t *captures) {
    if (depth == 1) {
        int noisy = sk_count_captures(pos);
        *captures += (uint64_t)noisy;
        return (uint64_t)(noisy + sk_count_quiets(pos));
    }
    rules_move moves[SK_MAX_MOVES];
    int n = sk_generate(pos, moves);
    uint64_t nodes = 0;
    for (int i = 0; i < n; i++) {
        sk_pos next = *pos;
        sk_make(&next, moves[i]);
        nodes += count(&next, depth - 1, captures);
    }
    return nodes;
}

uint64_t ISA_NAME(sk_perft)(const sk_pos *pos, int depth, uint64_t *captures) {
    return count(pos, depth, captures);
}
