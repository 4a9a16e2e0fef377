// Thinking about one game: what the engine's facade sees of the search. Compiled once per game, so
// that the names need no prefix; neither reads nor writes anything but through the callbacks.
//
// A search owns its transposition table, its threads and what they have learnt. One thread (the
// facade's) calls the functions below; search_stop, search_ponder_hit and search_is_running may be
// called from any thread. Callbacks come from the search's first thread.
#ifndef KRATON_SEARCH_SEARCH_H
#define KRATON_SEARCH_SEARCH_H

#include "rules/rules.h"

enum { SEARCH_MAX_PLY = 128, SEARCH_MAX_VARIATIONS = 64, SEARCH_MAX_THREADS = 256 };

// Scores are centipawns from the mover's point of view; a game won in n plies is MATE - n.
// Beyond DECIDED a score is no opinion but a result: TABLE - n by an endgame table, HISTORY - n by
// the history of the game (a perpetual, a count), n plies from here.
enum {
    SCORE_MATE = 32000,
    SCORE_MATE_BOUND = 31000,
    SCORE_TABLE = 30000,
    SCORE_HISTORY = 29000,
    SCORE_DECIDED = 28000,
    SCORE_NONE = 32500
};

typedef struct search search;

// What to stop at; 0 or false: not set. Times are in microseconds of the monotonic clock.
typedef struct {
    int32_t depth;
    uint64_t nodes; // exact with one thread
    int64_t move_time_us;
    int64_t clock_us, increment_us; // clock_us -1: no clock
    int64_t clock_grain_us;         // as coarse is the clock told: what is less is no lag
    int32_t moves_to_go;
    int64_t overhead_us;       // kept back from the clock for the way to the manager
    int64_t start_us;          // when the request was read
    bool is_infinite;          // search_stop alone ends it
    bool is_ponder;            // the clock counts from search_ponder_hit on
    int32_t mate;              // in so many moves is enough
    int variations;            // MultiPV; 0 is 1
    const rules_move *allowed; // the root moves to choose from; NULL: all
    int allowed_count;
} search_limits;

typedef enum { SCORE_EXACT, SCORE_LOWER, SCORE_UPPER } score_bound;

// One line of thought, best first where there are several.
typedef struct {
    int depth, seldepth;
    int variation; // from 1
    int32_t score;
    score_bound bound;
    uint64_t nodes, table_hits;
    int64_t time_us;
    int hash_full; // per mille
    const rules_move *pv;
    int pv_count;
} search_report;

typedef struct {
    rules_move best, ponder; // MOVE_NONE: none
    int32_t score;
    int depth;
    uint64_t nodes;
} search_result;

typedef struct {
    void (*on_report)(void *context, const search_report *report); // may be NULL
    void (*on_done)(void *context, const search_result *result);   // may be NULL
    void *context;
} search_listener;

// NULL when memory will not do. Starts with one thread and 16 MB.
search *search_new(void);
void search_free(search *s);
// False, with everything as it was, when memory will not do.
MUST_USE bool search_set_hash(search *s, size_t megabytes);
MUST_USE bool search_set_threads(search *s, int threads);
// Paper 3's way of sharing the root among threads instead of Lazy SMP.
void search_set_root_splitting(search *s, bool on);
// Forgets everything learnt.
void search_clear(search *s);

// The endgame tables to ask from now on, the caller's; NULL: none.
struct game_tables;
void search_set_tables(search *s, const struct game_tables *tables);

// The position to think about, with its rule set and the moves that led to it; copied.
void search_set_state(search *s, const rules_state *state);
// Begins in the background; the listener is copied, `allowed` too. Nothing may be running.
void search_start(search *s, const search_limits *limits, const search_listener *listener);
// Asks for the result now; on_done follows within milliseconds, as soon as every move was looked at
// once or that takes too long. Nothing happens when idle.
void search_stop(search *s);
// Nothing happens where it does not ponder.
void search_ponder_hit(search *s);
bool search_is_running(const search *s);
// Waits for the end, without asking for it.
search_result search_wait(search *s);

// Fixed depths over a fixed list of positions on one thread: the nodes are the signature of the
// search, the same on every machine. Depth 0: the customary one.
typedef struct {
    uint64_t nodes;
    int64_t time_us;
    int positions;
} search_signature;
search_signature search_bench(int depth);

// The static evaluation of the position set, from the mover's point of view.
int32_t search_evaluate(search *s);

#endif
