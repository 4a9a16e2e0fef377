// The search as the engine sees it. Compiled once per game, so that the names need no prefix. It
// does no input or output; it reports through callbacks.
//
// A search owns its transposition table, its threads and their history tables. One thread (the
// engine's) calls the functions below; search_stop, search_ponder_hit and search_is_running may be
// called from any thread. Callbacks come from the search's first thread.
#ifndef KRATON_SEARCH_SEARCH_H
#define KRATON_SEARCH_SEARCH_H

#include "rules/rules.h"
#include "search/types.h"

// NULL when out of memory. Starts with one thread and a table of 16 MB.
search *search_new(void);
void search_free(search *s);
// False when out of memory; then nothing has changed.
MUST_USE bool search_set_hash(search *s, size_t megabytes);
MUST_USE bool search_set_threads(search *s, int threads);
// Threads share the moves of the root, as in paper 3, instead of searching independently (Lazy
// SMP).
void search_set_root_splitting(search *s, bool on);
// Empties the transposition table and the history tables.
void search_clear(search *s);

// The endgame tables to probe from now on, owned by the caller; NULL: none.
struct game_tables;
void search_set_tables(search *s, const struct game_tables *tables);

// The network to evaluate with from now on, owned by the caller; NULL: the hand-made evaluation.
// False if the game's evaluation cannot use it: nothing has changed then.
struct network;
MUST_USE bool search_set_network(search *s, const struct network *net);
// Whether there are networks for this game at all.
bool search_takes_networks(void);

// Numbers in the place of those of params.h, owned by the caller; NULL: none. Without effect but in
// the build for the lab's SPSA (search/tuned.h).
void search_set_params(search *s, const int *values);

// The position to search, with its rule set and the moves that led to it; copied.
void search_set_state(search *s, const rules_state *state);
// Starts in the background; on a system without threads it returns when the search has ended. The
// listener and `allowed` are copied. Waits for a search that runs.
void search_start(search *s, const search_limits *limits, const search_listener *listener);
// Asks for the result now; on_done follows within milliseconds: the first iteration is finished if
// that does not take too long. No effect when idle.
void search_stop(search *s);
// The opponent played the expected move: the clock starts. No effect unless pondering.
void search_ponder_hit(search *s);
bool search_is_running(const search *s);
// Waits for the end of the search, without asking for it.
search_result search_wait(search *s);

// Searches a fixed list of positions to a fixed depth with one thread. The number of nodes is the
// signature of the search, the same on every machine. `net` as above.
typedef struct {
    uint64_t nodes;
    int64_t time_us;
    int positions;
} search_signature;
enum { SEARCH_BENCH_DEPTH = 12 }; // of tests/signature.txt
search_signature search_bench(int depth, const struct network *net);

// The static evaluation of the position set, from the mover's point of view.
int32_t search_evaluate(search *s);

#endif
