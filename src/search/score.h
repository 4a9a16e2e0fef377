// What the search's scores mean beyond search.h: bands, and how they travel through the table.
//
//   32000 - n   the game is won in n plies by what stands on the board
//   30000 - n   an endgame table says so
//   29000 - n   won by the history of the game: a perpetual, a count at a repetition
// Everything below 28000 is the evaluation's.
#ifndef KRATON_SEARCH_SCORE_H
#define KRATON_SEARCH_SCORE_H

#include "search/search.h"

enum {
    SCORE_INFINITE = 32001,
    SCORE_HISTORY_BOUND = 28500,
    SCORE_EVAL_MAX = 27000,
    SCORE_TABLE_BOUND = SCORE_TABLE - 500
};

// The score of a verdict (1, 0, -1) reached at ply by what stands on the board.
static inline int32_t score_of_board(int verdict, int ply) { return verdict * (SCORE_MATE - ply); }

// The score of an endgame table's verdict on the position at ply.
static inline int32_t score_of_table(int verdict, int ply) { return verdict * (SCORE_TABLE - ply); }

// The score of a verdict by the game's history: another way to the same position may fare better.
static inline int32_t score_of_history(int verdict, int ply) {
    return verdict * (SCORE_HISTORY - ply);
}

// Whether a score holds only for the way that led to it, so that no other may use it.
static inline bool score_is_of_path(int32_t score) {
    int32_t size = score < 0 ? -score : score;
    return size > SCORE_HISTORY_BOUND && size <= SCORE_HISTORY;
}

// In the table distances count from the position, in the tree from the root.
static inline int32_t score_to_table(int32_t score, int ply) {
    return score >= SCORE_DECIDED ? score + ply : score <= -SCORE_DECIDED ? score - ply : score;
}

static inline int32_t score_from_table(int32_t score, int ply) {
    return score >= SCORE_DECIDED ? score - ply : score <= -SCORE_DECIDED ? score + ply : score;
}

#endif
