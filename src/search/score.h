// Scores: centipawns from the point of view of the side to move. Beyond DECIDED a score is a result
// and no longer an estimate:
//
//   32000 - n   won in n plies on the board (mate, or no pieces left)
//   30000 - n   won according to an endgame table, which the line reaches after n plies
//   29000 - n   won by the history of the game: a perpetual check, a count at a repetition
//
// The evaluation stays below 28000. A score by history is path-dependent: another path to the same
// position may have another result, so it must not enter the transposition table.
#ifndef KRATON_SEARCH_SCORE_H
#define KRATON_SEARCH_SCORE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
