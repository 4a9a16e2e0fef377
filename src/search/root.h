// The root: its move list and the search of it, by one thread or shared by several as in paper 3.
// Compiled per processor level.
#ifndef KRATON_SEARCH_ROOT_H
#define KRATON_SEARCH_ROOT_H

#include "base/isa.h"
#include "search/worker.h"

#define root_begin_frames ISA_NAME(root_begin_frames)
#define root_begin_moves ISA_NAME(root_begin_moves)
#define root_sort ISA_NAME(root_sort)
#define root_search ISA_NAME(root_search)
#define root_help ISA_NAME(root_help)
#define root_dismiss_helpers ISA_NAME(root_dismiss_helpers)

// Sets up a worker's frames and path for the position of the search.
void root_begin_frames(worker *w);
// Fills a worker's list with the root moves that may be chosen.
void root_begin_moves(worker *w);
// Sorts the list from `first` on, best first. Stable, so that one thread always does the same.
void root_sort(worker *w, int first);
// Searches the moves from the current variation on; the best score, or 0 when the search stops.
int32_t root_search(worker *w, int32_t alpha, int32_t beta, int depth);

// Root splitting. A helper takes moves from the owner's list until it is dismissed.
void root_help(worker *owner, worker *w);
void root_dismiss_helpers(worker *owner);

#endif
