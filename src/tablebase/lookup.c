#include "tablebase/lookup.h"

uint64_t ISA_NAME(tb_lookup)(const tb_split *split, tb_placement p) { return tb_rank(split, p); }
