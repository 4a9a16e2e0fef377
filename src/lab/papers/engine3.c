// kraton-paper3, and with a transposition table (PAPER3_TABLE) kraton-paper3-table: the frozen
// opponent of lab/papers/paper3. Only a smaller depth than its own changes what it thinks.
#include "lab/papers/paper.h"
#include "lab/papers/paper3.h"

struct paper {
    paper3 *player;
};

paper *paper_new(void) {
    paper *p = calloc(1, sizeof *p);
    if (p)
        p->player = paper3_new(PAPER3_TABLE);
    if (p && p->player)
        return p;
    free(p);
    return NULL;
}

void paper_free(paper *p) {
    paper3_free(p->player);
    free(p);
}

const char *paper_game(void) { return "surakarta"; }

const char *paper_fen(void) { return rules_start_fen(rules_find(text_of("surakarta"))); }

int paper_depth(int asked) { return asked > 0 && asked < PAPER3_DEPTH ? asked : PAPER3_DEPTH; }

paper_thought paper_think(paper *p, const rules_state *s, int depth, const atomic_bool *stop) {
    paper3_thought t = paper3_choose(p->player, s, depth, stop);
    return (paper_thought){.line = {t.move},
                           .line_length = t.move != MOVE_NONE,
                           .score = t.score,
                           .depth = t.depth,
                           .nodes = t.nodes};
}
