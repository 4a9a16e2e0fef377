// The inside of a search: what its threads share (struct search) and what each owns (worker).
//
// Shared are the transposition table (lock-free), the limits (constant while a search runs) and a
// few atomic flags. A worker begins on a cache line of its own; other threads read only its
// counters, and its root_task under its lock.
//
// internal.h declares the search itself, search.c has its life.
#ifndef KRATON_SEARCH_WORKER_H
#define KRATON_SEARCH_WORKER_H

#include "base/minmax.h"
#include "contract/contract.h"
#include "os/thread.h"
#include "rules/rules.h"
#include "search/timeman.h"
#include "search/tt.h"
#include "search/tuned.h"
#include "search/types.h"

// --- heuristics ---------------------------------------------------------------------------------

// The names of the search's heuristics. An ablation build leaves one of them out
// (-DKRATON_ABLATE=NULL_MOVE to CMake); tools/ablate.sh plays it against the full engine to measure
// what the heuristic is worth. In a normal build uses() is always true and costs nothing.

typedef enum {
    HEURISTIC_NONE,
    HEURISTIC_ASPIRATION,           // without: every iteration begins with the whole window
    HEURISTIC_FIXED_WINDOW,         // without: paper 3's window, wider the larger the score
    HEURISTIC_KILLERS,              // quiet moves that caused a cut-off at the same ply
    HEURISTIC_COUNTER_MOVE,         // the reply that refuted the move before
    HEURISTIC_CONTINUATION_HISTORY, // without: the butterfly history alone
    HEURISTIC_CAPTURE_HISTORY,
    HEURISTIC_RAZORING,
    HEURISTIC_REVERSE_FUTILITY,
    HEURISTIC_NULL_MOVE,
    HEURISTIC_NULL_VERIFICATION,
    HEURISTIC_PROBCUT,
    HEURISTIC_IIR, // internal iterative reduction: shallower without a table move
    HEURISTIC_LMP, // late-move pruning
    HEURISTIC_FUTILITY,
    HEURISTIC_HISTORY_PRUNING,
    HEURISTIC_SEE_PRUNING, // of moves that lose the exchange
    HEURISTIC_SINGULAR,    // singular extension; without: no multi-cut either
    HEURISTIC_MULTI_CUT,
    HEURISTIC_CHECK_EXTENSION,
    HEURISTIC_LMR,           // late-move reductions
    HEURISTIC_DELTA_PRUNING, // of captures in quiescence
    HEURISTIC_CORRECTION,    // correction history: how wrong the evaluation was in like positions
    HEURISTIC_CHECK_ORDER,   // quiet checks that lose nothing come first among quiet moves
    HEURISTIC_CUTOFF_COUNT,  // a late move is reduced more if its siblings' replies refute easily
    HEURISTIC_NEW_DEPTH,     // the search after a reduced one may be deeper or shallower
    HEURISTIC_EVAL_HISTORY,  // a quiet move learns from what the evaluation says after it
    HEURISTIC_FAIL_LOW,      // a move after which everything fails low learns from that
    HEURISTIC_WORSENING,     // reverse futility: less margin if the opponent's move was bad
} heuristic;

#ifndef KRATON_ABLATE
#define KRATON_ABLATE NONE
#endif
#define HEURISTIC_PASTE(name) HEURISTIC_##name
#define HEURISTIC_NAMED(name) HEURISTIC_PASTE(name)

// Whether the heuristic takes part in this build.
static inline bool uses(heuristic h) { return h != HEURISTIC_NAMED(KRATON_ABLATE); }

// --- history ------------------------------------------------------------------------------------

// History tables: how often a move caused a cut-off or failed to, by itself (butterfly), as a reply
// to earlier moves (continuation), and for captures. Each thread has its own.

enum {
    HISTORY_MAX = 16384,
    HISTORY_BACK = 2,        // earlier moves a reply is learnt for
    CORRECTION_SIZE = 16384, // a power of two
    CORRECTION_MAX = 1024
};

typedef int16_t history_line[GAME_SLOTS];

typedef struct {
    int16_t butterfly[2][GAME_POINTS * GAME_POINTS]; // by side, from, to
    int16_t capture[GAME_SLOTS][GAME_VICTIMS];
    rules_move counter[GAME_SLOTS];          // the counter move: the reply that refuted a move
    history_line continuation[GAME_BEFORES]; // by the earlier move, of either side
    history_line unknown;                    // after a null move or before the root; stays zero
    // Correction history: how much better than its evaluation a position was, by side and by a key
    // of a part of it, and by the move that led to it.
    int16_t correction[GAME_PARTS][2][CORRECTION_SIZE];
    int16_t correction_after[GAME_SLOTS];
} history_tables;

// Adds a bonus with gravity: the nearer a value is to its limit, the less it moves.
ALWAYS_INLINE void history_bump(int16_t *value, int bonus) {
    int size = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * size / HISTORY_MAX);
}

ALWAYS_INLINE void history_correct(int16_t *value, int bonus) {
    int size = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * size / CORRECTION_MAX);
}

