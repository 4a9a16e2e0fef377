// The inside of a search: what its threads share and what each has for itself.
//
// Shared: the table (lock-free), the limits (constant while it runs), two flags. A thread's own
// worker starts on a cache line; others read its node counters, nothing else.
#ifndef KRATON_SEARCH_WORKER_H
#define KRATON_SEARCH_WORKER_H

#include "base/isa.h"
#include "search/heuristic.h"
#include "search/history.h"
#include "search/ledger.h"
#include "search/score.h"
#include "search/timer.h"
#include "search/tt.h"

#include <pthread.h>

enum {
    FRAME_MARGIN = 4, // frames before the root, so that looking back needs no test
    PATH_BEFORE = 512 // plies of the game before the root that repetitions are sought in
};

// One ply of the line being searched.
typedef struct {
    game_pos pos;
    game_eval eval;
    history_line *continuation; // of the move played from here
    int32_t static_eval;        // SCORE_NONE: in check
    int ply;
    int since_null; // plies since a null move or the game's start: as far as repetitions are sought
    rules_move move, excluded, killer[2];
    bool in_check;
    int pv_count;
    rules_move pv[SEARCH_MAX_PLY];
} frame;

typedef struct {
    rules_move move;
    int32_t score, last_score;
    score_bound bound;
    int depth, seldepth; // of the line, and of whichever score there is
    uint64_t nodes;
    int pv_count;
    rules_move pv[SEARCH_MAX_PLY];
} root_move;

// The search of a root's moves, taken from the list one by one. The lock guards all of it and the
// root list, so that several threads may take from one.
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed; // a new round, a helper less, the end
    int round, busy;        // how often helpers were called; how many are still at it
    bool is_closed;
    int32_t alpha, first_alpha, beta, best;
    int depth, next;
    rules_move best_move;
} root_task;

typedef struct {
    _Alignas(64) _Atomic uint64_t nodes; // the worker alone writes them
    _Atomic uint64_t table_hits;
    _Alignas(64) search *shared;
    int index; // 0: the one that watches the clock and reports
    int seldepth, root_depth, done_depth;
    int null_ply; // no null move before this ply: a null move is being verified
    int variation, root_count;
    root_task task;
    int base; // where in the path the root is
    game_step path[PATH_BEFORE + SEARCH_MAX_PLY + 2];
    frame frames[FRAME_MARGIN + SEARCH_MAX_PLY + 2];
    root_move root[GAME_MAX_MOVES];
    game_memory memory;
    history_tables history;
} worker;

struct search {
    tt_table tt;
    // Constant while a search runs.
    rules_set set;
    const struct game_tables *tables;
    game_prober prober; // those of them that hold under the rule set
    game_pos pos;
    game_step past[PATH_BEFORE];
    int past_count;
    search_limits limits;
    rules_move allowed[RULES_MAX_MOVES];
    search_listener listener;
    timer_spans time;
    int threads;
    int helpers; // threads that run beside the first
    bool splits_root;
    worker **workers;
    ledger ledger; // of the game so far

    _Alignas(64) _Atomic bool stop; // thinking ends
    _Atomic bool is_asked;          // for the answer, by search_stop
    _Atomic int64_t asked_us;       // when
    _Atomic bool has_answer;        // every move was looked at
    _Atomic bool is_pondering;
    _Atomic bool is_running;
    _Atomic int64_t start_us; // the clock counts from here
    pthread_mutex_t lock;     // guards the three below and the sleep on `wake`
    pthread_cond_t wake;      // work, stop, ponder hit, the end of a search or of all
    bool has_work, is_busy, is_ending;
    pthread_t thread[SEARCH_MAX_THREADS];
    bool has_thread;      // thread[0] lives
    search_result result; // written by the first thread before is_running ends
    rules_move told;      // the best move by the last line told; the first thread's
};

static inline bool search_should_stop(const search *s) {
    return atomic_load_explicit(&s->stop, memory_order_relaxed);
}

// The first thread has looked at every move: whoever asks for the answer from now on gets it, and
// who has asked already.
static inline void search_offer_answer(search *s) {
    atomic_store(&s->has_answer, true);
    if (atomic_load(&s->is_asked))
        atomic_store(&s->stop, true);
}

// All nodes of all threads.
uint64_t search_count_nodes(const search *s);
uint64_t search_count_hits(const search *s);

// Tells the listener what a worker makes of its variation, counted from 0; by the first thread.
void search_tell(const worker *w, int variation);

// A worker thinks until the search is to stop or has gone as deep as asked. Compiled per level of
// the instruction set: think.c.
void search_think_baseline(worker *w);
void search_think_v3(worker *w);

#endif
