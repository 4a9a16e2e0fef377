// Xiangqi on a board of two dimensions, paper 5's Table 2-1: what its bordered board of one
// dimension is measured against. The same men, tables and steps as in rules/xiangqi/reference.h
// without dirnext; only the squares are pairs and the edges are asked for.
#ifndef KRATON_LAB_BENCH_PLANE_H
#define KRATON_LAB_BENCH_PLANE_H

#include "rules/xiangqi/reference.h"

typedef struct {
    int8_t row, column;
} plane_square;

typedef struct {
    uint8_t board[XQ_RANKS][XQ_FILES]; // row 0 is Black's back rank
    plane_square table[XQR_NUMBERS];   // row -1 when taken
    uint8_t stm;
} plane_pos;

void plane_set_up(plane_pos *pos, const xq_pos *from);
// As xq_reference_count.
uint64_t plane_count(plane_pos *pos, int depth, uint64_t *captures);

#endif
