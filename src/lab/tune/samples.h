// Positions to fit an evaluation to: the features that count in each, the result of its game and
// the score of a search. Kept sparse, some hundred bytes a position, so that millions fit in
// memory.
//
// A line of a file of positions (docs/tuning.md):
//   FEN ; RESULT [; SCORE]
// RESULT is 1-0, 0-1 or 1/2-1/2, SCORE centipawns; both from the first side's point of view.
//
// Samples own their memory; one thread adds, then any may read.
#ifndef KRATON_LAB_TUNE_SAMPLES_H
#define KRATON_LAB_TUNE_SAMPLES_H

#include "games/trace.h"
#include "rules/rules.h"

// An evaluation as the tuner sees it: a list of named parameters with their weights, and how often
// each of them counts in a position. Models are constants; any thread may use them.
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

enum { SAMPLE_NO_SCORE = INT16_MIN, SAMPLE_SCORE_MAX = 3000 };

typedef struct {
    uint64_t terms; // where its terms begin; they end where the next one's begin
    uint16_t phase;
    int16_t score; // a search's, or SAMPLE_NO_SCORE
    uint8_t scale;
    uint8_t half_points; // of the first side: 2, 1, 0
} sample;

// Zeroed: no samples.
typedef struct {
    sample *at;
    size_t count, capacity;
    uint16_t *parameter; // of each term
    int8_t *times;
    size_t terms, terms_capacity;
} samples;

void samples_free(samples *s);
// Adds a position. False, with the reason, if the FEN is not valid or memory runs out. Scores are
// limited to SAMPLE_SCORE_MAX.
MUST_USE bool samples_add(samples *s, const eval_model *model, text fen, int half_points,
                          int32_t score, fault *why);
// The parts of a line of a file. An empty FEN for blank lines and those that begin with #.
typedef struct {
    text fen;
    int half_points;
    int32_t score; // or SAMPLE_NO_SCORE
} sample_line;
MUST_USE bool samples_read_line(text line, sample_line *parts, fault *why);
// The same from a line of a file. Blank lines and those that begin with # add nothing.
MUST_USE bool samples_add_line(samples *s, const eval_model *model, text line, fault *why);

#endif
