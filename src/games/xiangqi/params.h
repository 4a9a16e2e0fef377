// The tunable numbers of the search when it plays Xiangqi. Depths in plies, margins in centipawns
// (a pawn is about 100). They were set by hand, each change confirmed by a match
// (docs/lab/search.md); SPSA can move them as well (docs/tuning.md).
#ifndef KRATON_GAMES_XIANGQI_PARAMS_H
#define KRATON_GAMES_XIANGQI_PARAMS_H

enum {
    PARAM_WINDOW = 16,          // half the first aspiration window
    PARAM_WINDOW_DEPTH = 4,     // used from this depth on
    PARAM_WINDOW_LIMIT = 1000,  // beyond this width: the full window
    PARAM_WINDOW_SHALLOWER = 3, // after failing high: at most this many plies less
    PARAM_PAPER3_WINDOW = 20,   // paper 3's first window, for comparison: this much ...
    PARAM_PAPER3_SHARE = 4,     // ... plus the score divided by this
    PARAM_RAZOR_DEPTH = 2,      // razoring
    PARAM_RAZOR_MARGIN = 250,
    PARAM_REVERSE_DEPTH = 7, // reverse futility
    PARAM_REVERSE_WORSENING = 20,
    PARAM_REVERSE_MARGIN = 75,
    PARAM_NULL_DEPTH = 3, // null move
    PARAM_NULL_BASE = 3,
    PARAM_NULL_DIVISOR = 4,
    PARAM_NULL_EVAL = 200,
    PARAM_NULL_EVAL_MAX = 3,
    PARAM_NULL_PIECES = 2,    // fewer attackers: no null move
    PARAM_NULL_SLACK = 20,    // times depth, below beta
    PARAM_NULL_VERIFIED = 12, // used from this depth on
    PARAM_PROBCUT_DEPTH = 5,
    PARAM_PROBCUT_MARGIN = 180,
    PARAM_PROBCUT_IMPROVING = 30,
    PARAM_PROBCUT_LESS = 4, // plies
    PARAM_IIR_DEPTH = 4,
    PARAM_CHECK_EXTENSION = 1,
    PARAM_SINGULAR_DEPTH = 7,
    PARAM_SINGULAR_MARGIN = 2, // times depth
    PARAM_SINGULAR_DOUBLE = 20,
    PARAM_SINGULAR_TRUST = 3, // plies by which the table entry may be shallower
    PARAM_LMR_DEPTH = 3,
    PARAM_LMR_BASE = 60,        // late-move reduction, in hundredths of a ply
    PARAM_LMR_DIVISOR = 220,    // hundredths
    PARAM_LMR_HISTORY = 8192,   // a ply less for a history like this
    PARAM_LMR_WORSE = 100,      // in hundredths: more if the evaluation is not improving, ...
    PARAM_LMR_CUT = 150,        // ... if a cut-off is expected, ...
    PARAM_LMR_TABLE_NOISY = 70, // ... if the table's move is a capture, ...
    PARAM_LMR_CUTOFFS = 80,     // ... if such moves were refuted often
    PARAM_LMR_PV = 100,         // less in a principal variation, ...
    PARAM_LMR_WAS_PV = 100,     // ... where one was found before, ...
    PARAM_LMR_CHECK = 100,      // ... for checks and replies to them
    PARAM_DEEPER = 40,          // reduced search so far above the best score: a ply deeper
    PARAM_SHALLOWER = 8,        // not even so far above it: a ply less
    PARAM_EVAL_GAIN = 8,        // history bonus of a move, a centipawn of evaluation it gains
    PARAM_EVAL_GAIN_MAX = 1200,
    PARAM_CORRECTION = 32, // units of the correction history to a centipawn
    PARAM_LMP_DEPTH = 7,   // late-move pruning
    PARAM_LMP_BASE = 14,
    PARAM_FUTILITY_DEPTH = 7,
    PARAM_FUTILITY_BASE = 100,
    PARAM_FUTILITY_MARGIN = 80,
    PARAM_CHECKS_DEPTH = 2, // up to this depth quiet checks are never pruned: they may mate
    PARAM_HISTORY_DEPTH = 4,
    PARAM_HISTORY_MARGIN = 3000, // times the reduced depth plus one
    PARAM_SEE_DEPTH = 7,
    PARAM_SEE_QUIET_DEPTH = 9,
    PARAM_SEE_QUIET = 60,    // times the reduced depth squared
    PARAM_SEE_NOISY = 200,   // times depth
    PARAM_BONUS_SQUARE = 16, // history bonus: times the depth squared ...
    PARAM_BONUS_LINE = 120,  // ... plus this times the depth ...
    PARAM_BONUS_LESS = 80,   // ... less this
    PARAM_BONUS_MAX = 1600,
    PARAM_RANK_CHECK = 16384,     // a quiet check that loses nothing, beside its history
    PARAM_RANK_NOISY = 16,        // weight of a capture's rank beside its history
    PARAM_DELTA = 180,            // quiescence
    PARAM_EVALUATE_EARLY = 0,     // the evaluation is too expensive to be done in advance
    PARAM_TIME_HORIZON = 36,      // moves the game is expected to last
    PARAM_TIME_MOST = 30,         // per cent of the clock for one move
    PARAM_TIME_MOST_LAST = 70,    // the same for the last move before a new period
    PARAM_TIME_HARD = 4,          // times a move's share: the hard limit
    PARAM_TIME_USUAL = 75,        // per cent of a move's share, scaled by what follows
    PARAM_TIME_UNSTABLE = 140,    // per cent where the best move has just changed ...
    PARAM_TIME_STABLE = 10,       // ... less this for every iteration it has not ...
    PARAM_TIME_STABLE_MAX = 7,    // ... and so many at most
    PARAM_TIME_FALLING = 90,      // per cent, one more for every centipawn lost ...
    PARAM_TIME_FALLING_MAX = 100, // ... up to so many
    PARAM_TIME_EFFORT = 150,      // per cent where the best move took no nodes ...
    PARAM_TIME_EFFORT_LESS = 80,  // ... less this where it took all
};

#endif
