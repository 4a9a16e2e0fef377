// Glicko-2, by Glickman's "Example of the Glicko-2 system": rating, deviation
// and volatility. Pure arithmetic; any thread may call it.
#ifndef KRATON_CONTEST_GLICKO_H
#define KRATON_CONTEST_GLICKO_H

typedef struct {
    double rating, deviation, volatility;
} glicko;

typedef struct {
    glicko opponent;
    double score; // 1, 0.5, 0
} glicko_result;

// The initial values: 1500, 350, 0.06.
glicko glicko_new(void);
// After games against opponents rated as they were before them; count 0: a period without games.
glicko glicko_after(glicko g, const glicko_result *results, int count);
// After so many periods without games, fractions included: the deviation grows.
glicko glicko_rested(glicko g, double periods);

#endif
