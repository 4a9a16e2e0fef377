// Compiled once per level of the instruction set: index.h declares it.
#include "base/isa.h"
#include "tablebase/surakarta/index.h"

uint64_t ISA_NAME(tb_lookup)(const tb_split *split, tb_placement p) { return tb_rank(split, p); }
