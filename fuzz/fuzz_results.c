// Results of games in any format, and ratings of whatever came out of them.
#include "cli/results.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    results r = {0};
    unsigned line;
    fault why;
    if (results_add(&r, (text){(const char *)data, size}, &line, &why) && r.players &&
        r.players < 20) {
        ratings_problem p = {r.players, r.rows, r.row_count, NULL, 0, NAN, NAN};
        ratings found;
        if (ratings_fit(&p, &found, &why)) {
            for (int i = 0; i < r.players; i++)
                // An error may be infinite, for a player with a single game, but always a number.
                if (!isfinite(found.elo[i]) || !(ratings_error(&found, i) >= 0))
                    abort();
            ratings_free(&found);
        }
    }
    results_free(&r);
    return 0;
}
