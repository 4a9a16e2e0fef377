// Perfect matchings in a general graph, by Edmonds' blossom algorithm. Drawing a Swiss round asks
// again and again whether the remaining players can all be paired. So the matching is kept and
// repaired, one augmenting path at a time, O(n^3) for each at worst.
//
// The caller owns the struct; nothing allocates.
#ifndef KRATON_CONTEST_MATCHING_H
#define KRATON_CONTEST_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

enum { MATCHING_MAX = 256 };

typedef struct {
    int n;
    bool joined[MATCHING_MAX][MATCHING_MAX]; // whether two may be paired; symmetric
    bool gone[MATCHING_MAX];                 // has been paired for good
    int16_t mate[MATCHING_MAX];              // -1: none
} matching;

// Pairs all who are not gone. False where that cannot be done; mate is then of no use.
bool matching_complete(matching *m);
// Takes a pair out for good, if those who stay behind can still all be paired; the matching must be
// complete. False, and nothing changed, if they cannot.
bool matching_fix(matching *m, int a, int b);

#endif
