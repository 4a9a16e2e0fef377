// Parameters as variables: in the build for the lab's SPSA (KRATON_TUNED) each search has numbers
// of its own in the place of params.h. A thread looks them up through search_params, which is set
// when it begins to search. In every other build the parameters are constants and this is nothing.
#ifndef KRATON_SEARCH_TUNED_H
#define KRATON_SEARCH_TUNED_H

#include "search/types.h"

#ifdef KRATON_TUNED

enum { SEARCH_IS_TUNED = 1, TUNED_MAX = 128 };
#define TUNED_LOCAL _Thread_local

// The parameters of the game, in the order of params.h.
typedef struct {
    const char *name;
    int value;
} tuned_param;
extern const tuned_param tuned_params[];
extern const int tuned_count;

// The numbers to search with from now on, one for each parameter, copied; NULL: those of params.h.
void search_set_params(search *s, const int *values);
// The calling thread looks them up from now on; NULL: those of params.h.
void tuned_use(const search *s);
#else
enum { SEARCH_IS_TUNED = 0 };
#define TUNED_LOCAL
static inline void tuned_use(const struct search *s) { (void)s; }
#endif

#endif
