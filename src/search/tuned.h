// Parameters as variables: in the build for the lab's SPSA (KRATON_TUNED) each search has numbers
// of its own in the place of params.h. A thread looks them up through search_params, which is set
// when it begins to search. In every other build the parameters are constants and this is nothing.
#ifndef KRATON_SEARCH_TUNED_H
#define KRATON_SEARCH_TUNED_H

#ifdef KRATON_TUNED
enum { SEARCH_IS_TUNED = 1 };
#define TUNED_LOCAL _Thread_local

// The parameters of the game, in the order of params.h.
typedef struct {
    const char *name;
    int value;
} tuned_param;
extern const tuned_param tuned_params[];
extern const int tuned_count;

// The numbers the calling thread looks up from now on; NULL: those of params.h.
void tuned_use(const int *values);
#else
enum { SEARCH_IS_TUNED = 0 };
#define TUNED_LOCAL
static inline void tuned_use(const int *values) { (void)values; }
#endif

#endif
