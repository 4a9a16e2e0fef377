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

#endif
