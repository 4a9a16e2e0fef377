// `kraton bench match`: what the manager itself costs. The same stub engines play under the manager
// and, for comparison, under a loop of bare reads and writes that sends the very same lines.
#ifndef KRATON_MATCH_BENCH_H
#define KRATON_MATCH_BENCH_H

#include "rules/rules.h"

#include <stdio.h>

// guard: this program; stub: path of kraton-stub. Returns 0, or 1 when something failed.
int match_bench(FILE *out, const char *guard, const char *stub);

#endif
