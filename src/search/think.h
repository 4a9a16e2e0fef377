// Iterative deepening, the entry to the hot path: think.c. Compiled per processor level.
#ifndef KRATON_SEARCH_THINK_H
#define KRATON_SEARCH_THINK_H

#include "base/isa.h"
#include "search/worker.h"

// A worker searches deeper and deeper until the search stops or its depth limit is reached.
void search_think_baseline(worker *w);
void search_think_v3(worker *w);

#endif
