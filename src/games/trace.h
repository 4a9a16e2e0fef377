// How an evaluation explains itself to the tuner: score = sum over parameters of coefficient times
// the parameter's value between opening and endgame, from the first side's point of view. The
// evaluation is one inline function that takes a trace; without one the compiler leaves it out.
#ifndef KRATON_GAMES_TRACE_H
#define KRATON_GAMES_TRACE_H

#include "base/bits.h"

enum { TRACE_MAX = 1536, PHASE_MAX = 256 }; // phase PHASE_MAX: all pieces on the board

// A parameter at the two ends of the game.
typedef struct {
    int16_t opening, ending;
} tapered;

typedef struct {
    int16_t coefficient[TRACE_MAX]; // by parameter
    int phase;
    int scale; // of the whole score, in 64ths: 64, or less where the ending is drawish
} eval_trace;

ALWAYS_INLINE void trace_add(eval_trace *trace, int parameter, int times) {
    if (trace)
        trace->coefficient[parameter] = (int16_t)(trace->coefficient[parameter] + times);
}

#endif
