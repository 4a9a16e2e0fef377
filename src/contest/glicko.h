// Glicko-2, by Glickman's "Example of the Glicko-2 system": a rating, how sure of it one is, and
// how erratic the player. Pure arithmetic; any thread may call it.
#ifndef KRATON_CONTEST_GLICKO_H
#define KRATON_CONTEST_GLICKO_H

typedef struct {
    double rating, deviation, volatility;
} glicko;

typedef struct {
    glicko opponent;
    double score; // 1, 0.5, 0
} glicko_result;

// Where everybody begins: 1500, 350, 0.06.
glicko glicko_new(void);
// After games against opponents rated as they were before them; count 0: a period without games.
glicko glicko_after(glicko g, const glicko_result *results, int count);
// After a rest of so many periods (not whole ones either): less sure.
glicko glicko_rested(glicko g, double periods);

#endif
