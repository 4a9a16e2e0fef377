// SPSA (Spall): finds better values for many parameters at once from the results of games. In each
// iteration all parameters are moved a little, each up or down at random; the search with these
// values plays one with the opposite ones, and the values go towards the winner.
//
//   c_k = step * (N / k)^gamma       how far parameters are moved in iteration k of N
//   R_k = rate * ((A + N) / (A + k))^alpha * (k / N)^(2 gamma)       how far they then go
//   value += R_k * c_k * sign * (wins - losses)
//
// so that `step` and `rate` are those of the last iteration. Pure arithmetic; the state of a run is
// a text file. Owned and used by one thread.
#ifndef KRATON_LAB_SPSA_SPSA_H
#define KRATON_LAB_SPSA_SPSA_H

#include "base/buffer.h"

#include <stdbool.h>

enum { SPSA_MAX = 128, SPSA_NAME_SIZE = 48 };

typedef struct {
    char name[SPSA_NAME_SIZE];
    double value;
    int start, low, high;
    double step;
    bool is_fixed; // not tuned
} spsa_param;

typedef struct {
    spsa_param params[SPSA_MAX];
    int count;
    int iterations, done; // in all, so far
    double rate;
    uint64_t seed;
    uint64_t wins, draws, losses; // of the values moved up, for the report
} spsa;

// Bounds and step that suit a parameter with this value: from a quarter of it to four times, a
// tenth.
spsa_param spsa_usual(const char *name, int value);

// The values of both players in the next iteration, and which way each parameter was moved (1, -1,
// or 0 if it is not tuned). Fractions are rounded at random. The same state gives the same values.
void spsa_draw(const spsa *s, int *plus, int *minus, int *sign);
// Takes the result of that iteration: wins less losses of `plus`.
void spsa_learn(spsa *s, const int *sign, int result);

// The state as text, and read again. False, with the reason, where it is none.
void spsa_write(const spsa *s, buffer *out);
MUST_USE bool spsa_read(spsa *s, text from, fault *why);

#endif
