// Ratings of a field of players from any set of results, with their errors and a first-move
// advantage. The model is that of Bradley and Terry: the expected score of the player who moves
// first is 1 / (1 + 10^(-d/400)), where d is the difference of the ratings plus the advantage. A
// draw counts as half a win and half a loss. The ratings maximise the likelihood; every player's
// expected score then equals the actual one. docs/ratings.md has the formulas.
//
// Pure arithmetic; any thread may call it.
#ifndef KRATON_CONTEST_RATINGS_H
#define KRATON_CONTEST_RATINGS_H

#include "base/bits.h"
#include "base/text.h"

enum { RATINGS_MAX_PLAYERS = 100000 };

// All games of two players in which `first` moved first, from its point of view.
typedef struct {
    int first, second;
    int64_t wins, draws, losses;
} ratings_row;

typedef struct {
    int players; // 1 to RATINGS_MAX_PLAYERS
    const ratings_row *rows;
    size_t row_count;
    const double *anchors; // by player, in Elo: a given rating, or NAN; NULL: none
    double average;        // of the ratings in a group without an anchor
    double advantage;      // of moving first, in Elo; NAN: estimate it
    // Draws added to every player's results, spread over the opponents as the games were. With
    // some, players who won or lost everything have finite ratings. NAN: 1 if such are needed, else
    // 0.
    double prior;
} ratings_problem;

typedef struct {
    int players;
    double *elo;        // by player
    double *games;      // by player
    double *covariance; // players * players, in Elo^2; NULL in a large field
    float *draws;       // in a large field: random errors of every player, in Elo; else NULL
    bool is_complete;   // the errors are there
    int *group;         // by player, from 0: groups without games between them cannot be compared
    int groups;
    double prior;                      // as used
    double advantage, advantage_error; // Elo, 95 %; the error is 0 if it was given
    bool has_advantage;                // false: these results say nothing about it; 0 was used
    double draw_rate;                  // of two equal players
} ratings;

// Fills in the ratings, which are freed with ratings_free. False, with the reason, if no finite
// ratings exist or memory runs out.
MUST_USE bool ratings_fit(const ratings_problem *p, ratings *r, fault *why);
void ratings_free(ratings *r);

// The 95 % error of a rating: to both sides of it. In a group without an anchor it is that of the
// distance from the average. Infinite for a player with a single game.
double ratings_error(const ratings *r, int player);
// The same for the difference of two ratings.
double ratings_error_between(const ratings *r, int a, int b);
// The likelihood that a is stronger than b, 0 to 1; 1/2 for players of different groups, NAN if one
// of them has a single game.
double ratings_superiority(const ratings *r, int a, int b);
// The expected score of a against b, either moving first as often.
double ratings_expected(const ratings *r, int a, int b);

// The chances of a win and of a draw at an expected score, given the draw rate of equal players
// (Davidson's model: draws^2 / (wins losses) is constant).
void ratings_chances(double expected, double draw_rate, double *win, double *draw);

#endif
