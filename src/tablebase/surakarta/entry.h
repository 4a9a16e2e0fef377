// What a table says about a position, and the conventions it may be said under.
//
// Values. Play that never captures again, and a side without a legal move, end in the waiting
// value: under `traditional` a draw, under `count` a win of the side with more pieces (equal
// numbers draw). A position has another value only where a side can force it by captures, its own
// or the other side's.
//
// Distances are plies to the next capture, which counts 1, along moves that keep the value: the
// side that forces it takes the shortest way, the other one the longest. They are 0 where the value
// is the waiting value or the game is over. So under `traditional` wins and losses have distances;
// under `count` so they do between equal sides, and between unequal ones the weaker side's wins and
// the draws it can force, for whichever side is to move.
//
// Pure functions; any thread may call them.
#ifndef KRATON_TABLEBASE_SURAKARTA_ENTRY_H
#define KRATON_TABLEBASE_SURAKARTA_ENTRY_H

#include "rules/rules.h"

typedef enum { TB_TRADITIONAL, TB_COUNT, TB_CONVENTIONS } tb_rules;

enum { TB_LOSS = -1, TB_DRAW, TB_WIN };

typedef struct {
    int8_t value; // for the side to move
    uint8_t distance;
} tb_entry;

// A split counted over all placements.
typedef struct {
    uint64_t win, draw, loss;
    int longest_win, longest_loss; // distances
} tb_tally;

// "traditional", "count"
const char *tb_rules_name(tb_rules rules);
MUST_USE bool tb_rules_find(text name, tb_rules *rules);

// The convention that says how games by this Surakarta rule set end when nobody captures any more.
// False where none does: a repetition draws but the no-capture limit counts, say.
MUST_USE bool tb_rules_of_set(const rules_set *set, tb_rules *rules);

// The value of waiting, for the side to move.
static inline int tb_waiting_value(tb_rules rules, int movers, int others) {
    return rules == TB_TRADITIONAL ? TB_DRAW : (movers > others) - (movers < others);
}

#endif
