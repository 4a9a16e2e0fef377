// What endgame tables cost and save the search: nodes a second with and without them, in turns, on
// random boards from which they are soon reached. One thread, processor time.
#ifndef KRATON_LAB_SELFPLAY_TABLES_BENCH_H
#define KRATON_LAB_SELFPLAY_TABLES_BENCH_H

#include "rules/rules.h"

#include <stdio.h>

// False, with the reason, where there are no tables for the game's default rules.
MUST_USE bool tables_bench(const rules_game *game, const char *folder, FILE *out, fault *why);

#endif
