// The plain alpha-beta of `kraton bench papers`: fixed depth, captures first, no memory, no
// extensions. It searches on the reference's structures, with or without dirnext, and is no part of
// any engine.
#ifndef KRATON_LAB_BENCH_ALPHABETA_H
#define KRATON_LAB_BENCH_ALPHABETA_H

#include "rules/xiangqi/reference.h"

typedef struct {
    int score; // for the side to move, a pawn at home is 100
    uint64_t nodes;
} alphabeta_result;

alphabeta_result alphabeta_search(xq_reference *pos, int depth);

#endif
