#include "tablebase/build_solution.h"

#include "tablebase/build_pair.h"

#include <stdlib.h>

static void read_values(void *context, int movers, int others, uint64_t first, uint64_t count,
                        int8_t *values) {
    const tb_solution *solution = context;
    for (uint64_t i = 0; i < count; i++)
        values[i] = solution->table[movers][others][first + i].value;
}

static bool write_entries(void *context, const int8_t *values, const uint8_t *distances,
                          uint64_t count) {
    tb_entry **next = context;
    for (uint64_t i = 0; i < count; i++)
        *(*next)++ = (tb_entry){values[i], distances[i]};
    return true;
}

static bool take_table(tb_solution *s, const tb_pair *pair, int movers, int others) {
    tb_split split = tb_split_of(movers, others);
    tb_entry *next = malloc(split.size * sizeof *next);
    tb_sink sink = {.context = &next, .write = write_entries};
    s->split[movers][others] = split;
    s->table[movers][others] = next;
    return next && tb_pair_emit(pair, movers, &sink);
}

bool tb_build_solution(tb_solution *solution, tb_rules rules, int pieces, int threads,
                       const tb_kernels *kernels) {
    tb_pair_plan plan = {
        .rules = rules, .threads = threads, .smaller = {solution, read_values}, .kernels = kernels};
    bool fine = true;
    *solution = (tb_solution){.rules = rules};
    for (int n = 2; n <= pieces; n++)
        for (int b = 1; fine && b <= n / 2; b++) {
            plan.a = n - b;
            plan.b = b;
            tb_pair *pair = tb_pair_solve(&plan);
            fine = pair && take_table(solution, pair, plan.a, b) &&
                   (plan.a == b || take_table(solution, pair, b, plan.a));
            tb_pair_free(pair);
        }
    return fine;
}