ALWAYS_INLINE int16_t *history_correction(history_tables *h, const game_pos *pos, int part) {
    uint64_t key = game_part_key(pos, part) >> 32;
    return &h->correction[part][game_stm(pos)][key & (CORRECTION_SIZE - 1)];
}

ALWAYS_INLINE int history_bonus(int depth) {
    int bonus = (PARAM_BONUS_SQUARE * depth + PARAM_BONUS_LINE) * depth - PARAM_BONUS_LESS;
    return min_int(bonus, PARAM_BONUS_MAX);
}

ALWAYS_INLINE int16_t *history_butterfly(history_tables *h, const game_pos *pos, rules_move move) {
    return &h->butterfly[game_stm(pos)][move_from(move) * GAME_POINTS + move_to(move)];
}

ALWAYS_INLINE int16_t *history_capture(history_tables *h, const game_pos *pos, rules_move move) {
    return &h->capture[game_slot(pos, move)][game_victim(pos, move)];
}

// --- a thread and what all share ----------------------------------------------------------------

enum {
    FRAME_MARGIN = 4, // frames before the root, so that looking back needs no test
    PATH_BEFORE = 512 // plies of the game before the root in which repetitions are looked for
};

// One ply of the line being searched.
typedef struct {
    game_pos pos;
    history_line *continuation; // of the move played from here
    int32_t raw_eval;           // of the evaluation; SCORE_NONE: in check
    int32_t static_eval;        // the same, corrected by the correction history
    int ply;
    int since_null;      // plies since a null move or the start of the game: repetitions reach no
                         // further
    rules_move move;     // the move being searched
    rules_move excluded; // the move left out while a singular extension is decided
    rules_move killer[2];
    bool in_check;
    int cutoffs; // cut-offs at this ply since the node two plies above began
    int pv_count;
    rules_move pv[SEARCH_MAX_PLY];
    game_eval eval; // last, since it ends with the units of a network, which are not always used
} frame;

typedef struct {
    rules_move move;
    int32_t score, last_score; // of this iteration, of the one before
    score_bound bound;
    int depth, seldepth; // of the line
    uint64_t nodes;
    int pv_count;
    rules_move pv[SEARCH_MAX_PLY];
} root_move;

// The search of the root's moves, taken from the list one by one. The lock guards all of it and the
// root list, so that several threads may take moves from one list.
typedef struct {
    os_mutex lock;
    os_condition changed; // a new round, a helper less, the end
    int round, busy;      // how often helpers were called; how many are still at work
    bool is_closed;
    int32_t alpha, first_alpha, beta, best;
    int depth, next;
    rules_move best_move;
} root_task;

typedef struct {
    _Alignas(64) _Atomic uint64_t nodes; // only the worker writes these two
    _Atomic uint64_t table_hits;
    _Alignas(64) search *shared;
    int index; // 0: the first thread, which watches the clock and reports
    int seldepth, root_depth, done_depth;
    int null_ply; // no null move before this ply: a null move is being verified
    int variation, root_count;
    root_task task;
    int base; // index of the root in the path
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
    game_prober prober;            // those of them that are valid under the rule set
    const struct network *network; // NULL: the hand-made evaluation
    game_pos pos;
    game_step past[PATH_BEFORE];
    int past_count;
    search_limits limits;
    rules_move allowed[RULES_MAX_MOVES];
    search_listener listener;
    timeman_spans time;
    int threads;
    int helpers; // threads that run beside the first
    bool splits_root;
    worker **workers;
    timeman_game game; // what time management carries from move to move
    const int *params; // in the place of params.h (search/tuned.h); NULL: none

    _Alignas(64) _Atomic bool stop; // all threads end their search
    _Atomic bool is_asked;          // search_stop was called
    _Atomic int64_t asked_us;       // when
    _Atomic bool has_answer;        // the first iteration is complete
    _Atomic bool is_pondering;
    _Atomic bool is_running;
    _Atomic int64_t start_us; // the clock counts from here
    os_mutex lock;            // guards the three flags below and the wait on `wake`
    os_condition wake;        // work, stop, ponder hit, the end of a search or of all
    bool has_work, is_busy, is_ending;
    os_thread thread[SEARCH_MAX_THREADS];
    bool has_thread;      // thread[0] runs
    search_result result; // written by the first thread before is_running becomes false
    rules_move told;      // the best move of the last report; owned by the first thread
};

static inline bool search_should_stop(const search *s) {
    return atomic_load_explicit(&s->stop, memory_order_relaxed);
}

// The first thread has completed the first iteration: from now on search_stop ends the search at
// once, and one that came earlier ends it now.
static inline void search_offer_answer(search *s) {
    atomic_store(&s->has_answer, true);
    if (atomic_load(&s->is_asked))
        atomic_store(&s->stop, true);
}

// Sums over all threads.
uint64_t search_count_nodes(const search *s);
uint64_t search_count_hits(const search *s);

// Reports a worker's line of a variation (counted from 0). Called by the first thread.
void search_tell(const worker *w, int variation);

#endif
