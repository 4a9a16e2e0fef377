#include "games/levels.h"

extern const level_table sk_levels, xq_levels;

static const level_table *const tables[] = {&sk_levels, &xq_levels};

const level_table *levels_find(const rules_game *game) {
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i]->game == game)
            return tables[i];
    return NULL;
}
