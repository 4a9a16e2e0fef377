// The signature of the search.
#include "base/clock.h"
#include "contract/contract.h"
#include "search/search.h"

#include <stdlib.h>

enum { USUAL_DEPTH = 12 };

search_signature search_bench(int depth) {
    search_signature sum = {0};
    const rules_game *game = rules_find(text_of(GAME_NAME));
    rules_set set = rules_default_set(game);
    void *memory = malloc(rules_state_size(0));
    search *s = search_new();
    for (const char *const *fen = game_bench_fens; memory && s && *fen; fen++) {
        rules_state *state = rules_state_new(memory, game, &set, 0);
        if (!rules_set_fen(state, text_of(*fen), NULL))
            continue;
        search_clear(s);
        search_set_state(s, state);
        search_limits limits = {.depth = depth ? depth : USUAL_DEPTH, .clock_us = -1};
        int64_t start = clock_us();
        search_start(s, &limits, NULL);
        sum.nodes += search_wait(s).nodes;
        sum.time_us += clock_us() - start;
        sum.positions++;
    }
    search_free(s);
    free(memory);
    return sum;
}
