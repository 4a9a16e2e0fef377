// An evaluation as the tuner sees it: a list of named parameters with their weights, and how often
// each of them counts in a position. Models are constants; any thread may use them.
#ifndef KRATON_LAB_TUNE_MODEL_H
#define KRATON_LAB_TUNE_MODEL_H

#include "games/trace.h"
#include "rules/rules.h"

typedef struct {
    const char *game;
    const char *prefix; // of its names: sk, xq
    int parameters;     // at most TRACE_MAX
    const tapered *weights;
    void (*name)(int parameter, writer *out);
    // Explains the evaluation of a position (the trace is zeroed first) and gives its score from
    // the first side's point of view. False, with the reason, where the FEN is none.
    bool (*explain)(text fen, eval_trace *trace, int32_t *score, fault *why);
} eval_model;

// The model of a game, or NULL.
const eval_model *model_find(const rules_game *game);

#endif
