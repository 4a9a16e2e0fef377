// One round of a Swiss tournament. Rules, the earlier ones first:
//
//   1  nobody meets the same player again, nor has a second bye, while that can be avoided;
//   2  meetings begun and not begun differ by at most two for everybody, likewise;
//   3  the greatest distance between the score groups of two opponents is as small as can be;
//   4  from the top down everybody is given the best opponent left that lets all others be paired
//      by rules 1 to 3: of the own score group, one who has the other colour coming, and half the
//      group away in rank, as in the Dutch system. Who is left over meets the next group's best.
//
// Rank is by points, then by lot. The bye goes to whom rule 4 leaves over: the lowest that may have
// it. Pure functions of their arguments; nothing allocates.
#ifndef KRATON_CONTEST_SWISS_H
#define KRATON_CONTEST_SWISS_H

#include <stdbool.h>
#include <stdint.h>

enum { SWISS_MAX = 256 };

typedef struct {
    int points; // in any unit
    int lot;    // decides between equals; all different
    int byes;
    int starts;      // meetings begun less meetings not begun
    bool began_last; // in the last meeting
} swiss_player;

typedef struct {
    int count; // 2 to SWISS_MAX
    swiss_player players[SWISS_MAX];
    const uint16_t *met;   // count * count: how often two have met
    bool colours_even_out; // within each meeting, so that who begins hardly matters
} swiss_field;

typedef struct {
    int first, second; // players; second is -1 for a bye
} swiss_pair;

// Pairs everybody; returns how many pairs there are, the bye last.
int swiss_draw(const swiss_field *field, swiss_pair pairs[SWISS_MAX / 2]);

#endif
