// The index of a placement, compiled once per level of the instruction set: for whoever looks up
// positions one by one and is not compiled so himself.
//
// Threads as index.h says.
#ifndef KRATON_TABLEBASE_LOOKUP_H
#define KRATON_TABLEBASE_LOOKUP_H

#include "base/isa.h"
#include "tablebase/index.h"

typedef uint64_t tb_lookup(const tb_split *split, tb_placement p);

tb_lookup tb_lookup_baseline, tb_lookup_v3;

// tb_rank as this processor does it best; to be asked for once.
static inline tb_lookup *tb_lookup_best(void) { return ISA_PICK(tb_lookup); }

#endif
