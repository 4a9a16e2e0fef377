// An opponent to measure against, in the spirit of paper 3's FuChou: iterative deepening with its
// dynamic aspiration window over a principal variation search of fixed depth, captures played out
// at the end, the first evaluation of this project with the weights as they were typed in. Nothing
// is pruned or reduced, and there are no tables: no endgames, and no transpositions, of which the
// paper says nothing. As a harder measure the same player can be had with a transposition table,
// which makes it two to three times as fast. The order of moves, of which the paper says nothing
// either, is the last line of play first, captures, killers and history.
//
// Frozen: it shares no code with the engine but the rules, and neither its moves nor its node
// counts may ever change (tests/test_surakarta_paper3.c holds them).
//
// A player owns its memory and serves one thread; only `stop` may be written by others.
#ifndef KRATON_LAB_PAPERS_PAPER3_H
#define KRATON_LAB_PAPERS_PAPER3_H

#include "base/isa.h"
#include "rules/rules.h"
#include "tablebase/surakarta/index.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { PAPER3_DEPTH = 8, PAPER3_MAX_DEPTH = 32 };

typedef struct paper3 paper3;

typedef struct {
    rules_move move; // MOVE_NONE where there is none
    int32_t score;   // from the mover's point of view, 100 a piece
    int depth;       // the last one finished
    uint64_t nodes;
} paper3_thought;

paper3 *paper3_new_baseline(bool with_table);
paper3 *paper3_new_v3(bool with_table);
paper3_thought paper3_choose_baseline(paper3 *player, const rules_state *state, int depth,
                                      const atomic_bool *stop);
paper3_thought paper3_choose_v3(paper3 *player, const rules_state *state, int depth,
                                const atomic_bool *stop);

// NULL when memory will not do.
static inline paper3 *paper3_new(bool with_table) { return ISA_PICK(paper3_new)(with_table); }

static inline void paper3_free(paper3 *player) { free(player); }

// What to play in a game of Surakarta: searches 1, 2, ... depth plies, every time from scratch, so
// that the answer depends on nothing but the game. Ends early where *stop is set (NULL: never).
static inline paper3_thought paper3_choose(paper3 *player, const rules_state *state, int depth,
                                           const atomic_bool *stop) {
    return ISA_PICK(paper3_choose)(player, state, depth, stop);
}

// --- the index of endgame tables ----------------------------------------------------------------

// Paper 3's index, for comparison: boards of n pieces, all splits of one number together, numbered
// by the occupied points as a combinatorial number, times 2^n, plus one colour bit a piece. And
// Schadd's form of it, which leaves out the two colourings of one colour. The paper's formulas are
// lost in the text at hand: order of points and bits is ours, counts are the paper's.
//
// A bit is set where the side to move stands; the first bit is the lowest point's. Neither form
// knows symmetry. Pure functions.

// How many boards of n pieces there are, n from 1 to TB_MAX_PIECES.
static inline uint64_t paper3_size(int n) { return (uint64_t)tb_choose[n][SK_POINTS] << n; }

static inline uint64_t schadd_size(int n) {
    return (uint64_t)tb_choose[n][SK_POINTS] * (((uint64_t)1 << n) - 2);
}

// The colour bits of a placement: the movers among the occupied points.
ALWAYS_INLINE uint64_t paper3_colours(tb_placement p) {
    uint64_t occupied = p.movers | p.others, colours = 0;
    for (int i = 0; occupied; i++)
        colours |= (p.movers >> bits_pop(&occupied) & 1) << i;
    return colours;
}

// The number of a board of n pieces.
ALWAYS_INLINE uint64_t paper3_rank(int n, tb_placement p) {
    return (uint64_t)tb_rank_set(p.movers | p.others) << n | paper3_colours(p);
}

// The same; both sides have pieces.
ALWAYS_INLINE uint64_t schadd_rank(int n, tb_placement p) {
    uint64_t colourings = ((uint64_t)1 << n) - 2;
    return tb_rank_set(p.movers | p.others) * colourings + paper3_colours(p) - 1;
}

// The board whose occupied points carry these colour bits.
static inline tb_placement paper3_colour(uint64_t occupied, uint64_t colours) {
    tb_placement p = {0, 0};
    for (; occupied; colours >>= 1) {
        uint64_t point = sk_bit(bits_pop(&occupied));
        *(colours & 1 ? &p.movers : &p.others) |= point;
    }
    return p;
}

// The board of n pieces with that number.
static inline tb_placement paper3_unrank(int n, uint64_t index) {
    return paper3_colour(tb_unrank_set((uint32_t)(index >> n), n),
                         index & (((uint64_t)1 << n) - 1));
}

static inline tb_placement schadd_unrank(int n, uint64_t index) {
    uint64_t colourings = ((uint64_t)1 << n) - 2;
    return paper3_colour(tb_unrank_set((uint32_t)(index / colourings), n), index % colourings + 1);
}

#endif
