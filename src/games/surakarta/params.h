// The tuned numbers of the search when it plays Surakarta. Depths in plies, margins in centipawns
// (a piece is 100).
#ifndef KRATON_GAMES_SURAKARTA_PARAMS_H
#define KRATON_GAMES_SURAKARTA_PARAMS_H

enum {
    PARAM_WINDOW = 10,         // half the first aspiration window
    PARAM_WINDOW_BY_SCORE = 0, // or paper 3's: 20 and this part of the score
    PARAM_WINDOW_DEPTH = 4,    // from this depth on
    PARAM_RAZOR_DEPTH = 2,     // razoring
    PARAM_RAZOR_MARGIN = 150,
    PARAM_REVERSE_DEPTH = 7, // reverse futility
    PARAM_REVERSE_MARGIN = 60,
    PARAM_NULL_DEPTH = 3, // null move
    PARAM_NULL_BASE = 3,
    PARAM_NULL_DIVISOR = 4,
    PARAM_NULL_EVAL = 120,
    PARAM_NULL_PIECES = 4,    // fewer pieces: no null move
    PARAM_NULL_SLACK = 20,    // times depth, below beta
    PARAM_NULL_VERIFIED = 12, // from this depth on
    PARAM_PROBCUT_DEPTH = 5,
    PARAM_PROBCUT_MARGIN = 120,
    PARAM_PROBCUT_IMPROVING = 30,
    PARAM_IIR_DEPTH = 4,
    PARAM_CHECK_EXTENSION = 0,
    PARAM_SINGULAR_DEPTH = 7,
    PARAM_SINGULAR_MARGIN = 2, // times depth
    PARAM_SINGULAR_DOUBLE = 20,
    PARAM_LMR_DEPTH = 3,
    PARAM_LMR_BASE = 60,     // hundredths
    PARAM_LMR_DIVISOR = 220, // hundredths
    PARAM_LMR_HISTORY = 8192,
    PARAM_LMP_DEPTH = 7,
    PARAM_LMP_BASE = 4,
    PARAM_FUTILITY_DEPTH = 7,
    PARAM_FUTILITY_BASE = 60,
    PARAM_FUTILITY_MARGIN = 50,
    PARAM_HISTORY_DEPTH = 4,
    PARAM_HISTORY_MARGIN = 3000, // times depth
    PARAM_SEE_DEPTH = 7,
    PARAM_SEE_QUIET = 30,    // times depth
    PARAM_SEE_NOISY = 80,    // times depth
    PARAM_BONUS_SQUARE = 16, // of a cut-off's depth, for the histories
    PARAM_BONUS_LINE = 120,
    PARAM_BONUS_LESS = 80,
    PARAM_BONUS_MAX = 1600,
    PARAM_DELTA = 110, // quiescence
    // moves a game is expected to last on
    PARAM_TIME_HORIZON = 32,
};

#endif
