// The player of a paper, as paper.c puts it behind the interface of the search, so that
// the engine's facade makes a program of it that managers can talk to. One file fills this in for
// each paper; a program has one of them.
#ifndef KRATON_LAB_PAPERS_PAPER_H
#define KRATON_LAB_PAPERS_PAPER_H

#include "rules/rules.h"

#include <stdatomic.h>

enum { PAPER_LINE = 16 };

typedef struct {
    rules_move line[PAPER_LINE]; // its move first; none where the game is over
    int line_length;
    int32_t score; // as search.h has them
    int depth;     // the last one finished
    uint64_t nodes;
} paper_thought;

typedef struct paper paper; // what a player owns; one thread uses it

// NULL when memory will not do.
paper *paper_new(void);
void paper_free(paper *p);
// The game it plays, and a position of it to count its nodes in.
const char *paper_game(void);
const char *paper_fen(void);
// The depth it thinks to where so much is asked for; 0: nothing is.
int paper_depth(int asked);
// Thinks, and ends early where *stop is set by another thread.
paper_thought paper_think(paper *p, const rules_state *s, int depth, const atomic_bool *stop);

#endif
