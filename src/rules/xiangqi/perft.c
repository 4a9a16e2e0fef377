#include "rules/xiangqi/perft.h"

#include "rules/xiangqi/generate.h"

static uint64_t count(xq_pos *pos, int depth, uint64_t *captures) {
    if (depth == 1) {
        xq_count last = xq_count_legal(pos);
        *captures += (uint64_t)last.captures;
        return (uint64_t)last.all;
    }
    rules_move moves[XQ_MAX_MOVES];
    int n = xq_write_legal(pos, moves);
    uint64_t nodes = 0;
    uint16_t quiet = pos->quiet;
    for (int i = 0; i < n; i++) {
        int captured = xq_make(pos, moves[i]);
        nodes += count(pos, depth - 1, captures);
        xq_undo(pos, moves[i], captured, quiet);
    }
    return nodes;
}

uint64_t ISA_NAME(xq_perft)(const xq_pos *pos, int depth, uint64_t *captures) {
    xq_pos here = *pos;
    return count(&here, depth, captures);
}
