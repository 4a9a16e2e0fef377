// The quiescence search: captures only, at the end of every line. Compiled per processor level.
#ifndef KRATON_SEARCH_QUIESCENCE_H
#define KRATON_SEARCH_QUIESCENCE_H

#include "base/isa.h"
#include "search/worker.h"

#define quiesce ISA_NAME(quiesce)

// The score of the frame's position when only captures are searched, and all moves in check.
int32_t quiesce(worker *w, frame *f, int32_t alpha, int32_t beta);

#endif
