// kraton-paper4: paper 4's player. Its user chooses five or six plies.
#include "base/minmax.h"
#include "lab/papers/paper.h"
#include "lab/papers/paper4.h"
#include "search/search.h"

#include <stdlib.h>

enum { MOST_DEPTH = 6, CENTIPAWNS = 100 / PAPER4_PAWN };

struct paper {
    rng random; // for the openings
};

paper *paper_new(void) { return calloc(1, sizeof(paper)); }

void paper_free(paper *p) { free(p); }

const char *paper_game(void) { return "xiangqi"; }

const char *paper_fen(void) {
    return "r1bakab2/9/1cn3n1c/p3p1p1p/2p4r1/6P2/P1P1P3P/1CN1C1N2/9/1RBAKAB1R w - - 0 6";
}

int paper_depth(int asked) { return asked <= 0 ? PAPER4_DEPTH : min_int(asked, MOST_DEPTH); }

static bool is_stopped(void *stop) {
    return atomic_load_explicit((const atomic_bool *)stop, memory_order_relaxed);
}

// A lost general is worth more the sooner it is lost: so many plies of the depth were left.
static int32_t score_of(int points, int depth) {
    int left = abs(points) - PAPER4_GENERAL;
    if (left < 0)
        return points * CENTIPAWNS;
    return points > 0 ? SCORE_MATE - (depth - left) : (depth - left) - SCORE_MATE;
}

paper_thought paper_think(paper *p, const rules_state *s, int depth, const atomic_bool *stop) {
    p->random.state = rules_key(s); // the same opening every time, and another in every position
    paper4_options options = {.depth = depth,
                              .has_book = true,
                              .random = &p->random,
                              .should_stop = stop ? is_stopped : NULL,
                              .of = (void *)(uintptr_t)stop};
    paper4_thought t = paper4_choose(s, &options);
    paper_thought thought = {.depth = t.is_book ? 1 : depth,
                             .nodes = t.nodes,
                             .score = score_of(t.points, depth),
                             .line_length = t.line_length};
    memcpy(thought.line, t.line, (size_t)t.line_length * sizeof t.line[0]);
    return thought;
}
