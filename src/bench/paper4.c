#include "bench/bench.h"

#include "base/clock.h"
#include "games/xiangqi/paper4.h"

#include <stdlib.h>

// The paper measured games, not positions; three stages of one stand for them here.
static const struct {
    const char *what, *fen;
} stages[] = {
    {"start", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"},
    {"both sides developed",
     "r1bakab2/9/1cn3n1c/p3p1p1p/2p4r1/6P2/P1P1P3P/1CN1C1N2/9/1RBAKAB1R w - - 0 6"},
    {"middle game, chariots out",
     "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1"},
};
enum { STAGES = sizeof stages / sizeof stages[0] };

static void print_row(FILE *out, const rules_state *s, const char *what) {
    fprintf(out, "  %-30s", what);
    for (int depth = 5; depth <= 6; depth++) {
        paper4_options options = {.depth = depth};
        int64_t start = clock_us();
        paper4_thought t = paper4_choose(s, &options);
        fprintf(out, " %9.2f %12llu", (double)(clock_us() - start) / 1e6,
                (unsigned long long)t.nodes);
        fflush(out);
    }
    fprintf(out, "\n");
}

bool bench_paper4(FILE *out) {
    const rules_game *game = rules_find(text_of("xiangqi"));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(0));
    if (!memory)
        return false;
    rules_state *s = rules_state_new(memory, game, &set, 0);
    bool fine = true;
    fprintf(out,
            "\nPaper 4: seconds and nodes of its player for a move\n  %-30s %9s %12s %9s %12s\n",
            "", "5 plies", "nodes", "6 plies", "nodes");
    for (int i = 0; i < STAGES && fine; i++) {
        fault why;
        fine = rules_set_fen(s, text_of(stages[i].fen), &why);
        if (fine)
            print_row(out, s, stages[i].what);
    }
    fprintf(out, "  (the paper, on an i5-4200U: 1 s and 10 to 30 s)\n");
    free(memory);
    return fine;
}
