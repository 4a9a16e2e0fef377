// Results of games from files: who played whom, who moved first, and how it ended. Nothing else of
// a game is read, so games of any kind will do.
#ifndef KRATON_CLI_RESULTS_H
#define KRATON_CLI_RESULTS_H

#include "base/table.h"
#include "contest/ratings.h"

typedef struct {
    char **names; // of the players, in the order they were met
    int players;
    ratings_row *rows; // one for every two players and who moved first
    size_t row_count;
    unsigned games;
    bool is_cut;       // the last file ended in the middle of a game, which is left out
    unsigned left_out; // games without a result, without names, or of a player against itself
    // For results.c:
    size_t name_capacity, row_capacity;
    table by_name, by_pair;
} results;

// Adds the results of a file, "-" for standard input. Formats: PGN (its tags only), JSON lines as
// `kraton match` writes them, its journal, any record, and CSV: first,second,result. False after a
// complaint. A zeroed `results` is empty.
MUST_USE bool results_read(results *r, const char *path);
// The same for the bytes of a file. On failure *line is the line of the mistake, or 0.
MUST_USE bool results_add(results *r, text bytes, unsigned *line, fault *why);
// Number of a player, or -1.
int results_find(const results *r, const char *name);
// Removes the players that are marked, and their games. False, with the reason, without memory.
MUST_USE bool results_remove(results *r, const bool *is_out, fault *why);
void results_free(results *r);

#endif
