// What a search is asked for and what it answers with: limits, reports, scores.
#ifndef KRATON_SEARCH_TYPES_H
#define KRATON_SEARCH_TYPES_H

#include "rules/move.h"

#include <stdbool.h>
#include <stdint.h>

// --- scores -------------------------------------------------------------------------------------

// Scores: centipawns from the point of view of the side to move. Beyond DECIDED a score is a result
// and no longer an estimate:
//
//   32000 - n   won in n plies on the board (mate, or no pieces left)
//   30000 - n   won according to an endgame table, which the line reaches after n plies
//   29000 - n   won by the history of the game: a perpetual check, a count at a repetition
//
// The evaluation stays below 28000. A score by history is path-dependent: another path to the same
// position may have another result, so it must not enter the transposition table.

enum {
    SCORE_MATE = 32000,
    SCORE_MATE_BOUND = 31000,
    SCORE_TABLE = 30000,
    SCORE_TABLE_BOUND = SCORE_TABLE - 500,
    SCORE_HISTORY = 29000,
    SCORE_HISTORY_BOUND = 28500,
    SCORE_DECIDED = 28000,
    SCORE_EVAL_MAX = 27000,
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32500
};

typedef enum { SCORE_EXACT, SCORE_LOWER, SCORE_UPPER } score_bound;

// Whether the score is an estimate and no result.
static inline bool score_is_open(int32_t score) {
    return score < SCORE_DECIDED && score > -SCORE_DECIDED;
}

// The score of a result (1, 0, -1) on the board at this ply.
static inline int32_t score_of_board(int result, int ply) { return result * (SCORE_MATE - ply); }

// The score of an endgame table's result for the position at this ply.
static inline int32_t score_of_table(int result, int ply) { return result * (SCORE_TABLE - ply); }

// The score of a result by the history of the game.
static inline int32_t score_of_history(int result, int ply) {
    return result * (SCORE_HISTORY - ply);
}

// Whether the score holds only for the path that led to it.
static inline bool score_is_of_path(int32_t score) {
    int32_t size = score < 0 ? -score : score;
    return size > SCORE_HISTORY_BOUND && size <= SCORE_HISTORY;
}

// In the transposition table distances count from the position, in the tree from the root.
static inline int32_t score_to_table(int32_t score, int ply) {
    return score >= SCORE_DECIDED ? score + ply : score <= -SCORE_DECIDED ? score - ply : score;
}

static inline int32_t score_from_table(int32_t score, int ply) {
    return score >= SCORE_DECIDED ? score - ply : score <= -SCORE_DECIDED ? score + ply : score;
}

// --- requests and answers -----------------------------------------------------------------------

enum { SEARCH_MAX_PLY = 128, SEARCH_MAX_VARIATIONS = 64, SEARCH_MAX_THREADS = 256 };

typedef struct search search; // search/search.h

// What a search is asked for. 0 or false: not set. Times are in microseconds of the monotonic
// clock.
typedef struct {
    int32_t depth;
    uint64_t nodes; // exact with one thread
    int64_t move_time_us;
    int64_t clock_us, increment_us; // clock_us -1: no clock
    int64_t clock_grain_us;         // the clock is rounded to this; less than that is no lag
    int32_t moves_to_go;
    int64_t overhead_us;       // kept back from the clock for the way to the manager
    int64_t start_us;          // when the request was read
    bool is_infinite;          // only search_stop ends it
    bool is_ponder;            // the clock starts at search_ponder_hit
    int32_t mate;              // a mate in this many moves ends the search
    int variations;            // MultiPV; 0 is 1
    const rules_move *allowed; // the root moves to choose from; NULL: all
    int allowed_count;
} search_limits;

// One line of the search, best first if there are several.
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

// --- the vote among threads ---------------------------------------------------------------------

// Which thread's result is given. Each thread votes for its best move, with more weight the deeper
// it has searched and the better its score; the move with the most votes wins. A mate that some
// thread has proved needs no majority: the shortest wins. Pure arithmetic.
typedef struct {
    rules_move move;
    int32_t score;
    int depth; // completed; 0: the thread has no result
} ballot;

// The number of the thread whose result is best; 0 if none has one.
int search_vote(const ballot *ballots, int count);

#endif
